// Which cases a filter selects. Pure.
#pragma once

#include <string>
#include <vector>

#include "harness/core/case.h"
#include "harness/core/error.h"
#include "harness/core/value.h"

namespace tare::cli {

/// The cases whose name holds a match of the regular expression (ECMAScript), in the catalogue's order; all for an
/// empty filter. Errors: kUsage for a filter that is no regular expression or matches nothing; the latter proposes the
/// nearest names.
[[nodiscard]] core::Expected<std::vector<core::Case>> select_cases(const core::Catalogue& catalogue,
                                                                   const std::string& filter);

/// As a worker is told which ones to make.
[[nodiscard]] core::List names_of(const std::vector<core::Case>& cases);

}  // namespace tare::cli
