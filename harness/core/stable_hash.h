// FNV-1a, 64 bits, over texts: equal texts, equal hash, on every machine and in every version. Not for security.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tare::core {

[[nodiscard]] constexpr std::uint64_t stable_hash(std::span<const std::string> parts) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    const auto mix = [&hash](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3u; };
    for (const std::string& part : parts) {
        for (const char c : part) mix(static_cast<unsigned char>(c));
        mix(0);  // ("ab", "c") differs from ("a", "bc")
    }
    return hash;
}

}  // namespace tare::core
