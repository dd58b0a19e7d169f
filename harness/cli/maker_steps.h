// Steps of what makes something in the cache folder, an environment or a worker: a program that runs to its end, and
// taking turns with another `bench` that makes the same.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/cli/streams.h"
#include "harness/core/error.h"
#include "harness/measure/child_output.h"
#include "harness/measure/descriptor.h"

namespace tare::cli {

/// As measure::run_for_output. Errors: kInterrupted once the user has asked to stop.
[[nodiscard]] core::Expected<measure::ChildOutput> run_step(const std::vector<std::string>& command,
                                                            std::chrono::nanoseconds limit);

/// The last line that holds anything.
[[nodiscard]] std::string last_line(std::string_view text);

using Turn = std::unique_ptr<measure::Descriptor>;

/// Held until it is destroyed; waits while another process makes `home`, and says so. Errors: kEnvironment,
/// kInterrupted.
[[nodiscard]] core::Expected<Turn> take_turn(const std::filesystem::path& home, const Streams& streams);

}  // namespace tare::cli
