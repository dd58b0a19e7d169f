// Names and reasons of a case's quantities.
#include "harness/record/quantities.h"

#include <fmt/format.h>

namespace tare::record {

namespace {

Quantity rung_quantity(std::string_view stem, const stats::CaseEstimate& estimate, core::RungKind kind) {
    Quantity quantity{stem, "ns", estimate.time_ns(kind), {}};
    if (quantity.estimate) return quantity;
    quantity.reason = fmt::format("no {} rung was measured", core::name_of(kind));
    if (estimate.error) quantity.reason = estimate.error->what;
    for (const core::RungProblem& problem : estimate.problems)
        if (problem.kind == kind) quantity.reason = problem.reason;
    return quantity;
}

}  // namespace

std::string Quantity::name() const {
    return fmt::format("{}_{}", stem, unit);
}
std::string Quantity::low_name() const {
    return fmt::format("{}_low_{}", stem, unit);
}
std::string Quantity::high_name() const {
    return fmt::format("{}_high_{}", stem, unit);
}

std::vector<Quantity> quantities_of(const stats::CaseEstimate& estimate) {
    const std::string tare_reason =
        estimate.tare_reason.empty() ? "gross net of the harness is not positive" : estimate.tare_reason;
    return {rung_quantity("gross", estimate, core::RungKind::kPython),
            rung_quantity("net", estimate, core::RungKind::kNative),
            {"tare", "ns", estimate.tare_ns, estimate.tare_ns ? "" : tare_reason},
            {"tare_share", "ratio", estimate.tare_share_ratio, estimate.tare_share_ratio ? "" : tare_reason},
            rung_quantity("call", estimate, core::RungKind::kCall),
            rung_quantity("cpp", estimate, core::RungKind::kCpp),
            {"scalar", "ratio", estimate.scalar_ratio, estimate.scalar_ratio ? "" : estimate.scalar_reason}};
}

}  // namespace tare::record
