// Subtracts the harness's own cost from batches.
#include "harness/stats/rung_values.h"

namespace tare::stats {

namespace {

std::vector<double> values_ns(const core::RungVisit& rung, double core::Sample::*clock_ns) {
    const double floor_of_one_ns = rung.floor_ns / static_cast<double>(rung.unroll > 0 ? rung.unroll : 1);
    std::vector<double> values;
    values.reserve(rung.samples.size());
    for (const core::Sample& sample : rung.samples)
        if (sample.n > 0) values.push_back(sample.*clock_ns / static_cast<double>(sample.n) - floor_of_one_ns);
    return values;
}

}  // namespace

std::vector<double> wall_values_ns(const core::RungVisit& rung) {
    return values_ns(rung, &core::Sample::wall_ns);
}

std::vector<double> cpu_values_ns(const core::RungVisit& rung) {
    return values_ns(rung, &core::Sample::cpu_ns);
}

}  // namespace tare::stats
