// Moments: what the values of a case say together, in one record: where they lie and how far they spread. Log scale.
// Pure.
#pragma once

#include <span>

namespace tare::stats {

struct Moments {
    double mean = 0;
    double variance = 0;            ///< of one value; that of `mean` is variance / count
    double degrees_of_freedom = 0;  ///< of `variance`; 0: a single value, which has no spread
    int count = 0;
    bool operator==(const Moments&) const = default;
};

/// Mean and unbiased variance. `values` not empty. Not a trimmed mean, which finds more where values have heavy tails:
/// of processes that are in either of two modes, seven in one and one in the other, it drops the one, and then called
/// 16 of 100 unchanged suites changed.
[[nodiscard]] Moments moments_of(std::span<const double> values);

}  // namespace tare::stats
