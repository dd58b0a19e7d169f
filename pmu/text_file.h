// Reads a whole small text file of /proc or /sys, whose size the kernel does not tell beforehand. Any thread.
#pragma once

#include <filesystem>
#include <string>

#include "harness/core/error.h"

namespace tare::pmu {

/// Errors: kEnvironment, `cannot read '/proc/x': Permission denied`.
[[nodiscard]] core::Expected<std::string> read_text_file(const std::filesystem::path& path);

}  // namespace tare::pmu
