// Stack walk: the frames of one sample, innermost first, by unwind information and, where there is none, by what can be
// proven otherwise. Every way that is tried has to lead on to the entry of the program or thread.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/attribution/frame_step.h"
#include "harness/attribution/loaded_code.h"
#include "harness/attribution/stack_memory.h"
#include "harness/attribution/unwinder.h"

namespace tare::attribution {

class StackWalk {
  public:
    /// All outlive this object; it adds to `effort`.
    StackWalk(const core::StackSample& sample, const LoadedCode& code, UnwindEffort& effort)
        : sample_(sample), code_(code), effort_(effort), memory_(sample, code) {}

    /// Once.
    [[nodiscard]] NativeStack run();

  private:
    enum class End { kEntry, kCut, kLost };

    /// Appends the frames from this one outwards. kLost leaves behind those that are certain.
    [[nodiscard]] End follow(FrameRegisters frame, bool is_found);
    /// The callers of a frame whose code has no unwind information, or none that holds; `unlisted`: what it says of a
    /// caller in no module, null if nothing.
    [[nodiscard]] End search(const FrameRegisters& frame, const CodeAddress& place, const FrameRegisters* unlisted);
    [[nodiscard]] End search_by_code(const FrameRegisters& frame, const CodeAddress& place);
    [[nodiscard]] End search_by_frame_pointer(const FrameRegisters& frame);
    [[nodiscard]] End scan(const FrameRegisters& frame, const CodeAddress& place);
    [[nodiscard]] End scan_once(const FrameRegisters& frame, const CodeAddress& place);
    /// Follows a find; kLost undoes it.
    [[nodiscard]] End attempt(const FrameRegisters& caller);

    /// How well the call before a return address fits as that of the frame: 0 it calls another function, 1 nobody
    /// knows, 2 it calls the very function. -1: there is no call.
    [[nodiscard]] int fit(const CodeAddress& returned, const CodeAddress& callee) const;
    /// Of a caller that a scan met: first how well its call fits, then whether its own caller called another function:
    /// an old return address whose frame hangs on RBP leads to whatever frame RBP is of now. -1: it is no caller.
    [[nodiscard]] int rank_of(const FrameRegisters& caller, const CodeAddress& callee) const;

    const core::StackSample& sample_;
    const LoadedCode& code_;
    UnwindEffort& effort_;
    StackMemory memory_;
    NativeStack stack_;
    bool rests_on_rules_alone_ = false;  // no search: what is followed must unwind by unwind information
    int searches_ = 0;                   // that the present frame rests on
    std::uint64_t steps_ = 0;            // taken, in vain too
};

}  // namespace tare::attribution
