// ProfileTally: merged stacks and what their frames are become the lists of a profile: self and inclusive times, layers
// along the native call paths, lines, and the tree that a view shows.
#pragma once

#include "harness/attribution/layer_table.h"
#include "harness/attribution/profile_builder.h"
#include "harness/attribution/sampled_frames.h"
#include "harness/attribution/stack_trie.h"
#include "harness/core/profile.h"

namespace tare::attribution {

/// Fills total, modules, layers, functions, lines and nodes. A time is inclusive once a sample, however often its
/// function recurs.
[[nodiscard]] core::Profile tally(const StackTrie& stacks, FrameFacts facts, const LayerTable& layers, FrameView view);

}  // namespace tare::attribution
