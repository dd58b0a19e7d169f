// Rows of a record's `benchmarks[]`: one per case, rung (but the floor) and process, and one per failed visit; and
// visits from rows. Times in nanoseconds per execution, net of the harness.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "harness/core/visit.h"
#include "harness/record/json.h"

namespace tare::record {

/// Calls `take` with each row: by case in order of first appearance, by rung, by visit.
void make_rows(const std::vector<core::Visit>& visits, const std::function<void(const Json&)>& take);

/// Puts visits together again from rows in any order.
class RowReader {
  public:
    /// False if the row is no row of ours (no `tare` object, or a name that does not end with its rung).
    bool add(const Json& row);
    /// The visits by round and order; leaves the reader empty.
    [[nodiscard]] std::vector<core::Visit> take_visits();

  private:
    core::Visit& visit_of(std::string case_name, const Json& ours);

    std::vector<core::Visit> visits_;
    std::map<std::tuple<std::string, int, int>, std::size_t> places_;  ///< by case, round, process
};

}  // namespace tare::record
