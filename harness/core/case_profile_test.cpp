// At stake: shares over five processes. A layer counted twice, or one that a later visit brought and that got lost,
// shifts all others.
#include "harness/core/case_profile.h"

#include <gmock/gmock.h>

namespace tare::core {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

SampledTime sampled(std::uint64_t samples) {
    return {static_cast<double>(samples) * 2e5, samples};
}

CaseProfile visit_of(int round, std::vector<ProfileLayer> layers, std::vector<CaseProfileFunction> functions) {
    CaseProfile profile;
    profile.case_name = "add";
    profile.asked_hz = 5000;
    for (const ProfileLayer& layer : layers) {
        profile.total.ns += layer.self.ns;
        profile.total.samples += layer.self.samples;
    }
    profile.layers = std::move(layers);
    profile.functions = std::move(functions);
    profile.complete = profile.total.samples;
    profile.costs = {{round, round, 102, 100, 1}};
    return profile;
}

TEST(CaseProfiles, OfVisitsAddUpByLayerAndFunction) {
    CaseProfile all = visit_of(0, {{"interpreter", sampled(60), false}, {"allocation", sampled(40), false}},
                               {{FrameKind::kNative, "f", "a.so", "interpreter", sampled(60)}});
    merge(all, visit_of(1, {{"inner_loop", sampled(70), false}, {"allocation", sampled(30), false}},
                        {{FrameKind::kNative, "g", "b.so", "inner_loop", sampled(70)},
                         {FrameKind::kNative, "f", "b.so", "allocation", sampled(30)}}));
    EXPECT_EQ(all.total, sampled(200));
    EXPECT_THAT(all.layers, ElementsAre(ProfileLayer{"allocation", sampled(70), false},
                                        ProfileLayer{"inner_loop", sampled(70), false},
                                        ProfileLayer{"interpreter", sampled(60), false}))
        << "most time first";
    EXPECT_THAT(all.functions, SizeIs(3)) << "one name in two files is two functions";
    EXPECT_EQ(all.complete, 200U);
    EXPECT_THAT(all.costs, SizeIs(2));
}

TEST(CaseProfiles, OfAnUnresolvedLayerAreNotThoseOfAResolvedOne) {
    CaseProfile all = visit_of(0, {{"c_library", sampled(1), false}}, {});
    merge(all, visit_of(1, {{"c_library", sampled(1), true}}, {}));
    EXPECT_THAT(all.layers, SizeIs(2));
}

TEST(CaseProfiles, WarnOfOneThingOnce) {
    CaseProfile all = visit_of(0, {{"a", sampled(1), false}}, {});
    all.warnings = {"no names of x.so"};
    CaseProfile more = visit_of(1, {{"a", sampled(1), false}}, {});
    more.warnings = {"no names of x.so", "other"};
    merge(all, more);
    EXPECT_THAT(all.warnings, ElementsAre("no names of x.so", "other"));
}

TEST(CaseProfiles, OfOtherCasesStayApart) {
    std::vector<CaseProfile> all;
    merge(all, visit_of(0, {{"a", sampled(1), false}}, {}));
    CaseProfile other = visit_of(0, {{"a", sampled(5), false}}, {});
    other.case_name = "dot";
    merge(all, other);
    merge(all, visit_of(1, {{"a", sampled(2), false}}, {}));
    ASSERT_THAT(all, SizeIs(2));
    EXPECT_EQ(all[0].total, sampled(3));
    EXPECT_EQ(all[1].total, sampled(5));
}

}  // namespace
}  // namespace tare::core
