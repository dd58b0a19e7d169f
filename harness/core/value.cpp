// Reading of Value: defaults instead of exceptions.
#include "harness/core/value.h"

namespace tare::core {

namespace {
const std::string kNoText;
const List kNoList;
const Map kNoMap;
const Value kNil;
}  // namespace

bool Value::as_bool(bool otherwise) const {
    const bool* v = std::get_if<bool>(&data_);
    return v != nullptr ? *v : otherwise;
}

std::int64_t Value::as_int(std::int64_t otherwise) const {
    const std::int64_t* v = std::get_if<std::int64_t>(&data_);
    return v != nullptr ? *v : otherwise;
}

double Value::as_double(double otherwise) const {
    if (const double* v = std::get_if<double>(&data_)) return *v;
    if (const std::int64_t* v = std::get_if<std::int64_t>(&data_)) return static_cast<double>(*v);
    return otherwise;
}

const std::string& Value::as_text() const {
    const std::string* v = std::get_if<std::string>(&data_);
    return v != nullptr ? *v : kNoText;
}

const List& Value::as_list() const {
    const List* v = std::get_if<List>(&data_);
    return v != nullptr ? *v : kNoList;
}

const Map& Value::as_map() const {
    const Map* v = std::get_if<Map>(&data_);
    return v != nullptr ? *v : kNoMap;
}

const Value& Value::operator[](std::string_view key) const {
    const Map& map = as_map();
    const auto it = map.find(key);
    return it != map.end() ? it->second : kNil;
}

}  // namespace tare::core
