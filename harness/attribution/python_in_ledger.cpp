// A function's instructions with all that it calls are those below its outermost frames.
#include "harness/attribution/python_in_ledger.h"

#include <algorithm>
#include <numeric>

namespace tare::attribution {

namespace {

bool is_within_itself(const std::vector<core::LedgerNode>& nodes, const core::LedgerNode& node) {
    for (std::int32_t at = node.parent; at >= 0; at = nodes[static_cast<std::size_t>(at)].parent)
        if (nodes[static_cast<std::size_t>(at)].python == node.python) return true;
    return false;
}

bool has_run(const core::LedgerPythonFunction& function) {
    return function.self.highest > 0 || function.calls > 0;
}

}  // namespace

void add_python_functions(core::Ledger& ledger, const std::vector<core::PythonFunction>& functions,
                          const std::map<std::uint32_t, core::Count>& self,
                          const std::map<std::pair<std::int32_t, std::int32_t>, std::uint64_t>& lines) {
    std::vector<core::LedgerPythonFunction> found;
    for (const core::PythonFunction& function : functions) {
        const auto own = self.find(static_cast<std::uint32_t>(found.size()));
        found.push_back({.name = function.name,
                         .file = function.file,
                         .first_line = function.first_line,
                         .self = own != self.end() ? own->second : core::Count{}});
    }
    const std::vector<std::uint64_t> inclusive = core::inclusive_counts(ledger.nodes);
    for (std::size_t i = 0; i < ledger.nodes.size(); ++i) {
        const core::LedgerNode& node = ledger.nodes[i];
        if (node.python < 0) continue;
        core::LedgerPythonFunction& function = found[static_cast<std::size_t>(node.python)];
        function.calls += node.calls;
        if (!is_within_itself(ledger.nodes, node)) function.inclusive += inclusive[i];
    }
    for (const auto& [place, instructions] : lines)
        if (instructions > 0)
            found[static_cast<std::size_t>(place.first)].lines.push_back({place.second, instructions});

    std::vector<std::size_t> order(found.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return std::pair(found[a].self.value, found[a].inclusive) > std::pair(found[b].self.value, found[b].inclusive);
    });
    std::vector<std::int32_t> places(found.size(), -1);
    for (const std::size_t i : order) {
        if (!has_run(found[i])) continue;
        places[i] = static_cast<std::int32_t>(ledger.python_functions.size());
        ledger.python_functions.push_back(std::move(found[i]));
    }
    for (core::LedgerNode& node : ledger.nodes)
        if (node.python >= 0) node.python = places[static_cast<std::size_t>(node.python)];
}

}  // namespace tare::attribution
