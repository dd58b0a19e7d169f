// Which cases a filter selects. Pure.
#pragma once

#include <string>
#include <vector>

#include "harness/core/case.h"
#include "harness/core/error.h"

namespace tare::cli {

/// The cases whose name holds a match of the regular expression (ECMAScript), in the catalogue's order; all for an
/// empty filter. Errors: kUsage for a filter that is no regular expression or matches nothing; the latter proposes the
/// nearest names.
[[nodiscard]] core::Expected<std::vector<core::Case>> select_cases(const core::Catalogue& catalogue,
                                                                   const std::string& filter);

}  // namespace tare::cli
