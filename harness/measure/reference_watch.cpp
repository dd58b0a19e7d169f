// What is asked of the readings so far, and what may still be spent.
#include "harness/measure/reference_watch.h"

#include <algorithm>

#include "harness/core/median.h"

namespace tare::measure {

namespace {

constexpr double kWaitRatio = 1.0 / 3;

}  // namespace

ReferenceWatch::ReferenceWatch(const core::References& known, std::optional<double> wait_s, int rounds)
    : known_(known), earns_(!wait_s), wait_left_ns_(wait_s ? *wait_s * 1e9 : kWaitOfRoundNs * rounds) {}

void ReferenceWatch::take(const core::References& taken) {
    if (!(taken.l1_cycles > 0)) return;
    l1_.add(taken.l1_cycles);
    alu_.add(taken.alu_cycles);
    clocks_ghz_.push_back(taken.clock_ghz);
    if (is_quiet(taken, best())) ++quiet_;
}

core::References ReferenceWatch::best() const {
    if (!(known_.l1_cycles > 0)) return low();
    if (readings() < kFewestReadings) return {.l1_cycles = known_.l1_cycles, .alu_cycles = known_.alu_cycles};
    return {.l1_cycles = std::min(known_.l1_cycles, low().l1_cycles),
            .alu_cycles = std::min(known_.alu_cycles, low().alu_cycles)};
}

core::References ReferenceWatch::best_at_clock() const {
    core::References at = best();
    const double own_ghz = clock_ghz();
    at.clock_ghz = core::are_near_clocks(known_.clock_ghz, own_ghz) ? known_.clock_ghz : own_ghz;
    return at;
}

double ReferenceWatch::clock_ghz() const {
    return clocks_ghz_.empty() ? 0 : core::median(clocks_ghz_);
}

double ReferenceWatch::quiet_ratio() const {
    return readings() == 0 ? 1 : static_cast<double>(quiet_) / static_cast<double>(readings());
}

void ReferenceWatch::measured(double ns) {
    if (earns_) wait_left_ns_ += kWaitRatio * ns;
}

}  // namespace tare::measure
