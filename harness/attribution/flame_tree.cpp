// Children stand side by side in the order in which they were first called, from where their parent begins.
#include "harness/attribution/flame_tree.h"

#include <algorithm>

namespace tare::attribution {

namespace {

constexpr std::uint64_t kSmallestShare = 100'000;  // of a picture 1,200 pixels wide: visible after two deep zooms

std::uint64_t total_of(const WeightedTree& tree) {
    std::uint64_t total = 0;
    for (const TreeNode& node : tree.nodes) total += node.self;
    return total;
}

void add_frames(const WeightedTree& tree, std::uint64_t from, int depth, std::uint64_t smallest,
                std::vector<FlameFrame>& frames) {
    const std::vector<std::uint64_t> inclusive = inclusive_weights(tree);
    std::vector<std::uint64_t> next(tree.nodes.size());  // where a node's next child begins
    std::vector<int> depths(tree.nodes.size());
    std::uint64_t next_root = from;
    for (const std::size_t i : depth_first(tree.nodes)) {
        const TreeNode& node = tree.nodes[i];
        const auto parent = static_cast<std::size_t>(std::max(node.parent, 0));
        std::uint64_t& begin = node.parent < 0 ? next_root : next[parent];
        depths[i] = node.parent < 0 ? depth : depths[parent] + 1;
        next[i] = begin;
        begin += inclusive[i];
        if (inclusive[i] < smallest || inclusive[i] == 0) continue;
        const TreeFrame& frame = tree.frames[node.frame];
        frames.push_back({frame.name, frame.place, tree.layers[node.layer].name, next[i], inclusive[i], node.self,
                          node.calls, depths[i], frame.is_python});
    }
}

}  // namespace

std::vector<FlameFrame> flame_frames(const std::vector<WeightedTree>& trees) {
    std::uint64_t total = 0;
    for (const WeightedTree& tree : trees) total += total_of(tree);
    std::vector<FlameFrame> frames;
    if (total == 0) return frames;
    const bool is_one = trees.size() == 1;
    frames.push_back({is_one ? on_one_line(trees[0].title) : "all", "", "", 0, total, 0, 0, 0});
    std::uint64_t from = 0;
    for (const WeightedTree& tree : trees) {
        const std::uint64_t size = total_of(tree);
        if (!is_one && size > 0) frames.push_back({on_one_line(tree.title), "", "", from, size, 0, 0, 1});
        add_frames(tree, from, is_one ? 1 : 2, total / kSmallestShare, frames);
        from += size;
    }
    return frames;
}

}  // namespace tare::attribution
