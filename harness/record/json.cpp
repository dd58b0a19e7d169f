// Between core::Value and JSON, and tolerant reading.
#include "harness/record/json.h"

#include <array>
#include <cmath>
#include <limits>

template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace tare::record {

namespace {

core::Value value_at(int depth, const Json& json) {
    if (depth > kMostNesting) return {};
    switch (json.type()) {
        case Json::value_t::boolean:
            return json.get<bool>();
        case Json::value_t::number_integer:
            return json.get<std::int64_t>();
        case Json::value_t::number_unsigned: {
            const auto value = json.get<std::uint64_t>();
            if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
                return static_cast<double>(value);
            return static_cast<std::int64_t>(value);
        }
        case Json::value_t::number_float:
            return json.get<double>();
        case Json::value_t::string:
            return json.get_ref<const std::string&>();
        case Json::value_t::array: {
            core::List list;
            for (const Json& item : json) list.push_back(value_at(depth + 1, item));
            return list;
        }
        case Json::value_t::object: {
            core::Map map;
            for (const auto& [key, item] : json.items()) map.insert_or_assign(key, value_at(depth + 1, item));
            return map;
        }
        default:
            return {};
    }
}

}  // namespace

Json object_of(std::initializer_list<Member> members) {
    Json made = Json::object();
    auto& fields = made.get_ref<Json::object_t&>();
    fields.reserve(members.size());
    for (const Member& each : members) fields.emplace(each.key, std::move(each.value));
    return made;
}

Json rounded(double value, int digits) {
    if (!std::isfinite(value)) return nullptr;
    if (value == 0) return 0.0;
    static constexpr std::array<double, 23> kPowers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};  // exact as doubles
    const int decimals = digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value))));
    if (decimals < -22 || decimals > 22) return value;
    // One division or product of an integer and an exact power of ten is correctly rounded: the shortest text is short.
    if (decimals >= 0) return std::nearbyint(value * kPowers[decimals]) / kPowers[decimals];
    return std::nearbyint(value / kPowers[-decimals]) * kPowers[-decimals];
}

Json number(double value) {
    if (!std::isfinite(value)) return nullptr;
    return value;
}

Json text_or_null(const std::string& text) {
    return text.empty() ? Json() : Json(text);
}

Json to_json(const core::Value& value) {
    struct Visitor {
        Json operator()(std::monostate) const { return nullptr; }
        Json operator()(bool v) const { return v; }
        Json operator()(std::int64_t v) const { return v; }
        Json operator()(double v) const { return number(v); }
        Json operator()(const std::string& v) const { return v; }
        Json operator()(const core::List& v) const {
            Json list = Json::array();
            for (const core::Value& item : v) list.push_back(to_json(item));
            return list;
        }
        Json operator()(const core::Map& v) const {
            Json map = Json::object();
            for (const auto& [key, item] : v) map[key] = to_json(item);
            return map;
        }
    };
    return std::visit(Visitor{}, value.data());
}

core::Value to_value(const Json& json) {
    return value_at(0, json);
}

std::string compact(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json& member(const Json& object, const char* key) {
    static const Json kNull;
    if (!object.is_object()) return kNull;
    const auto found = object.find(key);
    return found == object.end() ? kNull : *found;
}

const Json& items_of(const Json& object, const char* key) {
    static const Json kEmpty = Json::array();
    const Json& list = member(object, key);
    return list.is_array() ? list : kEmpty;
}

double number_or(const Json& json, double otherwise) {
    return json.is_number() ? json.get<double>() : otherwise;
}

double nan_if_null(const Json& json) {
    return number_or(json, std::numeric_limits<double>::quiet_NaN());
}

std::int64_t integer_or(const Json& json, std::int64_t otherwise) {
    if (!json.is_number_integer()) return otherwise;
    return to_value(json).as_int(otherwise);  // a double, beyond 2^63-1, reads as `otherwise`
}

std::uint64_t unsigned_or(const Json& json, std::uint64_t otherwise) {
    if (json.is_number_unsigned()) return json.get<std::uint64_t>();
    const std::int64_t value = integer_or(json, -1);
    return value < 0 ? otherwise : static_cast<std::uint64_t>(value);
}

std::string text_or(const Json& json, std::string otherwise) {
    return json.is_string() ? json.get<std::string>() : std::move(otherwise);
}

bool bool_or(const Json& json, bool otherwise) {
    return json.is_boolean() ? json.get<bool>() : otherwise;
}

}  // namespace tare::record
