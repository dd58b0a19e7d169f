// What one pair of workers yields for one case of a duet: raw quads, as measured, or the reason why there are none.
// Times in nanoseconds. Which side is slower is for harness/stats to say.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/error.h"
#include "harness/core/visit.h"

namespace tare::core {

enum class Side { kA, kB };

[[nodiscard]] constexpr std::string_view name_of(Side side) {
    return side == Side::kA ? "a" : "b";
}
[[nodiscard]] constexpr Side other(Side side) {
    return side == Side::kA ? Side::kB : Side::kA;
}

/// Four batches back to back, in the order a b b a or b a a b.
struct PairQuad {
    bool begins_with_a = true;
    std::array<Sample, 2> a;  ///< in the order measured
    std::array<Sample, 2> b;
    bool operator==(const PairQuad&) const = default;
};

struct SideError {
    Side side = Side::kA;
    Error error;
    bool operator==(const SideError&) const = default;
};

struct PairVisit {
    std::string case_name;
    int round = 0;  ///< 0-based; fresh workers each round
    int pair = 0;  ///< 0-based index of the pair of processes in the duet (a case that killed a worker makes a new one)
    int order = 0;  ///< place of the case in its round
    std::uint64_t seed = 0;
    double started_s = 0;  ///< Unix time
    double wall_s = 0;     ///< how long the visit took
    int unroll = 1;        ///< copies of the statement in one pass of the loop, the same on both sides
    std::uint64_t n = 0;   ///< executions that a batch of either side stands for. Side b executed more or less (its
                           ///< samples' own n) only where work was injected; a time per execution divides by this n
    std::vector<PairQuad> quads;
    bool fingerprint_changed = false;   ///< the machine is no longer that of the first round
    std::vector<std::string> warnings;  ///< e.g. text that a side wrote to stderr
    std::vector<SideError> errors;      ///< not empty: the case failed, and `quads` holds what was measured before

    bool operator==(const PairVisit&) const = default;
};

}  // namespace tare::core
