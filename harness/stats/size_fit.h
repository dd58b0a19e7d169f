// How an operation's cost grows with n: t(n) = overhead + slope * n, and from which n on the array form beats a Python
// loop over scalars. Nanoseconds; n is the parameter of that name (elements, or the side of a matrix).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/stats/estimate.h"

namespace tare::stats {

struct LineFit {
    double overhead_ns = 0;
    double slope_ns = 0;                ///< per unit of n
    double largest_residual_ratio = 0;  ///< max over sizes of |fit - t| / t
    bool operator==(const LineFit&) const = default;
};

/// Least squares with weights 1/t^2, so that relative errors count alike at every size. Nothing for fewer than 2
/// distinct n or a time that is not positive.
[[nodiscard]] std::optional<LineFit> fit_line(const std::vector<double>& n, const std::vector<double>& t_ns);

/// A fit that misses a size by more than this is no description of the cost. Times on a shared VM scatter by a few
/// percent and vector loops by their remainders; a quadratic or cubic cost misses a line over 4 sizes by more.
inline constexpr double kLargestResidualRatio = 0.25;
inline constexpr double kLargestResidualOfThreeRatio = 0.1;  ///< 3 points lie near many a line

enum class BreakEven {
    kFound,
    kNoBaseline,   ///< no scalar case to compare with
    kNoLine,       ///< the cost does not follow a line in n
    kNever,        ///< one more element costs no less than a scalar
    kBeyondSizes,  ///< only by extrapolation
};

struct SizeFit {
    std::string name;  ///< the case without n: `add[kind=array,dtype=f8]`
    std::string operation;
    core::Parameters parameters;  ///< without n
    std::vector<std::int64_t> sizes;
    std::optional<LineFit> fit;
    std::string fit_reason;  ///< why there is no fit
    std::optional<std::int64_t> break_even_n;
    BreakEven break_even = BreakEven::kNoBaseline;
    std::string break_even_reason;  ///< why there is no break-even n
    bool operator==(const SizeFit&) const = default;
};

/// One for each operation and set of other parameters that has a gross at 3 or more sizes, in order of
/// appearance. Where some sizes were quiet the others, `busy`, are in no line, nor is a busy scalar in a break-even.
[[nodiscard]] std::vector<SizeFit> fit_sizes(const std::vector<CaseEstimate>& cases);

}  // namespace tare::stats
