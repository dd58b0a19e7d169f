// The order of releases: PEP 440. Pure.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace tare::history {

/// What orders a version, most important first: 1.0.dev1, 1.0a1.dev1, 1.0a1, 1.0b1, 1.0rc1, 1.0, 1.0+local,
/// 1.0.post1.dev1, 1.0.post1. What is no version stands before all that begin with a number, by its text.
struct VersionOrder {
    long epoch = 0;
    std::vector<long> numbers;  ///< without zeros at the end: 2.0 is 2.0.0
    int stage = 0;              ///< -4 development of the release itself, -3 a, -2 b, -1 rc, 0 release
    long stage_number = 0;
    long post = -1;     ///< -1: none
    bool final = true;  ///< not a development version of its stage
    long dev = 0;       ///< of one that is not final
    /// Segments after '+': texts before numbers, numbers by value.
    std::vector<std::pair<long, std::string>> local;
    std::string text;  ///< ties fall the same way each time
    bool operator==(const VersionOrder&) const = default;
    bool operator<(const VersionOrder& other) const {
        const auto parts = [](const VersionOrder& v) {
            return std::tie(v.epoch, v.numbers, v.stage, v.stage_number, v.post, v.final, v.dev, v.local, v.text);
        };
        return parts(*this) < parts(other);
    }
};

/// `version` in any spelling that PEP 440 knows: "2.0.0-RC.1", "v1.0", "1.0-1". What follows the last part that is
/// understood orders by its text.
[[nodiscard]] VersionOrder version_order(std::string_view version);

}  // namespace tare::history
