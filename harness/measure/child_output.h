// Runs a program to its end and returns what it wrote: for short questions to foreign programs, not for workers.
// Standard input is /dev/null, the environment is ours. Any thread; at the time limit its process group is killed.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "harness/core/error.h"

namespace tare::measure {

struct ChildOutput {
    int exit_status = -1;    ///< -1 if it was ended by a signal
    int signal_number = 0;   ///< 0 if it exited
    bool timed_out = false;  ///< we ended it
    bool stopped = false;    ///< likewise, because `stop` said so
    std::string out;         ///< the first megabyte of each stream
    std::string err;
};

/// argv[0] is a path. `stop`, asked after each signal and each output: whether to end it now. Errors: kEnvironment when
/// it cannot be started at all, with the system's reason.
[[nodiscard]] core::Expected<ChildOutput> run_for_output(const std::vector<std::string>& argv,
                                                         std::chrono::nanoseconds time_limit,
                                                         const std::function<bool()>& stop = {});

}  // namespace tare::measure
