// At stake: a row in different runs. Beside a clock that wandered by 4 % it varied by 2.0 % (SD), at one clock by 1.4
// %.
#include "harness/stats/one_clock.h"

#include <gmock/gmock.h>

#include <cmath>

#include "harness/stats/estimate.h"
#include "harness/stats/simulate.h"

namespace tare::stats {
namespace {

using core::RungKind;
using testing::DoubleNear;

/// A statement of 300 cycles and `waits_ns`, whose process ran at this clock.
core::Visit visit_at(double ghz, double waits_ns, int round = 0) {
    const double computes_ns = 300 / ghz;
    core::Visit visit = visit_of(
        "x", round, {rung_of_values(RungKind::kPython, std::vector<double>(7, computes_ns + waits_ns), 12 / ghz)});
    for (core::Sample& sample : visit.rungs[0].samples)
        sample.cpu_ns = sample.wall_ns - static_cast<double>(sample.n) * waits_ns;
    visit.clock_ghz = ghz;
    return visit;
}

double gross_ns(const std::vector<core::Visit>& visits, double at_ghz) {
    return estimate_cases(visits, {}, {.clock_ghz = at_ghz}).front().time_ns(RungKind::kPython)->value;
}

TEST(OneClock, MovesWhatIsComputedAndNotWhatIsWaitedFor) {
    EXPECT_THAT(gross_ns({visit_at(2.85, 0)}, 3), DoubleNear(100, 1e-9));
    EXPECT_THAT(gross_ns({visit_at(3.3, 0)}, 3), DoubleNear(100, 1e-9));
    EXPECT_THAT(gross_ns({visit_at(2.85, 900)}, 3), DoubleNear(1000, 0.01));
    EXPECT_THAT(gross_ns({visit_at(2.85, 0)}, 0), DoubleNear(300 / 2.85, 1e-9)) << "no clock is asked for";
}

TEST(OneClock, IsThatOfEachProcess) {
    const std::vector<core::Visit> visits = {visit_at(2.9, 0, 0), visit_at(3.05, 0, 1), visit_at(3.1, 0, 2)};
    const CaseEstimate estimate = estimate_cases(visits, {}, {.clock_ghz = 3}).front();
    const RungEstimate& gross = *estimate.rung(RungKind::kPython);
    EXPECT_THAT(gross.time_ns.interval->high - gross.time_ns.interval->low, DoubleNear(0, 1e-9));
    EXPECT_THAT(gross.floor_ns, DoubleNear(4, 1e-9));
    EXPECT_EQ(gross.processes[2].clock_ghz, 3.1) << "what it was stays known";
}

/// A chain that was held up reads a tenth of the clock; a laptop's second clock may be half of its first.
TEST(OneClock, ThatIsFarFromAnotherMovesNothing) {
    for (const double far_ghz : {0.3, 2.4, 3.7}) {
        EXPECT_EQ(clock_factor(far_ghz, 3, 1), 1);
        EXPECT_THAT(gross_ns({visit_at(far_ghz, 0)}, 3), DoubleNear(300 / far_ghz, 1e-9));
    }
    EXPECT_EQ(clock_factor(0, 3, 1), 1) << "unknown";
    EXPECT_THAT(clock_factor(2.55, 3, 1), DoubleNear(0.85, 1e-12));
    EXPECT_THAT(clock_factor(2.55, 3, 0.2), DoubleNear(0.97, 1e-12));
}

TEST(OneClock, OfATimeWithoutCpuTimeMovesNothing) {
    core::Visit imported = visit_at(2.85, 0);
    for (core::Sample& sample : imported.rungs[0].samples) sample.cpu_ns = 0;
    EXPECT_THAT(gross_ns({imported}, 3), DoubleNear(300 / 2.85, 0.01));
}

}  // namespace
}  // namespace tare::stats
