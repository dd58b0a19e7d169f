// Estimates under the machine names of quantities.h; what is null has its reason in `reasons`.
#include "harness/record/summary_json.h"

#include <fmt/format.h>

#include "harness/record/counter_json.h"
#include "harness/record/ledger_json.h"
#include "harness/record/quantities.h"
#include "harness/record/stored_ledgers.h"
#include "harness/record/stored_profiles.h"
#include "harness/record/visit_json.h"
#include "harness/stats/case_name.h"

namespace tare::record {

namespace {

Json parameters_to_json(const core::Parameters& parameters) {
    Json json = Json::object();
    for (const auto& [key, value] : parameters) json[key] = value;
    return json;
}

/// Where ledgers were asked for: the count, or the reason why there is none.
void add_instructions(Json& json, Json& reasons, const std::string& case_name, const Summary& summary) {
    if (summary.instructions.empty()) return;
    const core::Count* count = summary.instructions_of(case_name);
    json["instructions"] = count != nullptr ? Json(count->value) : Json();
    json["instructions_lowest"] = count != nullptr ? Json(count->lowest) : Json();
    json["instructions_highest"] = count != nullptr ? Json(count->highest) : Json();
    if (count != nullptr) return;
    const auto found = summary.instructions.find(case_name);
    reasons["instructions"] =
        found == summary.instructions.end() ? "no ledger was made of this case" : found->second.error->what;
}

/// Only where there are any, so that a record without ledgers is as it was before there were any.
void add_ledgers(Json& json, const Record& record) {
    if (record.ledgers.empty() && record.ledger_problems.empty()) return;
    StoredLedgers stored = stored_ledgers_to_json(record.ledgers);
    json["ledger_tables"] = std::move(stored.tables);
    json["ledgers"] = std::move(stored.ledgers);
    json["ledger_problems"] = Json::array();
    for (const core::LedgerProblem& problem : record.ledger_problems)
        json["ledger_problems"].push_back(ledger_problem_to_json(problem));
}

/// Likewise.
void add_profiles(Json& json, const Record& record, const Summary& summary) {
    if (record.profiles.empty() && record.profile_problems.empty()) return;
    std::vector<core::CaseProfile> parts;
    for (const core::CaseProfile& profile : record.profiles) parts.push_back(stored_part(profile));
    StoredProfiles stored = stored_profiles_to_json(parts, summary.times);
    json["profile_tables"] = std::move(stored.tables);
    json["profiles"] = std::move(stored.profiles);
    json["profile_problems"] = Json::array();
    for (const core::ProfileProblem& problem : record.profile_problems)
        json["profile_problems"].push_back(profile_problem_to_json(problem));
}

Json quiet_to_json(const stats::Quietness& quiet) {
    Json gross = Json::array();
    for (const auto& [limit, value_ns] : quiet.gross_ns_at)
        gross.push_back(Json::array({limit, rounded(value_ns, kEstimateDigits)}));
    return object_of({{"kept_ratio", rounded(quiet.kept_ratio, kEstimateDigits)},
                      {"confirmed_ratio", rounded(quiet.confirmed_ratio, kEstimateDigits)},
                      {"busy", quiet.busy},
                      {"gross_ns_at", std::move(gross)},
                      {"depends_on_limit", quiet.depends_on_limit}});
}

Json case_to_json(const stats::CaseEstimate& estimate, const Summary& summary) {
    Json json = object_of({{"case", estimate.name},
                           {"operation", estimate.operation},
                           {"parameters", parameters_to_json(estimate.parameters)}});
    const auto gross = estimate.time_ns(core::RungKind::kPython);
    json["processes"] = gross ? gross->processes : 0;
    json["interval_basis"] = nullptr;
    if (gross && gross->basis != stats::IntervalBasis::kNone) json["interval_basis"] = name_of(gross->basis);
    Json reasons = Json::object();
    for (const Quantity& quantity : quantities_of(estimate)) {
        json[quantity.name()] = nullptr;
        if (!quantity.estimate) {
            reasons[quantity.name()] = quantity.reason;
            continue;
        }
        json[quantity.name()] = rounded(quantity.estimate->value, kEstimateDigits);
        if (json[quantity.name()].is_null()) reasons[quantity.name()] = "not finite";
        const auto& interval = quantity.estimate->interval;
        json[quantity.low_name()] = interval ? rounded(interval->low, kEstimateDigits) : Json();
        json[quantity.high_name()] = interval ? rounded(interval->high, kEstimateDigits) : Json();
        if (interval) continue;
        reasons[quantity.low_name()] = "a single value has no interval";
        reasons[quantity.high_name()] = "a single value has no interval";
    }
    add_instructions(json, reasons, estimate.name, summary);
    add_case_counters(json, reasons, summary, estimate);
    for (const stats::RungEstimate& rung : estimate.rungs) {
        if (rung.kind == core::RungKind::kPython) {
            json["gross_smallest_ns"] = rounded(rung.smallest_ns, kEstimateDigits);
            json["gross_mad_ns"] = rounded(rung.mad_ns, kEstimateDigits);
            json["floor_ns"] = rounded(rung.floor_ns, kEstimateDigits);
            if (summary.at_clock_ghz > 0 && !rung.processes.empty())
                json["computed_ratio"] = rounded(stats::computed_ratio(rung), kEstimateDigits);
        }
        if (rung.kind == core::RungKind::kNative) {
            json["net_smallest_ns"] = rounded(rung.smallest_ns, kEstimateDigits);
            json["net_mad_ns"] = rounded(rung.mad_ns, kEstimateDigits);
        }
    }
    json["net_exceeds_gross"] = estimate.net_exceeds_gross;
    if (estimate.quiet) json["quiet"] = quiet_to_json(*estimate.quiet);
    if (estimate.scalar_ratio) {
        json["scalar_case"] = estimate.scalar_case;
        json["scalar_paired"] = estimate.scalar_paired;
    }
    if (!reasons.empty()) json["reasons"] = std::move(reasons);
    return json;
}

Json fit_to_json(const stats::SizeFit& fit) {
    Json json = object_of({{"name", fit.name},
                           {"operation", fit.operation},
                           {"parameters", parameters_to_json(fit.parameters)},
                           {"sizes", fit.sizes},
                           {"overhead_ns", nullptr},
                           {"slope_ns", nullptr},
                           {"largest_residual_ratio", nullptr},
                           {"break_even_n", nullptr}});
    Json reasons = Json::object();
    if (fit.fit) {
        json["overhead_ns"] = rounded(fit.fit->overhead_ns, kEstimateDigits);
        json["slope_ns"] = rounded(fit.fit->slope_ns, kEstimateDigits);
        json["largest_residual_ratio"] = rounded(fit.fit->largest_residual_ratio, kEstimateDigits);
    } else {
        for (const char* key : {"overhead_ns", "slope_ns", "largest_residual_ratio"}) reasons[key] = fit.fit_reason;
    }
    if (fit.break_even_n)
        json["break_even_n"] = *fit.break_even_n;
    else
        reasons["break_even_n"] = fit.break_even_reason;
    if (!reasons.empty()) json["reasons"] = std::move(reasons);
    return json;
}

}  // namespace

Json summary_to_json(const Record& record, const Summary& summary) {
    Json json = object_of({{"format_version", kFormatVersion},
                           {"interrupted", record.interrupted},
                           {"recovered", record.recovered},
                           {"settings", record.settings.is_map() ? to_json(record.settings) : Json::object()},
                           {"problems", Json::array()},
                           {"cases", Json::array()},
                           {"size_fits", Json::array()},
                           {"failed_cases", Json::array()}});
    for (const core::Catalogue::Problem& problem : record.problems)
        json["problems"].push_back(object_of({{"file", problem.file}, {"error", problem.error}}));
    for (const stats::CaseEstimate& estimate : summary.cases) {
        json["cases"].push_back(case_to_json(estimate, summary));
        if (!estimate.error) continue;
        Json failed = object_of({{"case", estimate.name}, {"rounds", estimate.failed_rounds}});
        failed["error"] = error_to_json(*estimate.error);
        json["failed_cases"].push_back(std::move(failed));
    }
    for (const stats::SizeFit& fit : summary.size_fits) json["size_fits"].push_back(fit_to_json(fit));
    add_counters(json, record, summary);
    add_ledgers(json, record);
    add_profiles(json, record, summary);
    return json;
}

}  // namespace tare::record
