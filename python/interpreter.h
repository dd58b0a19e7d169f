// CPython inside our own process (the embedded host), and the identity of whatever CPython runs this code.
#pragma once

#include <string>

#include "harness/core/error.h"

namespace tare::python {

/// Starts CPython as if `python` (a path; of a virtual environment too) had been executed. Once per process, never
/// ended: a worker leaves by _exit. Errors: kEnvironment with what CPython says.
[[nodiscard]] core::Status start_interpreter(const std::string& python);

/// Py_GetVersion() of the code that runs, e.g. "3.11.2 (main, Apr 28 2025, 14:11:48) [GCC 12.2.0]". Needs no
/// interpreter.
[[nodiscard]] std::string running_version();

/// An address inside that code, to find the file it was loaded from.
[[nodiscard]] const void* running_code_address();

}  // namespace tare::python
