// At stake: a finding that a person acts on: its mark, its command as it must be typed, and the verdict last, at every
// width from 40 columns.
#include "harness/record/fitness_table.h"

#include <gmock/gmock.h>

#include <sstream>

#include "harness/record/fitness_exports.h"
#include "harness/record/golden.h"
#include "harness/record/json.h"

namespace tare::record {
namespace {

using core::Affects;
using core::FitnessState;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

/// One finding of each state.
core::Fitness sample() {
    core::Fitness fitness{.cpu = 3, .findings = {}, .fit_for = core::FitFor::kPairs, .verdict = {}};
    fitness.verdict =
        "fit for paired comparisons; single numbers will vary from one session to the next, by turbo: prefer bench "
        "duet.";
    fitness.findings = {
        {.topic = "timer",
         .state = FitnessState::kGood,
         .affects = Affects::kPairs,
         .found = "tsc; a reading costs 22 ns",
         .meaning = "far below 0.1 % of a batch",
         .cause = {},
         .remedies = {},
         .values = {{"clock_cost_ns", 22.5}, {"clocksource", "tsc"}}},
        {.topic = "turbo",
         .state = FitnessState::kCouldBeBetter,
         .affects = Affects::kSingleNumbers,
         .found = "on",
         .meaning = "how far the clock rises depends on temperature and on how many cores are busy",
         .cause = "turbo",
         .remedies = {{"hold the clock at its rated speed", "echo 1 | sudo tee /sys/no_turbo",
                       "echo 0 | sudo tee /sys/no_turbo"}},
         .values = {{"turbo", true}}},
        {.topic = "load",
         .state = FitnessState::kBad,
         .affects = Affects::kSingleNumbers,
         .found = "others had 3.0 % of CPU 3, and kept 1.0 of 3 other CPUs busy",
         .meaning = "they take shared cache, \"memory\" bandwidth and the clock's headroom",
         .cause = "load by others",
         .remedies = {{"see who it is, and wait or stop them", "ps -eo psr,pcpu,pid,user,comm --sort=-pcpu | head", ""},
                      {"only others can", "", ""}},
         .values = {{"others_here_ratio", 0.03}}},
        {.topic = "thermal",
         .state = FitnessState::kUnknown,
         .affects = Affects::kSingleNumbers,
         .found = "the kernel counts no throttling here",
         .meaning = "whether heat slows the core down is not known",
         .cause = {},
         .remedies = {},
         .values = {{"thermal_throttles", nullptr}}},
    };
    return fitness;
}

TEST(FitnessTable, IsALineATopicAndTheWayOutBelowThoseThatAreNotGood) {
    expect_golden("fitness.txt", print_fitness(sample(), 0, {}));
}

TEST(FitnessTable, MarksTopicsByColourWhereThereAreColours) {
    expect_golden("fitness_60_color.txt", print_fitness(sample(), 60, {.color = true, .unicode = true}));
    EXPECT_THAT(print_fitness(sample(), 0, {}), Not(HasSubstr("\x1b")));
}

TEST(FitnessTable, FitsEveryWidthFromFortyUpButForCommands) {
    for (std::size_t width = 40; width <= 120; ++width) {
        std::istringstream lines(print_fitness(sample(), width, {}));
        for (std::string line; std::getline(lines, line);) {
            const bool is_command = line.find(" | ") != std::string::npos;
            EXPECT_TRUE(is_command || line.size() <= width) << width << ": " << line;
        }
    }
    EXPECT_THAT(print_fitness(sample(), 40, {}), HasSubstr("ps -eo psr,pcpu,pid,user,comm --sort=-pcpu | head\n"));
}

TEST(FitnessTable, EndsWithTheVerdict) {
    EXPECT_THAT(print_fitness(sample(), 0, {}), EndsWith("\n\nverdict: " + sample().verdict + "\n"));
}

TEST(FitnessExports, JsonHoldsAllUnderStableNames) {
    const Json json = Json::parse(fitness_json(sample()));
    EXPECT_EQ(json["cpu"], 3);
    EXPECT_EQ(json["fit_for"], "paired_comparisons");
    EXPECT_EQ(json["verdict"], sample().verdict);
    ASSERT_EQ(json["findings"].size(), 4u);
    EXPECT_EQ(json["findings"][0], Json::parse(R"({"topic": "timer", "state": "good", "affects": "paired_comparisons",
                              "found": "tsc; a reading costs 22 ns", "meaning": "far below 0.1 % of a batch",
                              "values": {"clock_cost_ns": 22.5, "clocksource": "tsc"}, "remedies": []})"));
    EXPECT_EQ(json["findings"][2]["remedies"][1],
              Json::parse(R"({"action": "only others can", "command": null, "undo": null})"));
    EXPECT_TRUE(json["findings"][3]["values"]["thermal_throttles"].is_null()) << "never 0, never absent";
}

TEST(FitnessExports, CsvIsALineForEachRemedy) {
    expect_golden("fitness.csv", fitness_csv(sample()));
}

TEST(FitnessExports, MarkdownIsATableThatPipesDoNotBreak) {
    expect_golden("fitness.md", fitness_markdown(sample()));
}

}  // namespace
}  // namespace tare::record
