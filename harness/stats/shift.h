// Shift: by how much the values of one sample lie above those of another, by their ranks. Beside neighbours a process
// in five is slow by 10 % and more; a mean follows those, and its error is theirs. Pure.
#pragma once

#include <optional>
#include <span>

#include "harness/stats/contrast.h"

namespace tare::stats {

/// With fewer values on a side ranks alone can hardly say what a suite of 80 asks for (1 in 3,200), and Student's t,
/// with what other cases tell of a variance, says more. Nine against nine say 1 in 48,620, enough for 1,200 cases.
inline constexpr std::size_t kFewestForRanks = 9;
/// With more, all differences are too many, and means are known well.
inline constexpr std::size_t kMostForRanks = 200;

/// new - old: the median of all differences, and as its standard error half the interval that ranks allow it, in
/// standard errors of a normal distribution (Hodges and Lehmann 1963; Lehmann 1975, "Nonparametrics", section 2.5).
/// Where the rank sum test (Mann and Whitney 1947; exact up to 20 against 20 values, ties counted as halves) has a p
/// below 10 %, no smaller than makes Student's t as doubtful of no shift as that is: where processes are in either of
/// two modes the interval is that between two of few values, and t alone called 11 of 100 unchanged cases changed at 5
/// %. Nothing for fewer than kFewestForRanks or more than kMostForRanks on a side.
[[nodiscard]] std::optional<Contrast> shift_contrast(std::span<const double> old_values,
                                                     std::span<const double> new_values);

}  // namespace tare::stats
