// The counts of one rung in one process within a record: numbers that Google Benchmark's readers know as counters, and
// an object `counters` with what the names have no place for. Events of one execution, as in core::RungCount.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/visit.h"
#include "harness/record/json.h"
#include "harness/stats/run_counters.h"

namespace tare::record {

/// The counters of a run as rows see them.
class RowCounters {
  public:
    explicit RowCounters(const std::vector<stats::RunCounter>& counters);

    /// Column -> net, of the counters that are measured or partial in the run. Never a null.
    [[nodiscard]] Json numbers(const core::RungVisit& rung) const;
    /// The rest; `with_net`: all of it, where no numbers stand beside it. Lists are in the order of the run's counters,
    /// null where one was not counted; one number where all that were counted have the same. Left out: floors that are
    /// all 0, a lowest_net that is the net, a gross that is net + floor, a counted_ratio of 1, batches that are all
    /// samples, instructions that are the net of the counter of that role (or none, where it was not counted). Empty
    /// where nothing was counted.
    [[nodiscard]] Json rest(const core::RungVisit& rung, bool with_net) const;

  private:
    [[nodiscard]] Json instructions(const core::RungVisit& rung) const;

    struct Item {
        std::string column;
        bool as_number = false;
        int digits = 0;
    };
    std::vector<Item> items_;
    std::optional<std::size_t> instructions_;  ///< the first of that role
};

/// A number beside a row's `counters`: what it is called, and its value.
struct RowNumber {
    std::size_t name = 0;  ///< index in the reader's list of names
    double value = 0;
};

/// What a reader knows of a run's counters.
struct RowNames {
    std::size_t counters = 0;                 ///< how many there are
    std::vector<std::size_t> counter_of;      ///< by RowNumber::name; `counters` for what is none
    std::optional<std::size_t> instructions;  ///< the first counter of that role
};

/// Counts again, at the digits that were written. `rest` is the object `counters`, or null; `samples`: of the rung.
[[nodiscard]] std::vector<core::RungCount> counts_from_row(const std::vector<RowNumber>& numbers, const Json& rest,
                                                           const RowNames& names, std::size_t samples);

/// The first request for the role; none if there is none.
[[nodiscard]] std::optional<std::size_t> first_instructions(const std::vector<core::CounterRequest>& requests);

}  // namespace tare::record
