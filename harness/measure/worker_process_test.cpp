// At stake: the reason given for every way in which a worker can end, and that none can hold `bench` up.
// Workers here are shell commands, so that no Python is needed.
#include "harness/measure/worker_process.h"

#include <gmock/gmock.h>
#include <signal.h>

#include "harness/core/clock.h"

namespace tare::measure {
namespace {

using namespace std::chrono_literals;
using core::ErrorCode;
using ::testing::HasSubstr;

SpawnSettings shell(const std::string& script) {
    SpawnSettings settings;
    settings.argv = {"/bin/sh", "-c", script};
    return settings;
}

core::Error ask(const std::string& script, std::chrono::milliseconds limit = 5000ms) {
    auto worker = WorkerProcess::spawn(shell(script));
    if (!worker) return worker.error();
    auto answer = (*worker)->request(core::Map{{"op", "hello"}}, limit);
    return answer ? core::Error{ErrorCode::kUsage, "answered", {}} : answer.error();
}

TEST(WorkerProcess, NamesTheSignalThatEndedIt) {
    const core::Error error = ask("kill -SEGV $$");
    EXPECT_EQ(error.code, ErrorCode::kWorkerDied);
    EXPECT_THAT(error.what, HasSubstr("SIGSEGV"));
}

TEST(WorkerProcess, GivesExitStatusAndLastWords) {
    const core::Error error = ask("echo first >&2; echo last words >&2; exit 3");
    EXPECT_THAT(error.what, HasSubstr("status 3"));
    EXPECT_THAT(error.what, HasSubstr("last words"));
}

TEST(WorkerProcess, IsEndedAtItsTimeLimit) {
    const std::int64_t started_ns = core::wall_clock_ns();
    const core::Error error = ask("sleep 100", 200ms);
    EXPECT_EQ(error.code, ErrorCode::kTimeout);
    EXPECT_LT(core::wall_clock_ns() - started_ns, 20'000'000'000);
}

TEST(WorkerProcess, IsSeenDeadThoughItsChildKeepsTheChannelOpen) {
    const core::Error error = ask("sleep 100 & exit 4");
    EXPECT_THAT(error.what, HasSubstr("status 4"));
}

TEST(WorkerProcess, SaysThatTheChannelWasClosedByTheCase) {
    const core::Error error = ask("eval \"exec $TARE_WORKER_FD>&-\"; exit 71");
    EXPECT_THAT(error.what, HasSubstr("closed the worker's file descriptors"));
}

TEST(WorkerProcess, DoesNotStallOnAFloodOfOutput) {
    const core::Error error = ask("head -c 3000000 /dev/zero; exit 5");
    EXPECT_THAT(error.what, HasSubstr("status 5"));
}

TEST(WorkerProcess, DoesNotSpinOnClosedOutput) {
    auto worker = WorkerProcess::spawn(shell("exec >&- 2>&-; sleep 100"));
    ASSERT_TRUE(worker);
    const std::int64_t cpu_before_ns = core::thread_cpu_ns();
    EXPECT_FALSE((*worker)->request(core::Map{}, 500ms));
    EXPECT_LT(core::thread_cpu_ns() - cpu_before_ns, 250'000'000);
}

TEST(WorkerProcess, GetsTheEnvironmentItIsGiven) {
    SpawnSettings settings = shell("echo $TARE_TEST_VALUE; exit 6");
    settings.environment = {{"TARE_TEST_VALUE", "42"}};
    auto worker = WorkerProcess::spawn(settings);
    ASSERT_TRUE(worker);
    EXPECT_FALSE((*worker)->request(core::Map{}, 5000ms));
    EXPECT_EQ((*worker)->take_output().out, "42\n");
}

TEST(WorkerProcess, ReportsAProgramThatDoesNotExist) {
    SpawnSettings settings;
    settings.argv = {"/nonexistent/python"};
    auto worker = WorkerProcess::spawn(settings);
    ASSERT_TRUE(worker);
    const auto answer = (*worker)->request(core::Map{}, 5000ms);
    ASSERT_FALSE(answer);
    EXPECT_THAT(answer.error().what, HasSubstr("No such file or directory"));
}

TEST(WorkerProcess, IsNotStartedOnACpuThatDoesNotExist) {
    SpawnSettings settings = shell("exit 0");
    settings.cpu = 1000;
    auto worker = WorkerProcess::spawn(settings);
    ASSERT_TRUE(worker);
    const auto answer = (*worker)->request(core::Map{}, 5000ms);
    ASSERT_FALSE(answer);
    EXPECT_THAT(answer.error().what, HasSubstr("cannot pin the worker to its CPU"));
}

}  // namespace
}  // namespace tare::measure
