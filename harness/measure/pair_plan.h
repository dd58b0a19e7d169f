// How large the batches of a duet are: the same on both sides, but for work that is injected into side b. Pure
// arithmetic; times in ns.
#pragma once

#include <chrono>
#include <cstdint>

namespace tare::measure {

struct PairSettings {
    double batch_ns = 200'000;
    double lead_in_ratio = 0.25;  ///< of a batch, untimed: the other side has evicted caches and predictors. Short
                                  ///< statements get that of PlanSettings
    int quads = 24;               ///< each with both sides set up afresh
    int min_quads = 3;
    std::uint64_t min_executions = 16;  ///< in a batch, unless it would then take longer than long_batch_ns
    double long_batch_ns = 5e6;
    double visit_budget_ns = 500e6;                ///< a slow case gets fewer quads, never fewer than min_quads
    double injected_ratio = 0;                     ///< 0.05: side b executes 5 % more; above -1; for validation
    std::chrono::milliseconds time_limit{10'000};  ///< for one request
    bool operator==(const PairSettings&) const = default;
};

/// The size of a batch, fixed at the first visit of a case and used on both sides ever after.
struct PairSize {
    std::uint64_t n = 0;  ///< a multiple of unroll
    int unroll = 1;
    bool operator==(const PairSize&) const = default;
};

/// `slower_ns`: one execution on the slower side; `unroll`: copies in a pass that suit that side. Work is injected in
/// whole passes, within 1 % of what was asked: unroll is lowered for that and, where a batch of single executions is
/// still too coarse, n raised.
[[nodiscard]] PairSize size_pair(double slower_ns, int unroll, const PairSettings& settings);

/// What side b executes where a executes size.n: the same, or with injected work more or less, in whole passes.
[[nodiscard]] std::uint64_t n_of_side_b(const PairSize& size, double injected_ratio);

/// Untimed executions before each batch, in whole passes.
[[nodiscard]] std::uint64_t lead_in_of(const PairSize& size, const PairSettings& settings);

}  // namespace tare::measure
