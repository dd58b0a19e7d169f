// Builds workers for an interpreter that this installation has none for: needs CMake, a compiler of C++20 and the
// interpreter's headers. Kept in the cache folder, for this build of `bench` alone, since both speak one protocol.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/installation.h"
#include "harness/cli/streams.h"
#include "harness/core/error.h"
#include "harness/measure/subject.h"

namespace tare::cli {

/// Files that were made, in Installation::built_dir. Says on stderr what it does, and where its output goes.
/// `is_there`: asked once no other process builds them; yes: none is made. May be empty.
/// Errors: kEnvironment with what is missing or the compiler's first error, and the log; kTimeout; kInterrupted, after
/// which the next call goes on.
[[nodiscard]] core::Expected<std::vector<std::filesystem::path>> build_workers(const Installation& installation,
                                                                               const measure::Subject& subject,
                                                                               const Streams& streams,
                                                                               const std::function<bool()>& is_there);

/// What stopped CMake or a compiler, in one line, by its output: "CMake Error at …:" with what stands below, "error:
/// …".
[[nodiscard]] std::string build_failure(std::string_view output);

}  // namespace tare::cli
