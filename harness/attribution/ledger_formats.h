// A ledger's call tree in the formats of tree_formats.h. Weights are instructions; several ledgers stand side by side.
#pragma once

#include <string>
#include <vector>

#include "harness/attribution/tree_formats.h"
#include "harness/core/ledger.h"

namespace tare::attribution {

[[nodiscard]] inline std::string folded(const std::vector<core::Ledger>& ledgers) {
    return folded_trees(trees_of(ledgers));
}

[[nodiscard]] inline std::string speedscope(const std::vector<core::Ledger>& ledgers) {
    return speedscope_of_trees(trees_of(ledgers));
}

[[nodiscard]] inline std::string callgrind(const std::vector<core::Ledger>& ledgers) {
    return callgrind_of_trees(trees_of(ledgers));
}

[[nodiscard]] inline std::string flame_graph(const std::vector<core::Ledger>& ledgers, const std::string& title) {
    return flame_graph_of_trees(trees_of(ledgers), title);
}

}  // namespace tare::attribution
