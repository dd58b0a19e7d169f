// A duet for other programs and for a pull request's readers: CSV, JSON, Markdown. Pure.
#pragma once

#include <string>
#include <vector>

#include "harness/record/duet.h"
#include "harness/record/number_text.h"

namespace tare::record {

[[nodiscard]] std::string print_duet_csv(const Duet& duet, const std::vector<CaseVerdict>& verdicts);

/// One JSON object: the record's `tare` object, without samples.
[[nodiscard]] std::string print_duet_json(const Duet& duet, const std::vector<CaseVerdict>& verdicts);

[[nodiscard]] std::string print_duet_markdown(const Duet& duet, const std::vector<CaseVerdict>& verdicts,
                                              const TextStyle& style);

/// Fit for a comment on a pull request. `command` reproduces the duet.
[[nodiscard]] std::string duet_summary_markdown(const Duet& duet, const std::vector<CaseVerdict>& verdicts,
                                                const std::string& command, const TextStyle& style);

/// "`/a/bin/python`: Python 3.11.2, NumPy 2.4.6; X=1" from a side's map (Markdown).
[[nodiscard]] std::string side_text(const core::Value& side);

}  // namespace tare::record
