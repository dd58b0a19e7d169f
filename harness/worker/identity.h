// Which CPython really runs this code: asked of the running code itself, never of sysconfig.
#pragma once

#include <string>

#include "harness/core/error.h"
#include "harness/core/value.h"

namespace tare::worker {

struct Identity {
    std::string version_text;  ///< Py_GetVersion(), one line
    std::string code_path;     ///< the file that holds it: libpython or the executable
    std::string build_id;      ///< of that file
};

[[nodiscard]] core::Expected<Identity> running_identity();

/// Refuses an interpreter of another build than `bench` chose this worker for: the version must begin as expected, the
/// build-id must be equal; an empty expectation matches anything.
[[nodiscard]] core::Status check_identity(const Identity& identity, const std::string& expected_version_text,
                                          const std::string& expected_build_id);

}  // namespace tare::worker
