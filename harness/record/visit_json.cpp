// Visits and their pieces, to JSON and back.
#include "harness/record/visit_json.h"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "harness/record/counting_json.h"

namespace tare::record {

namespace {

using core::ErrorCode;

constexpr std::array kCodes = {ErrorCode::kUsage,      ErrorCode::kEnvironment, ErrorCode::kData,
                               ErrorCode::kCaseFailed, ErrorCode::kWorkerDied,  ErrorCode::kTimeout,
                               ErrorCode::kInterrupted};

Json rung_to_json(const core::RungVisit& rung) {
    Json samples = Json::array();
    for (const core::Sample& sample : rung.samples) {
        samples.push_back(Json::array({sample.n, number(sample.wall_ns), number(sample.cpu_ns)}));
        if (sample.references == core::References{}) continue;
        samples.back().push_back(number(sample.references.l1_cycles));
        samples.back().push_back(number(sample.references.alu_cycles));
    }
    Json json = object_of({{"rung", name_of(rung.kind)},
                           {"unroll", rung.unroll},
                           {"floor_ns", number(rung.floor_ns)},
                           {"samples", std::move(samples)}});
    if (!rung.facts.is_nil()) json["facts"] = to_json(rung.facts);
    if (!rung.counts.empty()) json["counts"] = counts_to_json(rung.counts);
    return json;
}

core::Expected<core::RungVisit> rung_from_json(const Json& json) {
    core::RungVisit rung;
    const std::string name = text_or(member(json, "rung"), "");
    const auto kind = core::rung_named(name);
    if (!kind) return core::fail(ErrorCode::kData, fmt::format("unknown rung '{}'", name));
    rung.kind = *kind;
    rung.unroll = int_or(member(json, "unroll"), 1);
    rung.floor_ns = nan_if_null(member(json, "floor_ns"));
    rung.facts = to_value(member(json, "facts"));
    const Json& samples = member(json, "samples");
    if (!samples.is_array()) return core::fail(ErrorCode::kData, fmt::format("rung '{}' has no samples", name));
    rung.samples.reserve(samples.size());
    for (const Json& fields : samples) {
        if (!fields.is_array() || (fields.size() != 3 && fields.size() != 5) || !fields[0].is_number_integer())
            return core::fail(
                ErrorCode::kData,
                fmt::format("a sample of rung '{}' is not [n, wall_ns, cpu_ns] (or these, l1_cycles, alu_cycles)",
                            name));
        rung.samples.push_back({unsigned_or(fields[0], 0), nan_if_null(fields[1]), nan_if_null(fields[2])});
        if (fields.size() == 5) rung.samples.back().references = {nan_if_null(fields[3]), nan_if_null(fields[4])};
    }
    core::Expected<std::vector<core::RungCount>> counts = counts_from_json(member(json, "counts"));
    if (!counts) return tl::unexpected(counts.error());
    rung.counts = *std::move(counts);
    return rung;
}

}  // namespace

Json failed_row(const std::string& case_name, const std::string& message, Json ours) {
    return object_of({{"name", case_name},
                      {"run_name", case_name},
                      {"run_type", "iteration"},
                      {"repetitions", 1},
                      {"repetition_index", 0},
                      {"threads", 1},
                      {"error_occurred", true},
                      {"error_message", message},
                      {"iterations", 0},
                      {"real_time", 0.0},
                      {"cpu_time", 0.0},
                      {"time_unit", "ns"},
                      {"tare", std::move(ours)}});
}

std::string_view name_of(ErrorCode code) {
    switch (code) {
        case ErrorCode::kUsage:
            return "usage";
        case ErrorCode::kEnvironment:
            return "environment";
        case ErrorCode::kData:
            return "data";
        case ErrorCode::kCaseFailed:
            return "case_failed";
        case ErrorCode::kWorkerDied:
            return "worker_died";
        case ErrorCode::kTimeout:
            return "timeout";
        case ErrorCode::kInterrupted:
            return "interrupted";
    }
    return "case_failed";
}

Json error_to_json(const core::Error& error) {
    return object_of({{"code", name_of(error.code)}, {"what", error.what}, {"hint", error.hint}});
}

core::Error error_from_json(const Json& json) {
    core::Error error{ErrorCode::kCaseFailed, text_or(member(json, "what"), "unknown"),
                      text_or(member(json, "hint"), "")};
    for (const ErrorCode code : kCodes)
        if (name_of(code) == text_or(member(json, "code"), "")) error.code = code;
    return error;
}

Json problems_to_json(const std::vector<core::RungProblem>& problems) {
    Json list = Json::array();
    for (const core::RungProblem& problem : problems)
        list.push_back(object_of({{"rung", name_of(problem.kind)}, {"reason", problem.reason}}));
    return list;
}

std::vector<core::RungProblem> problems_from_json(const Json& json) {
    std::vector<core::RungProblem> problems;
    if (!json.is_array()) return problems;
    for (const Json& item : json)
        if (const auto kind = core::rung_named(text_or(member(item, "rung"), "")))
            problems.push_back({*kind, text_or(member(item, "reason"), "")});
    return problems;
}

std::vector<std::string> texts_from_json(const Json& json) {
    std::vector<std::string> texts;
    if (!json.is_array()) return texts;
    for (const Json& item : json) texts.push_back(text_or(item, ""));
    return texts;
}

int int_or(const Json& json, int otherwise) {
    const std::int64_t value = integer_or(json, otherwise);
    const bool fits = value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max();
    return fits ? static_cast<int>(value) : otherwise;
}

Json visit_to_json(const core::Visit& visit) {
    Json rungs = Json::array();
    for (const core::RungVisit& rung : visit.rungs) rungs.push_back(rung_to_json(rung));
    Json json = object_of({{"case", visit.case_name},
                           {"round", visit.round},
                           {"process", visit.process},
                           {"order", visit.order},
                           {"seed", visit.seed},
                           {"started_s", number(visit.started_s)},
                           {"wall_s", number(visit.wall_s)},
                           {"clock_ghz", number(visit.clock_ghz)},
                           {"rungs", std::move(rungs)},
                           {"problems", problems_to_json(visit.problems)},
                           {"warnings", visit.warnings}});
    if (visit.error) json["error"] = error_to_json(*visit.error);
    return json;
}

core::Expected<core::Visit> visit_from_json(const Json& json) {
    core::Visit visit;
    if (!member(json, "case").is_string()) return core::fail(ErrorCode::kData, "a visit names no case");
    visit.case_name = text_or(member(json, "case"), "");
    visit.round = int_or(member(json, "round"), 0);
    visit.process = int_or(member(json, "process"), 0);
    visit.order = int_or(member(json, "order"), 0);
    visit.seed = unsigned_or(member(json, "seed"), 0);
    visit.started_s = nan_if_null(member(json, "started_s"));
    visit.wall_s = nan_if_null(member(json, "wall_s"));
    visit.clock_ghz = number_or(member(json, "clock_ghz"), 0);
    if (!member(json, "rungs").is_array())
        return core::fail(ErrorCode::kData, fmt::format("the visit of '{}' has no rungs", visit.case_name));
    for (const Json& item : member(json, "rungs")) {
        core::Expected<core::RungVisit> rung = rung_from_json(item);
        if (!rung) return tl::unexpected(rung.error());
        visit.rungs.push_back(*std::move(rung));
    }
    visit.problems = problems_from_json(member(json, "problems"));
    visit.warnings = texts_from_json(member(json, "warnings"));
    if (member(json, "error").is_object()) visit.error = error_from_json(member(json, "error"));
    return visit;
}

}  // namespace tare::record
