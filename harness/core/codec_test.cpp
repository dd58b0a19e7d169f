// At stake: what a worker sends is what `bench` reads, and damaged bytes become an error, never a crash.
#include "harness/core/codec.h"

#include <gmock/gmock.h>

#include <limits>
#include <random>

namespace tare::core {
namespace {

Value rich_message() {
    return Value(Map{{"nil", Value()},
                     {"yes", true},
                     {"small", -1},
                     {"large", std::numeric_limits<std::int64_t>::max()},
                     {"time_ns", 1.25e-3},
                     {"text", "a b\n\xc3\xa9"},
                     {"list", List{Value(1), Value("two"), Value(List{})}},
                     {"map", Map{{"k", Value(false)}}}});
}

TEST(Codec, ReturnsEveryKindOfValueUnchanged) {
    const Expected<Value> back = decode(encode(rich_message()));
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, rich_message());
}

TEST(Codec, RefusesEveryTruncationOfAMessage) {
    const std::string bytes = encode(rich_message());
    for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(decode(std::string_view(bytes).substr(0, n))) << n;
}

TEST(Codec, RefusesBytesAfterTheMessage) {
    EXPECT_FALSE(decode(encode(Value(1)) + "x"));
}

TEST(Codec, RefusesNestingWithoutEnd) {
    EXPECT_FALSE(decode(std::string(100'000, '\x91')));
}

TEST(Codec, SurvivesAHundredThousandDamagedMessages) {
    std::mt19937_64 random(20'261'121);
    const std::string good = encode(rich_message());
    int accepted = 0;
    for (int i = 0; i < 100'000; ++i) {
        std::string bytes = good;
        for (int flips = 1 + static_cast<int>(random() % 4); flips > 0; --flips)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        accepted += decode(bytes).has_value() ? 1 : 0;
    }
    EXPECT_GT(accepted, 0);  // a changed letter of a text is a valid message
    EXPECT_LT(accepted, 100'000);
}

TEST(Value, ReadsAnotherTypeAsTheDefault) {
    EXPECT_EQ(Value("x").as_int(7), 7);
    EXPECT_EQ(Value(3).as_double(), 3.0);
    EXPECT_EQ(Value(3).as_text(), "");
    EXPECT_TRUE(Value(3)["key"].is_nil());
}

}  // namespace
}  // namespace tare::core
