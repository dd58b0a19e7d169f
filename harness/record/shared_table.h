// Table: what many cases of a record share (files, functions, programs), once each; they refer to it by index.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "harness/record/json.h"

namespace tare::record {

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
