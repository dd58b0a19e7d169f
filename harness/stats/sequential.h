// What the pairs of one case prove so far, at looks planned beforehand among which the error is shared. Peeking at a
// 5 % t test after every pair would fire in 18 % of unchanged cases. Values: ln(b/a), one per pair. Pure.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "harness/core/error.h"
#include "harness/stats/contrast.h"
#include "harness/stats/margins.h"

namespace tare::stats {

inline constexpr int kFewestForChange = 5;  ///< the sign-flip guard at 5 % needs 2^-P <= 5 %

/// A change is claimed from 10 pairs on, not from 6: where a pair lies on either of two tight modes, the first 6 agree
/// in 1 of 32 cases, and t of 6 such values is as large as it likes (simulated: 3 % false alarms; from 10 on 0.3 %).
/// Unchanged cases, which are most, may still be proven the same at 6.
struct LookPlan {
    std::vector<int> pairs{6, 10, 16, 24, 36};  ///< ascending
    int smallest_for_change = 10;
    double same_alpha = 0.05;  ///< probability of calling same what has changed by the bound or more

    [[nodiscard]] int looks_for_change() const;  ///< those with at least smallest_for_change pairs
    [[nodiscard]] int looks_for_same() const;    ///< all
    /// One-sided level of the test for `same` at each look.
    [[nodiscard]] double same_alpha_per_look() const;
    bool operator==(const LookPlan&) const = default;
};

/// kUsage unless the looks ascend from at least 2 pairs, the last allows a change, and the level is below one half.
[[nodiscard]] core::Expected<LookPlan> make_look_plan(std::vector<int> pairs, int smallest_for_change,
                                                      double same_alpha);

/// All p values hold whichever look one stops at.
struct Evidence {
    int looks = 0;                     ///< taken
    int pairs = 0;                     ///< at the latest look
    std::optional<Contrast> contrast;  ///< of those pairs
    double p_slower = 1;               ///< H0: slower by the tolerance at most; smallest of the looks
    double p_faster = 1;
    double p_not_slower = 1;  ///< H0: slower by the bound or more; of the latest look
    double p_not_faster = 1;
    bool operator==(const Evidence&) const = default;
};

/// Takes the looks that `values` allow beyond those of `before`, each at exactly its planned number of pairs. With
/// `last` no pair will follow: the pairs beyond the latest look are looked at in place of the next planned look.
/// That the pairs ended there must not depend on their values.
[[nodiscard]] Evidence extend(Evidence before, std::span<const double> values, const LookPlan& plan,
                              const Margins& margins, bool last);

/// For open-ended runs, where any number of pairs may be looked at: every p is 1 / e of the anytime-valid t test, so
/// that Benjamini-Hochberg on them is e-BH.
[[nodiscard]] Evidence open_evidence(std::span<const double> values, const LookPlan& plan, const Margins& margins);

}  // namespace tare::stats
