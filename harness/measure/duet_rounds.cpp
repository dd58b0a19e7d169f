// The loop over rounds, pairs and cases of a duet.
#include "harness/measure/duet_rounds.h"

#include <algorithm>
#include <optional>
#include <random>

namespace tare::measure {

using core::ErrorCode;
using core::Status;

namespace {

std::mt19937_64 random_of_round(std::uint64_t seed, int round) {
    std::seed_seq words{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                        static_cast<std::uint32_t>(round)};
    return std::mt19937_64(words);
}

class DuetRounds {
  public:
    DuetRounds(const std::vector<core::Case>& cases, const DuetSettings& settings, const SpawnPair& spawn,
               const DuetEvents& events)
        : cases_(cases),
          settings_(settings),
          spawn_(spawn),
          events_(events),
          sizes_(cases.size()),
          failed_(cases.size(), false),
          pair_(settings.first_pair) {
        for (std::size_t i = 0; i < cases.size(); ++i)
            if (const auto known = settings.sizes.find(cases[i].name()); known != settings.sizes.end())
                sizes_[i] = known->second;
    }

    [[nodiscard]] Status run();

  private:
    [[nodiscard]] Status run_round(int round, std::vector<std::size_t> undecided);
    [[nodiscard]] core::Expected<WorkerPair> spawn_pair(int round, std::mt19937_64& random);
    [[nodiscard]] std::vector<std::size_t> going_on_after(int round) const;

    const std::vector<core::Case>& cases_;
    const DuetSettings& settings_;
    const SpawnPair& spawn_;
    const DuetEvents& events_;
    std::vector<std::optional<PairSize>> sizes_;
    std::vector<bool> failed_;
    int pair_;
};

std::vector<std::size_t> DuetRounds::going_on_after(int round) const {
    std::vector<std::size_t> cases = events_.round_ends(round);
    cases.erase(std::remove_if(cases.begin(), cases.end(), [&](std::size_t i) { return failed_.at(i); }), cases.end());
    return cases;
}

core::Expected<WorkerPair> DuetRounds::spawn_pair(int round, std::mt19937_64& random) {
    const auto draw = [&] {
        WorkerDraw drawn{.round = round, .process = pair_};
        drawn.hash_seed = static_cast<std::uint32_t>(random() >> 32);
        drawn.padding_bytes = random() % kPaddingSpanBytes;
        return drawn;
    };
    const core::Side first = (random() & 1) == 0 ? core::Side::kA : core::Side::kB;
    const WorkerDraw a = draw();
    const WorkerDraw b = draw();
    ++pair_;
    return spawn_(first, a, b);
}

Status DuetRounds::run_round(int round, std::vector<std::size_t> undecided) {
    std::mt19937_64 random = random_of_round(settings_.seed, round);
    std::shuffle(undecided.begin(), undecided.end(), random);
    WorkerPair workers;
    int order = 0;
    for (const std::size_t index : undecided) {
        if (events_.stop()) return core::fail(ErrorCode::kInterrupted, "interrupted");
        if (!workers.a) {
            core::Expected<WorkerPair> spawned = spawn_pair(round, random);
            if (!spawned) return tl::unexpected<core::Error>(spawned.error());
            workers = *std::move(spawned);
        }
        events_.visit_starts(cases_[index], round);
        PairSettings pair = settings_.pair;
        if (!settings_.injected_ratios.empty()) pair.injected_ratio = settings_.injected_ratios.at(index);
        const core::PairVisit visit =
            visit_pair(*workers.a, *workers.b, cases_[index], pair,
                       {.round = round, .pair = pair_ - 1, .order = order++, .seed = random()}, sizes_[index]);
        for (const core::SideError& failure : visit.errors)
            if (failure.error.code == ErrorCode::kInterrupted) return tl::unexpected<core::Error>(failure.error);
        if (!sizes_[index] && visit.n > 0) sizes_[index] = PairSize{visit.n, visit.unroll};
        if (!visit.errors.empty()) {
            failed_[index] = true;
            workers = {};
        }
        if (Status s = events_.visit_done(visit); !s) return s;
    }
    if (workers.a && events_.round_measured) return events_.round_measured(workers, round);
    return {};
}

Status DuetRounds::run() {
    std::vector<std::size_t> undecided = going_on_after(settings_.first_round - 1);
    for (int round = settings_.first_round; round < settings_.max_rounds && !undecided.empty(); ++round) {
        if (round > settings_.first_round && events_.out_of_time()) break;
        if (events_.stop()) return core::fail(ErrorCode::kInterrupted, "interrupted");
        if (Status s = events_.round_starts(round); !s) return s;
        if (Status s = run_round(round, std::move(undecided)); !s) return s;
        undecided = going_on_after(round);
    }
    return {};
}

}  // namespace

Status run_duet_rounds(const std::vector<core::Case>& cases, const DuetSettings& settings, const SpawnPair& spawn,
                       const DuetEvents& events) {
    return DuetRounds(cases, settings, spawn, events).run();
}

}  // namespace tare::measure
