// `bench` as a function of arguments and streams.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/streams.h"

namespace tare::cli {

/// Runs one command; returns the exit code. `arguments` without the program's name.
[[nodiscard]] int run_application(const std::vector<std::string>& arguments, const Streams& streams);

}  // namespace tare::cli
