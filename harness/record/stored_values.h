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
    /// Of the core's clock in GHz, beside each; empty where one of them is not known, and of pairs.
    std::vector<double> log_clocks;
    std::optional<double> time_ns;
    std::optional<double> at_log_clock;  ///< the clock that the record says its times at
    std::optional<core::Error> error;
    bool not_positive = false;  ///< a time net of the harness is not above 0: no logarithm, no verdict
    bool placement_kept = false;
    bool busy = false;       ///< of all batches: too few were quiet to say what an uncontended machine takes
    std::string statements;  ///< where the record has them
};

[[nodiscard]] std::vector<StoredValues> values_of(const Record& record);
[[nodiscard]] std::vector<StoredValues> values_of(const Duet& duet);

}  // namespace tare::record
