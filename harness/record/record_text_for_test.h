// A record as its file holds it, in memory.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "harness/record/record.h"

namespace tare::record {

[[nodiscard]] inline std::string text_of(const Record& record) {
    std::string text;
    EXPECT_TRUE(print_record(record, summarize(record), [&](std::string_view piece) {
        text += piece;
        return core::Status();
    }));
    return text;
}

}  // namespace tare::record
