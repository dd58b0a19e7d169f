// At stake: what a reader concludes from the layers' time: that a layer stands out, by which clock, and what the
// sampling itself cost.
#include "harness/record/time_table.h"

#include <gmock/gmock.h>

#include "harness/record/exports.h"
#include "harness/record/golden.h"
#include "harness/record/sample_case_profiles.h"
#include "harness/record/sample_ledger.h"
#include "harness/record/sample_run.h"

namespace tare::record {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Record run_with_ledger_and_profiles(std::size_t more = 0) {
    Record record = sample_run(3);
    record.profiles = {add_profile(), matmul_profile()};
    core::Ledger ledger = add_ledger();
    ledger.case_name = add_profile().case_name;
    record.ledgers = {ledger};
    for (std::size_t i = 0; i < more; ++i) {
        record.profiles.push_back(add_profile());
        record.profiles.back().case_name = fmt::format("add[n={}]", i);
    }
    return record;
}

std::string table(const Record& record, bool unicode = true) {
    return print_case_times(record.profiles, summarize(record).times, 100, {.color = false, .unicode = unicode});
}

TEST(TimeTable, HasASectionForEachCase) {
    expect_golden("case_times.txt", table(run_with_ledger_and_profiles()));
}

TEST(TimeTable, HasALineForEachOfManyCases) {
    expect_golden("case_times_many.txt", table(run_with_ledger_and_profiles(8), false));
}

TEST(TimeTable, SaysByWhichClockAndWhyNotAnother) {
    EXPECT_THAT(table(run_with_ledger_and_profiles()), HasSubstr("perf's CPU clock"));
    Record timer;
    timer.profiles = {matmul_profile()};
    EXPECT_THAT(table(timer), AllOf(HasSubstr("timer of the wall clock"), HasSubstr("Permission denied")));
}

TEST(TimeTable, IsEmptyWhereNothingWasSampled) {
    EXPECT_THAT(table(sample_run(1)), IsEmpty());
    EXPECT_THAT(profile_problems_text({}), IsEmpty());
    const std::vector<core::ProfileProblem> problems = {{"a", {core::ErrorCode::kEnvironment, "EPERM", ""}},
                                                        {"b", {core::ErrorCode::kEnvironment, "EPERM", ""}}};
    EXPECT_THAT(profile_problems_text(problems), HasSubstr("2 cases could not be sampled\n  a, b: EPERM"));
}

TEST(TimeTable, SaysHowMuchOfTheGrossIsWaiting) {
    Record record = run_with_ledger_and_profiles();
    for (core::SamplingCost& cost : record.profiles.front().costs) cost.beside_ns = cost.loop_ns + 0.5;
    EXPECT_THAT(table(record), HasSubstr("waiting (or other programs), which is not sampled: times are CPU time"));
    EXPECT_THAT(table(run_with_ledger_and_profiles()), Not(HasSubstr("waiting")));
}

TEST(TimeTable, SaysThatThereAreNoSamplesAndNoSharesOfNothing) {
    Record record = run_with_ledger_and_profiles();
    for (core::CaseProfile& profile : record.profiles) {
        core::CaseProfile empty;
        empty.case_name = profile.case_name;
        empty.asked_hz = 1;
        empty.costs = profile.costs;
        profile = empty;
    }
    const std::string text = table(record);
    EXPECT_THAT(text, AllOf(HasSubstr("no samples were taken at up to 1 Hz"), HasSubstr("raise --rate"),
                            Not(HasSubstr("stacks:")), Not(HasSubstr("time share")), Not(HasSubstr("0.0 %"))));
}

TEST(TimeTable, OfMarkdownAndCsvHoldWhatTheTextShows) {
    const Record record = run_with_ledger_and_profiles();
    const Summary summary = summarize(record);
    EXPECT_THAT(case_times_markdown(summary.times, {}),
                AllOf(HasSubstr("| allocation | 30.8 % |"), HasSubstr("^ |"), HasSubstr("blas_kernel")));
    const std::string csv = print_csv(summary);
    EXPECT_THAT(csv, AllOf(HasSubstr(",samples,sampling_cost_ratio,"), HasSubstr(",allocation_time_share_ratio,"),
                           HasSubstr("blas_kernel_time_ns")));
    EXPECT_THAT(print_csv(summarize(sample_run(1))), Not(HasSubstr("time_share")));
}

}  // namespace
}  // namespace tare::record
