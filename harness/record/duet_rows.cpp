// A row's `tare` object holds the place of its visit, the batches of its side, and in side a's row what belongs to the
// visit as a whole.
#include "harness/record/duet_rows.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "harness/core/median.h"
#include "harness/record/pair_visit_json.h"
#include "harness/record/visit_json.h"

namespace tare::record {

namespace {

using core::PairVisit;
using core::Side;

constexpr std::string_view kRung = "/python/";

struct VisitPlace {
    const PairVisit* visit;
    std::size_t index;
};

std::vector<double> executions_ns(const PairVisit& visit, Side side, double core::Sample::*clock_ns) {
    std::vector<double> values;
    for (const core::PairQuad& quad : visit.quads)
        for (const core::Sample& sample : side == Side::kA ? quad.a : quad.b)
            values.push_back(sample.*clock_ns / static_cast<double>(visit.n));
    return values;
}

/// All values finite, so that no null stands where Google Benchmark's readers expect a number.
bool is_writable(const PairVisit& visit) {
    if (!visit.errors.empty() || visit.quads.empty() || visit.n == 0) return false;
    for (const Side side : {Side::kA, Side::kB})
        for (const double value_ns : executions_ns(visit, side, &core::Sample::wall_ns))
            if (!std::isfinite(value_ns)) return false;
    return true;
}

Json place_fields(const VisitPlace& place) {
    return object_of({{"visit_index", place.index},
                      {"round", place.visit->round},
                      {"pair", place.visit->pair},
                      {"unroll", place.visit->unroll},
                      {"n", place.visit->n}});
}

void make_side_rows(const std::vector<VisitPlace>& places, Side side, const std::function<void(const Json&)>& take) {
    for (std::size_t i = 0; i < places.size(); ++i) {
        const PairVisit& visit = *places[i].visit;
        const std::string name = visit.case_name + std::string(kRung) + std::string(core::name_of(side));
        std::uint64_t iterations = 0;
        for (const core::PairQuad& quad : visit.quads)
            for (const core::Sample& sample : side == Side::kA ? quad.a : quad.b) iterations += sample.n;
        const std::vector<double> cpu_ns = executions_ns(visit, side, &core::Sample::cpu_ns);
        const bool has_cpu = std::all_of(cpu_ns.begin(), cpu_ns.end(), [](double v) { return std::isfinite(v); });
        Json ours = object_of({{"side", core::name_of(side)}});
        ours.update(place_fields(places[i]));
        ours.update(batches_to_json(visit.quads, side));
        if (side == Side::kA) ours["visit"] = visit_facts_to_json(visit);
        take(object_of(
            {{"name", name},
             {"run_name", name},
             {"run_type", "iteration"},
             {"repetitions", places.size()},
             {"repetition_index", i},
             {"threads", 1},
             {"iterations", iterations},
             {"real_time", rounded(core::median(executions_ns(visit, side, &core::Sample::wall_ns)), kMedianDigits)},
             {"cpu_time", has_cpu ? rounded(core::median(cpu_ns), kMedianDigits) : Json(0.0)},
             {"time_unit", "ns"},
             {"tare", std::move(ours)}}));
    }
}

std::string message_of(const PairVisit& visit) {
    if (visit.errors.empty()) return "no quad was measured, or a time is no number";
    std::string text;
    for (const core::SideError& error : visit.errors)
        text += (text.empty() ? "side " : "; side ") + std::string(core::name_of(error.side)) + ": " + error.error.what;
    return text;
}

void make_failed_row(const VisitPlace& place, const std::function<void(const Json&)>& take) {
    const PairVisit& visit = *place.visit;
    Json ours = place_fields(place);
    ours["visit"] = visit_facts_to_json(visit);
    ours["errors"] = side_errors_to_json(visit.errors);
    ours["a"] = batches_to_json(visit.quads, Side::kA);
    ours["b"] = batches_to_json(visit.quads, Side::kB);
    take(failed_row(visit.case_name, message_of(visit), std::move(ours)));
}

Json batches_in(const Json& ours) {
    Json json = Json::object();
    for (const char* key : {"batch_n", "wall_ns", "cpu_ns"}) json[key] = member(ours, key);
    return json;
}

}  // namespace

void make_duet_rows(const std::vector<PairVisit>& visits, const std::function<void(const Json&)>& take) {
    std::vector<std::vector<VisitPlace>> groups;
    std::map<std::string_view, std::size_t> by_name;
    for (std::size_t i = 0; i < visits.size(); ++i) {
        const auto [found, fresh] = by_name.try_emplace(visits[i].case_name, groups.size());
        if (fresh) groups.emplace_back();
        groups[found->second].push_back({&visits[i], i});
    }
    for (const std::vector<VisitPlace>& group : groups) {
        std::vector<VisitPlace> measured, failed;
        for (const VisitPlace& place : group) (is_writable(*place.visit) ? measured : failed).push_back(place);
        make_side_rows(measured, Side::kA, take);
        make_side_rows(measured, Side::kB, take);
        for (const VisitPlace& place : failed) make_failed_row(place, take);
    }
}

bool DuetRowReader::add(const Json& row) {
    const Json& ours = member(row, "tare");
    std::string name = text_or(member(row, "name"), "");
    if (!member(ours, "visit_index").is_number_unsigned() || name.empty()) return false;
    const bool failed = bool_or(member(row, "error_occurred"), false);
    const std::string side = text_or(member(ours, "side"), "");
    if (!failed) {
        const std::string suffix = std::string(kRung) + side;
        if ((side != "a" && side != "b") || !name.ends_with(suffix)) return false;
        name.resize(name.size() - suffix.size());
    }
    Parts& parts = parts_[unsigned_or(member(ours, "visit_index"), 0)];
    parts.visit.case_name = std::move(name);
    parts.visit.round = int_or(member(ours, "round"), 0);
    parts.visit.pair = int_or(member(ours, "pair"), 0);
    parts.visit.unroll = int_or(member(ours, "unroll"), 1);
    parts.visit.n = unsigned_or(member(ours, "n"), 0);
    if (const Json& facts = member(ours, "visit"); facts.is_object()) {
        read_visit_facts(parts.visit, facts);
        parts.orders = text_or(member(facts, "quad_orders"), "");
        parts.described = true;
    }
    parts.visit.errors = side_errors_from_json(member(ours, "errors"));
    if (failed) {
        parts.a = member(ours, "a");
        parts.b = member(ours, "b");
    } else {
        (side == "a" ? parts.a : parts.b) = batches_in(ours);
    }
    return true;
}

core::Expected<std::vector<PairVisit>> DuetRowReader::take_visits() {
    std::vector<PairVisit> visits;
    visits.reserve(parts_.size());
    for (auto& [index, parts] : parts_) {
        auto quads = quads_from_json(parts.orders, parts.a, parts.b);
        if (!quads || !parts.described)
            return core::fail(core::ErrorCode::kData, "the rows of '" + parts.visit.case_name + "' hold " +
                                                          (quads ? "no order of their quads" : quads.error().what));
        parts.visit.quads = *std::move(quads);
        visits.push_back(std::move(parts.visit));
    }
    parts_.clear();
    return visits;
}

}  // namespace tare::record
