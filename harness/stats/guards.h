// What must hold beside Student's t before a case is called slower or faster: no claim on values that no stable machine
// would give. Values: ln(b/a), one per pair, in the order of the rounds. Pure.
#pragma once

#include <cstdint>
#include <span>

namespace tare::stats {

/// A plausibility check, not the test itself: t, which is far stricter here, decides among many benchmarks.
inline constexpr double kSignFlipAlpha = 0.05;
/// A test between the halves at 1 %. The simpler rule "halves differ by less than 3 standard errors of the mean" is one
/// at 13 %, because the difference of two halves has twice that standard error.
inline constexpr double kDriftAlpha = 0.01;
/// Halves that lie apart by less than either lies beyond the tolerance do not put a change in doubt: a drift twice as
/// fast would not make it. Else one in 100 is withheld, and of large ones more, whose sides vary more than placement.
inline constexpr double kDriftRatio = 1;

struct Guards {
    double sign_flip_p = 1;  ///< that the values are symmetric around the tolerance or less; must be small
    double drift_p = 1;      ///< that both halves have one mean; must not be small, unless drift_ratio is
    /// What the halves' means differ by / what the nearer one lies beyond the tolerance by; infinite if it does not.
    double drift_ratio = 0;
    bool fingerprint_changed = false;

    [[nodiscard]] bool hold() const;
    bool operator==(const Guards&) const = default;
};

enum class Direction { kSlower, kFaster };

/// `values` of at least 4 pairs. Of a and b swapped, the guards of the other direction, bit by bit.
[[nodiscard]] Guards guards_of(std::span<const double> values, Direction direction, double log_tolerance,
                               bool fingerprint_changed, std::uint64_t seed);

/// Two-sided p of Student's test, with pooled variance, that the first and the second half have one mean.
[[nodiscard]] double drift_p(std::span<const double> values);
/// Of distances beyond the tolerance, one per pair: see Guards.
[[nodiscard]] double drift_ratio(std::span<const double> beyond);

}  // namespace tare::stats
