// The table of counters, below that of times: a person's view of what a case does to the CPU. Pure.
#pragma once

#include <string>

#include "harness/record/text_table.h"

namespace tare::record {

/// Table and notes, after an empty line; empty where no counter was asked for. Where none has a value the notes alone.
[[nodiscard]] std::string counters_text(const Summary& summary, const TableOptions& options);

/// The same in GitHub's Markdown, all columns.
[[nodiscard]] std::string counters_markdown(const Summary& summary, const TextStyle& style);

}  // namespace tare::record
