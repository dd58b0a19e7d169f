// core::PairVisit as JSON, exactly: what a duet's journal holds, and the pieces that its record shares with it. Times
// in nanoseconds.
#pragma once

#include "harness/core/pair_visit.h"
#include "harness/record/json.h"

namespace tare::record {

/// A whole number where it is one: clocks count whole nanoseconds, and "200123" is shorter than "200123.0".
[[nodiscard]] Json whole_number(double value);

/// The batches of one side in the order of the quads, two a quad: {"batch_n", "wall_ns", "cpu_ns"}; batch_n is one
/// number where all batches have it.
[[nodiscard]] Json batches_to_json(const std::vector<core::PairQuad>& quads, core::Side side);
/// The side that each quad begins with: "abba..."; a letter a quad.
[[nodiscard]] std::string quad_orders(const std::vector<core::PairQuad>& quads);
/// Errors: kData where the texts and lists do not fit together.
[[nodiscard]] core::Expected<std::vector<core::PairQuad>> quads_from_json(const std::string& orders, const Json& a,
                                                                          const Json& b);

/// What a visit says beside its place and its batches.
[[nodiscard]] Json visit_facts_to_json(const core::PairVisit& visit);
void read_visit_facts(core::PairVisit& visit, const Json& json);

[[nodiscard]] Json side_errors_to_json(const std::vector<core::SideError>& errors);
[[nodiscard]] std::vector<core::SideError> side_errors_from_json(const Json& json);

[[nodiscard]] Json pair_visit_to_json(const core::PairVisit& visit);
/// Errors: kData for what is no visit of a pair.
[[nodiscard]] core::Expected<core::PairVisit> pair_visit_from_json(const Json& json);

}  // namespace tare::record
