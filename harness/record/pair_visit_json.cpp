// Visits of pairs and their pieces, to JSON and back.
#include "harness/record/pair_visit_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/record/visit_json.h"

namespace tare::record {

namespace {

using core::ErrorCode;
using core::PairQuad;
using core::PairVisit;
using core::Side;

constexpr double kExactIntegers = 9007199254740992.0;  // 2^53: every whole double below is one integer

/// The batches of one side, or nothing where the lists do not hold `count` of each.
std::optional<std::vector<core::Sample>> batches_from_json(const Json& json, std::size_t count) {
    const Json& sizes = member(json, "batch_n");
    const Json& wall = member(json, "wall_ns");
    const Json& cpu = member(json, "cpu_ns");
    if (!wall.is_array() || wall.size() != count || !cpu.is_array() || cpu.size() != count) return std::nullopt;
    if (sizes.is_array() ? sizes.size() != count : !sizes.is_number_unsigned()) return std::nullopt;
    std::vector<core::Sample> samples;
    samples.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        samples.push_back(
            {unsigned_or(sizes.is_array() ? sizes[i] : sizes, 0), nan_if_null(wall[i]), nan_if_null(cpu[i])});
    return samples;
}

}  // namespace

Json whole_number(double value) {
    const bool negative_zero = value == 0 && std::signbit(value);
    if (std::isfinite(value) && std::abs(value) < kExactIntegers && std::trunc(value) == value && !negative_zero)
        return static_cast<std::int64_t>(value);
    return number(value);
}

Json batches_to_json(const std::vector<PairQuad>& quads, Side side) {
    Json sizes = Json::array(), wall = Json::array(), cpu = Json::array();
    bool equal = true;
    for (const PairQuad& quad : quads)
        for (const core::Sample& sample : side == Side::kA ? quad.a : quad.b) {
            equal = equal && (sizes.empty() || sizes[0] == sample.n);
            sizes.push_back(sample.n);
            wall.push_back(whole_number(sample.wall_ns));
            cpu.push_back(whole_number(sample.cpu_ns));
        }
    Json json = object_of({{"batch_n", equal && !sizes.empty() ? Json(sizes[0]) : std::move(sizes)}});
    json["wall_ns"] = std::move(wall);
    json["cpu_ns"] = std::move(cpu);
    return json;
}

std::string quad_orders(const std::vector<PairQuad>& quads) {
    std::string orders;
    for (const PairQuad& quad : quads) orders += quad.begins_with_a ? 'a' : 'b';
    return orders;
}

core::Expected<std::vector<PairQuad>> quads_from_json(const std::string& orders, const Json& a, const Json& b) {
    const auto samples_a = batches_from_json(a, 2 * orders.size());
    const auto samples_b = batches_from_json(b, 2 * orders.size());
    if (!samples_a || !samples_b || orders.find_first_not_of("ab") != std::string::npos)
        return core::fail(ErrorCode::kData, fmt::format("batches that do not make {} quads", orders.size()));
    std::vector<PairQuad> quads;
    quads.reserve(orders.size());
    for (std::size_t i = 0; i < orders.size(); ++i)
        quads.push_back({orders[i] == 'a',
                         {(*samples_a)[2 * i], (*samples_a)[2 * i + 1]},
                         {(*samples_b)[2 * i], (*samples_b)[2 * i + 1]}});
    return quads;
}

Json visit_facts_to_json(const PairVisit& visit) {
    Json json = object_of({{"order", visit.order},
                           {"seed", visit.seed},
                           {"started_s", number(visit.started_s)},
                           {"wall_s", number(visit.wall_s)},
                           {"quad_orders", quad_orders(visit.quads)},
                           {"fingerprint_changed", visit.fingerprint_changed}});
    if (!visit.warnings.empty()) json["warnings"] = visit.warnings;
    return json;
}

void read_visit_facts(PairVisit& visit, const Json& json) {
    visit.order = int_or(member(json, "order"), 0);
    visit.seed = unsigned_or(member(json, "seed"), 0);
    visit.started_s = nan_if_null(member(json, "started_s"));
    visit.wall_s = nan_if_null(member(json, "wall_s"));
    visit.fingerprint_changed = bool_or(member(json, "fingerprint_changed"), false);
    visit.warnings = texts_from_json(member(json, "warnings"));
}

Json side_errors_to_json(const std::vector<core::SideError>& errors) {
    Json list = Json::array();
    for (const core::SideError& error : errors) {
        Json item = object_of({{"side", core::name_of(error.side)}});
        item["error"] = error_to_json(error.error);
        list.push_back(std::move(item));
    }
    return list;
}

std::vector<core::SideError> side_errors_from_json(const Json& json) {
    std::vector<core::SideError> errors;
    if (!json.is_array()) return errors;
    for (const Json& item : json)
        errors.push_back(
            {text_or(member(item, "side"), "") == "b" ? Side::kB : Side::kA, error_from_json(member(item, "error"))});
    return errors;
}

Json pair_visit_to_json(const PairVisit& visit) {
    Json json = object_of({{"case", visit.case_name},
                           {"round", visit.round},
                           {"pair", visit.pair},
                           {"unroll", visit.unroll},
                           {"n", visit.n}});
    json.update(visit_facts_to_json(visit));
    json["a"] = batches_to_json(visit.quads, Side::kA);
    json["b"] = batches_to_json(visit.quads, Side::kB);
    if (!visit.errors.empty()) json["errors"] = side_errors_to_json(visit.errors);
    return json;
}

core::Expected<PairVisit> pair_visit_from_json(const Json& json) {
    PairVisit visit;
    if (!member(json, "case").is_string()) return core::fail(ErrorCode::kData, "a visit names no case");
    visit.case_name = text_or(member(json, "case"), "");
    visit.round = int_or(member(json, "round"), 0);
    visit.pair = int_or(member(json, "pair"), 0);
    visit.unroll = int_or(member(json, "unroll"), 1);
    visit.n = unsigned_or(member(json, "n"), 0);
    read_visit_facts(visit, json);
    auto quads = quads_from_json(text_or(member(json, "quad_orders"), ""), member(json, "a"), member(json, "b"));
    if (!quads)
        return core::fail(ErrorCode::kData,
                          fmt::format("the visit of '{}' has {}", visit.case_name, quads.error().what));
    visit.quads = *std::move(quads);
    visit.errors = side_errors_from_json(member(json, "errors"));
    return visit;
}

}  // namespace tare::record
