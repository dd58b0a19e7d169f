// From visits to series to verdicts; what limits a verdict; the mirror image of a duet.
#include "harness/record/duet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "harness/core/median.h"

namespace tare::record {

namespace {

using core::PairVisit;
using core::Side;
using stats::Verdict;

double execution_ns(const core::Sample& sample, const PairVisit& visit) {
    return sample.wall_ns / static_cast<double>(visit.n);
}

/// Median batch of one side of a visit that has an estimate.
double median_batch_ns(const PairVisit& visit, Side side) {
    std::vector<double> values;
    for (const core::PairQuad& quad : visit.quads)
        for (const core::Sample& sample : side == Side::kA ? quad.a : quad.b)
            values.push_back(execution_ns(sample, visit));
    return core::median(std::move(values));
}

/// Visits of each case that both sides have, by the case's index, in the order measured.
using VisitsByCase = std::vector<std::vector<const PairVisit*>>;

VisitsByCase visits_by_case(const Duet& duet, int last_round) {
    std::map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < duet.cases.size(); ++i)
        if (duet.cases[i].presence == Presence::kBoth) places.try_emplace(duet.cases[i].name, i);
    VisitsByCase groups(duet.cases.size());
    for (const PairVisit& visit : duet.visits)
        if (const auto place = places.find(visit.case_name); place != places.end() && visit.round <= last_round)
            groups[place->second].push_back(&visit);
    for (auto& group : groups)
        std::stable_sort(group.begin(), group.end(),
                         [](const PairVisit* first, const PairVisit* second) { return first->round < second->round; });
    return groups;
}

std::vector<stats::CaseSeries> series_of(const Duet& duet, const VisitsByCase& groups) {
    std::vector<stats::CaseSeries> suite;
    for (std::size_t i = 0; i < duet.cases.size(); ++i) {
        if (duet.cases[i].presence != Presence::kBoth) continue;
        stats::CaseSeries series;
        series.margins = duet.cases[i].margins;
        for (const PairVisit* visit : groups[i]) {
            if (!visit->errors.empty() && !series.last_round) series.last_round = visit->round;
            if (const auto pair = estimate_of(*visit))
                series.values.push_back({visit->round, pair->log_ratio, visit->fingerprint_changed});
        }
        suite.push_back(std::move(series));
    }
    return suite;
}

void describe(CaseVerdict& verdict, const std::vector<const PairVisit*>& visits) {
    std::vector<double> a_ns, b_ns;
    for (const PairVisit* visit : visits) {
        if (!visit->errors.empty() && !verdict.error) {
            verdict.error = visit->errors.front();
            verdict.failed_on_both = std::ranges::any_of(
                visit->errors, [&](const core::SideError& each) { return each.side != verdict.error->side; });
        }
        if (!estimate_of(*visit)) continue;
        a_ns.push_back(median_batch_ns(*visit, Side::kA));
        b_ns.push_back(median_batch_ns(*visit, Side::kB));
    }
    if (a_ns.empty()) return;
    verdict.a_ns = core::median(std::move(a_ns));
    verdict.b_ns = core::median(std::move(b_ns));
    const std::optional<stats::Contrast>& contrast = verdict.state.finding.contrast;
    if (!contrast) return;
    const double middle_ns = std::sqrt(*verdict.a_ns * *verdict.b_ns);
    verdict.a_ns = middle_ns * std::exp(-contrast->log_ratio / 2);
    verdict.b_ns = middle_ns * std::exp(contrast->log_ratio / 2);
}

/// Whether a change is proven to exceed what a placement may do; on the interval that holds wherever one stopped.
bool exceeds_placement(const stats::Finding& finding) {
    const std::optional<stats::Interval>& ratios =
        finding.ratio_interval_kept ? finding.ratio_interval_kept : finding.ratio_interval;
    const double limit = std::log1p(kPlacementRelative);
    return ratios && (std::log(ratios->low) > limit || std::log(ratios->high) < -limit);
}

}  // namespace

std::optional<stats::PairEstimate> estimate_of(const PairVisit& visit) {
    if (!visit.errors.empty() || visit.n == 0) return std::nullopt;
    std::vector<stats::Quad> quads;
    quads.reserve(visit.quads.size());
    for (const core::PairQuad& quad : visit.quads)
        quads.push_back({{execution_ns(quad.a[0], visit), execution_ns(quad.a[1], visit)},
                         {execution_ns(quad.b[0], visit), execution_ns(quad.b[1], visit)}});
    return stats::estimate_pair(quads);
}

std::vector<stats::CaseSeries> series_of(const Duet& duet) {
    return series_of(duet, visits_by_case(duet, std::numeric_limits<int>::max()));
}

std::vector<CaseVerdict> decide(const Duet& duet) {
    const std::vector<int>& ends = duet.ended_after_rounds;
    const int last_round = ends.empty() ? std::numeric_limits<int>::max() : ends.back();
    const VisitsByCase counted = visits_by_case(duet, last_round);
    const VisitsByCase all = visits_by_case(duet, std::numeric_limits<int>::max());
    const std::vector<stats::CaseState> states = stats::replay(series_of(duet, counted), duet.rules, ends);
    std::vector<CaseVerdict> verdicts;
    std::size_t next = 0;
    for (std::size_t i = 0; i < duet.cases.size(); ++i) {
        CaseVerdict verdict;
        verdict.selected = duet.cases[i];
        if (verdict.selected.presence == Presence::kBoth) verdict.state = states[next++];
        describe(verdict, all[i]);
        verdicts.push_back(std::move(verdict));
    }
    return capped(std::move(verdicts), duet.page_cache);
}

std::vector<CaseVerdict> capped(std::vector<CaseVerdict> verdicts, const PageCacheRedraw& page_cache) {
    if (page_cache.refused.empty() || page_cache.files.empty()) return verdicts;
    for (CaseVerdict& verdict : verdicts) {
        stats::Finding& finding = verdict.state.finding;
        if (finding.verdict == Verdict::kInconclusive) continue;
        if (finding.verdict != Verdict::kSame && exceeds_placement(finding)) continue;
        finding.verdict = Verdict::kInconclusive;
        finding.reason = stats::Reason::kPlacement;
    }
    return verdicts;
}

Duet mirrored(const Duet& duet) {
    Duet mirror = duet;
    std::swap(mirror.sides[0], mirror.sides[1]);
    for (DuetCase& selected : mirror.cases) {
        std::swap(selected.statement_a, selected.statement_b);
        if (selected.presence != Presence::kBoth)
            selected.presence = selected.presence == Presence::kOnlyA ? Presence::kOnlyB : Presence::kOnlyA;
    }
    for (PairVisit& visit : mirror.visits) {
        for (core::PairQuad& quad : visit.quads) {
            std::swap(quad.a, quad.b);
            quad.begins_with_a = !quad.begins_with_a;
        }
        for (core::SideError& error : visit.errors) error.side = core::other(error.side);
    }
    if (duet.settings["injected_ratio"].as_double() != 0) {
        core::Map settings = duet.settings.as_map();
        if (duet.settings["injected_side"].as_text() == "a")
            settings.erase("injected_side");
        else
            settings.insert_or_assign("injected_side", "a");
        mirror.settings = std::move(settings);
    }
    return mirror;
}

std::string injection_notice(const Duet& duet) {
    const double injected = duet.settings["injected_ratio"].as_double();
    if (injected == 0) return {};
    return fmt::format("WORK WAS INJECTED: SIDE {} EXECUTED {:g} % {}; THIS IS NO COMPARISON OF TWO BUILDS",
                       duet.settings["injected_side"].as_text() == "a" ? "A" : "B", std::abs(100 * injected),
                       injected > 0 ? "MORE" : "LESS");
}

}  // namespace tare::record
