// The worker's request loop: one channel, one thread, one request at a time. Both hosts end here.
#pragma once

#include <string>

#include "harness/core/channel.h"

namespace tare::worker {

/// What `bench` passes by environment; the variables are removed before any foreign code runs.
struct Launch {
    int channel_descriptor = -1;
    std::string host;                   ///< "embedded" or "executable"
    std::string package_dir;            ///< holds the Python package `tare`
    std::string expected_version_text;  ///< may be empty
    std::string expected_build_id;      ///< may be empty
    std::string python;                 ///< of the embedded host: the subject's interpreter
};

[[nodiscard]] Launch take_launch_from_environment();

/// Serves until the channel closes, then leaves the process without running finalizers. The interpreter is running.
[[noreturn]] void serve(const Launch& launch);

}  // namespace tare::worker
