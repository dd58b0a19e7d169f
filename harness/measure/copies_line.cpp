// Ordinary least squares.
#include "harness/measure/copies_line.h"

namespace tare::measure {

std::optional<double> pass_cost_ns(const std::vector<PassTime>& passes) {
    const auto count = static_cast<double>(passes.size());
    double copies = 0, time_ns = 0;
    for (const PassTime& pass : passes) {
        copies += pass.copies / count;
        time_ns += pass.pass_ns / count;
    }
    double covariance = 0, variance = 0;
    for (const PassTime& pass : passes) {
        covariance += (pass.copies - copies) * (pass.pass_ns - time_ns);
        variance += (pass.copies - copies) * (pass.copies - copies);
    }
    if (variance <= 0) return std::nullopt;
    return time_ns - covariance / variance * copies;
}

}  // namespace tare::measure
