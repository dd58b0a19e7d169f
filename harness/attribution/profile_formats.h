// A profile's call tree in the formats of tree_formats.h and of pprof: folded weights in samples, the others in
// nanoseconds.
#pragma once

#include <string>
#include <vector>

#include "harness/attribution/pprof.h"
#include "harness/attribution/tree_formats.h"
#include "harness/core/profile.h"

namespace tare::attribution {

[[nodiscard]] inline std::string folded(const core::Profile& profile) {
    return folded_trees(std::vector{tree_of(profile)});
}

[[nodiscard]] inline std::string speedscope(const core::Profile& profile) {
    return speedscope_of_trees(std::vector{tree_of(profile)});
}

[[nodiscard]] inline std::string flame_graph(const core::Profile& profile, const std::string& title) {
    return flame_graph_of_trees(std::vector{tree_of(profile)}, title);
}

}  // namespace tare::attribution
