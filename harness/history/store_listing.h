// What `bench store check` prints: the records of a store, and the files in it that are none. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/history/store_index.h"
#include "harness/record/number_text.h"

namespace tare::history {

struct StoreListing {
    std::string store;
    std::vector<IndexedRecord> records;  ///< oldest first
    std::vector<StoreIndex::Refused> refused;
    std::vector<std::string> notes;
};

/// `width` in columns, 0: no limit.
[[nodiscard]] std::string print_listing(const StoreListing& listing, std::size_t width, const record::TextStyle& style);
[[nodiscard]] std::string print_listing_json(const StoreListing& listing);

}  // namespace tare::history
