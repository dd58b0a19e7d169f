// At stake: a pull request that adds 8.8 % of instructions does not pass a gate, though no clock can tell; and a gate
// that has nothing to compare does not pass unseen.
#include "harness/cli/compare_command.h"

#include <gmock/gmock.h>

#include <sstream>

#include "harness/record/record.h"
#include "harness/record/sample_ledger.h"
#include "harness/record/sample_run.h"
#include "harness/record/scratch_folder.h"

namespace tare::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kAdd = "add[kind=array,dtype=f8,n=8]";

class Compare : public testing::Test {
  protected:
    /// The path of a run with a ledger of its addition; without any where `more` is negative.
    std::string run(const std::string& name, int more, const std::string& host = "embedded") {
        record::Record record = record::sample_run(3);
        std::erase_if(record.visits, [](const core::Visit& visit) { return visit.case_name.starts_with("crash"); });
        if (more >= 0) {
            record.ledgers = {record::add_ledger(kAdd, static_cast<std::uint64_t>(more))};
            record.ledgers[0].program.host = host;
        }
        const std::string path = folder_.path() / name;
        EXPECT_TRUE(record::write_record(path, record, record::summarize(record)));
        return path;
    }
    ExitCode compare(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "compare");
        const Parsed parsed = parse_options(arguments);
        EXPECT_TRUE(parsed.options) << parsed.error->what;
        out_.str("");
        err_.str("");
        return compare_command(*parsed.options, {.out = out_, .err = err_, .color = false, .width = 0, .progress = {}});
    }

    const record::ScratchFolder folder_;
    std::ostringstream out_, err_;
};

TEST_F(Compare, FailsAGateOnMoreInstructionsThoughTimeIsIndicative) {
    const std::string before = run("old.json", 0), after = run("new.json", 332);
    EXPECT_EQ(compare({before, after}), ExitCode::kDone);
    EXPECT_THAT(out_.str(), HasSubstr("3,770 -> 4,102 +8.8 %"));
    EXPECT_EQ(compare({before, after, "--gate"}), ExitCode::kRegression);
    EXPECT_EQ(compare({before, after, "--gate", "--gate-on", "time"}), ExitCode::kDone);
    EXPECT_EQ(compare({after, before, "--gate"}), ExitCode::kDone) << "fewer";
    EXPECT_EQ(compare({before, after, "--gate", "--tolerance", "10", "--bound", "20"}), ExitCode::kDone);
    EXPECT_EQ(compare({before, after, "--gate", "--filter", "float"}), ExitCode::kDone) << "another case";
}

TEST_F(Compare, RefusesAGateOnInstructionsThatNothingCouldFail) {
    const std::string before = run("old.json", 0), without = run("none.json", -1),
                      foreign = run("foreign.json", 332, "executable");
    const std::vector<std::string> gate{"--gate", "--gate-on", "instructions"};
    EXPECT_EQ(compare({before, before, gate[0], gate[1], gate[2]}), ExitCode::kDone);
    EXPECT_EQ(compare({without, without, gate[0], gate[1], gate[2]}), ExitCode::kUsage);
    EXPECT_THAT(err_.str(), AllOf(HasSubstr("no case has a ledger in both records"), HasSubstr("bench run --ledger")));
    EXPECT_EQ(compare({before, without, gate[0], gate[1], gate[2]}), ExitCode::kUsage);
    EXPECT_THAT(err_.str(), HasSubstr("1 case has a ledger in one record only"));
    EXPECT_EQ(compare({before, foreign, gate[0], gate[1], gate[2]}), ExitCode::kUsage);
    EXPECT_THAT(err_.str(), HasSubstr("host (embedded; executable)"));
}

}  // namespace
}  // namespace tare::cli
