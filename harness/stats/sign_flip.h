// The sign-flip test: exact for values that are symmetric around their centre, whatever their distribution. It stands
// beside Student's t where that is asked for p values of 1e-4 from ten values. Pure.
#pragma once

#include <cstdint>
#include <span>

namespace tare::stats {

inline constexpr int kExactSignFlips = 20;  ///< values up to which all 2^P flips are counted (a million: 5 ms)

/// One-sided p of "symmetric around 0 or less": the share of sign patterns whose sum is at least the sum observed, the
/// observed one among them. Above kExactSignFlips values estimated from 9,999 patterns drawn from `seed`.
[[nodiscard]] double sign_flip_p(std::span<const double> values, std::uint64_t seed);

}  // namespace tare::stats
