// One factor for all that a visit timed.
#include "harness/stats/one_clock.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/stats/estimators.h"
#include "harness/stats/rung_values.h"

namespace tare::stats {

namespace {

double computed_ratio_of(const core::Visit& visit) {
    for (const core::RungVisit& rung : visit.rungs) {
        if (rung.kind != core::RungKind::kPython) continue;
        const std::vector<double> wall_ns = wall_values_ns(rung), cpu_ns = cpu_values_ns(rung);
        if (wall_ns.empty()) continue;
        return computed_ratio(median(cpu_ns), median(wall_ns));
    }
    return 1;
}

}  // namespace

double computed_ratio(double cpu_ns, double wall_ns) {
    const double ratio = cpu_ns / wall_ns;
    return wall_ns > 0 && std::isfinite(ratio) ? std::clamp(ratio, 0.0, 1.0) : 1;
}

double clock_factor(double own_ghz, double at_ghz, double computed_ratio) {
    return core::are_near_clocks(own_ghz, at_ghz) ? 1 + computed_ratio * (own_ghz / at_ghz - 1) : 1;
}

core::Visit at_clock(core::Visit visit, double at_ghz) {
    const double factor = clock_factor(visit.clock_ghz, at_ghz, computed_ratio_of(visit));
    for (core::RungVisit& rung : visit.rungs) {
        rung.floor_ns *= factor;
        rung.floor_error_ns *= factor;
        for (core::Sample& sample : rung.samples) {
            sample.wall_ns *= factor;
            sample.cpu_ns *= factor;
        }
    }
    return visit;
}

}  // namespace tare::stats
