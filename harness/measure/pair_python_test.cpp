// At stake: that real workers do what a duet rests on: equal work on both sides, the injected work really executed, and
// a crash charged to its side.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>

#include <set>

#include "harness/measure/descriptor.h"
#include "harness/measure/duet_rounds.h"
#include "harness/measure/subject.h"
#include "harness/measure/temporary_folder_for_test.h"
#include "harness/measure/unhurried_for_test.h"
#include "harness/measure/worker_command.h"
#include "harness/measure/worker_process.h"

namespace tare::measure {
namespace {

using core::Case;
using core::Expected;
using core::List;
using core::Map;
using core::Side;
using core::Value;
using namespace std::chrono_literals;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// The statement of `counted` counts its executions in a file that the test maps too. `fragile` ends side b's worker.
constexpr const char* kSuite = R"suite(
import mmap
import os
from tare import operation

with open(os.environ["TARE_TEST_COUNTER"], "r+b") as file:
    MEMORY = memoryview(mmap.mmap(file.fileno(), 8)).cast("Q")
DEVICE = mmap.mmap(os.open("/dev/zero", os.O_RDWR), 4096, flags=mmap.MAP_PRIVATE)

@operation("c[0] += 1")
def counted():
    return {"c": MEMORY}

@operation("leave()")
def fragile():
    return {
    "leave" : (lambda : os._exit(7)) if os.environ["TARE_TEST_SIDE"] == "b" else(lambda : None)
}

@operation("sum(r)")
def slow():
    return {"r": range(30000)}
)suite";

class Counter {
  public:
    explicit Counter(const TemporaryFolder& folder, const std::string& name)
        : path_(folder.write(name, std::string(8, '\0'))) {
        const Descriptor file(open(path_.c_str(), O_RDONLY | O_CLOEXEC));
        memory_ = mmap(nullptr, 8, PROT_READ, MAP_SHARED, file.get(), 0);
    }
    ~Counter() { munmap(memory_, 8); }
    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::uint64_t value() const { return *static_cast<const volatile std::uint64_t*>(memory_); }

  private:
    std::string path_;
    void* memory_ = MAP_FAILED;
};

class RealPair : public testing::Test {
  protected:
    void SetUp() override { folder_.write("suite/cases.py", kSuite); }

    std::unique_ptr<WorkerProcess> spawn(Side side) {
        const Expected<Subject> subject = probe_subject(TARE_TEST_PYTHON, "");
        EXPECT_TRUE(subject) << subject.error().what;
        const std::filesystem::path programs = std::filesystem::read_symlink("/proc/self/exe").parent_path();
        const Expected<WorkerCommand> command =
            choose_worker(*subject, std::nullopt, {programs}, std::filesystem::path(TARE_SOURCE_DIR) / "python");
        EXPECT_TRUE(command) << command.error().what;
        SpawnSettings settings;
        settings.argv = command->argv;
        settings.environment = command->environment;
        settings.environment.emplace_back("TARE_HOST", name_of(command->host));
        settings.environment.emplace_back("TARE_TEST_SIDE", core::name_of(side));
        settings.environment.emplace_back("TARE_TEST_COUNTER", side == Side::kA ? a_.path() : b_.path());
        auto worker = WorkerProcess::spawn(settings);
        EXPECT_TRUE(worker) << worker.error().what;
        EXPECT_TRUE((*worker)->request(Map{{"op", "hello"}}, 60s));
        return *std::move(worker);
    }
    Expected<Value> load(WorkerLink& worker, const Value& cases = {}) const {
        return worker.request(
            Map{{"op", "load"}, {"suites", List{(folder_.path() / "suite").string()}}, {"cases", cases}}, 60s);
    }
    core::PairVisit visit(const std::string& name, const PairSettings& settings, std::optional<PairSize> size) {
        const auto a = spawn(Side::kA), b = spawn(Side::kB);
        EXPECT_TRUE(load(*a));
        EXPECT_TRUE(load(*b));
        return visit_pair(*a, *b, {.operation = name, .parameters = {}, .statement = {}, .rungs = {}}, settings,
                          {.round = 0, .pair = 0, .order = 0, .seed = 17}, size);
    }

    TemporaryFolder folder_;
    Counter a_{folder_, "a"}, b_{folder_, "b"};
};

TEST_F(RealPair, ExecutesTheSameOnBothSides) {
    const core::PairVisit visit = this->visit("counted", unhurried_pair(), PairSize{200, 10});
    EXPECT_THAT(visit.errors, IsEmpty());
    EXPECT_THAT(visit.warnings, IsEmpty());
    ASSERT_THAT(visit.quads, SizeIs(24));
    EXPECT_GT(a_.value(), 24u * 2 * 200);
    EXPECT_EQ(a_.value(), b_.value());
    for (const core::PairQuad& quad : visit.quads)
        for (const core::Sample& sample : {quad.a[0], quad.a[1], quad.b[0], quad.b[1]}) {
            EXPECT_EQ(sample.n, 200u);
            EXPECT_GT(sample.wall_ns, 0);
        }
}

TEST_F(RealPair, ExecutesTheInjectedWorkOnSideB) {
    PairSettings settings = unhurried_pair();
    settings.injected_ratio = 0.05;
    const core::PairVisit visit = this->visit("counted", settings, PairSize{200, 10});
    ASSERT_THAT(visit.quads, SizeIs(24));
    EXPECT_EQ(b_.value() - a_.value(), 24u * 2 * 10);
    EXPECT_EQ(visit.quads[0].b[0].n, 210u);
}

TEST_F(RealPair, FixesASizeThatSuitsTheStatement) {
    const core::PairVisit quick = this->visit("counted", {}, std::nullopt);
    EXPECT_EQ(quick.unroll, 8);
    EXPECT_GT(quick.n, 100u);
    EXPECT_EQ(quick.n % 8, 0u);
    const core::PairVisit slow = this->visit("slow", {}, std::nullopt);
    EXPECT_EQ(slow.unroll, 1);
    EXPECT_GE(slow.n, 1u);
    for (const core::PairVisit& visit : {quick, slow}) EXPECT_THAT(visit.errors, IsEmpty());
}

TEST_F(RealPair, ChargesACrashToTheSideThatCrashed) {
    const core::PairVisit visit = this->visit("fragile", {}, std::nullopt);
    ASSERT_THAT(visit.errors, SizeIs(1));
    EXPECT_EQ(visit.errors[0].side, Side::kB);
    EXPECT_THAT(visit.errors[0].error.what, HasSubstr("status 7"));
}

TEST_F(RealPair, PreparesWhatIsAskedForAndNoMore) {
    const auto worker = spawn(Side::kA);
    const Expected<Value> loaded = load(*worker, List{"slow", "gone"});
    ASSERT_TRUE(loaded) << loaded.error().what;
    ASSERT_THAT((*loaded)["cases"].as_list(), SizeIs(1));
    const auto prepare = [&](const List& rungs, int unroll) {
        Map request{{"op", "prepare"}, {"case", "slow"}, {"seed", 1}, {"rungs", rungs}, {"estimate", unroll == 0}};
        if (unroll > 0) request.insert_or_assign("unroll", unroll);
        const Expected<Value> answer = worker->request(request, 60s);
        EXPECT_TRUE(answer) << answer.error().what;
        return answer ? *answer : Value();
    };
    const Value forced = prepare({"python"}, 3);
    EXPECT_EQ(forced["unroll"].as_int(), 3) << "though the statement is long";
    ASSERT_THAT(forced["rungs"].as_list(), SizeIs(1));
    EXPECT_TRUE(forced["rungs"].as_list()[0]["estimate_ns"].is_nil());
    const Value chosen = prepare({"python", "floor"}, 0);
    EXPECT_EQ(chosen["unroll"].as_int(), 1);
    ASSERT_THAT(chosen["rungs"].as_list(), SizeIs(2));
    EXPECT_GT(chosen["rungs"].as_list()[0]["estimate_ns"].as_double(), 0);
    (void)prepare({"python"}, 3);
    const Expected<Value> floor = worker->request(Map{{"op", "measure"}, {"steps", List{List{"floor", 1, 0, 0}}}}, 60s);
    ASSERT_FALSE(floor) << "it was not asked for this time";
}

TEST_F(RealPair, PlacesAnewWithTheCopiesAskedFor) {
    const auto worker = spawn(Side::kA);
    ASSERT_TRUE(load(*worker));
    const auto ask = [&](const Map& request) { return worker->request(request, 60s); };
    ASSERT_TRUE(ask(Map{{"op", "prepare"}, {"case", "counted"}, {"seed", 1}, {"rungs", List{"python"}}}));
    ASSERT_TRUE(ask(Map{{"op", "place"}, {"seed", 2}, {"unroll", 7}}));
    const std::uint64_t before = a_.value();
    ASSERT_TRUE(ask(Map{{"op", "measure"}, {"steps", List{List{"python", 7, 0, 0}}}}));
    EXPECT_EQ(a_.value() - before, 7u) << "eight copies make no pass of seven";
}

TEST_F(RealPair, NamesTheFilesItMaps) {
    const auto worker = spawn(Side::kA);
    ASSERT_TRUE(load(*worker));
    const Expected<Value> answer = worker->request(Map{{"op", "files"}}, 60s);
    ASSERT_TRUE(answer) << answer.error().what;
    EXPECT_THAT((*answer)["read"].as_list(), Not(IsEmpty()));
    std::vector<std::string> files;
    for (const Value& path : (*answer)["mapped"].as_list()) files.push_back(path.as_text());
    EXPECT_THAT(files, Contains(a_.path()));
    EXPECT_THAT(files, Contains(HasSubstr("libc.so")));
    EXPECT_EQ(std::set<std::string>(files.begin(), files.end()).size(), files.size()) << "each once";
    for (const std::string& path : files) EXPECT_TRUE(std::filesystem::is_regular_file(path)) << path;
}

}  // namespace
}  // namespace tare::measure
