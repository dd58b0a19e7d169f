// Sections beneath a table: a title, and a line for each thing to say with the cases that share it. Pure.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tare::record {

/// Items that cases share, with the cases' names, in order of appearance.
using Shared = std::vector<std::pair<std::string, std::vector<std::string>>>;

void add(Shared& shared, const std::string& item, const std::string& case_name);

/// "a, b and 3 more"
[[nodiscard]] std::string names_text(const std::vector<std::string>& names);

/// Empty for no item; else begins with an empty line and ends with a line's end.
[[nodiscard]] std::string section(const std::string& title, const Shared& shared);

/// Without the line's ends, and printable.
[[nodiscard]] std::string one_line(std::string text);

}  // namespace tare::record
