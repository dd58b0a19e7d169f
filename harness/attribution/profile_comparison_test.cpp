// At stake: 30 ms more in one layer is a finding among 1,000 samples and none among 10; two equal programs differ by
// chance alone once in twenty.
#include "harness/attribution/profile_comparison.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace tare::attribution {
namespace {

using core::FrameKind;
using core::Profile;
using core::ProfileDifference;
using core::SampledTime;

SampledTime ms(std::uint64_t samples) {
    return {static_cast<double>(samples) * 1e6, samples};
}

/// Layers with so many samples of a millisecond.
Profile layers(const std::vector<std::pair<std::string, std::uint64_t>>& samples) {
    Profile profile;
    for (const auto& [name, count] : samples) {
        profile.layers.push_back({name, ms(count), false});
        profile.total.ns += ms(count).ns;
        profile.total.samples += count;
    }
    return profile;
}

void add_function(Profile& profile, const std::string& path, const std::string& name, std::uint64_t samples,
                  FrameKind kind = FrameKind::kNative, core::NameSource source = core::NameSource::kSymbols) {
    core::ProfileFunction function;
    function.kind = kind;
    function.name = name;
    function.source = source;
    function.self = function.inclusive = ms(samples);
    if (kind == FrameKind::kNative) {
        function.module = static_cast<std::uint32_t>(profile.modules.size());
        profile.modules.emplace_back().path = path;
        profile.total.ns += ms(samples).ns;
        profile.total.samples += samples;
    } else {
        function.file = path;
    }
    profile.functions.push_back(function);
}

TEST(ProfileComparison, TellsApartWhatSamplingCannotExplainAndPutsItFirst) {
    const ProfileDifference difference =
        compare_profiles(layers({{"kernel", 100}, {"noise", 1000}, {"same", 50}}),
                         layers({{"kernel", 180}, {"noise", 1090}, {"same", 50}}), "a", "b");
    ASSERT_EQ(difference.layers.size(), 3U);
    const ProfileDifference::Change& kernel = difference.layers[0];
    EXPECT_EQ(kernel.name, "kernel");
    EXPECT_TRUE(kernel.told_apart);
    EXPECT_DOUBLE_EQ(kernel.change_ns, 8e7);
    EXPECT_DOUBLE_EQ(kernel.error_ns, std::sqrt(282.0) * 1e6);
    EXPECT_DOUBLE_EQ(kernel.before_ratio, 100.0 / 1150);
    EXPECT_NEAR(kernel.change_ratio, 180.0 / 1320 - 100.0 / 1150, 1e-12);
    EXPECT_EQ(difference.layers[1].name, "noise");
    EXPECT_FALSE(difference.layers[1].told_apart) << "90 of 2,090: a larger change, but 1.97 standard errors";
    EXPECT_TRUE(difference.total.told_apart);
    EXPECT_DOUBLE_EQ(difference.total.change_ns, 1.7e8);
}

TEST(ProfileComparison, NoSampleIsNoProofOfNoTime) {
    const ProfileDifference few =
        compare_profiles(layers({{"all", 100}}), layers({{"all", 100}, {"new", 5}}), "a", "b");
    const ProfileDifference many =
        compare_profiles(layers({{"all", 100}}), layers({{"all", 100}, {"new", 6}}), "a", "b");
    ASSERT_EQ(few.layers[0].name, "new");
    EXPECT_FALSE(few.layers[0].told_apart);
    EXPECT_TRUE(many.layers[0].told_apart);
    EXPECT_EQ(many.layers[0].before, SampledTime{});
}

TEST(ProfileComparison, EqualProgramsAreToldApartOnceInTwentyAtMost) {
    std::mt19937_64 random(3);
    for (const double mean : {2.0, 10.0, 400.0}) {
        std::poisson_distribution<std::uint64_t> count(mean);
        int apart = 0;
        for (int i = 0; i < 4000; ++i) {
            const Profile a = layers({{"a", count(random)}, {"all", 1000}}),
                          b = layers({{"a", count(random)}, {"all", 1000}});
            for (const ProfileDifference::Change& change : compare_profiles(a, b, "a", "b").layers)
                apart += change.told_apart ? 1 : 0;
        }
        EXPECT_LT(apart / 4000.0, 0.055) << mean;
        if (mean > 100) {
            EXPECT_GT(apart / 4000.0, 0.035);
        }
    }
}

TEST(ProfileComparison, JoinsFunctionsAcrossBuildsAndEnvironments) {
    Profile before, after;
    add_function(before, "/a/libscipy_openblas64_-32a4b2a6.so", "dgemm_nn", 100);
    add_function(after, "/b/libopenblas.so.0", "dgemm_nn", 40);
    add_function(before, "/a/x.so", "x.so+0x10", 7, FrameKind::kNative, core::NameSource::kFrameEntry);
    add_function(after, "/b/x.so", "x.so+0x20", 9, FrameKind::kNative, core::NameSource::kFrameEntry);
    add_function(before, "/a/lib/python3.11/site-packages/numpy/lib/_f.py", "f", 30, FrameKind::kPython);
    add_function(after, "/b/lib/python3.13/site-packages/numpy/lib/_f.py", "f", 30, FrameKind::kPython);
    const ProfileDifference difference = compare_profiles(before, after, "a", "b");
    ASSERT_EQ(difference.functions.size(), 3U);
    EXPECT_EQ(difference.functions[0].name, "dgemm_nn");
    EXPECT_EQ(difference.functions[0].place, "libopenblas.so.0");
    EXPECT_DOUBLE_EQ(difference.functions[0].change_ns, -6e7);
    EXPECT_EQ(difference.functions[1].name, "(without a name)");
    EXPECT_EQ(difference.functions[2].place, "_f.py");
    EXPECT_EQ(difference.functions[2].kind, FrameKind::kPython);
    EXPECT_EQ(difference.functions[2].after.samples, 30U);
}

TEST(ProfileComparison, SaysWhatMakesSidesUnlike) {
    Profile before = layers({{"a", 1}}), after = before;
    EXPECT_TRUE(compare_profiles(before, after, "a", "b").notes.empty());
    after.sampling.clock = core::SampleClock::kTimer;
    after.interrupted = true;
    EXPECT_EQ(compare_profiles(before, after, "a", "b").notes.size(), 2U);
    EXPECT_THAT(compare_profiles(before, after, "a", "b").notes[1], testing::StartsWith("b was interrupted"));
}

TEST(ProfileComparison, OfNothingDividesNothing) {
    const ProfileDifference difference = compare_profiles({}, {}, "a", "b");
    EXPECT_EQ(difference.total.change_ns, 0);
    EXPECT_FALSE(difference.total.told_apart);
    EXPECT_FALSE(std::isnan(difference.total.error_ratio));
}

}  // namespace
}  // namespace tare::attribution
