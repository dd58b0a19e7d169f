// Frame list: the frames that a walk along a frame chain has found, and the code object of the last one. Async-signal-
// safe.
#pragma once

#include "python/frame_layout.h"
// (first: it includes Python.h)
#include "python/code_object.h"

namespace tare::python {

#if PY_VERSION_HEX >= 0x03090000 && PY_VERSION_HEX < 0x030F0000 && !defined(Py_GIL_DISABLED)

class FrameList {
  public:
    FrameList(core::CodeArea& area, const RunningInterpreter& interpreter, core::PythonFrame* frames, std::size_t room)
        : area_(area), interpreter_(interpreter), frames_(frames), room_(room) {}

    [[nodiscard]] ReadableMemory& memory() { return memory_; }
    [[nodiscard]] const RunningInterpreter& interpreter() const { return interpreter_; }
    [[nodiscard]] std::size_t room() const { return room_; }
    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] core::PythonFrame& last() { return frames_[count_ - 1]; }
    [[nodiscard]] std::uint64_t innermost() const { return innermost_; }
    [[nodiscard]] const CodeObject& innermost_code() const { return innermost_code_; }

    /// Of the next frame; recursion comes with the same one again. Null: no code object is there.
    [[nodiscard]] const CodeObject* code_at(std::uint64_t address) {
        if (address == 0) return nullptr;
        if (address == code_.key.address) return &code_;
        const auto code = read_code_object(memory_, interpreter_, address);
        if (!code) return nullptr;
        code_ = *code;
        is_numbered_ = false;
        return &code_;
    }
    /// A frame of that code, while there is room; `offset`: of its instruction, below 0: none yet.
    void add(std::uint64_t frame, std::int64_t offset, bool is_entry) {
        constexpr std::int32_t kNoneYet = -1;
        if (!is_numbered_) number_ = number_of(area_, memory_, interpreter_, code_);
        is_numbered_ = true;
        if (count_ == 0) {
            innermost_ = frame;
            innermost_code_ = code_;
        }
        frames_[count_++] = {.address = 0,
                             .code = number_,
                             .offset = offset < 0 ? kNoneYet : static_cast<std::int32_t>(offset),
                             .is_entry = is_entry};
    }

  private:
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
    bool is_numbered_ = false;
};

#endif

}  // namespace tare::python
