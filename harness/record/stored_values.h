// StoredValues: what one record holds of a case for a comparison: a value for each process of a run, or for each pair
// of a duet. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/core/error.h"
#include "harness/record/duet.h"
#include "harness/record/record.h"

namespace tare::record {

struct StoredValues {
    std::string name;
    /// Of times in ns as they were timed, a process each; or ln(b/a), a pair each. Empty where one has no logarithm.
    std::vector<double> logs;
    /// Of the core's clock in GHz, beside each; one that is not near their median, which it is instead, was misread
    /// (core/references.h). Empty where one of them is not known, and of pairs.
    std::vector<double> log_clocks;
    double shared_error = 0;             ///< standard error that all `logs` have in common: of the floor they share
    double computed_ratio = 1;           ///< the part of its time that its thread computed
    std::optional<double> time_ns;       ///< as the record's own rows say it
    std::optional<double> at_log_clock;  ///< the clock that they say it at
    std::optional<core::Error> error;
    bool not_positive = false;  ///< a time net of the harness is not above 0: no logarithm, no verdict
    bool placement_kept = false;
    bool busy = false;       ///< of all batches: too few were quiet to say what an uncontended machine takes
    std::string statements;  ///< where the record has them
};

/// `logs` at that clock, by a slope of stats/clock_slope.h; as they are where no clocks are known.
[[nodiscard]] std::vector<double> logs_at(const StoredValues& values, double slope, double log_clock);

[[nodiscard]] std::vector<StoredValues> values_of(const Record& record);
[[nodiscard]] std::vector<StoredValues> values_of(const Duet& duet);

}  // namespace tare::record
