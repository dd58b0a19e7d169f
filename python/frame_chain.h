// Frame chain: CPython's frames of the calling thread, copied in a signal handler without the GIL, for the version that
// this file is compiled for (3.9 to 3.14). Async-signal-safe but for `prepare`. No Python object is touched but read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "harness/core/code_area.h"
#include "harness/core/error.h"
#include "harness/core/stack_sample.h"

namespace tare::python {

/// Finds what the handler needs (addresses of functions of the running interpreter). Before Py_Initialize, too: in a
/// preloaded library the interpreter's symbols are there from the start. Errors: kEnvironment where this process is no
/// CPython of the version compiled for; samples are then native only.
[[nodiscard]] core::Status prepare_frame_chains();

/// As pmu::CopyPythonFrames. Asks before it reads (python/readable_memory.h), because the chain is half linked at the
/// start of the eval loop: an address that is not mapped, or not what it ought to be, makes the chain an unreadable
/// one. A frame whose code object found no room has the number CodeArea::kFull. Keeps errno; uses under 3 KB of stack.
std::size_t copy_frame_chain(core::CodeArea& area, core::PythonFrame* frames, std::size_t room,
                             core::PythonChain* chain, bool* holds_gil) noexcept;

/// The innermost frame whose function is the user's.
struct InnermostFrame {
    std::uint64_t frame = 0;
    core::PythonFrame function;
    std::uint64_t instruction = 0;  ///< what the frame holds of the instruction: changes with each one
    bool operator==(const InnermostFrame&) const = default;
};

/// Asked again and again on one thread that stands still meanwhile, which frame is the innermost. For a handler between
/// two instructions: allocates nothing, touches no object, keeps errno. Async-signal-safe.
class FrameWatch {
  public:
    /// `area` must outlive it. prepare_frame_chains() comes before the first question.
    explicit FrameWatch(core::CodeArea& area) : area_(area) {}

    /// Where it has changed since the last answer. None, too, where nothing runs, or while a frame is linked halfway.
    /// 20 ns where it has not; the chain is followed, to its end or for kDefaultPythonFrames, only where another frame
    /// runs.
    [[nodiscard]] std::optional<InnermostFrame> changed() noexcept;

  private:
    [[nodiscard]] bool moved_within_frame() noexcept;
    [[nodiscard]] std::optional<InnermostFrame> found() noexcept;

    core::CodeArea& area_;
    std::uint64_t thread_state_ = 0;
    InnermostFrame seen_;
    std::uint64_t code_ = 0;  ///< of seen_: what the frame holds of its code
    std::uint64_t bytecode_ = 0;
    std::uint64_t bytecode_bytes_ = 0;
    std::array<core::PythonFrame, core::kDefaultPythonFrames> frames_{};
};

}  // namespace tare::python
