// At stake: the reason given for every way in which a worker can end, and that none can hold `bench` up.
// Workers here are shell commands, so that no Python is needed.
#include "harness/measure/worker_process.h"

#include <gmock/gmock.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "harness/core/clock.h"

namespace tare::measure {
namespace {

using namespace std::chrono_literals;
using core::ErrorCode;
using ::testing::HasSubstr;

/// For workers that answer or end at once, on however busy a machine.
constexpr std::chrono::milliseconds kLongEnough = 60s;

SpawnSettings shell(const std::string& script) {
    SpawnSettings settings;
    settings.argv = {"/bin/sh", "-c", script};
    return settings;
}

core::Error ask(const std::string& script, std::chrono::milliseconds limit = kLongEnough) {
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
    const core::Error error = ask("exec sleep 1000000", 200ms);  // the test would not end
    EXPECT_EQ(error.code, ErrorCode::kTimeout);
}

TEST(WorkerProcess, IsSeenDeadThoughItsChildKeepsTheChannelOpen) {
    const core::Error error = ask("sleep 100 & exit 4");
    EXPECT_THAT(error.what, HasSubstr("status 4"));
}

TEST(WorkerProcess, SaysThatTheChannelWasClosedByTheCase) {
    SpawnSettings settings;  // sh closes descriptors of one digit only, and this program may have inherited more
    settings.argv = {"/bin/bash", "-c", "eval \"exec $TARE_WORKER_FD>&-\"; exit 71"};
    auto worker = WorkerProcess::spawn(settings);
    ASSERT_TRUE(worker);
    const auto answer = (*worker)->request(core::Map{{"op", "hello"}}, kLongEnough);
    ASSERT_FALSE(answer);
    EXPECT_THAT(answer.error().what, HasSubstr("closed the worker's file descriptors"));
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
    EXPECT_FALSE((*worker)->request(core::Map{}, kLongEnough));
    EXPECT_EQ((*worker)->take_output().out, "42\n");
}

TEST(WorkerProcess, ReportsAProgramThatDoesNotExist) {
    SpawnSettings settings;
    settings.argv = {"/proc/absent/python"};
    auto worker = WorkerProcess::spawn(settings);
    ASSERT_TRUE(worker);
    const auto answer = (*worker)->request(core::Map{}, kLongEnough);
    ASSERT_FALSE(answer);
    EXPECT_THAT(answer.error().what, HasSubstr("No such file or directory"));
}

TEST(WorkerProcess, IsNotStartedOnACpuThatDoesNotExist) {
    SpawnSettings settings = shell("exit 0");
    settings.cpus = {static_cast<int>(sysconf(_SC_NPROCESSORS_CONF))};  // they are numbered from 0
    auto worker = WorkerProcess::spawn(settings);
    ASSERT_TRUE(worker);
    const auto answer = (*worker)->request(core::Map{}, kLongEnough);
    ASSERT_FALSE(answer);
    EXPECT_THAT(answer.error().what, HasSubstr("cannot pin the worker to its CPU"));
}

/// What a worker prints of /proc/self/personality; -1 if it printed nothing.
long personality_of_worker(bool fixed_addresses) {
    SpawnSettings settings = shell("cat /proc/self/personality; exit 6");
    settings.fixed_addresses = fixed_addresses;
    auto worker = WorkerProcess::spawn(settings);
    EXPECT_TRUE(worker);
    EXPECT_THAT((*worker)->request(core::Map{}, kLongEnough).error().what, HasSubstr("status 6"));
    const std::string said = (*worker)->take_output().out;
    return said.empty() ? -1 : std::strtol(said.c_str(), nullptr, 16);
}

TEST(WorkerProcess, HasFixedAddressesWhereAskedFor) {
    const int own = personality(0xffffffff);
    if (personality(static_cast<unsigned long>(own) | ADDR_NO_RANDOMIZE) == -1)
        GTEST_SKIP() << "this system refuses personality()";
    personality(static_cast<unsigned long>(own));
    EXPECT_EQ(personality_of_worker(true) & ADDR_NO_RANDOMIZE, ADDR_NO_RANDOMIZE);
    EXPECT_EQ(personality_of_worker(false), own);
}

/// Makes personality() fail for this process and its children, as Docker's default profile does.
void refuse_personality() {
    std::array filter{sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_personality, 0, 1),
                      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    sock_fprog program{filter.size(), filter.data()};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) _exit(77);
}

TEST(WorkerProcess, IsStartedAllTheSameWhereFixedAddressesAreRefused) {
    const auto start = [] {
        // Under `setarch -R` addresses are fixed already; in a container the call may have been refused before.
        std::string own_text;
        std::ifstream("/proc/self/personality") >> own_text;
        const long own = std::strtol(own_text.c_str(), nullptr, 16);
        refuse_personality();
        _exit(personality_of_worker(true) == own ? 5 : 6);
    };
    EXPECT_EXIT(
        start(), [](int status) { return WEXITSTATUS(status) == 5 || WEXITSTATUS(status) == 77; }, "");
}

}  // namespace
}  // namespace tare::measure
