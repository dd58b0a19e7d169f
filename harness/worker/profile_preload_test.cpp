// At stake: a program under `bench profile` that does exactly what it does under `python`: its output, exit status,
// environment, descriptors, children; and samples of all that was asked for, whatever way it ends.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "pmu/sample_ring.h"

namespace tare::worker {
namespace {

using core::PythonChain;
using core::StackSample;
using ::testing::AllOf;
using ::testing::Ge;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::Lt;
using ::testing::Not;
using ::testing::SizeIs;

/// How a program ended and what it printed; with its samples where it had the library.
struct Outcome {
    int result = 0;  ///< exit status, or 128 and the signal
    std::string output;
    double cpu_s = 0;  ///< that it used, and the children that it waited for
    std::vector<StackSample> samples;
    pmu::SampleCounts counts;
    std::optional<pmu::SamplingReport> report;
    std::string maps;
    std::set<std::string> functions;  ///< of Python, that were sampled

    [[nodiscard]] std::set<int> processes() const { return all_of(&StackSample::process); }
    [[nodiscard]] std::set<int> threads() const { return all_of(&StackSample::thread); }
    /// CPU time that was accounted for: by samples, or as time in a kernel that perf may not see.
    [[nodiscard]] double seen_s() const {
        double sum_ns = static_cast<double>(counts.unseen_ns);
        for (const StackSample& each : samples) sum_ns += static_cast<double>(each.weight_ns);
        return sum_ns * 1e-9;
    }
    [[nodiscard]] double whole_s() const {
        double sum_ns = 0;
        for (const StackSample& each : samples)
            if (each.chain == PythonChain::kWhole) sum_ns += static_cast<double>(each.weight_ns);
        return sum_ns * 1e-9;
    }

  private:
    [[nodiscard]] std::set<int> all_of(std::int32_t StackSample::*field) const {
        std::set<int> values;
        for (const StackSample& each : samples) values.insert(each.*field);
        return values;
    }
};

/// What a thread runs after its last sample is accounted for by none: a period of 1 ms on average and, where a timer
/// samples, what it ran in periods of which it waited half.
constexpr double kSlackS = 0.01;

/// Environment and descriptors of a child about to execute the interpreter: a few variables, whatever this process has.
struct Preload {
    std::map<std::string, std::string> variables = {};
    pmu::SampleRing* ring = nullptr;
    std::string user_library = {};  ///< that the user preloads

    void apply() const {
        clearenv();
        setenv("PATH", "/usr/bin:/bin", 1);
        setenv("LANG", "C.UTF-8", 1);
        for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
        std::string preloaded = user_library;
        if (ring != nullptr) {
            preloaded = std::string(TARE_PROFILE_LIBRARY) + (user_library.empty() ? "" : ":") + user_library;
            fcntl(ring->descriptor(), F_SETFD, 0);
            setenv("TARE_PROFILE_FD", std::to_string(ring->descriptor()).c_str(), 1);
            const std::string path = "/proc/" + std::to_string(getppid()) + "/fd/" + std::to_string(ring->descriptor());
            setenv("TARE_PROFILE_PATH", path.c_str(), 1);
        }
        if (!preloaded.empty()) setenv("LD_PRELOAD", preloaded.c_str(), 1);
    }
};

Outcome run_python(const std::string& code, const Preload& preload) {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        preload.apply();
        execl(TARE_TEST_PYTHON, TARE_TEST_PYTHON, "-S", "-c", code.c_str(), "an argument", static_cast<char*>(nullptr));
        _exit(127);
    }
    close(ends[1]);
    Outcome outcome;
    std::array<char, 4096> buffer{};
    for (ssize_t n = 0; (n = read(ends[0], buffer.data(), buffer.size())) > 0;)
        outcome.output.append(buffer.data(), static_cast<std::size_t>(n));
    close(ends[0]);
    int status = 0;
    rusage used{};
    wait4(child, &status, 0, &used);
    for (const timeval& time : {used.ru_utime, used.ru_stime})
        outcome.cpu_s += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    outcome.result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return outcome;
}

Outcome profile(const std::string& code, std::map<std::string, std::string> variables = {},
                const std::string& user_library = "") {
    core::Expected<pmu::SampleRing> ring = pmu::SampleRing::create();
    EXPECT_TRUE(ring) << ring.error().what;
    Outcome outcome = run_python(code, {std::move(variables), &*ring, user_library});
    outcome.samples = ring->drain();
    outcome.counts = ring->counts();
    outcome.report = ring->left_report();
    outcome.maps = ring->left_maps();
    for (const StackSample& sample : outcome.samples)
        for (const core::PythonFrame& frame : sample.python)
            if (const auto described = ring->code().read(frame.code)) outcome.functions.insert(described->name);
    return outcome;
}

const std::string kSpin = R"(
import os, sys, time
def spin(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(100))
)";

class ProfilePreload : public ::testing::Test {
  protected:
    void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        GTEST_SKIP() << "a sanitizer's runtime cannot be preloaded into an interpreter that is built without it";
#endif
    }
};

TEST_F(ProfilePreload, samples_a_program_s_python_and_native_frames_from_its_beginning_to_its_end) {
    const Outcome outcome = profile(kSpin + "spin(0.5); sys.exit(7)");
    EXPECT_EQ(outcome.result, 7);
    ASSERT_TRUE(outcome.report);
    EXPECT_EQ(outcome.report->failure, "");
    EXPECT_EQ(outcome.report->python_problem, "");
    EXPECT_THAT(outcome.seen_s(), AllOf(Gt(0.5 - kSlackS), Lt(outcome.cpu_s + kSlackS)));
    EXPECT_THAT(outcome.functions, testing::IsSupersetOf({"spin", "<module>"}));
    EXPECT_GT(outcome.whole_s() + static_cast<double>(outcome.counts.unseen_ns) * 1e-9, 0.45) << "of half a second";
    EXPECT_THAT(outcome.maps, AllOf(HasSubstr("[stack]"), HasSubstr("python"), HasSubstr("libtare_profile")));
    EXPECT_EQ(outcome.counts.damaged, 0);
}

TEST_F(ProfilePreload, changes_nothing_that_the_program_sees) {
    const std::string look = R"(
import os, signal, sys, resource
print(sys.argv, sys.orig_argv, sys.flags, __name__)
print(sorted(os.environ.items()))
print(sorted(int(n) for n in os.listdir('/proc/self/fd') if int(n) < 512))
print(open('/dev/null').fileno(), os.pipe())
print([(s, signal.getsignal(s)) for s in signal.valid_signals() if s != signal.SIGURG])
print(signal.pthread_sigmask(signal.SIG_BLOCK, []), signal.getitimer(signal.ITIMER_PROF))
print(resource.getrlimit(resource.RLIMIT_NOFILE), os.sched_getaffinity(0), os.nice(0), os.getcwd())
print([l.split()[-1] for l in open('/proc/self/maps') if 'stdc++' in l or 'gcc_s' in l or 'fmt' in l])
print(len(os.listdir('/proc/self/task')))
)";
    const std::map<std::string, std::string> variables = {{"SOME", "thing"}, {"TARE_PROFILES", "of another"}};
    const Outcome plain = run_python(look, {variables});
    const Outcome profiled = profile(look, variables);
    EXPECT_EQ(profiled.output, plain.output);
    EXPECT_EQ(plain.result, 0);
    const std::string library = "libm.so.6";
    const Outcome plain_with = run_python(look, {variables, nullptr, library});
    EXPECT_EQ(profile(look, variables, library).output, plain_with.output) << "a library that the user preloads";
    EXPECT_THAT(plain_with.output, HasSubstr("('LD_PRELOAD', 'libm.so.6')"));
}

TEST_F(ProfilePreload, samples_threads_where_they_are_wanted) {
    const std::string code = kSpin + R"(
import threading
threads = [threading.Thread(target=spin, args=(0.1,)) for _ in range(4)]
[t.start() for t in threads]
[t.join() for t in threads]
)";
    EXPECT_THAT(profile(code).threads(), SizeIs(1));
    const Outcome outcome = profile(code, {{"TARE_PROFILE_THREADS", "1"}});
    EXPECT_EQ(outcome.result, 0);
    EXPECT_THAT(outcome.threads(), SizeIs(Ge(4)));
    EXPECT_THAT(outcome.seen_s(), AllOf(Gt(0.4 - 4 * kSlackS), Lt(outcome.cpu_s + 4 * kSlackS)));
}

TEST_F(ProfilePreload, samples_forked_children_where_they_are_wanted) {
    const std::string code = kSpin + R"(
child = os.fork()
if child == 0:
    spin(0.2)
    os._exit(3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
)";
    const Outcome alone = profile(code);
    EXPECT_EQ(alone.output, "3\n");
    EXPECT_THAT(alone.processes(), SizeIs(Le(1)));
    EXPECT_LT(alone.seen_s(), alone.cpu_s - 0.2 + kSlackS) << "not what the child used";
    const Outcome both = profile(code, {{"TARE_PROFILE_CHILDREN", "1"}});
    EXPECT_EQ(both.output, "3\n");
    EXPECT_THAT(both.processes(), SizeIs(2));
    EXPECT_GT(both.seen_s(), 0.2 - kSlackS);
}

TEST_F(ProfilePreload, samples_executed_pythons_where_children_are_wanted_and_leaves_others_alone) {
    const std::string code = kSpin + R"code(
import subprocess
work = "import time\nwhile time.thread_time() < 0.3: pass\nprint('done', flush=True)"
for close in (False, True):
    subprocess.run([sys.executable, "-S", "-c", work], close_fds=close, check=True)
subprocess.run(["/bin/echo", "native"], check=True)
)code";
    const Outcome alone = profile(code);
    EXPECT_EQ(alone.output, "done\ndone\nnative\n");
    EXPECT_THAT(alone.processes(), SizeIs(1));
    const Outcome all = profile(code, {{"TARE_PROFILE_CHILDREN", "1"}});
    EXPECT_EQ(all.result, 0);
    EXPECT_EQ(all.output, "done\ndone\nnative\n");
    EXPECT_THAT(all.processes(), SizeIs(3));
    EXPECT_GT(all.seen_s(), 0.6 - 2 * kSlackS);
}

TEST_F(ProfilePreload, keeps_what_was_sampled_however_the_program_ends) {
    const Outcome exits = profile(kSpin + "spin(0.2); os._exit(5)");
    EXPECT_EQ(exits.result, 5);
    EXPECT_GT(exits.seen_s(), 0.2 - kSlackS);
    EXPECT_THAT(exits.maps, HasSubstr("[stack]"));
    const Outcome dies = profile(kSpin + "spin(0.2); os.kill(os.getpid(), 11)");
    EXPECT_EQ(dies.result, 128 + 11);
    EXPECT_GT(dies.seen_s(), 0.2 - kSlackS);
    EXPECT_EQ(dies.maps, "") << "nothing of the program's runs any more";
    const Outcome becomes = profile(kSpin + "spin(0.2); os.execv('/bin/echo', ['echo', 'another'])");
    EXPECT_EQ(becomes.result, 0);
    EXPECT_EQ(becomes.output, "another\n");
    EXPECT_GT(becomes.seen_s(), 0.2 - kSlackS);
}

TEST_F(ProfilePreload, lets_a_program_use_another_libstdcpp_and_throw_through_threads) {
    const Outcome outcome = profile(kSpin + R"(
import ctypes, threading
library = ctypes.CDLL("libstdc++.so.6")
demangle = library.__cxa_demangle
thread = threading.Thread(target=spin, args=(0.05,))
thread.start()
thread.join()
exits = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
number = ctypes.c_ulong()
native = ctypes.CDLL(None)
native.pthread_create(ctypes.byref(number), None, native.pthread_exit, 5)  # unwinds through what began it
result = ctypes.c_void_p()
native.pthread_join(number, ctypes.byref(result))
print(result.value, demangle is not None)
)",
                                    {{"TARE_PROFILE_THREADS", "1"}});
    EXPECT_EQ(outcome.result, 0);
    EXPECT_EQ(outcome.output, "5 True\n");
}

TEST_F(ProfilePreload, does_nothing_to_a_program_without_a_ring) {
    const Outcome outcome =
        run_python("import os; print([n for n in os.environ if n.startswith(('TARE_PROFILE', 'LD_'))])",
                   {{{"LD_PRELOAD", TARE_PROFILE_LIBRARY}, {"TARE_PROFILE_FD", "63"}, {"TARE_PROFILE_RATE", "1000"}}});
    EXPECT_EQ(outcome.output, "[]\n");
    EXPECT_EQ(outcome.result, 0);
}

}  // namespace
}  // namespace tare::worker
