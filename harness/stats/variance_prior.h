// VariancePrior: what the cases of a suite tell about the spread of each. Ten processes know a variance badly, but
// eighty cases of one run know together how far variances of this machine and this suite lie apart. Pure.
#pragma once

#include <optional>
#include <span>

#include "harness/stats/moments.h"

namespace tare::stats {

/// The true variances of the cases as a scaled inverse chi-square distribution.
struct VariancePrior {
    double variance = 0;
    double degrees_of_freedom = 0;  ///< the more, the less the cases differ
};

/// Fewer cases with a spread tell no prior.
inline constexpr std::size_t kFewestMoments = 20;

/// From the mean and the variance of the logarithms of the cases' variances (Smyth 2004, "Linear models and empirical
/// Bayes methods for assessing differential expression in microarray experiments", section 6.2). Cases without spread,
/// but for what rounding leaves of one, are left out. That all cases of a run share their processes is not looked at: a
/// process that is slow throughout makes them all spread alike.
[[nodiscard]] std::optional<VariancePrior> variance_prior(std::span<const Moments> cases);

/// With a variance drawn towards the prior's, as much as the degrees of freedom of both say, which add up. One that is
/// larger than the prior allows in one case of 100 stays: such a case is another kind (a simple form of what Phipson et
/// al. 2016 do, "Robust hyperparameter estimation protects against hypervariable genes").
[[nodiscard]] Moments moderated(const Moments& moments, const VariancePrior& prior);

}  // namespace tare::stats
