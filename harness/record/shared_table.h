// Table: what many cases of a record share (files, functions, programs), once each; they refer to it by index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "harness/record/json.h"

namespace tare::record {

/// What makes less than one part in so many (half a per cent) of a case is not stored.
inline constexpr std::uint64_t kLeastStoredPart = 200;

/// Distinct items in order of appearance, found by their text.
class Table {
  public:
    [[nodiscard]] std::size_t index_of(const Json& item) {
        const auto [place, fresh] = places_.try_emplace(compact(item), items_.size());
        if (fresh) items_.push_back(item);
        return place->second;
    }
    [[nodiscard]] Json take() { return std::move(items_); }

  private:
    Json items_ = Json::array();
    std::map<std::string, std::size_t> places_;
};

}  // namespace tare::record
