// What a comparison says of its cases, under machine names.
#include "harness/record/comparison_json.h"

#include "harness/record/instruction_notes.h"
#include "harness/record/ledger_json.h"
#include "harness/record/visit_json.h"

namespace tare::record {

namespace {

Json rounded_or_null(const std::optional<double>& value) {
    return value ? rounded(*value, kEstimateDigits) : Json();
}

Json instructions_to_json(const ComparedInstructions& compared, const Comparison& comparison,
                          const stats::Margins& margins) {
    const auto& [first, second] = comparison.sides;
    Json json = object_of({{"outcome", name_of(compared.claim)}});
    json[first] = count_to_json(compared.before);
    json[second] = compared.lost ? Json() : count_to_json(compared.after);
    json["change"] =
        compared.lost ? Json() : Json(static_cast<std::int64_t>(compared.after.value - compared.before.value));
    json["ratio"] = rounded_or_null(compared.ratio());
    json["exceeds_tolerance"] = compared.exceeds(margins);
    json["layers"] = Json::array();
    for (const LayerChange& layer : compared.layers) {
        Json item = object_of({{"layer", layer.layer}});
        item[first] = count_to_json(layer.before);
        item[second] = count_to_json(layer.after);
        item["change"] = layer.change();
        json["layers"].push_back(std::move(item));
    }
    if (!compared.reason.empty()) json["reason"] = compared.reason;
    for (const core::ProgramDifference& each : compared.programs) {
        Json item = object_of({{"member", each.member}});
        item[first] = each.before;
        item[second] = each.after;
        json["different_programs"].push_back(std::move(item));
    }
    return json;
}

Json case_to_json(const ComparedCase& compared, const Comparison& comparison) {
    const auto& [first, second] = comparison.sides;
    const bool judged = compared.presence == Presence::kBoth;
    Json json = object_of({{"case", compared.name}, {"verdict", outcome_text(compared, comparison)}});
    json["reason"] = judged && !compared.error ? stats::name_of(compared.reason) : "";
    json["standing"] = judged ? Json(stats::name_of(compared.standing)) : Json();
    json[first + "_ns"] = rounded_or_null(compared.times_ns[0]);
    json[second + "_ns"] = rounded_or_null(compared.times_ns[1]);
    json["ratio"] = rounded_or_null(compared.ratio);
    json["low_ratio"] = compared.ratio_interval ? rounded(compared.ratio_interval->low, kEstimateDigits) : Json();
    json["high_ratio"] = compared.ratio_interval ? rounded(compared.ratio_interval->high, kEstimateDigits) : Json();
    json[first + '_' + comparison.values] = compared.values[0];
    json[second + '_' + comparison.values] = compared.values[1];
    json["certifiable_relative"] = rounded_or_null(compared.certifiable_relative);
    json["tolerance_relative"] = rounded(compared.margins.tolerance_relative, kEstimateDigits);
    json["bound_relative"] = rounded(compared.margins.bound_relative, kEstimateDigits);
    if (compared.instructions)
        json["instructions"] = instructions_to_json(*compared.instructions, comparison, compared.margins);
    if (compared.error) {
        json["failed_side"] = failed_side_text(compared, comparison);
        json["error"] = error_to_json(compared.error->error);
    }
    return json;
}

}  // namespace

Json compared_cases_to_json(const Comparison& comparison) {
    Json list = Json::array();
    for (const ComparedCase& compared : comparison.cases) list.push_back(case_to_json(compared, comparison));
    return list;
}

Json counts_to_json(const Comparison& comparison) {
    const OutcomeCounts counts = count_outcomes(comparison);
    Json json = object_of({{"slower", counts[Outcome::kSlower]},
                           {"faster", counts[Outcome::kFaster]},
                           {"same", counts[Outcome::kSame]},
                           {"inconclusive", counts[Outcome::kInconclusive]},
                           {"failed", counts[Outcome::kFailed]}});
    json["only_" + comparison.sides[0]] = counts.only[0];
    json["only_" + comparison.sides[1]] = counts.only[1];
    if (!has_instructions(comparison)) return json;
    const InstructionCounts instructions = count_instructions(comparison);
    json["instructions"] = object_of({{"more", instructions[InstructionClaim::kMore]},
                                      {"fewer", instructions[InstructionClaim::kFewer]},
                                      {"none", instructions[InstructionClaim::kNone]},
                                      {"not_compared", instructions[InstructionClaim::kNotCompared]}});
    return json;
}

}  // namespace tare::record
