// One visit of a pair: two workers, one case, quads of batches that alternate between them. Never fails as a whole:
// what went wrong, and on which side, is in the PairVisit.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "harness/core/case.h"
#include "harness/core/pair_visit.h"
#include "harness/measure/worker_link.h"

namespace tare::measure {

struct PairSettings {
    double batch_ns = 200'000;
    double lead_in_ratio = 0.25;  ///< of a batch, untimed: the other side has evicted caches and predictors
    int quads = 24;               ///< each with both sides set up afresh
    int min_quads = 3;
    double visit_budget_ns = 500e6;                ///< a slow case gets fewer quads, never fewer than min_quads
    double injected_ratio = 0;                     ///< 0.05: side b executes 5 % more; for validation
    std::chrono::milliseconds time_limit{10'000};  ///< for one request
    bool operator==(const PairSettings&) const = default;
};

/// The size of a batch, fixed at the first visit of a case and used on both sides ever after.
struct PairSize {
    std::uint64_t n = 0;
    int unroll = 1;
    bool operator==(const PairSize&) const = default;
};

struct PairPlace {
    int round = 0;
    int pair = 0;
    int order = 0;
    std::uint64_t seed = 0;
};

/// Side b executes round(n (1 + injected_ratio)) times, in whole passes of the loop.
[[nodiscard]] core::PairVisit visit_pair(WorkerLink& a, WorkerLink& b, const core::Case& selected,
                                         const PairSettings& settings, const PairPlace& place,
                                         std::optional<PairSize> size);

}  // namespace tare::measure
