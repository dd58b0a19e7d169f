// The frame of a duet, to JSON and back. What reads is checked: the statistics take only what makes sense.
#include "harness/record/duet_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/record/visit_json.h"

namespace tare::record {

namespace {

using core::ErrorCode;

constexpr int kMostPairs = 1'000'000;

Json margins_to_json(const stats::Margins& margins) {
    return object_of({{"tolerance_relative", number(margins.tolerance_relative)},
                      {"bound_relative", number(margins.bound_relative)}});
}

core::Expected<stats::Margins> margins_from_json(const Json& json) {
    return stats::make_margins(number_or(member(json, "tolerance_relative"), -1),
                               number_or(member(json, "bound_relative"), -1));
}

Json rules_to_json(const stats::SuiteRules& rules) {
    return object_of({{"looks_pairs", rules.plan.pairs},
                      {"smallest_for_change_pairs", rules.plan.smallest_for_change},
                      {"same_alpha", number(rules.plan.same_alpha)},
                      {"looks", rules.looks == stats::Looks::kOpen ? "open" : "planned"},
                      {"false_discovery_rate", number(rules.false_discovery_rate)},
                      {"correction", rules.correction == stats::Correction::kBenjaminiYekutieli ? "benjamini_yekutieli"
                                                                                                : "benjamini_hochberg"},
                      {"seed", rules.seed}});
}

core::Expected<stats::SuiteRules> rules_from_json(const Json& json) {
    stats::SuiteRules rules;
    std::vector<int> pairs;
    if (const Json& looks = member(json, "looks_pairs"); looks.is_array())
        for (const Json& look : looks) pairs.push_back(std::clamp(int_or(look, 0), 0, kMostPairs));
    core::Expected<stats::LookPlan> plan =
        stats::make_look_plan(std::move(pairs), int_or(member(json, "smallest_for_change_pairs"), 0),
                              number_or(member(json, "same_alpha"), 0));
    if (!plan) return tl::unexpected(plan.error());
    rules.plan = *std::move(plan);
    rules.looks = text_or(member(json, "looks"), "") == "open" ? stats::Looks::kOpen : stats::Looks::kPlanned;
    rules.false_discovery_rate = number_or(member(json, "false_discovery_rate"), 0);
    if (!(rules.false_discovery_rate > 0 && rules.false_discovery_rate < 1))
        return core::fail(ErrorCode::kData, fmt::format("a false discovery rate of {:g}", rules.false_discovery_rate));
    if (text_or(member(json, "correction"), "") == "benjamini_yekutieli")
        rules.correction = stats::Correction::kBenjaminiYekutieli;
    rules.seed = unsigned_or(member(json, "seed"), 0);
    return rules;
}

Json case_to_json(const DuetCase& selected) {
    Json json = object_of({{"case", selected.name},
                           {"presence", name_of(selected.presence)},
                           {"statement_a", selected.statement_a},
                           {"statement_b", selected.statement_b}});
    json.update(margins_to_json(selected.margins));
    return json;
}

core::Expected<DuetCase> case_from_json(const Json& json) {
    core::Expected<stats::Margins> margins = margins_from_json(json);
    if (!margins) return tl::unexpected(margins.error());
    DuetCase selected{text_or(member(json, "case"), ""), text_or(member(json, "statement_a"), ""),
                      text_or(member(json, "statement_b"), ""), Presence::kBoth, *margins};
    for (const Presence presence : {Presence::kOnlyA, Presence::kOnlyB})
        if (text_or(member(json, "presence"), "") == name_of(presence)) selected.presence = presence;
    return selected;
}

}  // namespace

std::string_view name_of(Presence presence) {
    switch (presence) {
        case Presence::kOnlyA:
            return "only a";
        case Presence::kOnlyB:
            return "only b";
        case Presence::kBoth:
            break;
    }
    return "both";
}

Json problems_to_json(const std::vector<core::Catalogue::Problem>& problems) {
    Json list = Json::array();
    for (const core::Catalogue::Problem& problem : problems)
        list.push_back(object_of({{"file", problem.file}, {"error", problem.error}}));
    return list;
}

void read_problems(std::vector<core::Catalogue::Problem>& problems, const Json& json) {
    if (!json.is_array()) return;
    for (const Json& problem : json)
        problems.push_back({text_or(member(problem, "file"), ""), text_or(member(problem, "error"), "")});
}

Json page_cache_to_json(const PageCacheRedraw& page_cache) {
    Json json = object_of({{"files", page_cache.files},
                           {"rounds_redrawn", page_cache.rounds_redrawn},
                           {"rounds", page_cache.rounds},
                           {"refused", page_cache.refused}});
    if (!page_cache.kept.empty()) json["kept"] = page_cache.kept;
    return json;
}

PageCacheRedraw page_cache_from_json(const Json& json) {
    return {texts_from_json(member(json, "files")), int_or(member(json, "rounds_redrawn"), 0),
            int_or(member(json, "rounds"), 0), text_or(member(json, "refused"), ""),
            texts_from_json(member(json, "kept"))};
}

Json sides_to_json(const std::array<core::Value, 2>& sides) {
    Json json = object_of({{"a", to_json(sides[0])}});
    json["b"] = to_json(sides[1]);
    return json;
}

void read_sides(std::array<core::Value, 2>& sides, const Json& json) {
    sides = {to_value(member(json, "a")), to_value(member(json, "b"))};
}

Json duet_frame_to_json(const Duet& duet) {
    Json json = object_of({{"sides", sides_to_json(duet.sides)},
                           {"settings", to_json(duet.settings)},
                           {"rules", rules_to_json(duet.rules)},
                           {"page_cache", page_cache_to_json(duet.page_cache)},
                           {"ended_after_rounds", duet.ended_after_rounds},
                           {"problems", problems_to_json(duet.problems)}});
    Json cases = Json::array();
    for (const DuetCase& selected : duet.cases) cases.push_back(case_to_json(selected));
    json["cases"] = std::move(cases);
    return json;
}

core::Status read_duet_frame(Duet& duet, const Json& json) {
    core::Expected<stats::SuiteRules> rules = rules_from_json(member(json, "rules"));
    if (!rules) return core::fail(ErrorCode::kData, "its rules hold " + rules.error().what);
    duet.rules = *std::move(rules);
    read_sides(duet.sides, member(json, "sides"));
    duet.settings = to_value(member(json, "settings"));
    duet.page_cache = page_cache_from_json(member(json, "page_cache"));
    read_problems(duet.problems, member(json, "problems"));
    if (const Json& ends = member(json, "ended_after_rounds"); ends.is_array())
        for (const Json& end : ends) duet.ended_after_rounds.push_back(int_or(end, -1));
    if (!std::ranges::is_sorted(duet.ended_after_rounds))
        return core::fail(ErrorCode::kData, "the rounds after which it ended do not ascend");
    const Json& cases = member(json, "cases");
    if (!cases.is_array()) return core::fail(ErrorCode::kData, "it lists no cases");
    for (const Json& item : cases) {
        core::Expected<DuetCase> selected = case_from_json(item);
        if (!selected) return core::fail(ErrorCode::kData, "a case has " + selected.error().what);
        duet.cases.push_back(*std::move(selected));
    }
    return {};
}

}  // namespace tare::record
