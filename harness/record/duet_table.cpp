// From verdicts to a comparison, with the notes that limit it.
#include "harness/record/duet_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "harness/core/drift_warning.h"
#include "harness/record/comparison_table.h"
#include "harness/record/shared_lines.h"

namespace tare::record {

namespace {

ComparedCase compared_of(const CaseVerdict& verdict) {
    const stats::Finding& finding = verdict.state.finding;
    ComparedCase compared;
    compared.name = verdict.selected.name;
    compared.presence = verdict.selected.presence;
    compared.error = verdict.error;
    compared.failed_on_both = verdict.failed_on_both;
    compared.verdict = finding.verdict;
    compared.reason = finding.reason;
    compared.margins = verdict.selected.margins;
    compared.times_ns = {verdict.a_ns, verdict.b_ns};
    if (finding.contrast) compared.ratio = finding.contrast->ratio();
    compared.ratio_interval = finding.ratio_interval;
    compared.certifiable_relative = finding.certifiable_relative;
    compared.values = {finding.pairs, finding.pairs};
    return compared;
}

/// What visits warn of, each once with the cases that share it.
std::vector<std::string> warnings_of(const Duet& duet) {
    std::map<std::string_view, std::size_t> visits;
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> said;  // by case and warning
    for (const core::PairVisit& visit : duet.visits) {
        visits[visit.case_name] += visit.errors.empty() ? 1 : 0;
        for (const std::string& warning : visit.warnings) ++said[{visit.case_name, warning}];
    }
    Shared shared;
    for (const core::PairVisit& visit : duet.visits)
        for (const std::string& warning : visit.warnings) {
            if (core::is_drift_warning(warning) &&
                !core::is_drift_of_the_case(said[{visit.case_name, warning}], visits[visit.case_name]))
                continue;
            const std::string text = one_line(warning);
            const auto known = std::ranges::find(shared, text, &Shared::value_type::first);
            if (known == shared.end() || std::ranges::find(known->second, visit.case_name) == known->second.end())
                add(shared, text, visit.case_name);
        }
    std::vector<std::string> texts;
    for (const auto& [text, names] : shared) texts.push_back(fmt::format("{}: {}", names_text(names), text));
    return texts;
}

std::vector<std::string> notes_of(const Duet& duet, const Comparison& comparison) {
    std::vector<std::string> notes;
    if (std::string margins = margins_text(comparison); !margins.empty()) notes.push_back(std::move(margins));
    std::vector<std::string> differing;
    for (const DuetCase& each : duet.cases)
        if (each.presence == Presence::kBoth && each.statement_a != each.statement_b) differing.push_back(each.name);
    if (!differing.empty())
        notes.push_back("not the same work: the sides have different statements: " + names_text(differing));
    const PageCacheRedraw& page_cache = duet.page_cache;
    if (!page_cache.refused.empty() && !page_cache.files.empty())
        notes.push_back(fmt::format(
            "placement: the page cache was redrawn before {} of {} rounds only ({}): the sides' shared objects may "
            "differ by a steady {:g} %, so that no smaller change and no `same` is proven",
            page_cache.rounds_redrawn, page_cache.rounds, one_line(page_cache.refused), 100 * kPlacementRelative));
    std::size_t changed = 0;
    for (const core::PairVisit& visit : duet.visits) changed += visit.fingerprint_changed ? 1 : 0;
    if (changed > 0)
        notes.push_back(
            fmt::format("the machine changed during the duet: {} of {} visits ran on another one than the "
                        "first round's",
                        changed, duet.visits.size()));
    for (std::string& warning : warnings_of(duet)) notes.push_back(std::move(warning));
    for (const core::Catalogue::Problem& problem : duet.problems)
        notes.push_back(fmt::format("not loaded: {}", one_line(problem.text())));
    if (duet.recovered)
        notes.emplace_back("recovered: the duet was killed; this is what its journal holds");
    else if (duet.interrupted)
        notes.emplace_back("interrupted: the duet ended early; it can be continued");
    return notes;
}

}  // namespace

Comparison comparison_of(const Duet& duet, const std::vector<CaseVerdict>& verdicts) {
    Comparison comparison;
    for (const CaseVerdict& verdict : verdicts) comparison.cases.push_back(compared_of(verdict));
    comparison.notice = injection_notice(duet);
    comparison.notes = notes_of(duet, comparison);
    return comparison;
}

std::string print_duet_table(const Duet& duet, const std::vector<CaseVerdict>& verdicts, const TableOptions& options) {
    return print_comparison_table(comparison_of(duet, verdicts), options);
}

}  // namespace tare::record
