// ReferenceWatch: what a run knows of the machine's quiet: the best that its kernels are known to take, what it has
// read itself so far, and how long it may still wait. Pure; times in nanoseconds.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/core/references.h"
#include "harness/measure/low_quantile.h"

namespace tare::measure {

class ReferenceWatch {
  public:
    static constexpr std::size_t kFewestReadings = 50;  ///< fewer do not say what is low
    static constexpr double kWaitOfRoundNs = 50e6;      ///< from the start

    /// `known`: the best of earlier runs on this machine (best_references.h), or 0. `wait_s`: how long the run may wait
    /// for quiet moments in all; none: a third as long as it measures, and 0.05 s more for each of its
    /// `rounds`, so that a run of one case, which is over in two seconds, sees more than one of the machine's moods.
    explicit ReferenceWatch(const core::References& known = {}, std::optional<double> wait_s = std::nullopt,
                            int rounds = 1);

    void take(const core::References& taken);
    [[nodiscard]] std::size_t readings() const { return l1_.count(); }
    /// Of this run alone; all 0 before the first reading.
    [[nodiscard]] core::References low() const { return {.l1_cycles = l1_.value(), .alu_cycles = alu_.value()}; }
    /// Of earlier runs and this one, which needs nobody's confirmation for what it read itself many times.
    [[nodiscard]] core::References best() const;
    /// That, and the clock that times are said at: the usual one of earlier runs where this run's is near it, else this
    /// run's own. Takes as long as a median of all batches.
    [[nodiscard]] core::References best_at_clock() const;
    /// The median of the batches so far; 0 before the first.
    [[nodiscard]] double clock_ghz() const;
    /// Of the batches so far those that were quiet, as far as it was known then; 1 before the first.
    [[nodiscard]] double quiet_ratio() const;

    /// What the next visit may spend on waiting: a part of what is left, so that something is left for those after it.
    [[nodiscard]] double wait_ns() const { return kMostOfRest * wait_left_ns_; }
    void waited(double ns) {
        wait_left_ns_ -= ns;
        waited_ns_ += ns;
    }
    [[nodiscard]] double waited_ns() const { return waited_ns_; }
    /// A visit took so long, without its waiting. Without a budget in seconds a third of it may be spent on waiting.
    void measured(double ns);

  private:
    static constexpr double kMostOfRest = 0.25;

    core::References known_;
    LowQuantile l1_;
    LowQuantile alu_;
    std::vector<double> clocks_ghz_;
    std::size_t quiet_ = 0;
    bool earns_ = false;
    double wait_left_ns_ = 0;
    double waited_ns_ = 0;
};

}  // namespace tare::measure
