// Rows of a duet's `benchmarks[]`: one per case, side and pair, named `<case>/python/a` and `/b`, so that Google
// Benchmark's compare.py can compare the sides by its filters; and one per failed visit. Visits from rows again,
// exactly. Times in nanoseconds per execution, floor included.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/core/pair_visit.h"
#include "harness/record/json.h"

namespace tare::record {

/// Calls `take` with each row: by case in order of first appearance, by side, by visit.
void make_duet_rows(const std::vector<core::PairVisit>& visits, const std::function<void(const Json&)>& take);

/// Puts visits together again from rows in any order.
class DuetRowReader {
  public:
    /// False if the row is no row of a duet.
    bool add(const Json& row);
    /// The visits as they were measured; leaves the reader empty. Errors: kData where rows do not fit together.
    [[nodiscard]] core::Expected<std::vector<core::PairVisit>> take_visits();

  private:
    struct Parts {
        core::PairVisit visit;  ///< without quads
        std::string orders;
        Json a;
        Json b;
        bool described = false;
    };
    std::map<std::uint64_t, Parts> parts_;  ///< by the visit's place among the visits
};

}  // namespace tare::record
