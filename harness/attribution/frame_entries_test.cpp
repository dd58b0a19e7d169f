// At stake: of a stripped file, where a function starts and ends is known from .eh_frame alone: 7,688 entries in
// Debian's NumPy, of which 277 have a name.
#include "harness/attribution/frame_entries.h"

#include <gmock/gmock.h>

#include <random>
#include <string>

namespace tare::attribution {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint64_t kSection = 0x10000;

std::string number(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
    return text;
}

/// With its length before it.
std::string entry(const std::string& body) {
    return number(body.size(), 4) + body;
}

/// `augmentation` and its data as gcc writes them: "zR" and one byte of encoding.
std::string cie(const std::string& augmentation, const std::string& data, char version = 1) {
    std::string body = number(0, 4) + version + augmentation + '\0';
    body += "\x01\x78\x10";  // alignments 1 and -8, return address in 16
    if (!augmentation.empty()) body += number(data.size(), 1) + data;
    return entry(body);
}

/// An FDE at `position` of the section, of the CIE at its start.
std::string fde(std::size_t position, const std::string& range) {
    return entry(number(position + 4, 4) + range + '\0');
}

/// Start relative to itself, both as 4 bytes (DW_EH_PE_pcrel | sdata4): what gcc and clang write.
std::string usual_range(std::size_t position, std::uint64_t start, std::uint64_t size) {
    return number(start - (kSection + position + 8), 4) + number(size, 4);
}

std::string usual_section() {
    std::string section = cie("zR", "\x1b");
    section += fde(section.size(), usual_range(section.size(), 0x3000, 0x40));
    section += fde(section.size(), usual_range(section.size(), 0x1000, 0x20));
    return section + number(0, 4);
}

TEST(FrameEntries, AreReadInTheEncodingOfCompilersAndSorted) {
    EXPECT_THAT(frame_entries(usual_section(), kSection),
                ElementsAre(FrameEntry{0x1000, 0x1020}, FrameEntry{0x3000, 0x3040}));
}

TEST(FrameEntries, AreReadBehindATerminator) {
    std::string section = usual_section();
    section += fde(section.size(), usual_range(section.size(), 0x5000, 1));
    EXPECT_EQ(frame_entries(section, kSection).size(), 3U);
}

TEST(FrameEntries, AreReadInOtherEncodings) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {cie("", ""), number(0x2000, 8) + number(0x10, 8)},
        {cie("zR", number(0x00, 1)), number(0x2000, 8) + number(0x10, 8)},
        {cie("zR", number(0x04, 1), 3), number(0x2000, 8) + number(0x10, 8)},
        {cie("zR", number(0x03, 1)), number(0x2000, 4) + number(0x10, 4)},
        {cie("zR", number(0x02, 1)), number(0x2000, 2) + number(0x10, 2)},
        {cie("zR", number(0x01, 1)), "\x80\x40\x10"},
        {cie("zPLR", number(0x03, 1) + number(7, 4) + number(0x1b, 1) + number(0x03, 1)),
         number(0x2000, 4) + number(0x10, 4)},
        {cie("zRS", number(0x03, 1)), number(0x2000, 4) + number(0x10, 4)}};
    for (const auto& [head, range] : cases)
        EXPECT_THAT(frame_entries(head + fde(head.size(), range), kSection), ElementsAre(FrameEntry{0x2000, 0x2010}))
            << testing::PrintToString(head);
}

TEST(FrameEntries, AreLeftOutWhereTheirStartCannotBeRead) {
    for (const std::string& head : {cie("zR", number(0x9b, 1)),  // indirect
                                    cie("zR", number(0xff, 1)), cie("zR", number(0x33, 1)), cie("eh", ""),
                                    cie("zX", "\x03"), cie("zR", "\x03", 9)})
        EXPECT_THAT(frame_entries(head + fde(head.size(), number(0x2000, 4) + number(0x10, 4)), kSection), IsEmpty())
            << testing::PrintToString(head);
}

TEST(FrameEntries, AreLeftOutWhereTheyEndBeforeTheyStart) {
    const std::string head = cie("zR", number(0x00, 1));
    for (const std::uint64_t size : {std::uint64_t{0}, ~std::uint64_t{0}})
        EXPECT_THAT(frame_entries(head + fde(head.size(), number(0x2000, 8) + number(size, 8)), kSection), IsEmpty());
}

TEST(FrameEntries, OfACutSectionAreThoseBeforeTheCut) {
    const std::string section = usual_section();
    for (std::size_t size = 0; size < section.size() - 4; ++size)
        EXPECT_LT(frame_entries(std::string(section, 0, size), kSection).size(), 2U) << size;
}

TEST(FrameEntries, SurviveDamage) {
    std::mt19937_64 random(20'261'126);
    const std::string good = usual_section();
    std::size_t unharmed = 0;
    for (int i = 0; i < 100'000; ++i) {
        std::string section = good;
        for (int flips = 1 + static_cast<int>(random() % 4); flips > 0; --flips)
            section[random() % section.size()] = static_cast<char>(random());
        const auto entries = frame_entries(section, kSection);
        for (const FrameEntry& found : entries) ASSERT_LT(found.start, found.end);
        unharmed += entries.size() == 2 ? 1 : 0;
    }
    EXPECT_GT(unharmed, 1'000U);
    EXPECT_LT(unharmed, 100'000U);
}

}  // namespace
}  // namespace tare::attribution
