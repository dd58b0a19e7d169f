// At stake: a profile that was written is the one that is read back, and a damaged file is an error, never a crash.
#include "harness/record/profile_json.h"

#include <gmock/gmock.h>

#include <random>

#include "harness/record/sample_profile.h"

namespace tare::record {
namespace {

using testing::HasSubstr;

std::string with(const std::string& from, const std::string& to) {
    std::string text = profile_json(sample_profile());
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(ProfileJson, ReadsBackWhatItWrote) {
    const auto back = profile_from_json(profile_json(sample_profile()), "p.json");
    ASSERT_TRUE(back.has_value()) << back.error().what;
    EXPECT_EQ(*back, sample_profile());
    const auto nothing = profile_from_json(profile_json({}), "p.json");
    ASSERT_TRUE(nothing.has_value());
    EXPECT_EQ(nothing->total, core::SampledTime{});
}

TEST(ProfileJson, HoldsWhatTheTableShowsUnderStableNames) {
    const Json json = Json::parse(profile_json(sample_profile()));
    EXPECT_EQ(json["kind"], "profile");
    EXPECT_EQ(json["sampling"]["clock"], "cpu_clock");
    EXPECT_EQ(json["sampling"]["achieved_hz"], 998.2);
    EXPECT_EQ(json["sampling"]["cost_ratio"], 0.013);
    EXPECT_EQ(json["quality"]["unmatched_boundaries"], 2);
    EXPECT_EQ(json["total"], Json::parse(R"({"ns":6e9,"samples":6000})"));
    EXPECT_EQ(json["layers"][0]["self_ratio"], 0.73333);
    EXPECT_EQ(json["layers"][0]["error_ratio"], 0.011187);
    EXPECT_EQ(json["functions"][0]["file"], "/home/me/script.py");
    EXPECT_EQ(json["functions"][1]["blas"]["core"], "HASWELL");
    EXPECT_EQ(json["functions"][7]["inclusive_ratio"], 0.765);
    EXPECT_EQ(json["lines"][0]["line"], 12);
    EXPECT_EQ(json["threads"][1]["waiting"]["samples"], 4);
    EXPECT_EQ(json["threads"][1]["name"], "pool\n1");
    EXPECT_EQ(json["modules"][0]["code_offset"], 4096);
    EXPECT_EQ(json["nodes"].size(), 10U);
    EXPECT_EQ(json["warnings"].size(), 1U);
}

TEST(ProfileJson, WritesALineForEachItem) {
    const std::string text = profile_json(sample_profile());
    EXPECT_THAT(text, HasSubstr("\n    {\"parent\":-1,\"function\":9,\"layer\":1,\"line\":20,\"self\":{\"ns\":0.0,"));
    EXPECT_EQ(json_in_lines(Json::parse(R"({"a":1,"b":[],"c":[2,3]})")),
              "{\n  \"a\": 1,\n  \"b\": [],\n  \"c\": [\n    2,\n    3\n  ]\n}\n");
}

TEST(ProfileJson, RefusesIndicesThatLeadNowhere) {
    for (const auto& [from, to] :
         std::vector<std::pair<std::string, std::string>>{{R"("parent":0,"function":0)", R"("parent":0,"function":99)"},
                                                          {R"("parent":0,)", R"("parent":1,)"},
                                                          {R"("parent":0,)", R"("parent":-2,)"},
                                                          {R"("layer":2,)", R"("layer":6,)"},
                                                          {R"({"function":9,"line":20)", R"({"function":10,"line":20)"},
                                                          {R"("module":3,)", R"("module":4,)"}}) {
        const auto read = profile_from_json(with(from, to), "p.json");
        ASSERT_FALSE(read.has_value()) << to;
        EXPECT_EQ(read.error().code, core::ErrorCode::kData);
        EXPECT_THAT(read.error().what, HasSubstr("p.json is damaged: "));
    }
}

TEST(ProfileJson, RefusesWhatIsNone) {
    for (const char* text : {"", "{", "[]", "{\"kind\": \"ledgers\"}", "null"}) {
        const auto read = profile_from_json(text, "p.json");
        ASSERT_FALSE(read.has_value()) << text;
        EXPECT_EQ(read.error().what, "p.json holds no profile");
    }
    EXPECT_FALSE(profile_from_json(std::string(100'000, '['), "p.json").has_value());
}

TEST(ProfileJson, SurvivesDamage) {
    const std::string whole = profile_json(sample_profile());
    std::mt19937_64 random(5);
    for (int i = 0; i < 3000; ++i) {
        std::string text = whole;
        for (std::uint64_t k = 0; k < 1 + random() % 3; ++k)
            text[random() % text.size()] = "0123456789-{}[],:\"e"[random() % 19];
        const auto read = profile_from_json(text, "p.json");
        if (read) {
            EXPECT_LE(read->nodes.size(), 10U);
        }
    }
}

}  // namespace
}  // namespace tare::record
