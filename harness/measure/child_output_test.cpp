// At stake: that a foreign program which hangs, floods or dies costs its time limit and an error, never the harness.
#include "harness/measure/child_output.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

#include "harness/measure/temporary_folder_for_test.h"

namespace tare::measure {
namespace {

using core::Expected;
using namespace std::chrono_literals;
using testing::HasSubstr;

Expected<ChildOutput> shell(const std::string& command, std::chrono::nanoseconds limit = 20s) {
    return run_for_output({"/bin/sh", "-c", command}, limit);
}

TEST(ChildOutput, KeepsBothStreamsApartWithTheExitStatus) {
    const Expected<ChildOutput> ran = shell("echo one; echo two >&2; exit 3");
    ASSERT_TRUE(ran);
    EXPECT_EQ(ran->out, "one\n");
    EXPECT_EQ(ran->err, "two\n");
    EXPECT_EQ(ran->exit_status, 3);
    EXPECT_FALSE(ran->timed_out);
}

TEST(ChildOutput, TellsASignalFromAnExit) {
    const Expected<ChildOutput> ran = shell("kill -SEGV $$");
    ASSERT_TRUE(ran);
    EXPECT_EQ(ran->signal_number, SIGSEGV);
    EXPECT_EQ(ran->exit_status, -1);
}

TEST(ChildOutput, EndsAHangingChildWithItsChildren) {
    const TemporaryFolder folder;
    const std::string pid_file = folder.path() / "pid";
    const Expected<ChildOutput> ran = shell("sleep 1000 & echo $! > '" + pid_file + "'; echo said; wait", 2s);
    ASSERT_TRUE(ran);
    EXPECT_TRUE(ran->timed_out);
    EXPECT_EQ(ran->out, "said\n");
    pid_t grandchild = 0;
    std::ifstream(pid_file) >> grandchild;
    ASSERT_GT(grandchild, 0);
    // Killed: it is gone, or still a zombie until init collects it.
    const auto is_alive = [grandchild] {
        std::ifstream file("/proc/" + std::to_string(grandchild) + "/stat");
        std::string pid, name, state;
        return (file >> pid >> name >> state) && state != "Z" && state != "X";
    };
    for (int i = 0; i < 200 && is_alive(); ++i) std::this_thread::sleep_for(10ms);
    EXPECT_FALSE(is_alive());
}

TEST(ChildOutput, DoesNotWaitForAGrandchildThatKeepsTheStreamsOpen) {
    const Expected<ChildOutput> ran = shell("sleep 5 & echo done", 4s);
    ASSERT_TRUE(ran);
    EXPECT_FALSE(ran->timed_out);
    EXPECT_EQ(ran->out, "done\n");
}

TEST(ChildOutput, KeepsAMegabyteOfAnEndlessStreamAndStopsItInTime) {
    const Expected<ChildOutput> ran = shell("exec yes", 500ms);
    ASSERT_TRUE(ran);
    EXPECT_TRUE(ran->timed_out);
    EXPECT_LE(ran->out.size(), 1u << 20);
}

TEST(ChildOutput, ReadsNothingFromOurStandardInput) {
    const TemporaryFolder folder;
    const int before = ::dup(STDIN_FILENO);
    const int input = ::open(folder.write("input", "ours\n").c_str(), O_RDONLY);
    ASSERT_EQ(::dup2(input, STDIN_FILENO), STDIN_FILENO);
    const Expected<ChildOutput> ran = shell("cat; echo end", 10s);
    ::dup2(before, STDIN_FILENO);
    ::close(before);
    ::close(input);
    ASSERT_TRUE(ran);
    EXPECT_EQ(ran->out, "end\n");
}

TEST(ChildOutput, SaysWhyAProgramCannotStart) {
    const TemporaryFolder folder;
    const Expected<ChildOutput> ran = run_for_output({folder.write("text", "no program", true)}, 1s);
    ASSERT_FALSE(ran);
    EXPECT_THAT(ran.error().what, HasSubstr("Exec format error"));
}

}  // namespace
}  // namespace tare::measure
