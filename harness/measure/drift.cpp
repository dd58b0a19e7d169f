// The first pass after the set-up against later ones, a batch against the fastest of those that warmed it.
#include "harness/measure/drift.h"

#include <algorithm>

#include "harness/core/drift_warning.h"

namespace tare::measure {

namespace {

/// What holds at most placements, or at every one of a few, is no neighbour's doing: it slows some.
double usual(std::vector<double> values) {
    constexpr std::size_t kFew = 6;
    const std::size_t rank = values.size() < kFew ? 0 : (values.size() - 1) / 2;
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

}  // namespace

std::string_view name_of(DriftKind kind) {
    return kind == DriftKind::kFalls ? "falls" : "rises";
}

std::optional<DriftKind> drift_named(std::string_view name) {
    for (const DriftKind kind : {DriftKind::kFalls, DriftKind::kRises})
        if (name == name_of(kind)) return kind;
    return std::nullopt;
}

std::string drift_text(DriftKind kind) {
    return kind == DriftKind::kFalls
               ? std::string(core::kCostFalls) +
                     ": the first executions after a set-up take over 3 times as long as later ones; unless "
                     "that is fresh memory, make what it works on anew before each execution (--setup-each; in a suite "
                     "setup_each=)"
               : std::string(core::kCostRises) +
                     ": those that are shown take over 3 times as long as the first executions after a set-up, and "
                     "more in a longer batch; make what it works on anew before each execution (--setup-each)";
}

void Drift::warmed(double first_ns, double fastest_ns, int copies) {
    placements_.push_back({first_ns, fastest_ns, copies});
}

void Drift::measured(double execution_ns) {
    if (!placements_.empty()) placements_.back().execution_ns = execution_ns;
}

std::optional<DriftKind> Drift::kind() const {
    std::vector<double> falls_ns, falls_ratio, rises_ratio;
    for (const Placement& placement : placements_) {
        const double pass_ns = placement.execution_ns * placement.copies;
        if (!(placement.fastest_ns > 0) || !(pass_ns > 0)) continue;
        rises_ratio.push_back(pass_ns / placement.fastest_ns);
        // A neighbour that slows this batch has not slowed each of the passes just after the first.
        const double later_ns = std::min(pass_ns, placement.fastest_ns);
        falls_ratio.push_back(placement.first_ns / later_ns);
        falls_ns.push_back(placement.first_ns - later_ns);
    }
    if (rises_ratio.size() < kFewestPlacements) return std::nullopt;
    if (usual(std::move(rises_ratio)) > kFewestTimes) return DriftKind::kRises;
    if (usual(std::move(falls_ratio)) > kFewestTimes && usual(std::move(falls_ns)) > kLeastFallNs)
        return DriftKind::kFalls;
    return std::nullopt;
}

}  // namespace tare::measure
