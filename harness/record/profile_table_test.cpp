// At stake: where 6 seconds went, at once and at every width: 73.3 % in a kernel, give or take 1.1 points.
#include "harness/record/profile_table.h"

#include <gmock/gmock.h>

#include <sstream>

#include "harness/core/thread_name.h"
#include "harness/record/golden.h"
#include "harness/record/profile_exports.h"
#include "harness/record/sample_profile.h"

namespace tare::record {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(ProfileTable, SaysWhereTheTimeWent) {
    expect_golden("profile.txt", print_profile(sample_profile(), {}));
    ProfileTableOptions ascii;
    ascii.width = 80;
    ascii.style = {.color = true, .unicode = false};
    ascii.most_functions = 3;
    expect_golden("profile_80_ascii_color.txt", print_profile(sample_profile(), ascii));
}

TEST(ProfileTable, FitsEveryWidthFromFortyUp) {
    for (std::size_t width = 40; width <= 140; ++width) {
        ProfileTableOptions options;
        options.width = width;
        std::istringstream lines(print_profile(sample_profile(), options));
        for (std::string line; std::getline(lines, line);) EXPECT_LE(text_columns(line), width) << line;
    }
}

TEST(ProfileTable, ShowsOnlyTheKindOfFunctionsThatIsAskedFor) {
    ProfileTableOptions options;
    options.python = false;
    EXPECT_THAT(print_profile(sample_profile(), options),
                AllOf(Not(HasSubstr("Python function")), Not(HasSubstr("Python line")), HasSubstr("PyEval")));
    options.python = true;
    options.native = false;
    EXPECT_THAT(print_profile(sample_profile(), options), AllOf(HasSubstr("Python line"), Not(HasSubstr("PyEval"))));
}

TEST(ProfileTable, ListsWhatCalledTheMostFirstWhereThatIsAskedFor) {
    const core::Profile profile = sample_profile();
    const auto first_of = [&](const std::vector<std::size_t>& order) { return profile.functions[order.front()].name; };
    EXPECT_EQ(first_of(heaviest(profile, false, ProfileOrder::kSelf)), "sgemm_kernel_HASWELL");
    EXPECT_EQ(first_of(heaviest(profile, false, ProfileOrder::kCumulative)), "_PyEval_EvalFrameDefault");
    EXPECT_THAT(heaviest_lines(profile, ProfileOrder::kSelf), ElementsAre(0, 1, 2));
    EXPECT_THAT(heaviest_lines(profile, ProfileOrder::kCumulative), ElementsAre(2, 0, 1));
}

TEST(ProfileTable, SaysWhatEachThreadDid) {
    core::Profile profile = sample_profile();
    EXPECT_THAT(work_of_threads(profile), ElementsAre("", "")) << "the tree does not tell them apart";
    const auto thread_root = [&](std::int32_t thread) {
        core::ProfileFunction group;
        group.kind = core::FrameKind::kGroup;
        group.name = core::thread_name(7, thread);
        profile.functions.push_back(group);
        return static_cast<std::uint32_t>(profile.functions.size() - 1);
    };
    const std::uint32_t main = thread_root(7), other = thread_root(9);
    profile.nodes = {{-1, main, 0, 0, {}},        {0, 9, 1, 20, sampled(300)}, {1, 0, 1, 12, {}},
                     {2, 1, 0, 0, sampled(5000)}, {-1, other, 0, 0, {}},       {4, 9, 1, 20, sampled(10)},
                     {4, 1, 0, 0, sampled(1000)}};
    EXPECT_THAT(work_of_threads(profile), ElementsAre("work script.py:10", "<module> script.py:1"));
    EXPECT_THAT(print_profile(profile, {}), HasSubstr("work script.py:10"));
}

TEST(ProfileTable, NamesAThreadWhereItHasANameOfItsOwn) {
    core::Profile profile = sample_profile();
    EXPECT_THAT(print_profile(profile, {}),
                AllOf(HasSubstr("\n7 of process 7 "), HasSubstr("\n9 (pool 1) of process 7 ")));
    profile.threads[1].name.clear();
    EXPECT_THAT(print_profile(profile, {}), HasSubstr("\n9 of process 7 "));
}

TEST(ProfileTable, SaysWhyTheClockIsAnother) {
    core::Profile profile = sample_profile();
    profile.sampling.clock = core::SampleClock::kTimer;
    profile.sampling.fallback_reason = "perf_event_open: EACCES";
    profile.interrupted = true;
    EXPECT_THAT(print_profile(profile, {}),
                AllOf(HasSubstr("by a timer of the wall clock (perf_event_open: EACCES); 12 dropped, 3 late"),
                      HasSubstr("interrupted: only what was sampled until then")));
    profile.sampling.clock = core::SampleClock::kPmu;
    profile.sampling.event = "cycles:u";
    EXPECT_THAT(print_profile(profile, {}), HasSubstr("by the PMU's cycles:u"));
}

TEST(ProfileTable, OfNothingDividesNothingByNothing) {
    const std::string text = print_profile({}, {}) + profile_markdown({}, {}) + profile_csv({});
    EXPECT_THAT(text, AllOf(HasSubstr("no samples were taken"), HasSubstr("--rate"), Not(HasSubstr("share")),
                            Not(HasSubstr("nan")), Not(HasSubstr("inf"))));
}

TEST(ProfileTable, AShareNearOneIsNotCertain) {
    core::Profile profile;
    profile.total = sampled(100);
    EXPECT_EQ(share_error_text(sampled(100), profile, {}), "±1.8");
    EXPECT_EQ(share_error_text(sampled(50), profile, {.color = false, .unicode = false}), "+-9.6");
}

TEST(ProfileExports, MarkdownAndCsv) {
    expect_golden("profile.md", profile_markdown(sample_profile(), {}));
    expect_golden("profile.csv", profile_csv(sample_profile()));
}

}  // namespace
}  // namespace tare::record
