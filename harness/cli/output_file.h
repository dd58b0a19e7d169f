// Files that the user asked for beside the record: checked before the first batch, written whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "harness/core/error.h"

namespace tare::cli {

/// kUsage where `path` cannot become a file; `option` is the one that named it. An empty path is none.
[[nodiscard]] core::Status check_output(std::string_view option, const std::string& path);

[[nodiscard]] core::Status write_file(const std::string& path, std::string_view text);

}  // namespace tare::cli
