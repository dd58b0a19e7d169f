// A ledger's functions as the formats of profiles show them. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/ledger.h"

namespace tare::attribution {

/// A file's name without folders; "jit" for code compiled at run time, whose path is empty.
[[nodiscard]] std::string module_name(std::string_view path);

/// Control characters as blanks.
[[nodiscard]] std::string on_one_line(std::string text);

/// By function: its name on one line; its module in brackets where it has no name.
[[nodiscard]] std::vector<std::string> frame_names(const core::Ledger& ledger);

/// By node: its children in their order.
[[nodiscard]] std::vector<std::vector<std::size_t>> children_of(const std::vector<core::LedgerNode>& nodes);

/// Every node, each followed by all below it, children in their order.
[[nodiscard]] std::vector<std::size_t> depth_first(const std::vector<core::LedgerNode>& nodes);

}  // namespace tare::attribution
