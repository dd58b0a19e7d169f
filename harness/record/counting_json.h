// core::Counting and the counts of a visit as JSON, exactly: what the journal holds. Also the pieces that records share
// with it. Events.
#pragma once

#include <vector>

#include "harness/core/counter.h"
#include "harness/record/json.h"

namespace tare::record {

[[nodiscard]] Json counter_problem_to_json(const core::CounterProblem& problem);  ///< empty members are left out

[[nodiscard]] Json request_to_json(const core::CounterRequest& request);
[[nodiscard]] Json requests_to_json(const std::vector<core::CounterRequest>& requests);
/// Tolerant, because indices count on every item: unknown roles read as kOther. No array: no requests.
[[nodiscard]] std::vector<core::CounterRequest> requests_from_json(const Json& json);

/// {"process", "outcomes", "passes"}
[[nodiscard]] Json process_to_json(const core::CountingProcess& process);
/// Errors: kData where outcomes are not those of `requests` counters, a state is unknown, a pass names no counter.
[[nodiscard]] core::Expected<core::CountingProcess> process_from_json(const Json& json, std::size_t requests);

/// The same of all processes: those that found the same are told once, {"processes", "outcomes", "passes"}.
[[nodiscard]] Json processes_to_json(const std::vector<core::CountingProcess>& processes);
/// By process.
[[nodiscard]] core::Expected<std::vector<core::CountingProcess>> processes_from_json(const Json& json,
                                                                                     std::size_t requests);

/// A list a counter: [counter, gross, floor, net, lowest_net, counted_ratio, batches], and the instructions if there
/// are any. A value that is not finite is null and reads as NaN.
[[nodiscard]] Json counts_to_json(const std::vector<core::RungCount>& counts);
/// Null: nothing was counted. Errors: kData for another shape.
[[nodiscard]] core::Expected<std::vector<core::RungCount>> counts_from_json(const Json& json);

}  // namespace tare::record
