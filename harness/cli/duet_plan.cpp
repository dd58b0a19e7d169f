// Two selections, joined by name.
#include "harness/cli/duet_plan.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "harness/cli/selection.h"

namespace tare::cli {

using core::Error;
using core::Expected;

namespace {

/// None where the filter matches nothing on this side: the other may have the case.
std::vector<core::Case> selected_or_none(const Expected<std::vector<core::Case>>& selected) {
    return selected ? *selected : std::vector<core::Case>();
}

}  // namespace

Expected<std::vector<record::DuetCase>> pair_cases(const core::Catalogue& a, const core::Catalogue& b,
                                                   const std::string& filter, const stats::Margins& margins,
                                                   const Tolerances& tolerances) {
    const Expected<std::vector<core::Case>> of_a = select_cases(a, filter);
    const Expected<std::vector<core::Case>> of_b = select_cases(b, filter);
    if (!of_a && !of_b) return tl::unexpected<Error>(of_a.error());
    std::map<std::string, std::string> statements_b;
    for (const core::Case& each : selected_or_none(of_b)) statements_b.emplace(each.name(), each.statement);
    std::vector<record::DuetCase> cases;
    const auto add = [&](const std::string& name, std::string statement_a, std::string statement_b,
                         record::Presence presence) {
        cases.push_back({.name = name,
                         .statement_a = std::move(statement_a),
                         .statement_b = std::move(statement_b),
                         .presence = presence,
                         .margins = tolerances.of(name, margins)});
    };
    std::set<std::string> names_a;
    bool any_on_both = false;
    for (const core::Case& each : selected_or_none(of_a)) {
        const std::string name = each.name();
        names_a.insert(name);
        const auto twin = statements_b.find(name);
        any_on_both = any_on_both || twin != statements_b.end();
        if (twin == statements_b.end())
            add(name, each.statement, "", record::Presence::kOnlyA);
        else
            add(name, each.statement, twin->second, record::Presence::kBoth);
    }
    for (const core::Case& each : selected_or_none(of_b))
        if (!names_a.contains(each.name())) add(each.name(), "", each.statement, record::Presence::kOnlyB);
    if (!any_on_both)
        return core::fail(core::ErrorCode::kUsage,
                          fmt::format("none of {} selected cases is on both sides: {} on a only, {} on b only",
                                      cases.size(), names_a.size(), cases.size() - names_a.size()),
                          "cases are matched by name; bench list --python ... --all shows those of a side");
    return cases;
}

std::vector<core::Case> measured_cases(const std::vector<record::DuetCase>& cases, const core::Catalogue& a) {
    std::map<std::string, const core::Case*> by_name;
    for (const core::Case& each : a.cases) by_name.emplace(each.name(), &each);
    std::vector<core::Case> measured;
    for (const record::DuetCase& each : cases)
        if (each.presence == record::Presence::kBoth)
            if (const auto found = by_name.find(each.name); found != by_name.end()) measured.push_back(*found->second);
    return measured;
}

}  // namespace tare::cli
