// Trees of ledgers, and orders of any tree.
#include "harness/attribution/weighted_tree.h"

#include <algorithm>
#include <utility>

namespace tare::attribution {

namespace {

TreeFrame frame_of(const core::LedgerFunction& function, const std::string& path) {
    const bool has_name = core::is_name(function.source);
    TreeFrame frame;
    frame.file = module_name(path);
    frame.symbol = has_name && !function.name.empty() ? function.name : '[' + frame.file + ']';
    std::ranges::replace_if(
        frame.symbol, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    frame.name = frame.symbol;
    frame.place = has_name ? frame.file : on_one_line(function.name);
    return frame;
}

TreeFrame frame_of(const core::LedgerPythonFunction& function) {
    TreeFrame frame;
    frame.name = on_one_line(core::text_of(function));
    frame.symbol = on_one_line(function.name);
    frame.file = frame.place = on_one_line(function.file);
    frame.line = function.first_line;
    frame.is_python = true;
    return frame;
}

}  // namespace

std::string module_name(std::string_view path) {
    if (path.empty()) return "jit";
    return std::string(path.substr(path.rfind('/') + 1));  // npos + 1 is 0: no folder
}

std::string on_one_line(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, ' ');
    return text;
}

WeightedTree tree_of(const core::Ledger& ledger) {
    WeightedTree tree;
    tree.title = ledger.case_name;
    for (const core::LedgerLayer& layer : ledger.layers) tree.layers.push_back({layer.name});
    for (const core::LedgerFunction& function : ledger.functions)
        tree.frames.push_back(frame_of(function, ledger.modules[function.module].path));
    for (const core::LedgerPythonFunction& function : ledger.python_functions)
        tree.frames.push_back(frame_of(function));
    std::vector<std::int32_t> places;  // by node: a Python function stands before the frame that runs it
    for (const core::LedgerNode& node : ledger.nodes) {
        std::int32_t parent = node.parent < 0 ? node.parent : places[static_cast<std::size_t>(node.parent)];
        if (node.python >= 0) {
            const auto frame =
                static_cast<std::uint32_t>(ledger.functions.size() + static_cast<std::size_t>(node.python));
            tree.nodes.push_back({.parent = parent, .frame = frame, .layer = node.layer, .calls = node.calls});
            parent = static_cast<std::int32_t>(tree.nodes.size() - 1);
        }
        places.push_back(static_cast<std::int32_t>(tree.nodes.size()));
        tree.nodes.push_back(
            {.parent = parent, .frame = node.function, .layer = node.layer, .calls = node.calls, .self = node.self});
        tree.layers[node.layer].weight += node.self;
    }
    return tree;
}

std::vector<WeightedTree> trees_of(const std::vector<core::Ledger>& ledgers) {
    std::vector<WeightedTree> trees;
    for (const core::Ledger& ledger : ledgers) trees.push_back(tree_of(ledger));
    return trees;
}

std::vector<std::uint64_t> inclusive_weights(const WeightedTree& tree) {
    std::vector<std::uint64_t> weights(tree.nodes.size());
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {  // children stand after their parents
        const TreeNode& node = tree.nodes[i];
        weights[i] += node.self;
        if (node.parent >= 0) weights[static_cast<std::size_t>(node.parent)] += weights[i];
    }
    return weights;
}

std::vector<std::size_t> depth_first(const std::vector<TreeNode>& nodes) {
    std::vector<std::vector<std::size_t>> children(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].parent >= 0) children[static_cast<std::size_t>(nodes[i].parent)].push_back(i);
    std::vector<std::size_t> order;
    std::vector<std::size_t> waiting;  // not recursive: Python recurses deeper than a stack may be
    for (std::size_t i = nodes.size(); i-- > 0;) {
        if (nodes[i].parent < 0) waiting.push_back(i);
    }
    while (!waiting.empty()) {
        const std::size_t node = waiting.back();
        waiting.pop_back();
        order.push_back(node);
        waiting.insert(waiting.end(), children[node].rbegin(), children[node].rend());
    }
    return order;
}

}  // namespace tare::attribution
