// The arithmetic of a pair's batches.
#include "harness/measure/pair_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/measure/visit_plan.h"

namespace tare::measure {

namespace {

constexpr double kInjectionTolerance = 0.01;  // of the injected ratio itself

PairSize with_room_for(double injected_ratio, PairSize size) {
    const double wanted = std::abs(injected_ratio);
    const auto passes_of = [&] { return static_cast<double>(size.n) / size.unroll; };
    while (size.unroll > 1 && passes_of() * wanted < 1) --size.unroll;
    // Ends: the passes of `extra` differ from a whole number by half a pass at most, which is ever less of them.
    for (double extra = std::max(1.0, std::round(passes_of() * wanted));; ++extra) {
        const double passes = std::max(1.0, std::round(extra / wanted));
        if (std::abs(extra / passes - wanted) > kInjectionTolerance * wanted) continue;
        return {static_cast<std::uint64_t>(passes) * static_cast<std::uint64_t>(size.unroll), size.unroll};
    }
}

}  // namespace

PairSize size_pair(double slower_ns, int unroll, const PairSettings& settings) {
    const double execution_ns = std::max(slower_ns, 1e-3);
    const double affordable = std::floor(settings.long_batch_ns / execution_ns);
    const double least = std::min(static_cast<double>(settings.min_executions), affordable);
    const PairSize size{
        whole_units(std::max(settings.batch_ns / execution_ns, least), static_cast<std::uint64_t>(std::max(unroll, 1))),
        std::max(unroll, 1)};
    return settings.injected_ratio == 0 ? size : with_room_for(settings.injected_ratio, size);
}

std::uint64_t n_of_side_b(const PairSize& size, double injected_ratio) {
    const double passes = static_cast<double>(size.n) / size.unroll;
    const double executed = std::max(1.0, passes + std::round(passes * injected_ratio));
    return static_cast<std::uint64_t>(executed) * static_cast<std::uint64_t>(size.unroll);
}

std::uint64_t lead_in_of(const PairSize& size, const PairSettings& settings) {
    PlanSettings plan;
    plan.lead_in_ratio = settings.lead_in_ratio;
    plan.longest_lead_in_pass_ns = 0;  // one pass is a batch where that takes milliseconds alone
    plan.long_statement_ns = std::numeric_limits<double>::infinity();  // only the other side runs in between
    const StepCost cost{StepKind::kPython, settings.batch_ns / static_cast<double>(size.n)};
    return lead_in_of(cost, size.n, static_cast<std::uint64_t>(size.unroll), plan);
}

}  // namespace tare::measure
