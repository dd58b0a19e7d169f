// FlameGraph's folded stacks: https://github.com/brendangregg/FlameGraph, stackcollapse-*.pl.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "harness/attribution/ledger_formats.h"
#include "harness/attribution/ledger_frames.h"

namespace tare::attribution {

namespace {

std::string folded_name(std::string name) {
    std::ranges::replace(name, ';', ':');
    return on_one_line(std::move(name));
}

}  // namespace

std::string folded(const std::vector<core::Ledger>& ledgers) {
    std::vector<std::pair<std::string, std::uint64_t>> lines;
    std::unordered_map<std::string, std::size_t> line_of;  // nameless functions of one module share their frame
    for (const core::Ledger& ledger : ledgers) {
        std::vector<std::string> names = frame_names(ledger);
        std::ranges::transform(names, names.begin(), folded_name);
        const std::string root = ledgers.size() > 1 ? folded_name(ledger.case_name) + ';' : std::string();
        std::vector<std::string> paths(ledger.nodes.size());
        for (const std::size_t i : depth_first(ledger.nodes)) {
            const core::LedgerNode& node = ledger.nodes[i];
            const std::string above = node.parent < 0 ? root : paths[static_cast<std::size_t>(node.parent)] + ';';
            paths[i] = above + names[node.function];
            if (node.self == 0) continue;
            const auto [known, is_new] = line_of.emplace(paths[i], lines.size());
            if (is_new) {
                lines.emplace_back(paths[i], node.self);
            } else {
                lines[known->second].second += node.self;
            }
        }
    }
    std::string text;
    for (const auto& [path, instructions] : lines) text += fmt::format("{} {}\n", path, instructions);
    return text;
}

}  // namespace tare::attribution
