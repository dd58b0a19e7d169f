// The one case that a command's argument means. Pure.
#pragma once

#include <string>

#include "harness/core/case.h"
#include "harness/core/error.h"

namespace tare::cli {

/// `text` is a case's whole name, or an operation with any subset of its parameters, in any order, that picks exactly
/// one: `add[kind=0d]`. Errors: kUsage where it picks none (with the nearest names) or several (which are listed).
[[nodiscard]] core::Expected<core::Case> choose_case(const core::Catalogue& catalogue, const std::string& text);

}  // namespace tare::cli
