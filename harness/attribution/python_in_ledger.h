// Python functions of a ledger, from a call tree whose nodes name them.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "harness/core/ledger.h"
#include "harness/core/trace.h"

namespace tare::attribution {

/// Puts them into `ledger`, heaviest first, whose nodes name them by their place in `functions` before and in
/// Ledger::python_functions afterwards; those that nothing ran are left out. `self`: by place; `lines`: by place and
/// line, as CallTree::lines.
void add_python_functions(core::Ledger& ledger, const std::vector<core::PythonFunction>& functions,
                          const std::map<std::uint32_t, core::Count>& self,
                          const std::map<std::pair<std::int32_t, std::int32_t>, std::uint64_t>& lines);

}  // namespace tare::attribution
