// core::Visit as JSON: what the journal holds; exactly, but for the clock of each batch's references, of which the
// visit has the median. Also the pieces that records share with it. Times in nanoseconds.
#pragma once

#include <string_view>

#include "harness/core/visit.h"
#include "harness/record/json.h"

namespace tare::record {

/// Samples are [n, wall_ns, cpu_ns] at full precision, with references [n, wall_ns, cpu_ns, l1_cycles, alu_cycles]; a
/// value that is not finite is null and reads as NaN.
[[nodiscard]] Json visit_to_json(const core::Visit& visit);
/// Errors: kData for what is no visit (no case name, unknown rung, samples that are none of these).
[[nodiscard]] core::Expected<core::Visit> visit_from_json(const Json& json);

/// The row of a visit that failed, as Google Benchmark writes one; `ours` becomes its `tare` object.
[[nodiscard]] Json failed_row(const std::string& case_name, const std::string& message, Json ours);

[[nodiscard]] std::string_view name_of(core::ErrorCode code);  ///< "case_failed", ...
[[nodiscard]] Json error_to_json(const core::Error& error);
[[nodiscard]] core::Error error_from_json(const Json& json);
[[nodiscard]] Json problems_to_json(const std::vector<core::RungProblem>& problems);
[[nodiscard]] std::vector<core::RungProblem> problems_from_json(const Json& json);
[[nodiscard]] std::vector<std::string> texts_from_json(const Json& json);
[[nodiscard]] int int_or(const Json& json, int otherwise);

}  // namespace tare::record
