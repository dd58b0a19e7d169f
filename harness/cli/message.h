// How errors and warnings look on stderr: `bench: error: what`, and the way out on a line of its own.
#pragma once

#include <string_view>

#include "harness/cli/streams.h"
#include "harness/core/error.h"

namespace tare::cli {

void print_error(const Streams& streams, const core::Error& error);
void print_warning(const Streams& streams, std::string_view text);

}  // namespace tare::cli
