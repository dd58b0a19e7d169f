// pip's list by its one line of commas; git's by rev-list.
#include "harness/cli/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "harness/cli/interrupt.h"
#include "harness/measure/child_output.h"

namespace tare::cli {

using core::ErrorCode;
using core::Expected;

namespace {

constexpr std::string_view kListTitle = "Available versions:";
constexpr std::chrono::seconds kGitLimit{60};

/// The numbers between the dots; nothing for what is no final release.
std::vector<int> numbers_of(std::string_view release) {
    std::vector<int> numbers;
    while (true) {
        int number = 0;
        const auto [end, failure] = std::from_chars(release.data(), release.data() + release.size(), number);
        if (failure != std::errc()) return {};
        numbers.push_back(number);
        release.remove_prefix(static_cast<std::size_t>(end - release.data()));
        if (release.empty()) return numbers;
        if (release.front() != '.') return {};
        release.remove_prefix(1);
    }
}

std::vector<std::string> lines_of(std::string_view text, std::string_view divider) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(divider), text.size());
        if (end > 0) lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + divider.size(), text.size()));
    }
    return lines;
}

Expected<std::vector<std::string>> git(const std::string& repository, std::vector<std::string> arguments) {
    std::vector<std::string> command = {"/bin/sh", "-c", std::string(kForgetRepository) + "exec git -C \"$@\"", "git",
                                        repository};
    command.insert(command.end(), arguments.begin(), arguments.end());
    Expected<measure::ChildOutput> ran = measure::run_for_output(command, kGitLimit, interrupted);
    if (!ran) return tl::unexpected<core::Error>(ran.error());
    if (ran->stopped) return core::fail(ErrorCode::kInterrupted, "interrupted");
    if (ran->exit_status != 0)
        return core::fail(ErrorCode::kUsage, fmt::format("git {} in '{}': {}", arguments[0], repository,
                                                         ran->err.substr(0, ran->err.find('\n'))));
    return lines_of(ran->out, "\n");
}

Expected<std::string> commit_named(const std::string& repository, const std::string& name) {
    auto commits = git(repository, {"rev-parse", "--verify", "--end-of-options", name + "^{commit}"});
    if (!commits && commits.error().code == ErrorCode::kUsage)
        return core::fail(ErrorCode::kUsage, fmt::format("'{}' names no commit: {}", name, commits.error().what),
                          "--repository is the git repository of the commits");
    if (!commits) return tl::unexpected<core::Error>(commits.error());
    return commits->front();
}

}  // namespace

bool is_older(std::string_view release, std::string_view than) {
    return numbers_of(release) < numbers_of(than);
}

std::vector<std::string> releases_in(std::string_view pip_output) {
    const std::size_t title = pip_output.find(kListTitle);
    if (title == std::string_view::npos) return {};
    pip_output.remove_prefix(title + kListTitle.size());
    std::vector<std::string> releases;
    for (const std::string& each : lines_of(pip_output.substr(0, pip_output.find('\n')), ",")) {
        std::string release = each.substr(std::min(each.find_first_not_of(' '), each.size()));
        if (!numbers_of(release).empty()) releases.push_back(std::move(release));
    }
    std::ranges::stable_sort(releases, is_older);
    return releases;
}

Expected<std::vector<std::string>> between(const std::vector<std::string>& releases, const std::string& good,
                                           const std::string& bad) {
    for (const std::string& end : {good, bad})
        if (numbers_of(end).empty())
            return core::fail(ErrorCode::kUsage, fmt::format("'{}' is no final release of NumPy", end),
                              "as in 1.26.4; commits need --build");
    if (!is_older(good, bad))
        return core::fail(ErrorCode::kUsage, fmt::format("--good {} is not older than --bad {}", good, bad),
                          "--good names the older release; whether it is the faster one is measured");
    std::vector<std::string> candidates = {good};
    std::ranges::copy_if(releases, std::back_inserter(candidates),
                         [&](const std::string& release) { return is_older(good, release) && is_older(release, bad); });
    candidates.push_back(bad);
    return candidates;
}

Expected<std::vector<std::string>> commits_between(const std::string& repository, const std::string& good,
                                                   const std::string& bad) {
    Expected<std::string> first = commit_named(repository, good);
    if (!first) return tl::unexpected<core::Error>(first.error());
    Expected<std::string> last = commit_named(repository, bad);
    if (!last) return tl::unexpected<core::Error>(last.error());
    auto commits =
        git(repository, {"rev-list", "--first-parent", "--reverse", "--ancestry-path", *first + ".." + *last});
    if (!commits) return commits;
    if (commits->empty())
        return core::fail(ErrorCode::kUsage, fmt::format("no commit leads from {} to {}", good, bad),
                          "--good names an ancestor of --bad");
    commits->insert(commits->begin(), *std::move(first));
    return commits;
}

}  // namespace tare::cli
