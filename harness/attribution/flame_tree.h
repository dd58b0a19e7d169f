// The frames of a flame graph with their places on the axis of instructions or nanoseconds. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/attribution/weighted_tree.h"

namespace tare::attribution {

struct FlameFrame {
    std::string name;
    std::string place;        ///< its file, and its address if it has no name; empty for a root that is no function
    std::string layer;        ///< likewise
    std::uint64_t from = 0;   ///< weight to its left
    std::uint64_t size = 0;   ///< weight, that of the frames above it included
    std::uint64_t self = 0;   ///< its own
    std::uint64_t calls = 0;  ///< 0: of a root, or the frame that was open when stepping began; not known
    int depth = 0;            ///< 0: the root
    bool is_python = false;
};

/// The root first, parents before children. Several trees stand side by side, each above a frame of its title.
/// Frames of less than a 100,000th of all are left out; their weight stays in those below.
[[nodiscard]] std::vector<FlameFrame> flame_frames(const std::vector<WeightedTree>& trees);

}  // namespace tare::attribution
