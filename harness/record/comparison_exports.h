// A comparison for other programs: CSV, Markdown, and a Markdown summary fit for a comment on a pull request. Pure.
#pragma once

#include <string>
#include <vector>

#include "harness/record/comparison.h"
#include "harness/record/number_text.h"

namespace tare::record {

/// RFC 4180, one line a case, in the order of `cases`: case, verdict, reason, standing, <side>_ns of both sides, ratio
/// with low and high, values of both sides, certifiable_relative, tolerance_relative, bound_relative, failed_side,
/// error; where ledgers were compared also instructions (more, fewer, none, not compared), each side's count with its
/// lowest and highest, and their ratio. Missing values are empty.
[[nodiscard]] std::string print_comparison_csv(const Comparison& comparison);

/// A table in GitHub's Markdown, in the order and with the values of the text table.
[[nodiscard]] std::string print_comparison_markdown(const Comparison& comparison, const TextStyle& style);

struct SummaryTexts {
    std::array<std::string, 2> sides;  ///< what each side was, a line each; may be empty
    std::string command;               ///< that reproduces the comparison; may be empty
};

/// The verdict in one bold line, the notice, the changed cases, what the sides were, the whole table folded below, and
/// the command in a code block.
[[nodiscard]] std::string print_comparison_summary(const Comparison& comparison, const SummaryTexts& texts,
                                                   const TextStyle& style);

}  // namespace tare::record
