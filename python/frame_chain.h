// Frame chain: CPython's frames of the calling thread, copied in a signal handler without the GIL, for the version that
// this file is compiled for (3.11 to 3.14). Async-signal-safe but for `prepare`. No Python object is touched but read.
#pragma once

#include <cstddef>

#include "harness/core/code_area.h"
#include "harness/core/error.h"
#include "harness/core/stack_sample.h"

namespace tare::python {

/// Finds what the handler needs (addresses of functions of the running interpreter). Before Py_Initialize, too: in a
/// preloaded library the interpreter's symbols are there from the start. Errors: kEnvironment where this process is no
/// CPython of the version compiled for; samples are then native only.
[[nodiscard]] core::Status prepare_frame_chains();

/// As pmu::CopyPythonFrames. Asks before it reads (python/readable_memory.h), because the chain is half linked at the
/// start of the eval loop: an address that is not mapped, or not what it ought to be, makes the chain kUnreadable. A
/// frame whose code object found no room has the number CodeArea::kFull. Keeps errno; uses under 3 KB of stack.
std::size_t copy_frame_chain(core::CodeArea& area, core::PythonFrame* frames, std::size_t room,
                             core::PythonChain* chain, bool* holds_gil) noexcept;

}  // namespace tare::python
