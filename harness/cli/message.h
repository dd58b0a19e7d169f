// How errors and warnings look on stderr: `bench: error: what`, and the way out on a line of its own.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "harness/cli/streams.h"
#include "harness/core/case.h"
#include "harness/core/error.h"

namespace tare::cli {

void print_error(const Streams& streams, const core::Error& error);
void print_warning(const Streams& streams, std::string_view text);
/// One warning for each file of a suite that could not be read.
void print_problems(const Streams& streams, const core::Catalogue& catalogue);

/// "1 record", "2 records"
[[nodiscard]] std::string counted(std::size_t count, std::string_view noun);

}  // namespace tare::cli
