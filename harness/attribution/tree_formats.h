// Call trees for other programs: FlameGraph's folded lines, speedscope's JSON, callgrind's, and an SVG of our own.
// Pure.
#pragma once

#include <string>
#include <vector>

#include "harness/attribution/weighted_tree.h"

namespace tare::attribution {

/// `a;b;c 12` a line, root first, weights are instructions or samples; a module in brackets where a function has no
/// name, `f (a.py:12)` for Python's. Several trees: each below a root frame of its title. `;` and line feeds in names
/// become `:` and blanks.
[[nodiscard]] std::string folded_trees(const std::vector<WeightedTree>& trees);

/// speedscope's file format (https://www.speedscope.app/file-format-schema.json), one `sampled` profile a tree, unit
/// nanoseconds, or none for instructions, for which speedscope has none; `file` is the module or Python's source.
[[nodiscard]] std::string speedscope_of_trees(const std::vector<WeightedTree>& trees);

/// Callgrind's format, for KCachegrind and callgrind_annotate: by function its own weight, and by callee the calls and
/// all that they cost; of a recursion, only what its outermost call cost. Several trees: each called by a function of
/// its title. It has no layers, and no call paths beyond caller and callee.
[[nodiscard]] std::string callgrind_of_trees(const std::vector<WeightedTree>& trees);

/// A self-contained SVG flame graph with zoom, search and tooltips, coloured by layer with a legend, Python's frames in
/// bold with a dashed edge; usable by keyboard, readable without script. Names are escaped: they come from foreign
/// binaries.
[[nodiscard]] std::string flame_graph_of_trees(const std::vector<WeightedTree>& trees, const std::string& title);

}  // namespace tare::attribution
