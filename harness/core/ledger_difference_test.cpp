// At stake: one instruction. A count differs where no layout of one side reaches the range of the other, and not
// sooner; keys of programs differ by the member that is named.
#include "harness/core/ledger_difference.h"

#include <gmock/gmock.h>

namespace tare::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(BeyondSpread, NeedsRangesThatDoNotTouch) {
    const Count before{100, 100, 110};
    EXPECT_FALSE(beyond_spread(before, before));
    EXPECT_FALSE(beyond_spread(before, {110, 110, 140})) << "one count is in both ranges";
    EXPECT_TRUE(beyond_spread(before, {111, 111, 140}));
    EXPECT_FALSE(beyond_spread(before, {90, 90, 100}));
    EXPECT_TRUE(beyond_spread(before, {90, 90, 99}));
    EXPECT_FALSE(beyond_spread({105, 100, 200}, {150, 120, 130})) << "one range within the other";
}

TEST(ProgramKeys, DifferByTheMemberThatDiffers) {
    const ProgramKey before{"x86_64", "SSE2 AVX2 AVX512F", "SKYLAKEX", "ab12", "embedded"};
    EXPECT_THAT(differences(before, before), IsEmpty());
    for (const auto& [member, change] :
         {std::pair{"architecture", &ProgramKey::architecture}, std::pair{"cpu_features", &ProgramKey::cpu_features},
          std::pair{"blas_core", &ProgramKey::blas_core}, std::pair{"python_build_id", &ProgramKey::python_build_id},
          std::pair{"host", &ProgramKey::host}}) {
        ProgramKey after = before;
        after.*change = "other";
        const auto found = differences(before, after);
        ASSERT_EQ(found.size(), 1U) << member;
        EXPECT_EQ(found[0].member, member);
        EXPECT_EQ(found[0].after, "other");
    }
}

TEST(ProgramKeys, NameOnlyTheFeaturesThatOneSideLacks) {
    const ProgramKey before{"x86_64", "SSE2 AVX2 AVX512F", "", "", "embedded"};
    ProgramKey after = before;
    after.cpu_features = "SSE2 AVX2";
    EXPECT_THAT(differences(before, after), ElementsAre(ProgramDifference{"cpu_features", "AVX512F", ""}));
    after.host = "executable";
    EXPECT_EQ(difference_text(differences(before, after)), "cpu_features (AVX512F; none), host (embedded; executable)");
    after.cpu_features = "AVX512F SSE2 AVX2";
    EXPECT_EQ(differences(before, after)[0].before, "") << "only the order differs, and that is a difference";
}

}  // namespace
}  // namespace tare::core
