// The loop over rounds and cases.
#include "harness/measure/rounds.h"

#include <numeric>
#include <random>

namespace tare::measure {

using core::ErrorCode;
using core::Status;

namespace {

constexpr int kSlowVisits = 2;  // one may have been held up

}  // namespace

Status run_rounds(const std::vector<core::Case>& cases, const RoundSettings& settings, const SpawnWorker& spawn,
                  const RoundEvents& events) {
    std::mt19937_64 random(settings.seed);
    std::vector<bool> failed(cases.size(), false);
    std::vector<KnownCosts> known(cases.size());
    int process = settings.first_process;
    const int end = settings.first_round + settings.rounds;
    for (int round = settings.first_round; round < end; ++round) {
        std::vector<std::size_t> order(cases.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::shuffle(order.begin(), order.end(), random);
        std::unique_ptr<WorkerLink> worker;
        int place = 0;
        for (const std::size_t index : order) {
            if (failed[index] || (settings.spare_slow && known[index].over_budget >= kSlowVisits &&
                                  (round - settings.first_round) % 2 == 1))
                continue;
            if (events.stop()) return core::fail(ErrorCode::kInterrupted, "interrupted");
            if (!worker) {
                const WorkerDraw draw{.round = round,
                                      .process = process++,
                                      .hash_seed = static_cast<std::uint32_t>(random() >> 32),
                                      .padding_bytes = random() % kPaddingSpanBytes};
                auto spawned = spawn(draw);
                if (!spawned) return tl::unexpected<core::Error>(spawned.error());
                worker = *std::move(spawned);
            }
            events.visit_starts(cases[index], round);
            const bool was_slow = known[index].over_budget >= kSlowVisits;
            const core::Visit visit =
                visit_case(*worker, cases[index], settings.visit,
                           {.round = round, .process = process - 1, .order = place++, .seed = random()}, &known[index]);
            if (visit.error && visit.error->code == ErrorCode::kInterrupted)
                return tl::unexpected<core::Error>(*visit.error);
            if (Status s = events.visit_done(visit); !s) return s;
            if (settings.spare_slow && !was_slow && known[index].over_budget >= kSlowVisits && events.spared)
                events.spared(settings.rounds / 2 - (round - settings.first_round + 1) / 2);
            if (visit.error) {
                failed[index] = true;
                worker.reset();
            }
        }
        if (!worker || !events.round_measured) continue;
        if (Status s = events.round_measured(*worker, round); !s) return s;
    }
    return {};
}

}  // namespace tare::measure
