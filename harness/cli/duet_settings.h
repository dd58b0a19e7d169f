// What a duet was asked to do, as the map that its record keeps, and back from there for a duet that is continued.
#pragma once

#include <string>

#include "harness/cli/options.h"
#include "harness/core/error.h"
#include "harness/core/value.h"
#include "harness/record/duet.h"

namespace tare::cli {

[[nodiscard]] core::Map duet_settings(const Options& options);

/// Planned looks up to --pairs, or open ones.
[[nodiscard]] core::Expected<stats::SuiteRules> duet_rules(const Options& options, std::uint64_t seed);

/// `options` with all that decides what is measured and how it is judged taken from the record; what the record does
/// not fix (budget, outputs, gate) stays as given. Errors: kUsage where nothing is left to do.
[[nodiscard]] core::Expected<Options> options_of(const record::Duet& duet, const Options& options);

}  // namespace tare::cli
