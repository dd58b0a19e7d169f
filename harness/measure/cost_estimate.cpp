// Batches that grow until they are long enough to be timed.
#include "harness/measure/cost_estimate.h"

#include <algorithm>

namespace tare::measure {

namespace {

constexpr double kWindowNs = 50'000;
constexpr int kRepeats = 2;                  // of a batch that seems long enough
constexpr double kNoInterruptionNs = 2.5e7;  // longer than a scheduler's slice: it is the statement that takes so long
constexpr double kOvershoot = 1.2;           // aims a little beyond the window
constexpr double kLeastGrowth = 2, kMostGrowth = 16;

}  // namespace

std::optional<double> estimate_cost_ns(std::uint64_t unit, const BatchTimer& batch_wall_ns) {
    for (std::uint64_t n = unit;;) {
        std::optional<double> shortest_ns = batch_wall_ns(n);
        for (int i = 0; shortest_ns && i < kRepeats; ++i) {
            if (*shortest_ns < kWindowNs || *shortest_ns >= kNoInterruptionNs) break;
            const std::optional<double> again_ns = batch_wall_ns(n);
            if (!again_ns) return std::nullopt;
            shortest_ns = std::min(*shortest_ns, *again_ns);
        }
        if (!shortest_ns) return std::nullopt;
        if (*shortest_ns >= kWindowNs) return *shortest_ns / static_cast<double>(n);
        n *= static_cast<std::uint64_t>(
            std::clamp(kOvershoot * kWindowNs / std::max(*shortest_ns, 1.0), kLeastGrowth, kMostGrowth));
    }
}

}  // namespace tare::measure
