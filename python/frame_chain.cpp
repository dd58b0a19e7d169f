// The chain is followed while its thread stands still in a signal handler, maybe between two of the stores that link a
// frame. What was linked halfway shows: a frame must lie below the top of the thread's frames, name a code object, be
// within its bytecode, and each eval loop's outermost frame must lead to where the one before it had stopped.
#include "python/frame_layout.h"
// (first: it includes Python.h)
#include "python/frame_chain.h"

#include <cerrno>

#include "python/code_object.h"
#include "python/object_frame_walk.h"
#include "python/readable_memory.h"
#include "python/running_interpreter.h"

namespace tare::python {

using core::PythonChain;

core::Status prepare_frame_chains() {
    return find_running_interpreter();
}

#if PY_VERSION_HEX >= 0x03090000 && PY_VERSION_HEX < 0x030F0000 && !defined(Py_GIL_DISABLED)

namespace {

#if PY_VERSION_HEX >= 0x030B0000
constexpr std::uint64_t kAlignment = 8;
constexpr std::size_t kMostShims = 1024;  // beside room for frames: bounds a chain that bites its tail

class Walk {
  public:
    explicit Walk(FrameList& frames) : frames_(frames) {}

    PythonChain follow(std::uint64_t thread_state) {
        if (!memory().has(thread_state, layout::kThreadBytes)) return PythonChain::kNoThread;
        find_stack_top(thread_state);
        std::uint64_t frame = word(thread_state + layout::kHead);
        if (layout::kHasCFrames) {
            c_frame_ = frame;
            if (!has_c_frame()) return PythonChain::kNoThread;
            frame = word(c_frame_ + layout::kCFrameCurrent);
        }
        const bool runs_nothing = !layout::kHasCFrames || c_frame_ == thread_state + layout::kRootCFrame;
        if (frame == 0) return runs_nothing ? PythonChain::kNone : PythonChain::kNoFrame;
        for (std::size_t hops = 0; frame != 0; ++hops) {
            if (hops == frames_.room() + kMostShims || !is_frame(frame)) return PythonChain::kNoFrame;
            const bool is_shim = layout::kHasShims && owner_of(frame) >= layout::kFirstShimOwner;
            if (!is_shim && frames_.count() == frames_.room()) return PythonChain::kCut;
            if (!is_shim && !add(frame)) return PythonChain::kNoCode;
            const bool ends_run = is_shim || (is_flagged_entry(frame) && !is_only_linked(frame));
            if (ends_run && !end_run(frame)) return PythonChain::kNoLoop;
            frame = word(frame + layout::kPrevious);
        }
        return in_run_ ? PythonChain::kNoLoop : PythonChain::kWhole;
    }

  private:
    ReadableMemory& memory() { return frames_.memory(); }
    static std::uint64_t word(std::uint64_t address) { return ReadableMemory::at<std::uint64_t>(address); }
    static std::uint8_t owner_of(std::uint64_t frame) {
        return ReadableMemory::at<std::uint8_t>(frame + layout::kOwner);
    }
    static bool is_flagged_entry(std::uint64_t frame) {
        return !layout::kHasShims && ReadableMemory::at<std::uint8_t>(frame + layout::kIsEntry) != 0;
    }
    /// 3.11 links a generator that hands `throw` or `close` on to the one it delegates to, for those who look, into the
    /// eval loop of the caller, and does not run it: its flag is left over from when it ran. A frame that is linked
    /// halfway looks alike; the next one that ends a run shows it.
    bool is_only_linked(std::uint64_t frame) {
        if (layout::kHasShims || owner_of(frame) != FRAME_OWNED_BY_GENERATOR) return false;
        const std::uint64_t outside = word(c_frame_ + layout::kCFramePrevious);
        if (outside % kAlignment != 0 || !memory().has(outside, layout::kCFrameBytes)) return true;
        return word(frame + layout::kPrevious) != word(outside + layout::kCFrameCurrent);
    }
    bool has_c_frame() { return c_frame_ % kAlignment == 0 && memory().has(c_frame_, layout::kCFrameBytes); }

    /// Frames of functions lie in chunks; above the top of the newest there are only dead ones.
    void find_stack_top(std::uint64_t thread_state) {
        const std::uint64_t chunk = word(thread_state + layout::kStackChunk);
        if (chunk % kAlignment != 0 || !memory().has(chunk, sizeof(_PyStackChunk))) return;
        stack_top_ = word(thread_state + layout::kStackTop);
        chunk_end_ = chunk + word(chunk + offsetof(_PyStackChunk, size));
    }
    bool is_frame(std::uint64_t frame) {
        if (frame % kAlignment != 0 || (frame >= stack_top_ && frame < chunk_end_)) return false;
        if (!memory().has(frame, layout::kFrameBytes)) return false;
        return layout::kHasShims || owner_of(frame) < layout::kFirstShimOwner;
    }

    bool add(std::uint64_t frame) {
        const CodeObject* code = frames_.code_at(word(frame + layout::kCode) & ~layout::kTagBits);
        if (code == nullptr) return false;
        const auto offset = static_cast<std::int64_t>(word(frame + layout::kInstruction) - code->bytecode);
        if (offset < -static_cast<std::int64_t>(sizeof(_Py_CODEUNIT)) ||
            offset >= static_cast<std::int64_t>(code->bytecode_bytes))
            return false;
        // The frame that calls a class's __init__ (3.12 on) has code with one text for all its names.
        if (code->file_address == code->key.name_address) return true;
        frames_.add(frame, offset, false);
        in_run_ = true;
        return true;
    }

    /// `frame` is the last that one C frame of the eval loop runs, or the shim behind that one. False: it does not lead
    /// to the frame where the eval loop further out has stopped.
    bool end_run(std::uint64_t frame) {
        if (in_run_) {
            frames_.last().is_entry = true;
            frames_.last().address = layout::kHasShims ? frame : c_frame_;
        }
        in_run_ = false;
        if (!layout::kHasCFrames) return true;
        c_frame_ = word(c_frame_ + layout::kCFramePrevious);
        return has_c_frame() && word(frame + layout::kPrevious) == word(c_frame_ + layout::kCFrameCurrent);
    }

    FrameList& frames_;
    bool in_run_ = false;  // the last frame added has not been its eval loop's outermost
    std::uint64_t c_frame_ = 0;
    std::uint64_t stack_top_ = 0;
    std::uint64_t chunk_end_ = 0;
};

std::uint64_t instruction_of(std::uint64_t frame) {
    return ReadableMemory::at<std::uint64_t>(frame + layout::kInstruction);
}

std::int64_t bytes_before(std::uint64_t instruction, std::uint64_t bytecode) {
    return static_cast<std::int64_t>(instruction - bytecode);
}
#else
using Walk = ObjectFrameWalk;

std::uint64_t instruction_of(std::uint64_t frame) {
    return static_cast<std::uint64_t>(ObjectFrameWalk::offset_of(frame));
}

std::int64_t bytes_before(std::uint64_t offset, std::uint64_t) {
    return static_cast<std::int64_t>(offset);
}
#endif

/// The state whose frames this thread runs: with the GIL the holder's, which may be of another interpreter than the
/// first that the thread was known to.
std::uint64_t own_thread_state(const RunningInterpreter& interpreter, bool* holds_gil) {
    const auto own = reinterpret_cast<std::uint64_t>(interpreter.thread_state());
    const auto holder = reinterpret_cast<std::uint64_t>(interpreter.gil_holder());
    *holds_gil = holder != 0 && holder == own;
    if (*holds_gil || holder == 0) return own;
    if (layout::kHolderIsOfThread) {
        *holds_gil = true;
        return holder;
    }
    ReadableMemory memory;
    if (own == 0 || !memory.has(own, layout::kThreadBytes) || !memory.has(holder, layout::kThreadBytes)) return own;
    *holds_gil = ReadableMemory::at<std::uint64_t>(own + layout::kThreadId) ==
                 ReadableMemory::at<std::uint64_t>(holder + layout::kThreadId);
    return *holds_gil ? holder : own;
}

}  // namespace

std::size_t copy_frame_chain(core::CodeArea& area, core::PythonFrame* frames, std::size_t room, PythonChain* chain,
                             bool* holds_gil) noexcept {
    *chain = PythonChain::kNone;
    *holds_gil = false;
    const RunningInterpreter* interpreter = running_interpreter();
    if (interpreter == nullptr) return 0;
    const int error = errno;
    const std::uint64_t thread_state = own_thread_state(*interpreter, holds_gil);
    std::size_t count = 0;
    if (thread_state != 0) {
        FrameList found(area, *interpreter, frames, room);
        *chain = Walk(found).follow(thread_state);
        if (*chain == PythonChain::kWhole || *chain == PythonChain::kCut) count = found.count();
    }
    errno = error;
    return count;
}

namespace {

/// Of a live thread's own state: what it leads to lies in that state or on the thread's stack, so it can be read. The
/// frame that is named there need not be one yet.
std::uint64_t named_frame(std::uint64_t thread_state) {
    const auto head = ReadableMemory::at<std::uint64_t>(thread_state + layout::kHead);
    return layout::kHasCFrames ? ReadableMemory::at<std::uint64_t>(head + layout::kCFrameCurrent) : head;
}

}  // namespace

/// The frame that was followed last is alive as long as it is the one named; it cannot be named halfway, since another
/// one was named before it ended.
bool FrameWatch::moved_within_frame() noexcept {
    const std::uint64_t instruction = instruction_of(seen_.frame);
    const std::int64_t offset = bytes_before(instruction, bytecode_);
    if (ReadableMemory::at<std::uint64_t>(seen_.frame + layout::kCode) != code_ || offset < 0 ||
        offset >= static_cast<std::int64_t>(bytecode_bytes_))
        return false;
    seen_.instruction = instruction;
    seen_.function.offset = static_cast<std::int32_t>(offset);
    return true;
}

std::optional<InnermostFrame> FrameWatch::found() noexcept {
    FrameList walked(area_, *running_interpreter(), frames_.data(), frames_.size());
    const PythonChain chain = Walk(walked).follow(thread_state_);
    // Frames that are objects are whole: where the outer ones are not known the innermost is.
    const bool is_lost = layout::kHasObjects && chain == PythonChain::kNoLoop;
    if ((chain != PythonChain::kWhole && chain != PythonChain::kCut && !is_lost) || walked.count() == 0)
        return std::nullopt;
    const std::uint64_t frame = walked.innermost();
    InnermostFrame now{frame, frames_[0], instruction_of(frame)};
    code_ = ReadableMemory::at<std::uint64_t>(frame + layout::kCode);
    bytecode_ = walked.innermost_code().bytecode;
    bytecode_bytes_ = walked.innermost_code().bytecode_bytes;
    return now;
}

std::optional<InnermostFrame> FrameWatch::changed() noexcept {
    const RunningInterpreter* interpreter = running_interpreter();
    if (interpreter == nullptr) return std::nullopt;
    if (thread_state_ == 0) thread_state_ = reinterpret_cast<std::uint64_t>(interpreter->thread_state());
    if (thread_state_ == 0) return std::nullopt;
    const std::uint64_t frame = named_frame(thread_state_);
    if (frame == 0) return std::nullopt;
    if (frame == seen_.frame) {
        if (instruction_of(frame) == seen_.instruction) return std::nullopt;
        if (moved_within_frame()) return seen_;
    }
    const int error = errno;
    const std::optional<InnermostFrame> now = found();
    errno = error;
    if (!now || *now == seen_) return std::nullopt;
    seen_ = *now;
    return now;
}

#else

std::size_t copy_frame_chain(core::CodeArea&, core::PythonFrame*, std::size_t, PythonChain* chain,
                             bool* holds_gil) noexcept {
    *chain = PythonChain::kNone;
    *holds_gil = false;
    return 0;
}

std::optional<InnermostFrame> FrameWatch::changed() noexcept {
    return std::nullopt;
}

#endif

}  // namespace tare::python
