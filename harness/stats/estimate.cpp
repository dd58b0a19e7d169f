// Medians per process, then t over processes; differences and ratios are taken inside a process or round first.
#include "harness/stats/estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "harness/core/drift_warning.h"
#include "harness/stats/case_name.h"
#include "harness/stats/count_estimates.h"
#include "harness/stats/one_clock.h"
#include "harness/stats/pooled_floors.h"
#include "harness/stats/quiet.h"
#include "harness/stats/rung_values.h"

namespace tare::stats {

namespace {

using core::RungKind;
using core::Visit;

enum class Scale { kLog, kPlain };

/// See Estimate.
constexpr std::size_t kMostForStudent = 8;

std::optional<Interval> interval_of(const std::vector<double>& values, Scale scale) {
    if (values.size() > kMostForStudent) return interpolated_median_interval(values);
    if (scale == Scale::kLog)
        if (const auto interval = log_t_interval(values)) return interval;
    return t_interval(values);  // also for a time net of floor that noise made negative
}

/// `within` holds the batch values, used where there is one process only.
Estimate make_estimate(const std::vector<double>& process_values, const std::vector<double>& within, Scale scale) {
    Estimate estimate;
    estimate.value = median(process_values);
    estimate.processes = static_cast<int>(process_values.size());
    const bool several = process_values.size() > 1;
    estimate.interval = several ? interval_of(process_values, scale) : median_interval(within);
    if (several && estimate.interval)
        estimate.interval = Interval{std::min(estimate.interval->low, estimate.value),
                                     std::max(estimate.interval->high, estimate.value)};
    if (estimate.interval) estimate.basis = several ? IntervalBasis::kProcesses : IntervalBasis::kWithinOneProcess;
    return estimate;
}

/// See Estimate.
void widen(Estimate& estimate, double shared_error) {
    if (!estimate.interval || !(shared_error > 0)) return;
    const double half = t_quantile(std::numeric_limits<double>::infinity()) * shared_error;
    estimate.interval = Interval{estimate.value - std::hypot(estimate.value - estimate.interval->low, half),
                                 estimate.value + std::hypot(estimate.interval->high - estimate.value, half)};
}

const core::RungVisit* rung_of(const Visit& visit, RungKind kind) {
    for (const core::RungVisit& rung : visit.rungs)
        if (rung.kind == kind && !wall_values_ns(rung).empty()) return &rung;
    return nullptr;
}

std::optional<RungEstimate> estimate_rung(const std::vector<const Visit*>& visits, RungKind kind,
                                          const std::vector<RunCounter>& counters) {
    RungEstimate result;
    result.kind = kind;
    std::vector<double> medians, mads, floors, floor_errors, batches;
    for (const Visit* visit : visits) {
        const core::RungVisit* rung = rung_of(*visit, kind);
        if (rung == nullptr) continue;
        const std::vector<double> values = wall_values_ns(*rung);
        result.processes.push_back({visit->round, visit->process, median(values), median_absolute_deviation(values),
                                    median(cpu_values_ns(*rung)), visit->clock_ghz});
        medians.push_back(result.processes.back().median_ns);
        mads.push_back(result.processes.back().mad_ns);
        floors.push_back(rung->floor_ns);
        floor_errors.push_back(rung->floor_error_ns / std::max(rung->unroll, 1));
        batches.insert(batches.end(), values.begin(), values.end());
        if (result.facts.is_nil()) result.facts = rung->facts;
    }
    if (medians.empty()) return std::nullopt;
    result.time_ns = make_estimate(medians, batches, Scale::kLog);
    result.smallest_ns = *std::min_element(batches.begin(), batches.end());
    result.mad_ns = median(mads);
    result.floor_ns = median(floors);
    result.shared_error_ns = median(floor_errors);
    widen(result.time_ns, result.shared_error_ns);
    RungCounts counted = estimate_counts(visits, kind, counters);
    result.counts = std::move(counted.counts);
    result.instructions_per_cycle = counted.instructions_per_cycle;
    return result;
}

std::string why_no_rung(const CaseEstimate& estimate, RungKind kind) {
    for (const core::RungProblem& problem : estimate.problems)
        if (problem.kind == kind) return problem.reason;
    return fmt::format("no {} rung was measured", name_of(kind));
}

/// gross - net within one process. Batches of the rungs alternate, so that the i-th of both stood side by side.
std::optional<Interval> difference_within(const std::vector<double>& gross, const std::vector<double>& net) {
    if (gross.size() != net.size()) return welch_interval(gross, net);
    std::vector<double> differences;
    for (std::size_t i = 0; i < gross.size(); ++i) differences.push_back(gross[i] - net[i]);
    return median_interval(differences);
}

void estimate_tare(CaseEstimate& estimate, const std::vector<const Visit*>& visits) {
    std::vector<double> tares, shares;
    std::vector<double> last_gross, last_net;
    for (const Visit* visit : visits) {
        const core::RungVisit* gross = rung_of(*visit, RungKind::kPython);
        const core::RungVisit* net = rung_of(*visit, RungKind::kNative);
        if (gross == nullptr || net == nullptr) continue;
        last_gross = wall_values_ns(*gross);
        last_net = wall_values_ns(*net);
        const double gross_ns = median(last_gross);
        tares.push_back(gross_ns - median(last_net));
        shares.push_back(tares.back() / gross_ns);
    }
    if (tares.empty()) {
        const bool has_gross = estimate.rung(RungKind::kPython) != nullptr;
        estimate.tare_reason = why_no_rung(estimate, has_gross ? RungKind::kNative : RungKind::kPython);
        return;
    }
    Estimate tare = make_estimate(tares, {}, Scale::kPlain);
    Estimate share = make_estimate(shares, {}, Scale::kPlain);
    if (tares.size() == 1) {
        tare.interval = difference_within(last_gross, last_net);
        if (tare.interval) {
            const double gross_ns = median(last_gross);
            share.interval = Interval{tare.interval->low / gross_ns, tare.interval->high / gross_ns};
            tare.basis = share.basis = IntervalBasis::kWithinOneProcess;
        }
    }
    if (const RungEstimate* gross = estimate.rung(RungKind::kPython)) {
        widen(tare, gross->shared_error_ns);
        widen(share, gross->shared_error_ns * (1 - share.value) / gross->time_ns.value);
    }
    if (tare.value >= 0) {
        estimate.tare_ns = tare;
        if (std::isfinite(share.value)) estimate.tare_share_ratio = share;
        return;
    }
    estimate.tare_unresolved = tare.interval && tare.interval->high >= 0;
    estimate.net_exceeds_gross = !estimate.tare_unresolved;
    estimate.tare_reason =
        estimate.tare_unresolved
            ? fmt::format("net exceeds gross by {:.3g} ns, less than the interval: not told apart", -tare.value)
            : fmt::format("net exceeds gross by {:.3g} ns: the native rung is not the bare kernel", -tare.value);
}

/// The visits of one case: those that failed, and of the others what speaks.
struct CaseVisits {
    std::vector<const Visit*> all;
    std::vector<Visit> own = {};         ///< those without error, with one floor, at one clock where it is asked for
    std::vector<const Visit*> sound;     ///< of `own`
    std::vector<const Visit*> measured;  ///< of these the quiet ones of `quiet`, where there are enough
    std::optional<QuietVisits> quiet = {};
};

std::vector<const Visit*> pointers_to(const std::vector<Visit>& visits) {
    std::vector<const Visit*> pointers;
    for (const Visit& visit : visits) pointers.push_back(&visit);
    return pointers;
}

void select_visits(CaseVisits& visits, const core::References& best) {
    for (const Visit* visit : visits.all)
        if (!visit->error) visits.own.push_back(*visit);
    pool_floors(visits.own, best);
    if (best.clock_ghz > 0)
        for (Visit& visit : visits.own) visit = at_clock(std::move(visit), best.clock_ghz);
    visits.sound = pointers_to(visits.own);
    visits.quiet = select_quiet(visits.sound, best);
    visits.measured = visits.quiet && !visits.quiet->busy ? pointers_to(visits.quiet->visits) : visits.sound;
}

constexpr double kSmallestShift = 0.01;  // beyond the interval: batches of a limit have an error of their own

Quietness quietness_of(const CaseVisits& visits, const RungEstimate* gross, const core::References& best) {
    Quietness quietness{.kept_ratio = visits.quiet->kept_ratio,
                        .confirmed_ratio = visits.quiet->confirmed_ratio,
                        .busy = visits.quiet->busy};
    if (gross == nullptr) return quietness;
    for (const double limit : kQuietLimits) {
        const std::optional<QuietVisits> at = select_quiet(visits.sound, best, limit);
        if (!at || at->busy) continue;
        std::vector<double> medians_ns;
        for (const Visit& visit : at->visits)
            if (const core::RungVisit* rung = rung_of(visit, RungKind::kPython))
                medians_ns.push_back(median(wall_values_ns(*rung)));
        if (medians_ns.empty()) continue;
        const double value_ns = median(medians_ns);
        quietness.gross_ns_at.emplace_back(limit, value_ns);
        const auto& interval = gross->time_ns.interval;
        quietness.depends_on_limit |= interval && (value_ns < interval->low * (1 - kSmallestShift) ||
                                                   value_ns > interval->high * (1 + kSmallestShift));
    }
    return quietness;
}

CaseEstimate estimate_case(const CaseVisits& visits, const std::vector<RunCounter>& counters,
                           const core::References& best) {
    const std::vector<const Visit*>& all = visits.all;
    const std::vector<const Visit*>& measured = visits.measured;
    CaseEstimate estimate;
    estimate.name = all.front()->case_name;
    CaseName parts = parse_case_name(estimate.name);
    estimate.operation = std::move(parts.operation);
    estimate.parameters = std::move(parts.parameters);
    const auto add_once = [](auto& list, const auto& item) {
        if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
    };
    std::map<std::string_view, std::size_t> said;  // by warning: of how many visits
    std::size_t sound = 0;
    for (const Visit* visit : all) {
        for (const core::RungProblem& problem : visit->problems) add_once(estimate.problems, problem);
        for (const std::string& warning : visit->warnings) {
            add_once(estimate.warnings, warning);
            ++said[warning];
        }
        sound += visit->error ? 0 : 1;
        if (visit->error) {
            if (!estimate.error) estimate.error = visit->error;
            estimate.failed_rounds.push_back(visit->round);
        }
    }
    std::erase_if(estimate.warnings, [&](const std::string& warning) {
        return core::is_drift_warning(warning) && !core::is_drift_of_the_case(said[warning], sound);
    });
    for (const RungKind kind : core::kAllRungs)
        if (auto rung = estimate_rung(measured, kind, counters)) estimate.rungs.push_back(*std::move(rung));
    const RungEstimate* gross = estimate.rung(RungKind::kPython);
    estimate.within_one_process = gross != nullptr && gross->processes.size() == 1;
    estimate_tare(estimate, measured);
    if (visits.quiet) estimate.quiet = quietness_of(visits, gross, best);
    return estimate;
}

/// The case of the same operation with kind=float whose other parameters the given case shares.
const CaseEstimate* scalar_baseline(const std::vector<CaseEstimate>& cases, const CaseEstimate& estimate) {
    const CaseEstimate* best = nullptr;
    for (const CaseEstimate& candidate : cases) {
        if (candidate.operation != estimate.operation) continue;
        bool is_float = false;
        bool compatible = true;
        for (const auto& [key, value] : candidate.parameters) {
            if (key == "kind") {
                is_float = value == "float";
                continue;
            }
            const auto own = CaseName{estimate.operation, estimate.parameters}.parameter(key);
            compatible = compatible && (!own || *own == value);
        }
        if (is_float && compatible && (best == nullptr || candidate.parameters.size() > best->parameters.size()))
            best = &candidate;
    }
    return best;
}

std::vector<double> logs_of(const std::vector<double>& values) {
    std::vector<double> logs;
    for (const double v : values) logs.push_back(std::log(v));
    return logs;
}

std::optional<Interval> exp_of(const std::optional<Interval>& interval) {
    if (!interval) return std::nullopt;
    return Interval{std::exp(interval->low), std::exp(interval->high)};
}

/// Ratio of two cases, round by round where both have a value; else of the medians, as independent samples.
void estimate_scalar_ratio(CaseEstimate& estimate, const RungEstimate& gross, const RungEstimate& scalar,
                           const std::vector<double>& gross_batches, const std::vector<double>& scalar_batches) {
    std::vector<double> ratios, a, b;
    for (const ProcessValue& own : gross.processes) {
        const ProcessValue* other = nullptr;
        for (const ProcessValue& candidate : scalar.processes)
            if (candidate.round == own.round && (other == nullptr || candidate.process == own.process))
                other = &candidate;
        if (other != nullptr) ratios.push_back(own.median_ns / other->median_ns);
        a.push_back(own.median_ns);
    }
    for (const ProcessValue& other : scalar.processes) b.push_back(other.median_ns);
    const auto positive = [](const std::vector<double>& values) {
        return std::all_of(values.begin(), values.end(), [](double v) { return v > 0; });
    };
    if (!positive(a) || !positive(b)) {
        estimate.scalar_reason = "a time net of the harness is not positive";
        return;
    }
    estimate.scalar_paired = !ratios.empty();
    const double shared_ratio =
        std::hypot(gross.shared_error_ns / gross.time_ns.value, scalar.shared_error_ns / scalar.time_ns.value);
    if (ratios.size() > 1) {
        estimate.scalar_ratio = make_estimate(ratios, {}, Scale::kLog);
        widen(*estimate.scalar_ratio, estimate.scalar_ratio->value * shared_ratio);
        return;
    }
    Estimate ratio;
    ratio.value = ratios.size() == 1 ? ratios.front() : median(a) / median(b);
    ratio.processes = static_cast<int>(std::max<std::size_t>(ratios.size(), 1));
    const bool one_process = a.size() == 1 && b.size() == 1;
    if (one_process && positive(gross_batches) && positive(scalar_batches)) {
        ratio.interval = exp_of(welch_interval(logs_of(gross_batches), logs_of(scalar_batches)));
        if (ratio.interval) ratio.basis = IntervalBasis::kWithinOneProcess;
    } else if (!one_process && ratios.empty()) {
        ratio.interval = exp_of(welch_interval(logs_of(a), logs_of(b)));
        if (ratio.interval) ratio.basis = IntervalBasis::kProcesses;
        widen(ratio, ratio.value * shared_ratio);
    }
    estimate.scalar_ratio = ratio;
}

}  // namespace

double computed_ratio(const RungEstimate& rung) {
    std::vector<double> ratios;
    for (const ProcessValue& process : rung.processes)
        ratios.push_back(computed_ratio(process.cpu_ns, process.median_ns));
    return median(ratios);
}

std::string_view name_of(IntervalBasis basis) {
    switch (basis) {
        case IntervalBasis::kNone:
            return "";
        case IntervalBasis::kProcesses:
            return "processes";
        case IntervalBasis::kWithinOneProcess:
            return "within one process";
    }
    return "";
}

const RungEstimate* CaseEstimate::rung(RungKind kind) const {
    for (const RungEstimate& rung : rungs)
        if (rung.kind == kind) return &rung;
    return nullptr;
}

std::optional<Estimate> CaseEstimate::time_ns(RungKind kind) const {
    const RungEstimate* found = rung(kind);
    return found == nullptr ? std::nullopt : std::optional(found->time_ns);
}

std::vector<CaseEstimate> estimate_cases(const std::vector<Visit>& visits, const std::vector<RunCounter>& counters,
                                         const core::References& best) {
    std::vector<CaseVisits> groups;
    std::map<std::string_view, std::size_t> places;
    for (const Visit& visit : visits) {
        const auto [place, fresh] = places.try_emplace(visit.case_name, groups.size());
        if (fresh) groups.emplace_back();
        groups[place->second].all.push_back(&visit);
    }
    std::vector<CaseEstimate> cases;
    cases.reserve(groups.size());
    for (CaseVisits& group : groups) {
        select_visits(group, best);
        cases.push_back(estimate_case(group, counters, best));
    }

    const auto batches_of = [&](const CaseEstimate& estimate) {
        std::vector<double> batches;
        for (const Visit* visit : groups[places.at(estimate.name)].measured)
            if (const core::RungVisit* rung = rung_of(*visit, RungKind::kPython)) {
                const std::vector<double> values = wall_values_ns(*rung);
                batches.insert(batches.end(), values.begin(), values.end());
            }
        return batches;
    };
    for (CaseEstimate& estimate : cases) {
        const CaseEstimate* scalar = scalar_baseline(cases, estimate);
        const RungEstimate* gross = estimate.rung(RungKind::kPython);
        if (scalar == nullptr) {
            estimate.scalar_reason = fmt::format("no case of '{}' with kind=float was measured", estimate.operation);
        } else if (scalar == &estimate) {
            estimate.scalar_reason = "this is the scalar baseline";
        } else if (gross == nullptr || scalar->rung(RungKind::kPython) == nullptr) {
            estimate.scalar_reason = fmt::format("'{}' has no gross", gross == nullptr ? estimate.name : scalar->name);
        } else {
            estimate.scalar_case = scalar->name;
            const bool single = gross->processes.size() == 1;
            estimate_scalar_ratio(estimate, *gross, *scalar->rung(RungKind::kPython),
                                  single ? batches_of(estimate) : std::vector<double>{},
                                  single ? batches_of(*scalar) : std::vector<double>{});
        }
    }
    return cases;
}

}  // namespace tare::stats
