// At stake: a tenth of a run's time. It belongs to the cases whose intervals are widest, and to none that is known.
#include "harness/stats/least_known.h"

#include <gmock/gmock.h>

#include "harness/stats/simulate.h"

namespace tare::stats {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Processes whose medians lie so far apart, relative to the first.
std::vector<core::Visit> visits_of(const std::string& name, const std::vector<double>& ratios) {
    std::vector<core::Visit> visits;
    for (std::size_t i = 0; i < ratios.size(); ++i) {
        const double ns = 100 * ratios[i];
        visits.push_back(visit_of(name, static_cast<int>(i),
                                  {rung_of_values(core::RungKind::kPython, {ns, ns, ns, ns, ns, ns, ns})}));
    }
    return visits;
}

TEST(LeastKnown, AreTheCasesBeyondTheAimWidestFirst) {
    std::vector<core::Visit> visits;
    for (const auto& [name, ratios] :
         {std::pair{"narrow", std::vector<double>{1, 1.001, 1.002}},
          std::pair{"wide", std::vector<double>{1, 1.02, 1.04}}, std::pair{"widest", std::vector<double>{1, 1.1, 1.2}},
          std::pair{"once", std::vector<double>{1}}})
        std::ranges::move(visits_of(name, ratios), std::back_inserter(visits));
    std::ranges::move(visits_of("failed", {1, 2, 3}), std::back_inserter(visits));
    visits.back().error = core::Error{core::ErrorCode::kWorkerDied, "the worker died", ""};
    const std::vector<CaseEstimate> estimates = estimate_cases(visits);
    EXPECT_THAT(least_known(estimates, 0.02), ElementsAre("widest", "wide"));
    EXPECT_THAT(least_known(estimates, 0.001), ElementsAre("widest", "wide", "narrow"));
    EXPECT_THAT(least_known(estimates, 1), IsEmpty());
    EXPECT_THAT(least_known({}, 0.02), IsEmpty());
}

}  // namespace
}  // namespace tare::stats
