// Damaged texts for tests of parsers, the same in every run; and what must hold of a record made of them.
#pragma once

#include <gmock/gmock.h>

#include <random>
#include <string>

#include "harness/record/record.h"

namespace tare::history {

/// 1,000 texts: a few characters replaced, cut, or repeated.
template <class Try>
void for_each_mutation(const std::string& whole, const Try& attempt) {
    std::mt19937_64 random(11);
    for (int i = 0; i < 1000; ++i) {
        std::string text = whole;
        for (std::uint64_t k = 0; k < 1 + random() % 3; ++k)
            text[random() % text.size()] = "0123456789-{}[],:\"eN"[random() % 20];
        if (random() % 8 == 0) text.resize(random() % text.size());
        if (random() % 8 == 0) text.insert(random() % (text.size() + 1), text.substr(text.size() / 2));
        attempt(text);
    }
}

/// It is written and read back with as many visits.
inline void expect_is_readable(const record::Record& record) {
    std::string text;
    const auto printed =
        record::print_record(record, record::summarize(record), [&](std::string_view part) -> core::Status {
            text += part;
            return {};
        });
    ASSERT_TRUE(printed.has_value());
    const auto read = record::parse_record(text, "x.json");
    ASSERT_TRUE(read.has_value()) << read.error().what;
    EXPECT_EQ(read->visits.size(), record.visits.size());
}

}  // namespace tare::history
