// At stake: 0.5 % and 2 %, and that no margins are accepted between which no decision could fall.
#include "harness/stats/margins.h"

#include <gmock/gmock.h>

#include <cmath>

namespace tare::stats {
namespace {

using testing::HasSubstr;

TEST(Margins, OfTheProfilesAreTheDocumentedOnes) {
    EXPECT_EQ(*named_margins("default"), (Margins{0.005, 0.02}));
    EXPECT_EQ(*named_margins("noisy"), (Margins{0.01, 0.03}));
    EXPECT_EQ(*named_margins("coarse"), (Margins{0.02, 0.05}));
    EXPECT_EQ(Margins{}, *named_margins("default"));
    const auto unknown = named_margins("quiet");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, core::ErrorCode::kUsage);
    EXPECT_THAT(unknown.error().what, HasSubstr("'quiet'"));
    EXPECT_THAT(unknown.error().hint, HasSubstr("coarse"));
}

TEST(Margins, OnTheLogScaleAreThoseOfTheRatio) {
    EXPECT_NEAR(Margins{}.log_tolerance(), std::log(1.005), 1e-15);
    EXPECT_NEAR(Margins{}.log_bound(), std::log(1.02), 1e-15);
}

TEST(Margins, OfTheUsersOwnMustLeaveRoomForADecision) {
    EXPECT_EQ(*make_margins(0, 0.01), (Margins{0, 0.01}));
    EXPECT_EQ(*make_margins(0.2, 1), (Margins{0.2, 1}));
    for (const auto& [tolerance, bound] : {std::pair{0.02, 0.02},
                                           {0.02, 0.01},
                                           {-0.01, 0.02},
                                           {0.5, 1.5},
                                           {0.005, std::nan("")},
                                           {std::nan(""), 0.02}}) {
        const auto margins = make_margins(tolerance, bound);
        ASSERT_FALSE(margins) << tolerance << " " << bound;
        EXPECT_EQ(margins.error().code, core::ErrorCode::kUsage);
    }
    EXPECT_THAT(make_margins(0.02, 0.01).error().what, HasSubstr("2 % and a bound of 1 %"));
}

}  // namespace
}  // namespace tare::stats
