// How a visit spends its time: which batches of which size, at how many placements. Pure arithmetic; times in ns.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/measure/step_kind.h"

namespace tare::measure {

struct PlanSettings {
    /// Between two references, which do not see what takes the core away for tens of microseconds: beside neighbours
    /// processes differed by 1.9 % where they did by 3.8 with 0.2 ms (harness/docs/quiet.md).
    double batch_ns = 50'000;
    double rung_ns = 150'000;        ///< the batches of a rung at one placement, which follow each other
    double lead_in_ratio = 1.0 / 3;  ///< of these, untimed before the first
    /// After the system call that each batch has before it: batches of 0.05 ms read 1 % high without, of statements of
    /// 4 to 15 us that run much code 3 to 5 %.
    double warm_ns = 10'000;
    double longest_warm_pass_ns = 200e3;
    double short_statement_ns = 50;  ///< below, predictors that learn anew after a change of rung cost 3 % for 0.5 ms
    double short_statement_lead_in_ns = 500'000;
    /// Above, a statement needs more of caches and predictors than such a lead-in brings back after other rungs: one
    /// that reads a file's head took 35.6 us after 0.05 ms, 33.1 after 0.2, 32.6 after 0.5 and 32.1 after 1.
    double long_statement_ns = 5'000;
    double long_statement_lead_in_ns = 500'000;
    /// A batch of one pass has a whole one before it, if that takes no longer: without, a statement of 174 us read 200
    /// for what the other rungs and the set-up had put out of caches and predictors.
    double longest_lead_in_pass_ns = 2e6;
    int placements = 4;  ///< fresh set-ups in a visit; more processes tell more than more of these
    int min_placements = 3;
    double visit_budget_ns = 100e6;  ///< a slow case gets fewer placements, never fewer than min_placements
    double placement_cost_ns =
        2e6;  ///< set-up, compilation and warm-up of a cheap case; a visit ends early where they cost more
    bool operator==(const PlanSettings&) const = default;
};

struct StepCost {
    StepKind kind = StepKind::kPython;
    double estimate_ns = 0;  ///< of one execution
};

struct Step {
    StepKind kind = StepKind::kPython;
    std::uint64_t n = 1;
    std::uint64_t lead_in_n = 0;
    std::uint64_t warm_n = 0;  ///< see BatchOrder
    bool operator==(const Step&) const = default;
};

struct RungPlan {
    Step first;
    int batches = 1;  ///< the further ones without a lead-in
    bool operator==(const RungPlan&) const = default;
};

struct VisitPlan {
    std::vector<RungPlan> rungs;  ///< at every placement
    int placements = 0;
    std::size_t turn = 0;  ///< which of the rungs begins
    bool operator==(const VisitPlan&) const = default;
};

/// Untimed executions before a batch of n, in whole passes of `unit` executions.
[[nodiscard]] std::uint64_t lead_in_of(const StepCost& cost, std::uint64_t n, std::uint64_t unit,
                                       const PlanSettings& settings);

/// The multiple of `unit` nearest to `wanted`, at least one unit.
[[nodiscard]] std::uint64_t whole_units(double wanted, std::uint64_t unit);

/// n of the python rung is a multiple of `unroll`, because a pass of its loop executes that many.
[[nodiscard]] VisitPlan plan_visit(const std::vector<StepCost>& costs, int unroll, const PlanSettings& settings);

/// The order of the batches at placement k: forwards, then backwards, so that what drifts linearly cancels between
/// rungs; every second pair starts one rung later, and each visit with another one (`turn`), so that no rung always
/// follows the same neighbour or the set-up. The loops of fewer copies take part in every second pair of placements,
/// unless the statement has one batch at each: what they tell of the floor is divided by the copies.
[[nodiscard]] std::vector<Step> steps_at(const VisitPlan& plan, int placement);

}  // namespace tare::measure
