// Words between commas; what is not understood is kept, and differs from everything.
#include "harness/history/series_environment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace tare::history {

namespace {

constexpr std::string_view kComma = ", ";
constexpr std::array<std::string_view, 2> kSetups = {"setup ", "setup_each "};
constexpr std::string_view kBuild = "build ";
constexpr std::string_view kAbout = "about ";

int threads_in(std::string_view word) {
    int threads = 0;
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), threads);
    const std::string_view unit(end, word.data() + word.size());
    return failure == std::errc() && (unit == " thread" || unit == " threads") ? threads : 0;
}

bool is_variable(std::string_view word) {
    const std::size_t equals = word.find('=');
    return equals != 0 && equals != std::string_view::npos && std::ranges::all_of(word.substr(0, equals), [](char c) {
               return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
           });
}

void take(std::string_view word, SeriesEnvironment& into) {
    if (into.interpreter.empty() && into.host.empty() && word.find(' ') != std::string_view::npos &&
        threads_in(word) == 0)
        into.interpreter = word;
    else if (word == "embedded" || word == "executable")
        into.host = word;
    else if (const int threads = threads_in(word); threads > 0)
        into.threads = threads;
    else if (word.starts_with(kAbout))
        into.package = word.substr(kAbout.size());
    else if (word.starts_with(kBuild))
        into.build = word.substr(kBuild.size());
    else if (is_variable(word))
        into.variables.emplace_back(word);
    else
        into.other_facts.emplace_back(word);
}

}  // namespace

SeriesEnvironment read_environment(std::string_view text) {
    SeriesEnvironment environment;
    while (!text.empty()) {
        // Set-up code may hold commas: all that follows is its.
        const bool is_code =
            std::ranges::any_of(kSetups, [&](std::string_view word) { return text.starts_with(word); });
        const std::size_t end = is_code ? text.size() : std::min(text.find(kComma), text.size());
        take(text.substr(0, end), environment);
        text.remove_prefix(std::min(end + kComma.size(), text.size()));
    }
    std::ranges::sort(environment.variables);
    return environment;
}

std::string difference_between(const SeriesEnvironment& series, const SeriesEnvironment& here) {
    if (series.interpreter.empty() || series.host.empty() || series.threads == 0)
        return "its interpreter, host or threads are not known";
    if (series.interpreter != here.interpreter)
        return fmt::format("measured with {}, --python is {}", series.interpreter, here.interpreter);
    if (series.host != here.host)
        return fmt::format("measured in the host {}, that of --python is {}", series.host, here.host);
    if (!series.package.empty() && series.package != here.package)
        return fmt::format("it is about {0}: say --package {0}", series.package);
    if (!series.other_facts.empty())
        return fmt::format("measured with {}, which no duet here has", fmt::join(series.other_facts, ", "));
    if (series.variables != here.variables)
        return fmt::format(
            "measured with {}, here is {}",
            series.variables.empty() ? "no variables set" : fmt::format("{}", fmt::join(series.variables, ", ")),
            here.variables.empty() ? "none set" : fmt::format("{}", fmt::join(here.variables, ", ")));
    if (series.build != here.build)
        return series.build.empty() ? fmt::format("measured with an unknown build of {}", series.interpreter)
                                    : fmt::format("measured with another build of {}", series.interpreter);
    return {};
}

}  // namespace tare::history
