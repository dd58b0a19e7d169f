// Call site: whether a word can be a return address, by the instruction before it. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace tare::attribution {

struct CallSite {
    enum class Kind : std::uint8_t { kNone, kIndirect, kDirect };
    Kind kind = Kind::kNone;
    std::uint64_t target = 0;  ///< of a direct call
    bool operator==(const CallSite&) const = default;
};

inline constexpr std::size_t kLongestCall = 8;  // FF /2 with REX, SIB and a 32-bit displacement

/// `before`: the bytes that end at `address`, kLongestCall of them or fewer.
[[nodiscard]] CallSite call_before(std::string_view before, std::uint64_t address);

}  // namespace tare::attribution
