// FlameGraph's folded stacks: https://github.com/brendangregg/FlameGraph, stackcollapse-*.pl.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "harness/attribution/tree_formats.h"

namespace tare::attribution {

namespace {

std::string folded_name(std::string name) {
    std::ranges::replace(name, ';', ':');
    return on_one_line(std::move(name));
}

}  // namespace

std::string folded_trees(const std::vector<WeightedTree>& trees) {
    std::vector<std::pair<std::string, std::uint64_t>> lines;
    std::unordered_map<std::string, std::size_t> line_of;  // nameless functions of one module share their frame
    for (const WeightedTree& tree : trees) {
        std::vector<std::string> names;
        for (const TreeFrame& frame : tree.frames) names.push_back(folded_name(frame.name));
        const std::string root = trees.size() > 1 ? folded_name(tree.title) + ';' : std::string();
        std::vector<std::string> paths(tree.nodes.size());
        for (const std::size_t i : depth_first(tree.nodes)) {
            const TreeNode& node = tree.nodes[i];
            const std::string above = node.parent < 0 ? root : paths[static_cast<std::size_t>(node.parent)] + ';';
            paths[i] = above + names[node.frame];
            const std::uint64_t weight = tree.unit == TreeUnit::kInstructions ? node.self : node.samples;
            if (weight == 0) continue;
            const auto [known, is_new] = line_of.emplace(paths[i], lines.size());
            if (is_new) {
                lines.emplace_back(paths[i], weight);
            } else {
                lines[known->second].second += weight;
            }
        }
    }
    std::string text;
    for (const auto& [path, weight] : lines) text += fmt::format("{} {}\n", path, weight);
    return text;
}

}  // namespace tare::attribution
