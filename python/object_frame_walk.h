// The frame chain of CPython 3.9 and 3.10, whose frames are objects: each is whole before it is linked, and has an eval
// loop of its own, which leaves no address of itself. Async-signal-safe.
#pragma once

#include "python/frame_layout.h"
// (first: it includes Python.h)
#include "python/frame_list.h"

#if PY_VERSION_HEX < 0x030B0000
#include <opcode.h>
#endif

namespace tare::python {

#if PY_VERSION_HEX >= 0x03090000 && PY_VERSION_HEX < 0x030B0000

class ObjectFrameWalk {
  public:
    explicit ObjectFrameWalk(FrameList& frames) : frames_(frames) {}

    /// 3.9 links a generator that hands `throw` on to the one it delegates to, for those who look, and nothing behind
    /// it: kNoLoop.
    core::PythonChain follow(std::uint64_t thread_state) {
        if (!frames_.memory().has(thread_state, layout::kThreadBytes)) return core::PythonChain::kNoThread;
        std::uint64_t frame = word(thread_state + layout::kHead);
        if (frame == 0) return core::PythonChain::kNone;
        for (;;) {
            if (!is_frame(frame)) return core::PythonChain::kNoFrame;
            if (frames_.count() == frames_.room()) return core::PythonChain::kCut;
            if (!add(frame)) return core::PythonChain::kNoCode;
            const std::uint64_t outer = word(frame + layout::kPrevious);
            if (outer == 0) break;
            frame = outer;
        }
        const bool is_lost = !layout::kLinksThrownInto && word(frame + layout::kGenerator) != 0;
        return is_lost ? core::PythonChain::kNoLoop : core::PythonChain::kWhole;
    }

    /// Bytes from the start of the bytecode to the frame's last instruction; below 0: none yet.
    static std::int64_t offset_of(std::uint64_t frame) {
        const std::int64_t instruction = ReadableMemory::at<std::int32_t>(frame + layout::kInstruction);
        return instruction < 0 ? -1 : instruction * layout::kInstructionBytes;
    }

  private:
    static std::uint64_t word(std::uint64_t address) { return ReadableMemory::at<std::uint64_t>(address); }
    bool is_frame(std::uint64_t frame) {
        return frame % alignof(layout::Frame) == 0 && frames_.memory().has(frame, layout::kFrameBytes) &&
               word(frame + offsetof(PyObject, ob_type)) == frames_.interpreter().frame_type;
    }

    bool add(std::uint64_t frame) {
        const CodeObject* code = frames_.code_at(word(frame + layout::kCode));
        const std::int64_t offset = offset_of(frame);
        if (code == nullptr || offset >= static_cast<std::int64_t>(code->bytecode_bytes)) return false;
        frames_.add(frame, offset, !is_only_linked(frame, *code, offset));
        return true;
    }
    /// Such a generator still stands before the YIELD_FROM in which it would be were it resumed. One that runs stands
    /// there for a LOAD_CONST, which calls nothing; or where it was thrown into itself, and then what a trace function
    /// or a finalizer runs is taken for the next loop's.
    bool is_only_linked(std::uint64_t frame, const CodeObject& code, std::int64_t offset) {
        const auto next = static_cast<std::uint64_t>(offset) + sizeof(_Py_CODEUNIT);
        if (frames_.count() == 0 || offset < 0 || word(frame + layout::kGenerator) == 0 || next >= code.bytecode_bytes)
            return false;
        return frames_.memory().has(code.bytecode + next, 1) &&
               ReadableMemory::at<std::uint8_t>(code.bytecode + next) == YIELD_FROM;
    }

    FrameList& frames_;
};

#endif

}  // namespace tare::python
