// What a bisection walks along: the releases of NumPy that are listed between two, or the commits of a repository.
// Parsing is pure; asking pip and git starts processes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/core/error.h"

namespace tare::cli {

/// Shell, before what is about a repository that is named: a hook of git, or `git rebase --exec`, has told `bench` of
/// its own.
inline constexpr std::string_view kForgetRepository =
    "unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR GIT_OBJECT_DIRECTORY GIT_PREFIX && ";

/// Final releases in what `pip index versions` prints, oldest first; others (2.5.0rc1, 1.10.0.post2) are left out.
[[nodiscard]] std::vector<std::string> releases_in(std::string_view pip_output);

/// From `good` to `bad`, both included, out of `releases` (oldest first). An end that is not among them (yanked) is put
/// in its place: whether it can be installed is seen when it is. Errors: kUsage where one is no final release, or
/// `good` is not the older.
[[nodiscard]] core::Expected<std::vector<std::string>> between(const std::vector<std::string>& releases,
                                                               const std::string& good, const std::string& bad);

/// Full names of the commits from `good` to `bad`, both included, along the first parents. Errors: kUsage with what git
/// says, or where `bad` does not descend from `good`.
[[nodiscard]] core::Expected<std::vector<std::string>> commits_between(const std::string& repository,
                                                                       const std::string& good, const std::string& bad);

/// "12.4.0" before "12.10.0".
[[nodiscard]] bool is_older(std::string_view release, std::string_view than);

}  // namespace tare::cli
