// At stake: a script that goes on only where the machine is fit: 2 with --strict and a bad topic, else 0.
#include "harness/cli/doctor_command.h"

#include <gmock/gmock.h>

#include <sstream>

#include "harness/cli/options.h"

namespace tare::cli {
namespace {

using core::Finding;
using core::Fitness;
using core::FitnessState;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Fitness with(std::initializer_list<FitnessState> states) {
    Fitness fitness;
    for (const FitnessState state : states) {
        Finding finding;
        finding.topic = "turbo";
        finding.state = state;
        fitness.findings.push_back(finding);
    }
    return fitness;
}

TEST(Doctor, FailsOnlyWhereItIsAskedToAndATopicIsBad) {
    using enum FitnessState;
    EXPECT_EQ(exit_code_of(with({kGood, kBad}), false), ExitCode::kDone);
    EXPECT_EQ(exit_code_of(with({kGood, kBad}), true), ExitCode::kUsage);
    EXPECT_EQ(exit_code_of(with({kGood, kCouldBeBetter, kUnknown}), true), ExitCode::kDone);
    EXPECT_EQ(exit_code_of(with({}), true), ExitCode::kDone);
}

TEST(Doctor, PrintsTheFormatAskedFor) {
    std::ostringstream out, err;
    const Streams streams{.out = out, .err = err, .color = false, .width = 0, .progress = {}};
    const Fitness bad = with({FitnessState::kBad});
    EXPECT_THAT(fitness_text(bad, Format::kTable, streams), AllOf(HasSubstr("\nbad   turbo"), Not(HasSubstr("\x1b"))));
    EXPECT_THAT(fitness_text(bad, Format::kJson, streams), StartsWith("{\"cpu\":0,"));
    EXPECT_THAT(fitness_text(bad, Format::kCsv, streams), StartsWith("topic,state,"));
    EXPECT_THAT(fitness_text(bad, Format::kMarkdown, streams), HasSubstr("\n| bad | turbo |"));
}

TEST(Doctor, TakesItsOptionsAndNoOthers) {
    const Parsed parsed = parse_options({"doctor", "--cpu", "3", "--strict", "--format", "json"});
    ASSERT_TRUE(parsed.options);
    EXPECT_EQ(parsed.options->command, Command::kDoctor);
    EXPECT_EQ(parsed.options->cpu, 3);
    EXPECT_TRUE(parsed.options->doctor.strict);
    EXPECT_EQ(parsed.options->format, Format::kJson);
    EXPECT_FALSE(parse_options({"doctor"}).options->doctor.strict);
    EXPECT_THAT(parse_options({"doctor", "--filter", "x"}).error->what, HasSubstr("unknown option '--filter'"));
    EXPECT_THAT(parse_options({"doctor", "--cpu", "-1"}).error->what, HasSubstr("no whole number from 0"));
}

TEST(Doctor, HelpSaysThatItChangesNothingAndWhatStrictDoes) {
    EXPECT_THAT(parse_options({"doctor", "--help"}).text,
                AllOf(HasSubstr("changes nothing"), HasSubstr("with --strict where a topic is bad"),
                      HasSubstr("bench doctor --cpu 3")));
    EXPECT_THAT(parse_options({"frobnicate"}).error->hint, HasSubstr("doctor"));
}

}  // namespace
}  // namespace tare::cli
