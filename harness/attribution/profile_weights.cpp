// One factor for every time.
#include "harness/attribution/profile_weights.h"

namespace tare::attribution {

void weigh_as(core::Profile& profile, double cpu_ns) {
    if (profile.total.ns <= 0 || cpu_ns <= 0) return;
    const double factor = cpu_ns / profile.total.ns;
    const auto scale = [factor](auto&... times) { ((times.ns *= factor), ...); };
    scale(profile.total);
    for (core::ProfileModule& each : profile.modules) scale(each.self, each.named);
    for (core::ProfileLayer& each : profile.layers) scale(each.self);
    for (core::ProfileFunction& each : profile.functions) scale(each.self, each.inclusive);
    for (core::ProfileLine& each : profile.lines) scale(each.self, each.inclusive);
    for (core::ProfileThread& each : profile.threads) scale(each.time, each.waiting, each.gil);
    for (core::ProfileNode& each : profile.nodes) scale(each.self);
}

}  // namespace tare::attribution
