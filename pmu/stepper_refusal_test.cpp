// At stake: the process itself. A statement may start threads and programs, block SIGTRAP or take it for itself; each
// would be death by SIGTRAP if the stepper did not see it coming.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csetjmp>
#include <cstdlib>
#include <thread>

#include "pmu/own_memory_for_test.h"
#include "pmu/stepping_for_test.h"

namespace tare::pmu {
namespace {

using core::Refusal;
using core::Trace;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST_F(Stepping, LeavesAStatementThatStartsAThreadAlone) {
    int seen = 0;
    const Trace trace = step([&] { std::thread([&] { seen = 1; }).join(); });
    EXPECT_EQ(trace.refusal, Refusal::kThread);
    EXPECT_EQ(seen, 1);
    EXPECT_GT(trace.steps.size(), 100u);
}

TEST_F(Stepping, LeavesAStatementThatForksAlone) {
    int status = -1;
    const Trace trace = step([&] {
        const pid_t child = fork();
        if (child == 0) _exit(7);
        waitpid(child, &status, 0);
    });
    EXPECT_EQ(trace.refusal, Refusal::kProcess);
    ASSERT_TRUE(WIFEXITED(status)) << status;
    EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST_F(Stepping, LeavesAStatementThatSpawnsAlone) {
    int status = -1;
    const Trace trace = step([&] { status = std::system("exit 3"); });
    EXPECT_EQ(trace.refusal, Refusal::kProcess);
    EXPECT_EQ(WEXITSTATUS(status), 3);
}

TEST_F(Stepping, LeavesAStatementThatReplacesTheProgramAlone) {
    int result = 0;
    const Trace trace = step([&] { result = execl("/proc/absent/program", "program", nullptr); });
    EXPECT_EQ(trace.refusal, Refusal::kProgram);
    EXPECT_EQ(result, -1);
}

sigset_t all_signals() {
    sigset_t all;
    sigfillset(&all);
    return all;
}

TEST_F(Stepping, SurvivesABlockedTrapSignal) {
    const sigset_t all = all_signals();
    sigset_t old;
    sigset_t now;
    const Trace trace = step([&] {
        pthread_sigmask(SIG_BLOCK, &all, &old);
        pthread_sigmask(SIG_SETMASK, nullptr, &now);
    });
    pthread_sigmask(SIG_SETMASK, &old, nullptr);
    EXPECT_EQ(trace.refusal, Refusal::kBlocksTrap);
    EXPECT_EQ(sigismember(&old, SIGUSR1), 0);
    EXPECT_EQ(sigismember(&now, SIGUSR1), 1) << "all others are really blocked";
    EXPECT_EQ(sigismember(&now, SIGTRAP), 0);
}

TEST_F(Stepping, StepsOnWhereTheTrapSignalIsBlockedForAMoment) {
    sigset_t harmless = all_signals();
    sigdelset(&harmless, SIGTRAP);
    std::vector<std::size_t> counts;
    for (const sigset_t& mask : {harmless, all_signals()}) {
        sigset_t old;
        sigset_t after;
        const Trace trace = step([&] {
            pthread_sigmask(SIG_SETMASK, &mask, &old);
            pthread_sigmask(SIG_SETMASK, &old, nullptr);
            pthread_sigmask(SIG_SETMASK, nullptr, &after);
        });
        EXPECT_EQ(trace.refusal, Refusal::kNone);
        EXPECT_THAT(trace.system_calls, SizeIs(3));
        EXPECT_EQ(sigismember(&after, SIGUSR1), 0);
        counts.push_back(trace.steps.size());
    }
    EXPECT_EQ(counts[0], counts[1]) << "the same whether the kernel or the handler sets the mask";
}

TEST_F(Stepping, AnswersAMaskInMemoryThatIsNotThereAsTheKernelDoes) {
    if (const std::string why = why_no_memory_is_read(); !why.empty()) GTEST_SKIP() << why;
    long set = 0;
    long old = 0;
    const sigset_t all = all_signals();
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, nullptr, &before);
    const Trace trace = step([&] {
        set = syscall(SYS_rt_sigprocmask, SIG_BLOCK, 8, nullptr, 8);
        old = syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, 8, 8);
    });
    const int error = errno;
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, &before, &now);
    EXPECT_EQ(set, -1);
    EXPECT_EQ(old, -1);
    EXPECT_EQ(error, EFAULT);
    EXPECT_EQ(sigismember(&now, SIGUSR1), 1) << "the kernel sets the mask before it writes the old one";
}

TEST_F(Stepping, LeavesAStatementThatTakesTheTrapSignalAlone) {
    core::Expected<Stepper> stepper = Stepper::open(10'000);
    ASSERT_TRUE(stepper);
    struct sigaction action {};
    action.sa_handler = SIG_IGN;
    stepper->begin();
    sigaction(SIGTRAP, &action, nullptr);
    stepper->end();
    EXPECT_EQ(stepper->take().refusal, Refusal::kReplacesTrap);
    stepper->begin();  // without a handler, a trap would be the end
    stepper->end();
    EXPECT_EQ(stepper->take().refusal, Refusal::kReplacesTrap);
    stepper = core::fail(core::ErrorCode::kUsage, "closed");
    struct sigaction now {};
    sigaction(SIGTRAP, nullptr, &now);
    EXPECT_EQ(now.sa_handler, SIG_IGN) << "the program's own stays";
    signal(SIGTRAP, SIG_DFL);
}

TEST_F(Stepping, DoesNotRecordTheHandlersOfOtherSignals) {
    static volatile sig_atomic_t seen;
    seen = 0;
    signal(SIGUSR1, [](int) {
        for (int i = 0; i < 10'000; ++i) seen = 1;
    });
    const Trace trace = step([] { raise(SIGUSR1); });
    signal(SIGUSR1, SIG_DFL);
    EXPECT_EQ(seen, 1);
    EXPECT_EQ(trace.refusal, Refusal::kNone);
    EXPECT_LT(trace.steps.size(), 2'000u);
}

TEST_F(Stepping, SaysWhenAJumpOutOfAHandlerHasEndedIt) {
    static sigjmp_buf place;
    signal(SIGUSR1, [](int) { siglongjmp(place, 1); });
    const Trace trace = step([] {
        if (sigsetjmp(place, 1) == 0) raise(SIGUSR1);
    });
    signal(SIGUSR1, SIG_DFL);
    EXPECT_EQ(trace.refusal, Refusal::kBlocksTrap);
    EXPECT_THAT(trace.refusal_detail, HasSubstr("trap flag"));
}

TEST_F(Stepping, IsArmedAgainAfterForeignCodeTookAndBlockedTheSignal) {
    core::Expected<Stepper> stepper = Stepper::open(10'000);
    ASSERT_TRUE(stepper);
    signal(SIGTRAP, SIG_IGN);
    const sigset_t all = all_signals();
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, &all, &before);
    ASSERT_TRUE(stepper->arm());
    stepper->begin();
    stepper->end();
    EXPECT_EQ(stepper->take().refusal, Refusal::kNone);
    stepper = core::fail(core::ErrorCode::kUsage, "closed");
    sigset_t after;
    pthread_sigmask(SIG_SETMASK, &before, &after);
    EXPECT_EQ(sigismember(&after, SIGTRAP), 1) << "as the foreign code left it";
    EXPECT_EQ(signal(SIGTRAP, SIG_DFL), SIG_IGN);
}

}  // namespace
}  // namespace tare::pmu
