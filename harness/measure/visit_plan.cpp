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

VisitPlan plan_visit(const std::vector<StepCost>& costs, int unroll, const PlanSettings& settings) {
    VisitPlan plan;
    double placement_ns = settings.placement_cost_ns;
    for (const StepCost& cost : costs) {
        const auto unit = static_cast<std::uint64_t>(copies_in(cost.kind, unroll));
        const double estimate_ns = std::max(cost.estimate_ns, 1e-3);
        const std::uint64_t n = whole_units(settings.batch_ns / estimate_ns, unit);
        const std::uint64_t lead_in_n = lead_in_of(cost, n, unit, settings);
        plan.steps.push_back({cost.kind, n, lead_in_n});
        placement_ns += static_cast<double>(n + lead_in_n) * estimate_ns * (is_shorter(cost.kind) ? 0.5 : 1.0);
    }
    const double affordable = std::floor(settings.visit_budget_ns / placement_ns);
    plan.placements =
        std::max(settings.min_placements, static_cast<int>(std::min<double>(affordable, settings.placements)));
    return plan;
}

std::vector<Step> steps_at(const VisitPlan& plan, int placement) {
    std::vector<Step> steps = plan.steps;
    if (placement / 2 % 2 == 1) std::erase_if(steps, [](const Step& step) { return is_shorter(step.kind); });
    if (steps.empty()) return steps;
    const auto shift = static_cast<std::size_t>(placement / 2) % steps.size();
    std::rotate(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(shift), steps.end());
    if (placement % 2 == 1) std::reverse(steps.begin(), steps.end());
    return steps;
}

}  // namespace tare::measure
