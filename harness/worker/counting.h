// Counting: a worker's counters, from the request to the counts of a batch: opened, self-tested, and freed of what the
// reading itself costs. On the main thread, which is the one that is counted.
#pragma once

#include <optional>
#include <vector>

#include "harness/core/count_hook.h"
#include "harness/core/error.h"
#include "harness/core/value.h"
#include "pmu/counter_set.h"

namespace tare::worker {

class Counting {
  public:
    Counting();
    Counting(const Counting&) = delete;  // the hook points here
    Counting& operator=(const Counting&) = delete;

    /// {"counters":[requests]} -> {"outcomes","passes"}. What was open before is closed.
    [[nodiscard]] core::Expected<core::Value> open(const core::Value& request);

    /// [[counters],...]: empty where nothing is counted.
    [[nodiscard]] core::Value passes() const;

    /// Lets a pass count. The hook reads around a batch; it stays valid as long as this object.
    [[nodiscard]] core::Expected<const core::CountHook*> begin(std::size_t pass);
    /// The counts of the last batch, net of an empty one; nil where the group was not readable.
    [[nodiscard]] core::Value last_batch() const;
    void end();

  private:
    void find_reading_cost();

    std::optional<pmu::CounterSet> set_;
    core::CountHook hook_;
    std::vector<std::vector<std::int64_t>> reading_cost_;  ///< by pass, as its counters
};

}  // namespace tare::worker
