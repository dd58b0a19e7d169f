// `bench doctor`: is this machine fit to measure, and what to change. Reads only.
#pragma once

#include <string>

#include "harness/cli/exit_code.h"
#include "harness/cli/options.h"
#include "harness/cli/streams.h"
#include "harness/core/fitness.h"

namespace tare::cli {

[[nodiscard]] ExitCode doctor_command(const Options& options, const Streams& streams);

/// What stdout carries. Pure.
[[nodiscard]] std::string fitness_text(const core::Fitness& fitness, Format format, const Streams& streams);
/// 2 where `strict` and a topic is bad.
[[nodiscard]] ExitCode exit_code_of(const core::Fitness& fitness, bool strict);

}  // namespace tare::cli
