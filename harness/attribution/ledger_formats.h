// A ledger's call tree for other programs: FlameGraph's folded lines, speedscope's JSON, and an SVG of our own. Pure.
#pragma once

#include <string>
#include <vector>

#include "harness/core/ledger.h"

namespace tare::attribution {

/// `a;b;c 12` a line, root first, weights are instructions; a module in brackets where a function has no name. Several
/// ledgers: each below a root frame of its case's name. `;` and line feeds in names become `:` and blanks.
[[nodiscard]] std::string folded(const std::vector<core::Ledger>& ledgers);

/// speedscope's file format (https://www.speedscope.app/file-format-schema.json), one `sampled` profile a ledger, unit
/// none (speedscope has none for instructions); `file` is the module.
[[nodiscard]] std::string speedscope(const std::vector<core::Ledger>& ledgers);

/// A self-contained SVG flame graph with zoom, search and tooltips, coloured by layer with a legend; usable by
/// keyboard, readable without script. Names are escaped: they come from foreign binaries.
[[nodiscard]] std::string flame_graph(const std::vector<core::Ledger>& ledgers, const std::string& title);

}  // namespace tare::attribution
