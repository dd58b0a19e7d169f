// Sums over a call tree, and names.
#include "harness/core/ledger.h"

#include <fmt/format.h>

namespace tare::core {

std::string text_of(const LedgerPythonFunction& function) {
    return fmt::format("{} ({}:{})", function.name, function.file.substr(function.file.rfind('/') + 1),
                       function.first_line);
}

std::vector<std::uint64_t> inclusive_counts(const std::vector<LedgerNode>& nodes) {
    std::vector<std::uint64_t> counts(nodes.size());
    for (std::size_t i = nodes.size(); i-- > 0;) {  // children stand after their parents
        counts[i] += nodes[i].self;
        if (nodes[i].parent >= 0) counts[static_cast<std::size_t>(nodes[i].parent)] += counts[i];
    }
    return counts;
}

}  // namespace tare::core
