// StackTrie: the call paths of samples, merged where they begin alike, with the time that ended at each. Frames are
// numbers that others give a meaning. Grows by one node for each new path; looking one up allocates nothing.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "harness/core/profile.h"

namespace tare::attribution {

struct TrieNode {
    std::int32_t parent = -1;
    std::uint32_t frame = 0;
    core::SampledTime running = {};  ///< of samples that ended here
    core::SampledTime waiting = {};  ///< likewise, of threads that waited
    bool operator==(const TrieNode&) const = default;
};

class StackTrie {
  public:
    /// Frames from the root on; not empty.
    void add(std::span<const std::uint32_t> frames, double ns, bool waits);
    /// Parents stand before their children.
    [[nodiscard]] const std::vector<TrieNode>& nodes() const { return nodes_; }

  private:
    std::vector<TrieNode> nodes_;
    std::unordered_map<std::uint64_t, std::int32_t> children_;  // by parent + 1 and frame
};

}  // namespace tare::attribution
