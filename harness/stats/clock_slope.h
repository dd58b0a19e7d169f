// ClockSlope: how far a case's time follows the core's clock, d ln(time) / d ln(clock): -1 where the core and its own
// caches do all of it, 0 where none. Processes of one run ran at clocks that differ by a per cent or two, which tells
// it roughly; the cases of a suite tell it together. Pure.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace tare::stats {

/// One process.
struct ClockedTime {
    double log_clock = 0;  ///< of GHz
    double log_time = 0;   ///< of ns, as it was timed
};

struct ClockSlope {
    double value = 0;
    double standard_error = 0;
    bool operator==(const ClockSlope&) const = default;
};

/// Before anything is seen of a suite: most code follows the clock, and what waits for memory follows it by half or
/// less.
inline constexpr ClockSlope kExpectedSlope{-1, 0.5};

/// Fewer cases tell nothing of how the cases of a suite differ.
inline constexpr std::size_t kFewestSlopes = 20;

/// By least squares within each run, whose level is its own; `runs`: the processes of one case in each record. Those
/// whose clock is not near the median of their run (core/references.h) are left out. Nothing where fewer than two
/// degrees of freedom are left, or no clock differs.
[[nodiscard]] std::optional<ClockSlope> own_clock_slope(std::span<const std::vector<ClockedTime>> runs);

/// Each case's slope drawn towards what the suite has (or is expected to have, with fewer than kFewestSlopes known), as
/// far as its own error and the spread of the suite say: an empirical Bayes estimate, middle and spread of the suite by
/// medians. One that the suite allows in fewer than one case of 100 is another kind of case, and is drawn towards the
/// expected slope alone.
[[nodiscard]] std::vector<ClockSlope> clock_slopes(std::span<const std::optional<ClockSlope>> own);

}  // namespace tare::stats
