// At stake: that one pass of a statement, no more and no less, is what a real worker records, the same in every one of
// its placements; and that no statement ends the worker that steps it.
#include <gmock/gmock.h>
#include <sys/personality.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "harness/core/trace.h"
#include "harness/measure/subject.h"
#include "harness/measure/temporary_folder_for_test.h"
#include "harness/measure/worker_command.h"
#include "harness/measure/worker_process.h"

namespace tare::worker {
namespace {

using core::Expected;
using core::List;
using core::Map;
using core::Refusal;
using core::Trace;
using core::Value;
using measure::WorkerProcess;
using namespace std::chrono_literals;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::SizeIs;

constexpr const char* kSuite = R"suite(
import _signal, os, signal, threading, time  # `signal` takes 100,000 instructions to make enums of numbers
from tare import operation

SEEN = []
X = 1.5

def say():
    raise ValueError(f"{len(SEEN)} times")

def leave():
    raise SystemExit("enough")

def start_thread():
    thread = threading.Thread(target=len, args=("",))
    thread.start()
    thread.join()

def fork():
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)

def block_and_restore():
    old = _signal.pthread_sigmask(_signal.SIG_BLOCK, range(1, 65))
    _signal.pthread_sigmask(_signal.SIG_SETMASK, old)

def declare(name, statement, prepare=lambda: None):
    def setup():
        prepare()
        return {"x": X, "nothing": None}
    setup.__name__ = name
    operation(statement)(setup)

def start_timer():
    signal.signal(signal.SIGALRM, lambda *_: SEEN.append(0))
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)

declare("add", "x + x")
declare("add_twice", "x + x; x + x")
declare("divide", "x / x")
declare("count", "SEEN.append(x)", SEEN.clear)
declare("count_slowly", "SEEN.append(x); time.sleep(0.002)", SEEN.clear)
declare("say", "say()")
declare("leave", "leave()")
declare("thread", "start_thread()")
declare("fork", "fork()")
declare("spawn", "os.waitpid(os.posix_spawnp('true', ['true'], {}), 0)")
declare("take_trap", "_signal.signal(_signal.SIGTRAP, _signal.SIG_IGN)")
declare("block_all", "_signal.pthread_sigmask(_signal.SIG_BLOCK, [_signal.SIGTRAP])")
declare("block_and_restore", "block_and_restore()")
declare("sum", "sum(range(50))")
declare("sum_with_a_timer", "sum(range(50))", start_timer)
declare("time_left", "say() if signal.getitimer(signal.ITIMER_REAL)[1] else None")
declare("long", "sum(range(100000))")
try:
    import numpy as np
    VECTOR = np.ones(8)
    declare("vectors", "VECTOR + VECTOR; VECTOR.sum(); np.dot(VECTOR, VECTOR); VECTOR @ VECTOR")
except ImportError:
    declare("vectors", "1 / 0")

declare("broken", "x + x", lambda: nowhere)
)suite";

class SteppedWorker : public testing::Test {
  protected:
    void SetUp() override {
        folder_.write("suite/cases.py", kSuite);
        worker_ = start(true);
        const Expected<Value> stepped = ask("add", "statement");
        if (!stepped && stepped.error().what.starts_with("cannot step")) GTEST_SKIP() << stepped.error().what;
        ASSERT_TRUE(stepped) << stepped.error().what;
    }

    std::unique_ptr<WorkerProcess> start(bool fixed_addresses) {
        const Expected<measure::Subject> subject = measure::probe_subject(TARE_TEST_PYTHON, "");
        EXPECT_TRUE(subject) << subject.error().what;
        const std::filesystem::path programs = std::filesystem::read_symlink("/proc/self/exe").parent_path();
        const Expected<measure::WorkerCommand> command = measure::choose_worker(
            *subject, std::nullopt, {programs}, std::filesystem::path(TARE_SOURCE_DIR) / "python");
        EXPECT_TRUE(command) << command.error().what;
        measure::SpawnSettings settings;
        settings.argv = command->argv;
        settings.environment = command->environment;
        settings.environment.emplace_back("TARE_HOST", measure::name_of(command->host));
        settings.fixed_addresses = fixed_addresses;
        auto worker = WorkerProcess::spawn(settings);
        EXPECT_TRUE(worker) << worker.error().what;
        EXPECT_TRUE((*worker)->request(Map{{"op", "hello"}}, 60s));
        const List suites{(folder_.path() / "suite").string()};
        const Expected<Value> loaded =
            (*worker)->request(Map{{"op", "load"}, {"suites", suites}, {"cases", Value()}}, 60s);
        EXPECT_TRUE(loaded) << loaded.error().what;
        EXPECT_THAT((*loaded)["problems"].as_list(), IsEmpty());
        return *std::move(worker);
    }
    Expected<Value> ask(const std::string& name, const std::string& loop, std::int64_t seed = 1,
                        std::int64_t limit = 0) {
        return worker_->request(Map{{"op", "step"}, {"case", name}, {"seed", seed}, {"limit", limit}, {"loop", loop}},
                                60s);
    }
    Trace step(const std::string& name, const std::string& loop = "statement", std::int64_t seed = 1,
               std::int64_t limit = 0) {
        const Expected<Value> answer = ask(name, loop, seed, limit);
        EXPECT_TRUE(answer) << name << ": " << answer.error().what;
        if (!answer) return {};
        Expected<Trace> trace = core::trace_from(*answer);
        EXPECT_TRUE(trace) << trace.error().what;
        return trace ? *std::move(trace) : Trace{};
    }
    /// What a case raises, which says how often another was executed.
    std::string said() { return step("say").refusal_detail; }

    measure::TemporaryFolder folder_;
    std::unique_ptr<WorkerProcess> worker_;
};

TEST_F(SteppedWorker, RecordsOnePassOfTheStatement) {
    const std::size_t floor = step("add", "floor").steps.size();
    const std::size_t once = step("add").steps.size();
    const std::size_t twice = step("add_twice").steps.size();
    EXPECT_GT(floor, 5u);
    EXPECT_GT(once, floor + 20) << "an addition of floats is more than a hundred";
    EXPECT_NEAR(static_cast<double>(twice - once), static_cast<double>(once - floor), 20)
        << "but for CPython's superinstructions, the second addition takes as many as the first";
}

TEST_F(SteppedWorker, RecordsTheSameOfEveryPlacement) {
    std::set<std::size_t> counts;
    for (std::int64_t seed = 1; seed < 18; ++seed)  // from CPython 3.12 on, FOR_ITER's counter fires in one of them
        counts.insert(step("add", "statement", seed).steps.size() - step("add", "floor", seed).steps.size());
    EXPECT_THAT(counts, SizeIs(1));
}

TEST_F(SteppedWorker, BeginsAndEndsInTheInterpreterNotInItself) {
    const Trace trace = step("add", "floor");
    ASSERT_THAT(trace.steps, Not(IsEmpty()));
    for (const core::Step& step : trace.steps)
        for (const core::CodeModule& module : trace.modules)
            EXPECT_FALSE(module.path.find("worker") != std::string::npos && step.address >= module.start &&
                         step.address < module.end);
}

TEST_F(SteppedWorker, ExecutesTheWarmUpAndOnePassMore) {
    (void)step("count", "statement", 3);
    EXPECT_THAT(said(), HasSubstr("38 times")) << "34 + 3 to warm up";
    (void)step("count", "floor", 3);
    EXPECT_THAT(said(), HasSubstr("ValueError: 0 times"));
    (void)step("count_slowly", "statement", 3);
    EXPECT_THAT(said(), HasSubstr("ValueError: 4 times")) << "three of 2 ms are enough";
}

TEST_F(SteppedWorker, TellsBytesModuleAndNameOfItsAddresses) {
    const Trace trace = step("divide");
    std::set<std::uint64_t> addresses;
    for (const core::Step& step : trace.steps) addresses.insert(step.address);
    ASSERT_EQ(trace.code.size(), addresses.size());
    for (const core::CodeBytes& code : trace.code) {
        EXPECT_TRUE(addresses.contains(code.address));
        EXPECT_EQ(code.length, 15);
        EXPECT_TRUE(std::any_of(trace.modules.begin(), trace.modules.end(), [&](const core::CodeModule& module) {
            return code.address >= module.start && code.address < module.end;
        }));
    }
    std::vector<std::string> names;
    for (const core::PythonName& name : trace.python_names) {
        EXPECT_TRUE(addresses.contains(name.address)) << name.name;
        names.push_back(name.name);
    }
    EXPECT_THAT(names, Contains("float.nb_true_divide"));
    EXPECT_THAT(names, Contains("float.tp_dealloc"));
    EXPECT_GT(trace.wall_ns, 0);
    EXPECT_EQ(trace.refusal, Refusal::kNone);
}

TEST_F(SteppedWorker, CallsFunctionsOfNumPyAsPythonDoes) {
    const Trace trace = step("vectors");
    if (trace.refusal == Refusal::kRaised) GTEST_SKIP() << "no NumPy for " << TARE_TEST_PYTHON;
    std::vector<std::string> names;
    for (const core::PythonName& name : trace.python_names) names.push_back(name.name);
    EXPECT_THAT(names, IsSupersetOf({"ndarray.nb_add", "add[dd->d]", "ndarray.sum", "ufunc.reduce",
                                     "ndarray.tp_dealloc", "ndarray.nb_matrix_multiply", "matmul[dd->d]"}));
    EXPECT_THAT(names, Contains(AnyOf("numpy.dot", "numpy.core._multiarray_umath.dot")));
}

TEST_F(SteppedWorker, TellsWhetherAddressesAreRandom) {
    const int own = personality(0xffffffff);
    if (personality(static_cast<unsigned long>(own) | ADDR_NO_RANDOMIZE) == -1)
        GTEST_SKIP() << "this system refuses personality()";
    personality(static_cast<unsigned long>(own));
    EXPECT_FALSE(step("add").randomized_addresses);
    if ((own & ADDR_NO_RANDOMIZE) != 0) GTEST_SKIP() << "this test itself runs with fixed addresses";
    worker_ = start(false);
    EXPECT_TRUE(step("add").randomized_addresses);
}

TEST_F(SteppedWorker, SaysWhatTheStatementRaised) {
    for (const char* name : {"say", "leave"}) {
        const Trace trace = step(name);
        EXPECT_EQ(trace.refusal, Refusal::kRaised);
        EXPECT_THAT(trace.refusal_detail, AnyOf(HasSubstr("ValueError: 0 times"), HasSubstr("SystemExit: enough")));
    }
    EXPECT_EQ(step("add").refusal, Refusal::kNone);
}

TEST_F(SteppedWorker, StopsAtTheLimitAndGoesOn) {
    const Trace trace = step("long", "statement", 1, 3000);
    EXPECT_EQ(trace.refusal, Refusal::kTooLong);
    EXPECT_TRUE(trace.steps.empty()) << "they are of no use, and may be too many for a message";
    EXPECT_EQ(step("add").refusal, Refusal::kNone);
}

TEST_F(SteppedWorker, SurvivesWhatCannotBeStepped) {
    EXPECT_EQ(step("thread").refusal, Refusal::kThread);
    EXPECT_EQ(step("fork").refusal, Refusal::kProcess);
    EXPECT_EQ(step("spawn").refusal, Refusal::kProcess);
    EXPECT_EQ(step("take_trap").refusal, Refusal::kReplacesTrap);
    EXPECT_EQ(step("block_and_restore").refusal, Refusal::kNone);
    EXPECT_EQ(step("block_all").refusal, Refusal::kBlocksTrap);
    EXPECT_EQ(step("add").refusal, Refusal::kNone);
    EXPECT_TRUE(worker_->request(Map{{"op", "finish"}}, 60s));
}

TEST_F(SteppedWorker, KeepsTimersOutOfTheStatement) {
    const auto alone = static_cast<double>(step("sum").steps.size());
    EXPECT_NEAR(static_cast<double>(step("sum_with_a_timer").steps.size()), alone, 300) << "one call is a thousand";
    EXPECT_EQ(step("time_left", "floor").refusal, Refusal::kNone);
    EXPECT_EQ(step("time_left").refusal, Refusal::kNone) << "off while it is stepped and warmed up";
}

TEST_F(SteppedWorker, RefusesWhatItDoesNotHave) {
    const auto refused = [&](const std::string& name, const std::string& loop) {
        const Expected<Value> answer = ask(name, loop);
        return answer ? "answered" : answer.error().what;
    };
    EXPECT_THAT(refused("no such case", "statement"), HasSubstr("no case 'no such case' is loaded"));
    EXPECT_THAT(refused("add", "call"), HasSubstr("not 'call'"));
    EXPECT_THAT(refused("broken", "statement"), HasSubstr("nowhere"));
    const Expected<Value> none = worker_->request(Map{{"op", "jit"}, {"descriptor", 16}}, 60s);
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().what, HasSubstr("no JIT descriptor"));
}

TEST_F(SteppedWorker, LeavesAPreparedCaseAsItIs) {
    const auto request = [&](const Map& message) { return worker_->request(message, 60s); };
    ASSERT_TRUE(request(Map{{"op", "prepare"}, {"case", "add"}, {"seed", 1}, {"rungs", List{"python"}}}));
    (void)step("sum");
    const Expected<Value> measured = request(Map{{"op", "measure"}, {"steps", List{List{"python", 10, 0, 0}}}});
    ASSERT_TRUE(measured) << measured.error().what;
    const Expected<Value> finished = request(Map{{"op", "finish"}});
    ASSERT_TRUE(finished);
    EXPECT_THAT((*finished)["changes"].as_list(), IsEmpty());
}

}  // namespace
}  // namespace tare::worker
