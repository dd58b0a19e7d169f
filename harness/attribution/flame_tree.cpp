// Children stand side by side in the order in which they were first called, from where their parent begins.
#include "harness/attribution/flame_tree.h"

#include <algorithm>

#include "harness/attribution/ledger_frames.h"

namespace tare::attribution {

namespace {

constexpr std::uint64_t kSmallestShare = 100'000;  // of a picture 1,200 pixels wide: visible after two deep zooms

std::uint64_t total_of(const core::Ledger& ledger) {
    std::uint64_t total = 0;
    for (const core::LedgerNode& node : ledger.nodes) total += node.self;
    return total;
}

void add_frames(const core::Ledger& ledger, std::uint64_t from, int depth, std::uint64_t smallest,
                std::vector<FlameFrame>& frames) {
    const std::vector<std::string> names = frame_names(ledger);
    const std::vector<std::uint64_t> inclusive = core::inclusive_counts(ledger.nodes);
    std::vector<std::uint64_t> next(ledger.nodes.size());  // where a node's next child begins
    std::vector<int> depths(ledger.nodes.size());
    std::uint64_t next_root = from;
    for (const std::size_t i : depth_first(ledger.nodes)) {
        const core::LedgerNode& node = ledger.nodes[i];
        const auto parent = static_cast<std::size_t>(std::max(node.parent, 0));
        std::uint64_t& begin = node.parent < 0 ? next_root : next[parent];
        depths[i] = node.parent < 0 ? depth : depths[parent] + 1;
        next[i] = begin;
        begin += inclusive[i];
        if (inclusive[i] < smallest || inclusive[i] == 0) continue;
        const core::LedgerFunction& function = ledger.functions[node.function];
        const std::string place = core::is_name(function.source) ? module_name(ledger.modules[function.module].path)
                                                                 : on_one_line(function.name);
        frames.push_back({names[node.function], place, ledger.layers[node.layer].name, next[i], inclusive[i], node.self,
                          node.calls, depths[i]});
    }
}

}  // namespace

std::vector<FlameFrame> flame_frames(const std::vector<core::Ledger>& ledgers) {
    std::uint64_t total = 0;
    for (const core::Ledger& ledger : ledgers) total += total_of(ledger);
    std::vector<FlameFrame> frames;
    if (total == 0) return frames;
    const bool is_one = ledgers.size() == 1;
    frames.push_back({is_one ? on_one_line(ledgers[0].case_name) : "all", "", "", 0, total, 0, 0, 0});
    std::uint64_t from = 0;
    for (const core::Ledger& ledger : ledgers) {
        const std::uint64_t size = total_of(ledger);
        if (!is_one && size > 0) frames.push_back({on_one_line(ledger.case_name), "", "", from, size, 0, 0, 1});
        add_frames(ledger, from, is_one ? 1 : 2, total / kSmallestShare, frames);
        from += size;
    }
    return frames;
}

}  // namespace tare::attribution
