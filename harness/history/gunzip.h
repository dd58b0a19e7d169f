// Files packed with gzip, as pyperf writes `.json.gz`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "harness/core/error.h"

namespace tare::history {

[[nodiscard]] bool is_gzip(std::string_view bytes);

/// All members of the file. Errors: kData for damage, and for more than `most_bytes`; `name` stands for the file.
[[nodiscard]] core::Expected<std::string> gunzip(std::string_view bytes, std::string_view name, std::size_t most_bytes);

}  // namespace tare::history
