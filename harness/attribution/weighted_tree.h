// WeightedTree: a call tree with weights, as the formats of other programs take it: what a ledger's instructions and a
// profile's samples have in common. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/ledger.h"
#include "harness/core/profile.h"

namespace tare::attribution {

enum class TreeUnit {
    kInstructions,
    kSampledTime,  ///< nanoseconds, and samples beside them
};

struct TreeFrame {
    std::string name;  ///< on one line; of Python frames with their place: `f (a.py:12)`; `[libc.so.6]` without a name
    std::string symbol;  ///< without the place
    std::string place;   ///< for a person: its file, its address if it has no name; empty: no function, only a group
    std::string file;    ///< for a program: the module's name; of Python frames the source's path
    int line = 0;        ///< of Python frames; 0: not known
    bool is_python = false;
    bool operator==(const TreeFrame&) const = default;
};

struct TreeNode {
    std::int32_t parent = -1;
    std::uint32_t frame = 0;    ///< index into WeightedTree::frames
    std::uint32_t layer = 0;    ///< index into WeightedTree::layers
    std::uint64_t calls = 0;    ///< of ledgers; 0: not known
    std::uint64_t self = 0;     ///< instructions, or nanoseconds
    std::uint64_t samples = 0;  ///< of sampled time
    bool operator==(const TreeNode&) const = default;
};

struct TreeLayer {
    std::string name;
    std::uint64_t weight = 0;  ///< of all its functions, also of those that the tree does not show
    bool operator==(const TreeLayer&) const = default;
};

struct WeightedTree {
    std::string title;
    TreeUnit unit = TreeUnit::kInstructions;
    std::vector<TreeLayer> layers;
    std::vector<TreeFrame> frames;
    std::vector<TreeNode> nodes;  ///< parents before their children
    bool operator==(const WeightedTree&) const = default;
};

[[nodiscard]] WeightedTree tree_of(const core::Ledger& ledger);
[[nodiscard]] WeightedTree tree_of(const core::Profile& profile);
[[nodiscard]] std::vector<WeightedTree> trees_of(const std::vector<core::Ledger>& ledgers);

/// A file's name without folders; "jit" for code compiled at run time, whose path is empty.
[[nodiscard]] std::string module_name(std::string_view path);

/// Control characters as blanks.
[[nodiscard]] std::string on_one_line(std::string text);

/// By node: its own weight and that of all below it.
[[nodiscard]] std::vector<std::uint64_t> inclusive_weights(const WeightedTree& tree);

/// Every node, each followed by all below it, children in their order.
[[nodiscard]] std::vector<std::size_t> depth_first(const std::vector<TreeNode>& nodes);

}  // namespace tare::attribution
