// The arithmetic of a visit.
#include "harness/measure/visit_plan.h"

#include <algorithm>
#include <cmath>

namespace tare::measure {

std::uint64_t whole_units(double wanted, std::uint64_t unit) {
    const double units = std::round(wanted / static_cast<double>(unit));
    return unit * static_cast<std::uint64_t>(std::clamp(units, 1.0, 1e12));
}

std::uint64_t lead_in_of(const StepCost& cost, std::uint64_t n, std::uint64_t unit, const PlanSettings& settings) {
    const bool is_python = cost.kind == StepKind::kPython || is_shorter(cost.kind);
    const bool is_short = is_python && cost.estimate_ns < settings.short_statement_ns;
    const bool is_long = cost.estimate_ns > settings.long_statement_ns;
    const double lead_in_ns = is_short  ? settings.short_statement_lead_in_ns
                              : is_long ? settings.long_statement_lead_in_ns
                                        : 0;
    const double of_batch = settings.lead_in_ratio * static_cast<double>(n);
    const double lead_in =
        lead_in_ns > 0 ? std::max(lead_in_ns / std::max(cost.estimate_ns, 1e-3), is_long ? of_batch : 0) : of_batch;
    if (lead_in >= 0.5 * static_cast<double>(unit)) return whole_units(lead_in, unit);
    const double pass_ns = static_cast<double>(unit) * cost.estimate_ns;
    return pass_ns <= settings.longest_lead_in_pass_ns ? unit : 0;
}

namespace {

/// Several lines at a placement are enough from half of the placements.
bool has_several_lines(const std::vector<RungPlan>& rungs) {
    return std::ranges::any_of(
        rungs, [](const RungPlan& rung) { return rung.first.kind == StepKind::kPython && rung.batches > 1; });
}

}  // namespace

VisitPlan plan_visit(const std::vector<StepCost>& costs, int unroll, const PlanSettings& settings) {
    VisitPlan plan;
    double placement_ns = settings.placement_cost_ns;
    for (const StepCost& cost : costs) {
        const auto unit = static_cast<std::uint64_t>(copies_in(cost.kind, unroll));
        const double estimate_ns = std::max(cost.estimate_ns, 1e-3);
        const std::uint64_t n = whole_units(settings.batch_ns / estimate_ns, unit);
        const double most = std::max(1.0, settings.rung_ns / settings.batch_ns);
        const double batches = std::round(settings.rung_ns / (static_cast<double>(n) * estimate_ns));
        const std::uint64_t all_n = n * static_cast<std::uint64_t>(std::clamp(batches, 1.0, most));
        const bool is_warmed = static_cast<double>(unit) * estimate_ns <= settings.longest_warm_pass_ns;
        const std::uint64_t warm_n = is_warmed ? whole_units(settings.warm_ns / estimate_ns, unit) : 0;
        const std::uint64_t lead_in_n = lead_in_of(cost, all_n, unit, settings);
        plan.rungs.push_back(
            {{cost.kind, n, lead_in_n - std::min(lead_in_n, warm_n), warm_n}, static_cast<int>(all_n / n)});
        const std::uint64_t untimed_n = std::max(lead_in_n, warm_n) + warm_n * (all_n / n - 1);
        placement_ns += static_cast<double>(all_n + untimed_n) * estimate_ns *
                        (is_shorter(cost.kind) && has_several_lines(plan.rungs) ? 0.5 : 1.0);
    }
    const double affordable = std::floor(settings.visit_budget_ns / placement_ns);
    plan.placements =
        std::max(settings.min_placements, static_cast<int>(std::min<double>(affordable, settings.placements)));
    return plan;
}

std::vector<Step> steps_at(const VisitPlan& plan, int placement) {
    std::vector<RungPlan> rungs = plan.rungs;
    if (placement / 2 % 2 == 1 && has_several_lines(rungs))
        std::erase_if(rungs, [](const RungPlan& rung) { return is_shorter(rung.first.kind); });
    if (rungs.empty()) return {};
    const std::size_t shift = (plan.turn + static_cast<std::size_t>(placement / 2)) % rungs.size();
    std::rotate(rungs.begin(), rungs.begin() + static_cast<std::ptrdiff_t>(shift), rungs.end());
    if (placement % 2 == 1) std::reverse(rungs.begin(), rungs.end());
    std::vector<Step> steps;
    for (const RungPlan& rung : rungs)
        for (int batch = 0; batch < rung.batches; ++batch)
            steps.push_back({rung.first.kind, rung.first.n, batch == 0 ? rung.first.lead_in_n : 0, rung.first.warm_n});
    return steps;
}

}  // namespace tare::measure
