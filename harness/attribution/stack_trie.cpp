// One look-up a frame.
#include "harness/attribution/stack_trie.h"

namespace tare::attribution {

void StackTrie::add(std::span<const std::uint32_t> frames, double ns, bool waits) {
    std::int32_t at = -1;
    for (const std::uint32_t frame : frames) {
        const std::uint64_t key = static_cast<std::uint64_t>(at + 1) << 32 | frame;
        const auto [child, is_new] = children_.try_emplace(key, static_cast<std::int32_t>(nodes_.size()));
        if (is_new) nodes_.push_back({.parent = at, .frame = frame});
        at = child->second;
    }
    if (at < 0) return;
    core::SampledTime& time =
        waits ? nodes_[static_cast<std::size_t>(at)].waiting : nodes_[static_cast<std::size_t>(at)].running;
    time.ns += ns;
    ++time.samples;
}

}  // namespace tare::attribution
