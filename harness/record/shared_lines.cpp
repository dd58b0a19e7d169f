// Lines of sections.
#include "harness/record/shared_lines.h"

#include "harness/record/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace tare::record {

namespace {

constexpr std::size_t kMostLines = 20;  // more than a screen is not read; the record holds them all
constexpr std::size_t kMostNames = 2;

}  // namespace

void add(Shared& shared, const std::string& item, const std::string& case_name) {
    for (auto& [text, names] : shared)
        if (text == item) return names.push_back(case_name);
    shared.push_back({item, {case_name}});
}

std::string names_text(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i)
        text += (i > 0 ? ", " : "") + one_line(names[i]);
    if (names.size() > kMostNames) text += fmt::format(" and {} more", names.size() - kMostNames);
    return text;
}

std::string section(const std::string& title, const Shared& shared) {
    if (shared.empty()) return {};
    std::string text = fmt::format("\n{}\n", title);
    for (std::size_t i = 0; i < std::min(shared.size(), kMostLines); ++i)
        text += fmt::format("  {}: {}\n", names_text(shared[i].second), shared[i].first);
    if (shared.size() > kMostLines) text += fmt::format("  {} more: see the record\n", shared.size() - kMostLines);
    return text;
}

std::string one_line(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    std::replace(text.begin(), text.end(), '\n', ' ');
    return printable(text);
}

}  // namespace tare::record
