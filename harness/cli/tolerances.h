// Margins of single cases, from a text file: `REGEX TOLERANCE BOUND` a line, in percent; the first line whose regular
// expression is found in a case's name counts. Blank lines and those that begin with # are skipped. Pure but for
// read_tolerances.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/error.h"
#include "harness/history/name_pattern.h"
#include "harness/stats/margins.h"

namespace tare::cli {

class Tolerances {
  public:
    /// The margins of a case; `otherwise` where no line is its.
    [[nodiscard]] stats::Margins of(const std::string& case_name, const stats::Margins& otherwise) const;

    struct Line {
        int number = 0;  ///< in the file, from 1
        std::string text;
        history::NamePattern pattern;
        stats::Margins margins;
    };
    /// Lines that none of these cases is the first to match: probably a name that was changed.
    [[nodiscard]] std::vector<std::string> unused(const std::vector<std::string>& case_names) const;

    std::vector<Line> lines;
};

/// Errors: kUsage with the number and the text of the line.
[[nodiscard]] core::Expected<Tolerances> parse_tolerances(std::string_view text, std::string_view name);
/// An empty path gives none. Errors: kUsage where it cannot be read.
[[nodiscard]] core::Expected<Tolerances> read_tolerances(const std::filesystem::path& path);

}  // namespace tare::cli
