// The frames of a flame graph with their places on the axis of instructions. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/ledger.h"

namespace tare::attribution {

struct FlameFrame {
    std::string name;
    std::string place;        ///< its file, and its address if it has no name; empty for a root that is no function
    std::string layer;        ///< likewise
    std::uint64_t from = 0;   ///< instructions to its left
    std::uint64_t size = 0;   ///< instructions, those of the frames above it included
    std::uint64_t self = 0;   ///< its own
    std::uint64_t calls = 0;  ///< 0: of a root, or the frame that was open when stepping began
    int depth = 0;            ///< 0: the root
};

/// The root first, parents before children. Several ledgers stand side by side, each above a frame of its case's name.
/// Frames of less than a 100,000th of all are left out; their instructions stay in those below.
[[nodiscard]] std::vector<FlameFrame> flame_frames(const std::vector<core::Ledger>& ledgers);

}  // namespace tare::attribution
