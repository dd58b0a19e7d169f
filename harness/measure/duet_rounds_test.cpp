// At stake: that nothing but the code under test differs between the sides in the same way in every round, and that a
// failing case, an interruption or a full disk costs no more than it must.
#include "harness/measure/duet_rounds.h"

#include <gmock/gmock.h>

#include <numeric>
#include <set>

#include "harness/measure/fake_worker.h"

namespace tare::measure {
namespace {

using core::Case;
using core::ErrorCode;
using core::Expected;
using core::Side;
using core::Status;
using core::Value;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

struct Spawn {
    Side first;
    WorkerDraw a, b;
};

/// Counts the workers that live.
class CountedWorker final : public WorkerLink {
  public:
    CountedWorker(int& alive, std::unique_ptr<FakeWorker> worker) : alive_(alive), worker_(std::move(worker)) {
        ++alive_;
    }
    ~CountedWorker() override { --alive_; }
    Expected<Value> request(const Value& message, std::chrono::milliseconds limit) override {
        return worker_->request(message, limit);
    }
    CapturedOutput take_output() override { return worker_->take_output(); }

  private:
    int& alive_;
    std::unique_ptr<FakeWorker> worker_;
};

struct FakeDuet {
    std::vector<Spawn> spawns;
    std::vector<core::PairVisit> visits;
    std::vector<std::string> log;
    int alive = 0;
    DuetSettings settings;
    std::function<void(Side, FakeWorker&)> equip = [](Side, FakeWorker&) {};
    DuetEvents events;

    explicit FakeDuet(std::uint64_t seed = 1) {
        settings.seed = seed;
        settings.max_rounds = 4;
        events.round_starts = [this](int round) -> Status {
            EXPECT_EQ(alive, 0) << "a mapped file cannot be evicted";
            log.push_back("start " + std::to_string(round));
            return {};
        };
        events.visit_starts = [](const Case&, int) {};
        events.visit_done = [this](const core::PairVisit& visit) -> Status {
            visits.push_back(visit);
            return {};
        };
        events.stop = [] { return false; };
        events.out_of_time = [] { return false; };
    }
    Status operator()(int count) {
        if (!events.round_ends)
            events.round_ends = [this, count](int round) {
                log.push_back("end " + std::to_string(round));
                std::vector<std::size_t> all(static_cast<std::size_t>(count));
                std::iota(all.begin(), all.end(), std::size_t{0});
                return all;
            };
        const auto made = [this](Side side) {
            auto worker = std::make_unique<FakeWorker>();
            equip(side, *worker);
            return std::make_unique<CountedWorker>(alive, std::move(worker));
        };
        return run_duet_rounds(
            fake_cases(count), settings,
            [&](Side first, const WorkerDraw& a, const WorkerDraw& b) -> Expected<WorkerPair> {
                spawns.push_back({first, a, b});
                return WorkerPair{made(Side::kA), made(Side::kB)};
            },
            events);
    }
    std::vector<std::string> visited(int round) const {
        std::vector<std::string> names;
        for (const core::PairVisit& visit : visits)
            if (visit.round == round) names.push_back(visit.case_name);
        return names;
    }
};

std::function<void(Side, FakeWorker&)> failing(const std::string& case_name, Side on) {
    return [=](Side side, FakeWorker& worker) {
        if (side != on) return;
        worker.intercept = [=](const Value& request) -> Expected<Value> {
            if (request["case"].as_text() == case_name) return core::fail(ErrorCode::kWorkerDied, "the worker died");
            return Value();
        };
    };
}

TEST(DuetRounds, EveryCaseMeetsAFreshPairInEachRoundInAnOrderOfItsOwn) {
    FakeDuet duet;
    ASSERT_TRUE(duet(6));
    EXPECT_THAT(duet.spawns, SizeIs(4));
    std::set<std::vector<std::string>> orders;
    for (int round = 0; round < 4; ++round) {
        const std::vector<std::string> names = duet.visited(round);
        EXPECT_THAT(std::set(names.begin(), names.end()), SizeIs(6));
        orders.insert(names);
    }
    EXPECT_GT(orders.size(), 1u);
    EXPECT_EQ(duet.alive, 0);
}

TEST(DuetRounds, DrawsTheSidesIndependently) {
    FakeDuet duet;
    duet.settings.max_rounds = 40;
    ASSERT_TRUE(duet(1));
    std::set<std::uint32_t> hash_seeds;
    std::set<std::size_t> paddings;
    int a_first = 0;
    for (const Spawn& spawn : duet.spawns) {
        a_first += spawn.first == Side::kA ? 1 : 0;
        for (const WorkerDraw& draw : {spawn.a, spawn.b}) {
            hash_seeds.insert(draw.hash_seed);
            paddings.insert(draw.padding_bytes);
            EXPECT_LT(draw.padding_bytes, 4096u);
        }
        EXPECT_EQ(spawn.a.process, spawn.b.process);
    }
    EXPECT_THAT(hash_seeds, SizeIs(80));
    EXPECT_GT(paddings.size(), 70u);
    EXPECT_GT(a_first, 10);
    EXPECT_LT(a_first, 30);
}

TEST(DuetRounds, TheSameSeedDrawsTheSameDuetAndAnotherAnother) {
    const auto draws = [](std::uint64_t seed) {
        FakeDuet duet(seed);
        EXPECT_TRUE(duet(5));
        std::vector<WorkerDraw> all;
        for (const Spawn& spawn : duet.spawns) all.insert(all.end(), {spawn.a, spawn.b});
        return all;
    };
    EXPECT_EQ(draws(7), draws(7));
    EXPECT_NE(draws(7), draws(8));
    EXPECT_NE(draws(7), draws(7 + (std::uint64_t{1} << 40))) << "all of the seed counts";
}

TEST(DuetRounds, AContinuedDuetDrawsWhatTheWholeOneWouldHave) {
    FakeDuet whole, rest;
    ASSERT_TRUE(whole(5));
    rest.settings.first_round = 2;
    rest.settings.first_pair = 2;
    for (const core::PairVisit& visit : whole.visits) rest.settings.sizes[visit.case_name] = {visit.n, visit.unroll};
    ASSERT_TRUE(rest(5));
    ASSERT_THAT(rest.spawns, SizeIs(2));
    EXPECT_EQ(rest.spawns[0].a, whole.spawns[2].a);
    EXPECT_EQ(rest.visits.at(0).case_name, whole.visits.at(10).case_name);
    EXPECT_EQ(rest.visits.at(0).seed, whole.visits.at(10).seed);
    EXPECT_EQ(rest.visits.at(0).pair, 2);
    EXPECT_THAT(rest.log, ElementsAre("end 1", "start 2", "end 2", "start 3", "end 3"));
}

TEST(DuetRounds, AFailingCaseCostsItselfAloneAndItsPair) {
    FakeDuet duet;
    duet.equip = failing("op2", Side::kB);
    ASSERT_TRUE(duet(4));
    int failures = 0;
    for (const core::PairVisit& visit : duet.visits) {
        if (visit.errors.empty()) continue;
        ++failures;
        EXPECT_EQ(visit.case_name, "op2");
        EXPECT_EQ(visit.errors[0].side, Side::kB);
    }
    EXPECT_EQ(failures, 1);
    EXPECT_THAT(duet.visits, SizeIs(13));
    // A pair more, unless it was the last of its round, which no case would have used.
    EXPECT_EQ(duet.spawns.size(), duet.visited(0).back() == "op2" ? 4u : 5u);
    for (const core::PairVisit& visit : duet.visits)
        EXPECT_EQ(visit.round, duet.spawns.at(static_cast<std::size_t>(visit.pair)).a.round);
}

TEST(DuetRounds, EndWhenAllCasesHaveFailed) {
    FakeDuet duet;
    duet.equip = failing("op0", Side::kA);
    ASSERT_TRUE(duet(1));
    EXPECT_THAT(duet.visits, SizeIs(1));
    EXPECT_THAT(duet.log, ElementsAre("end -1", "start 0", "end 0"));
}

TEST(DuetRounds, TheSizeOfACaseIsFixedAtItsFirstVisit) {
    FakeDuet duet;
    int workers = 0;
    duet.equip = [&](Side, FakeWorker& worker) { worker.cost_ns["python"] = 100.0 * ++workers; };
    ASSERT_TRUE(duet(2));
    for (const core::PairVisit& visit : duet.visits) EXPECT_EQ(visit.n, 1000u);  // 200 us / 200 ns, the slower of two
}

TEST(DuetRounds, TheSizeOfACaseCanBeKnownBefore) {
    FakeDuet duet;
    duet.settings.sizes["op1"] = {30, 3};
    ASSERT_TRUE(duet(2));
    for (const core::PairVisit& visit : duet.visits) {
        EXPECT_EQ(visit.n, visit.case_name == "op1" ? 30u : 2000u);
        EXPECT_EQ(visit.unroll, visit.case_name == "op1" ? 3 : 10);
    }
}

TEST(DuetRounds, OnlyUndecidedCasesGoOn) {
    FakeDuet duet;
    duet.events.round_ends = [](int round) {
        if (round < 0) return std::vector<std::size_t>{0, 2};
        return round < 1 ? std::vector<std::size_t>{2} : std::vector<std::size_t>{};
    };
    ASSERT_TRUE(duet(3));
    EXPECT_THAT(duet.visited(0), ::testing::UnorderedElementsAre("op0", "op2"));
    EXPECT_THAT(duet.visited(1), ElementsAre("op2"));
    EXPECT_THAT(duet.spawns, SizeIs(2));
}

TEST(DuetRounds, EndInOrderWhenTimeIsUpButNotBeforeTheFirst) {
    FakeDuet duet;
    duet.events.out_of_time = [] { return true; };
    ASSERT_TRUE(duet(3));
    EXPECT_THAT(duet.visits, SizeIs(3));
}

TEST(DuetRounds, AnInterruptionKeepsTheVisitsBeforeIt) {
    FakeDuet duet;
    duet.events.stop = [&] { return duet.visits.size() == 4; };
    const Status status = duet(3);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kInterrupted);
    EXPECT_THAT(duet.visits, SizeIs(4));
    EXPECT_EQ(duet.alive, 0);
}

TEST(DuetRounds, AnInterruptedVisitIsNotHandedOn) {
    FakeDuet duet;
    int batches = 0;
    duet.equip = [&](Side, FakeWorker& worker) {
        worker.intercept = [&](const Value& request) -> Expected<Value> {
            if (request["op"].as_text() == "measure" && ++batches > 150)
                return core::fail(ErrorCode::kInterrupted, "interrupted");
            return Value();
        };
    };
    const Status status = duet(3);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kInterrupted);
    EXPECT_THAT(duet.visits, SizeIs(1)) << "of 96 batches; the second was cut short";
}

TEST(DuetRounds, AFullDiskEndsTheDuet) {
    FakeDuet duet;
    duet.events.visit_done = [](const core::PairVisit&) -> Status {
        return core::fail(ErrorCode::kEnvironment, "No space left on device");
    };
    const Status status = duet(3);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().what, "No space left on device");
}

TEST(DuetRounds, AnErrorBeforeARoundEndsTheDuet) {
    FakeDuet duet;
    duet.events.round_starts = [](int round) -> Status {
        if (round == 1) return core::fail(ErrorCode::kEnvironment, "the environment was rebuilt");
        return {};
    };
    EXPECT_FALSE(duet(3));
    EXPECT_THAT(duet.visits, SizeIs(3));
}

}  // namespace
}  // namespace tare::measure
