// Value: a self-describing tree (nil, bool, int, double, text, list, map), the payload of every message between `bench`
// and a worker, and the carrier of facts whose set differs by subject (context, catalogue). No I/O, no schema.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace tare::core {

class Value;
using List = std::vector<Value>;
using Map = std::map<std::string, Value, std::less<>>;

class Value {
  public:
    Value() = default;
    Value(std::nullptr_t) {}
    Value(bool v) : data_(v) {}
    template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) Value(T v) : data_(static_cast<std::int64_t>(v)) {}
    Value(double v) : data_(v) {}
    Value(std::string v) : data_(std::move(v)) {}
    Value(std::string_view v) : data_(std::string(v)) {}
    Value(const char* v) : data_(std::string(v)) {}
    Value(List v) : data_(std::move(v)) {}
    Value(Map v) : data_(std::move(v)) {}

    [[nodiscard]] bool is_nil() const { return std::holds_alternative<std::monostate>(data_); }
    [[nodiscard]] bool is_bool() const { return std::holds_alternative<bool>(data_); }
    [[nodiscard]] bool is_int() const { return std::holds_alternative<std::int64_t>(data_); }
    [[nodiscard]] bool is_number() const { return is_int() || std::holds_alternative<double>(data_); }
    [[nodiscard]] bool is_text() const { return std::holds_alternative<std::string>(data_); }
    [[nodiscard]] bool is_list() const { return std::holds_alternative<List>(data_); }
    [[nodiscard]] bool is_map() const { return std::holds_alternative<Map>(data_); }

    // Reading never throws: a value of another type reads as the given default. Messages come from a process that runs
    // foreign code, so a wrong type is data, not our mistake.
    [[nodiscard]] bool as_bool(bool otherwise = false) const;
    [[nodiscard]] std::int64_t as_int(std::int64_t otherwise = 0) const;
    [[nodiscard]] double as_double(double otherwise = 0.0) const;
    [[nodiscard]] const std::string& as_text() const;  ///< empty text if it is none
    [[nodiscard]] const List& as_list() const;         ///< empty list if it is none
    [[nodiscard]] const Map& as_map() const;           ///< empty map if it is none

    /// The member `key` of a map; nil if there is none or this is no map.
    [[nodiscard]] const Value& operator[](std::string_view key) const;

    bool operator==(const Value&) const = default;

    using Data = std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Map>;
    [[nodiscard]] const Data& data() const { return data_; }

  private:
    Data data_;
};

}  // namespace tare::core
