// Names and order of frames.
#include "harness/attribution/ledger_frames.h"

#include <algorithm>
#include <utility>

namespace tare::attribution {

std::string module_name(std::string_view path) {
    if (path.empty()) return "jit";
    return std::string(path.substr(path.rfind('/') + 1));  // npos + 1 is 0: no folder
}

std::string on_one_line(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, ' ');
    return text;
}

std::vector<std::string> frame_names(const core::Ledger& ledger) {
    std::vector<std::string> names;
    for (const core::LedgerFunction& function : ledger.functions) {
        std::string name = core::is_name(function.source) && !function.name.empty()
                               ? function.name
                               : '[' + module_name(ledger.modules[function.module].path) + ']';
        std::ranges::replace_if(
            name, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
        names.push_back(std::move(name));
    }
    return names;
}

std::vector<std::vector<std::size_t>> children_of(const std::vector<core::LedgerNode>& nodes) {
    std::vector<std::vector<std::size_t>> children(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].parent >= 0) children[static_cast<std::size_t>(nodes[i].parent)].push_back(i);
    }
    return children;
}

std::vector<std::size_t> depth_first(const std::vector<core::LedgerNode>& nodes) {
    const std::vector<std::vector<std::size_t>> children = children_of(nodes);
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
