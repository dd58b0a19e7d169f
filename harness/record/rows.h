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
#include "harness/record/row_counts.h"

namespace tare::record {

/// Calls `take` with each row: by case in order of first appearance, by rung, by visit.
/// `counters`: those of the run. `best`: what its references are given relative to; 0: they are left out.
void make_rows(const std::vector<core::Visit>& visits, const std::vector<stats::RunCounter>& counters,
               const core::References& best, const std::function<void(const Json&)>& take);

/// Puts visits together again from rows in any order.
class RowReader {
  public:
    /// False if the row is no row of ours (no `tare` object, or a name that does not end with its rung).
    bool add(const Json& row);
    /// The visits by round and order, their counts those of `requests`, their references relative to `best`; leaves
    /// the reader empty.
    [[nodiscard]] std::vector<core::Visit> take_visits(const std::vector<core::CounterRequest>& requests = {},
                                                       const core::References& best = {});

  private:
    /// Counts whose names wait for the requests, which stand at the document's end.
    struct Pending {
        std::size_t visit;
        std::size_t rung;
        std::vector<RowNumber> numbers;
        Json rest;
    };

    std::size_t place_of(std::string case_name, const Json& ours);
    void add_rung(std::size_t visit, core::RungVisit rung, const Json& fields, std::vector<RowNumber> numbers = {});
    [[nodiscard]] std::vector<RowNumber> numbers_of(const Json& row);
    void add_counts(const std::vector<core::CounterRequest>& requests);

    std::vector<core::Visit> visits_;
    std::map<std::tuple<std::string, int, int>, std::size_t> places_;  ///< by case, round, process
    std::map<std::string, std::size_t, std::less<>> names_;            ///< of numbers in rows, in order of appearance
    std::vector<Pending> pending_;
};

}  // namespace tare::record
