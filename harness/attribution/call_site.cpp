// Intel's manual, volume 2, CALL: E8 with a relative address, or FF /2 with a register or memory operand.
#include "harness/attribution/call_site.h"

#include <cstring>

namespace tare::attribution {

namespace {

std::uint8_t at(std::string_view bytes, std::size_t index) {
    return static_cast<std::uint8_t>(bytes[index]);
}

/// Bytes of FF /2, without prefixes, that begins here; 0: it is none.
std::size_t indirect_call_bytes(std::string_view code) {
    if (code.size() < 2 || at(code, 0) != 0xff) return 0;
    const std::uint8_t operand = at(code, 1);
    if (((operand >> 3) & 7) != 2) return 0;
    const int mode = operand >> 6;
    const int base = operand & 7;
    if (mode == 3) return 2;
    std::size_t bytes = 2;
    bool has_wide_base = mode == 0 && base == 5;  // relative to the instruction pointer
    if (base == 4) {
        if (code.size() < 3) return 0;
        ++bytes;
        has_wide_base = mode == 0 && (at(code, 2) & 7) == 5;
    }
    if (mode == 1) return bytes + 1;
    return mode == 2 || has_wide_base ? bytes + 4 : bytes;
}

}  // namespace

CallSite call_before(std::string_view before, std::uint64_t address) {
    if (before.size() >= 5 && at(before, before.size() - 5) == 0xe8) {
        std::int32_t distance = 0;
        std::memcpy(&distance, before.data() + before.size() - 4, sizeof distance);
        return {CallSite::Kind::kDirect, address + static_cast<std::uint64_t>(std::int64_t{distance})};
    }
    for (std::size_t bytes = 2; bytes < kLongestCall && bytes <= before.size(); ++bytes)
        if (indirect_call_bytes(before.substr(before.size() - bytes)) == bytes) return {CallSite::Kind::kIndirect, 0};
    return {};
}

}  // namespace tare::attribution
