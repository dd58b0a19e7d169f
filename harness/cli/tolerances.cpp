// The last two words of a line are numbers, all before them is the expression, which may hold blanks.
#include "harness/cli/tolerances.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>

namespace tare::cli {

using core::ErrorCode;
using core::Expected;

namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Cuts the last word off.
std::string_view take_last_word(std::string_view& text) {
    const std::size_t blank = text.find_last_of(kBlanks);
    if (blank == std::string_view::npos) return {};
    const std::string_view word = text.substr(blank + 1);
    text = trimmed(text.substr(0, blank));
    return word;
}

std::optional<double> percent(std::string_view word) {
    double value = 0;
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (failure != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return value / 100;
}

}  // namespace

stats::Margins Tolerances::of(const std::string& case_name, const stats::Margins& otherwise) const {
    for (const Line& line : lines)
        if (line.pattern.is_in(case_name)) return line.margins;
    return otherwise;
}

std::vector<std::string> Tolerances::unused(const std::vector<std::string>& case_names) const {
    std::set<int> used;
    for (const std::string& name : case_names)
        for (const Line& line : lines)
            if (line.pattern.is_in(name)) {
                used.insert(line.number);
                break;
            }
    std::vector<std::string> others;
    for (const Line& line : lines)
        if (!used.contains(line.number)) others.push_back(fmt::format("line {}: {}", line.number, line.text));
    return others;
}

Expected<Tolerances> parse_tolerances(std::string_view text, std::string_view name) {
    Tolerances result;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.empty() || line.front() == '#') continue;
        const auto wrong = [&](const std::string& why) {
            return core::fail(ErrorCode::kUsage, fmt::format("{}, line {}: '{}': {}", name, number, line, why),
                              "a line is: regular expression, tolerance and bound in percent, as in '^dot 1 4'");
        };
        std::string_view rest = line;
        const std::optional<double> bound = percent(take_last_word(rest));
        const std::optional<double> tolerance = percent(take_last_word(rest));
        if (!bound || !tolerance) return wrong("it does not end with two numbers");
        const Expected<stats::Margins> margins = stats::make_margins(*tolerance, *bound);
        if (!margins) return wrong(margins.error().what);
        Expected<history::NamePattern> pattern = history::NamePattern::parse(std::string(rest));
        if (!pattern) return wrong(pattern.error().what);
        result.lines.push_back({number, std::string(line), *std::move(pattern), *margins});
    }
    return result;
}

Expected<Tolerances> read_tolerances(const std::filesystem::path& path) {
    if (path.empty()) return Tolerances{};
    std::error_code ignored;
    std::string text;
    errno = std::filesystem::is_directory(path, ignored) ? EISDIR : 0;
    if (errno == 0) {
        std::ifstream file(path);
        if (file) text.assign(std::istreambuf_iterator<char>(file), {});
        if (file) errno = 0;
    }
    if (errno != 0)
        return core::fail(ErrorCode::kUsage, fmt::format("--tolerances {}: {}", path.string(), std::strerror(errno)),
                          "name a file of lines such as '^dot 1 4'");
    return parse_tolerances(text, path.string());
}

}  // namespace tare::cli
