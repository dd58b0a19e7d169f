// The frame chain of CPython 3.9 and 3.10, whose frames are objects: each is whole before it is linked, and has an eval
// loop of its own, which leaves no address of itself. Async-signal-safe.
#pragma once

#include "python/frame_layout.h"
// (first: it includes Python.h)
#include "python/code_object.h"

#if PY_VERSION_HEX < 0x030B0000
#include <opcode.h>
#endif

namespace tare::python {

#if PY_VERSION_HEX >= 0x03090000 && PY_VERSION_HEX < 0x030B0000

class ObjectFrameWalk {
  public:
    ObjectFrameWalk(core::CodeArea& area, const RunningInterpreter& interpreter, core::PythonFrame* frames,
                    std::size_t room)
        : area_(area), interpreter_(interpreter), frames_(frames), room_(room) {}

    /// 3.9 links a generator that hands `throw` on to the one it delegates to, for those who look, and nothing behind
    /// it: kNoLoop.
    core::PythonChain follow(std::uint64_t thread_state) {
        if (!memory_.has(thread_state, layout::kThreadBytes)) return core::PythonChain::kNoThread;
        std::uint64_t frame = word(thread_state + layout::kHead);
        if (frame == 0) return core::PythonChain::kNone;
        for (;;) {
            if (!is_frame(frame)) return core::PythonChain::kNoFrame;
            if (count_ == room_) return core::PythonChain::kCut;
            if (!add(frame)) return core::PythonChain::kNoCode;
            const std::uint64_t outer = word(frame + layout::kPrevious);
            if (outer == 0) break;
            frame = outer;
        }
        const bool is_lost = !layout::kLinksThrownInto && word(frame + layout::kGenerator) != 0;
        return is_lost ? core::PythonChain::kNoLoop : core::PythonChain::kWhole;
    }
    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] std::uint64_t innermost() const { return innermost_; }
    [[nodiscard]] const CodeObject& innermost_code() const { return innermost_code_; }

    /// Bytes from the start of the bytecode to the frame's last instruction; below 0: none yet.
    static std::int64_t offset_of(std::uint64_t frame) {
        const std::int64_t instruction = ReadableMemory::at<std::int32_t>(frame + layout::kInstruction);
        return instruction < 0 ? -1 : instruction * layout::kInstructionBytes;
    }

  private:
    static std::uint64_t word(std::uint64_t address) { return ReadableMemory::at<std::uint64_t>(address); }
    bool is_frame(std::uint64_t frame) {
        return frame % alignof(layout::Frame) == 0 && memory_.has(frame, layout::kFrameBytes) &&
               word(frame + offsetof(PyObject, ob_type)) == interpreter_.frame_type;
    }

    bool add(std::uint64_t frame) {
        const std::uint64_t address = word(frame + layout::kCode);
        if (address != code_.key.address) {  // recursion comes with the same one again
            const auto code = read_code_object(memory_, interpreter_, address);
            if (!code) return false;
            code_ = *code;
            number_ = number_of(area_, memory_, interpreter_, code_);
        }
        const std::int64_t offset = offset_of(frame);
        if (offset >= static_cast<std::int64_t>(code_.bytecode_bytes)) return false;
        if (count_ == 0) {
            innermost_ = frame;
            innermost_code_ = code_;
        }
        frames_[count_] = {.address = 0,
                           .code = number_,
                           .offset = static_cast<std::int32_t>(offset),
                           .is_entry = !is_only_linked(frame, offset)};
        ++count_;
        return true;
    }
    /// Such a generator still stands before the YIELD_FROM in which it would be were it resumed. One that runs stands
    /// there for a LOAD_CONST, which calls nothing; or where it was thrown into itself, and then what a trace function
    /// or a finalizer runs is taken for the next loop's.
    bool is_only_linked(std::uint64_t frame, std::int64_t offset) {
        const auto next = static_cast<std::uint64_t>(offset) + sizeof(_Py_CODEUNIT);
        if (count_ == 0 || offset < 0 || word(frame + layout::kGenerator) == 0 || next >= code_.bytecode_bytes)
            return false;
        return memory_.has(code_.bytecode + next, 1) &&
               ReadableMemory::at<std::uint8_t>(code_.bytecode + next) == YIELD_FROM;
    }

    core::CodeArea& area_;
    const RunningInterpreter& interpreter_;
    core::PythonFrame* frames_;
    std::size_t room_;
    ReadableMemory memory_;
    std::size_t count_ = 0;
    std::uint64_t innermost_ = 0;  // address of frames_[0]
    CodeObject innermost_code_{};
    CodeObject code_{};
    std::uint32_t number_ = 0;
};

#endif

}  // namespace tare::python
