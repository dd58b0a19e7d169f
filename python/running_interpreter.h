// The CPython that runs in this process, as signal handlers need it: found by name once, so that a library which is
// preloaded, and linked with no libpython, can look at it.
#pragma once

#include <cstdint>

#include "harness/core/error.h"

namespace tare::python {

/// Addresses in the running interpreter.
struct RunningInterpreter {
    void* (*thread_state)() = nullptr;  ///< of the calling thread, with or without the GIL; null: it has none
    void* (*gil_holder)() =
        nullptr;  ///< up to 3.11: the state of whichever thread holds the GIL; later: this one's, or null
    std::uint64_t code_type = 0;   ///< PyCode_Type
    std::uint64_t text_type = 0;   ///< PyUnicode_Type
    std::uint64_t bytes_type = 0;  ///< PyBytes_Type
    std::uint64_t frame_type = 0;  ///< PyFrame_Type
};

/// Looks the interpreter up and compares version and layout with those compiled for. To be called by one thread, before
/// any handler asks. Errors: kEnvironment.
[[nodiscard]] core::Status find_running_interpreter();
/// Null: not found, or not looked for. Async-signal-safe.
[[nodiscard]] const RunningInterpreter* running_interpreter() noexcept;

}  // namespace tare::python
