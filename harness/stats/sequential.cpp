// Looks: Bonferroni over the planned ones, or e values at all of them.
#include "harness/stats/sequential.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/stats/anytime.h"

namespace tare::stats {

namespace {

void look(Evidence& evidence, std::span<const double> values, const LookPlan& plan, const Margins& margins) {
    const std::optional<Contrast> contrast = contrast_of(values);
    if (!contrast) return;
    evidence.contrast = contrast;
    evidence.pairs = static_cast<int>(values.size());
    ++evidence.looks;
    if (evidence.pairs >= plan.smallest_for_change) {
        const double looks = plan.looks_for_change();
        evidence.p_slower = std::min(evidence.p_slower, looks * p_above(*contrast, margins.log_tolerance()));
        evidence.p_faster = std::min(evidence.p_faster, looks * p_below(*contrast, -margins.log_tolerance()));
    }
    const double looks = plan.looks_for_same();
    evidence.p_not_slower = std::min(1.0, looks * p_below(*contrast, margins.log_bound()));
    evidence.p_not_faster = std::min(1.0, looks * p_above(*contrast, -margins.log_bound()));
}

/// p of "the truth is at most `log_limit`", valid at any time under optional stopping.
double open_p_above(const Contrast& contrast, double log_limit, double width) {
    return std::min(1.0, 1 / e_value_above(contrast, log_limit, width));
}

}  // namespace

int LookPlan::looks_for_change() const {
    return static_cast<int>(std::ranges::count_if(pairs, [&](int count) { return count >= smallest_for_change; }));
}

int LookPlan::looks_for_same() const {
    return static_cast<int>(pairs.size());
}

double LookPlan::same_alpha_per_look() const {
    return same_alpha / looks_for_same();
}

core::Expected<LookPlan> make_look_plan(std::vector<int> pairs, int smallest_for_change, double same_alpha) {
    const bool ascends = std::ranges::adjacent_find(pairs, std::ranges::greater_equal{}) == pairs.end();
    if (pairs.empty() || pairs.front() < 2 || !ascends)
        return core::fail(core::ErrorCode::kUsage, fmt::format("looks after {} pairs", fmt::join(pairs, ", ")),
                          "give ascending numbers of pairs, at least 2, such as 6, 10, 16, 24, 36");
    if (smallest_for_change < kFewestForChange)
        return core::fail(core::ErrorCode::kUsage, fmt::format("a change proven by {} pairs", smallest_for_change),
                          fmt::format("ask for at least {} pairs", kFewestForChange));
    if (smallest_for_change > pairs.back())
        return core::fail(core::ErrorCode::kUsage,
                          fmt::format("the last look, after {} pairs, is too early to prove a change", pairs.back()),
                          fmt::format("let the last look have at least {} pairs", smallest_for_change));
    if (!(same_alpha > 0 && same_alpha < 0.5))
        return core::fail(core::ErrorCode::kUsage, fmt::format("an error probability of {:g}", same_alpha),
                          "choose one above 0 and below 0.5, such as 0.05");
    return LookPlan{std::move(pairs), smallest_for_change, same_alpha};
}

Evidence extend(Evidence before, std::span<const double> values, const LookPlan& plan, const Margins& margins,
                bool last) {
    Evidence evidence = before;
    const auto next = [&] { return static_cast<std::size_t>(evidence.looks); };
    while (next() < plan.pairs.size() && static_cast<std::size_t>(plan.pairs[next()]) <= values.size())
        look(evidence, values.first(static_cast<std::size_t>(plan.pairs[next()])), plan, margins);
    const bool more_than_looked_at = values.size() > static_cast<std::size_t>(evidence.pairs);
    if (last && evidence.looks > 0 && next() < plan.pairs.size() && more_than_looked_at)
        look(evidence, values, plan, margins);
    return evidence;
}

Evidence open_evidence(std::span<const double> values, const LookPlan& plan, const Margins& margins) {
    Evidence evidence;
    const std::optional<Contrast> contrast = contrast_of(values);
    if (!contrast || values.size() < static_cast<std::size_t>(plan.pairs.front())) return evidence;
    evidence.contrast = contrast;
    evidence.pairs = static_cast<int>(values.size());
    evidence.looks = evidence.pairs - plan.pairs.front() + 1;
    const Contrast mirror = mirrored(*contrast);
    if (evidence.pairs >= plan.smallest_for_change) {
        const double width = mixture_width(0);  // what many benchmarks ask for is far below 1 %
        evidence.p_slower = open_p_above(*contrast, margins.log_tolerance(), width);
        evidence.p_faster = open_p_above(mirror, margins.log_tolerance(), width);
    }
    const double width = mixture_width(plan.same_alpha);
    evidence.p_not_slower = open_p_above(mirror, -margins.log_bound(), width);
    evidence.p_not_faster = open_p_above(*contrast, -margins.log_bound(), width);
    return evidence;
}

}  // namespace tare::stats
