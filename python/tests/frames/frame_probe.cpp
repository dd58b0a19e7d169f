// What the checks of this folder call by ctypes inside an interpreter: the frame chain and the C stack of one moment,
// and a SIGPROF handler that copies the chain of whatever runs. Linked with no libpython, as a preloaded library is.
#include "python/frame_layout.h"
// (first: it includes Python.h)
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "harness/core/clock.h"
#include "python/frame_chain.h"
#include "python/readable_memory.h"
#include "python/running_interpreter.h"

namespace {

using namespace tare;

constexpr std::size_t kAreaBytes = 64 << 20;  // room for code that is compiled again and again
constexpr std::size_t kFrames = 256;
constexpr std::size_t kPlaces = 1 << 16;

/// Distinct 64-bit values, added by one thread's handler.
struct Distinct {
    std::array<std::uint64_t, kPlaces> values{};
    std::uint64_t lost = 0;

    void add(std::uint64_t value) {
        for (std::size_t i = 0; i < 32; ++i) {
            std::uint64_t& place = values[((value * 0x9E3779B97F4A7C15 >> 40) + i) & (kPlaces - 1)];
            if (place == value) return;
            if (place != 0) continue;
            place = value;
            return;
        }
        ++lost;
    }
};

struct Tally {
    std::array<std::uint64_t, static_cast<std::size_t>(core::kLastPythonChain) + 1> chains{};
    std::uint64_t calls = 0;
    std::uint64_t frames = 0;
    std::uint64_t without_gil = 0;
    std::uint64_t undescribed = 0;
    std::uint64_t spent_ns = 0;
    std::uint64_t longest_ns = 0;
    Distinct calls_between;  // (caller + 1) << 32 | callee
    Distinct places;         // (code + 1) << 32 | offset + 1
};

std::span<std::byte> shared_bytes() {
    static void* const at = mmap(nullptr, kAreaBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return {static_cast<std::byte*>(at), kAreaBytes};
}

Tally tally;
core::CodeArea area{{}};
std::array<core::PythonFrame, kFrames> frames;
std::optional<python::FrameWatch> watch;
std::string watched;
timer_t timer;

int answer(const std::string& text, char* to, std::size_t room) {
    if (text.size() >= room) return -1;
    std::memcpy(to, text.c_str(), text.size() + 1);
    return static_cast<int>(text.size());
}

void add_native_frames(std::string& text) {
    struct Native {
        std::array<std::uint64_t, 2048> stack_pointers{};
        std::array<std::uint64_t, 2048> functions{};
        std::size_t count = 0;
    } native;
    _Unwind_Backtrace(
        [](_Unwind_Context* context, void* raw) {
            Native& to = *static_cast<Native*>(raw);
            if (to.count == to.functions.size()) return _URC_END_OF_STACK;
            to.stack_pointers[to.count] = _Unwind_GetCFA(context);  // of the callee: this frame's stack pointer
            to.functions[to.count++] = reinterpret_cast<std::uint64_t>(
                _Unwind_FindEnclosingFunction(reinterpret_cast<void*>(_Unwind_GetIP(context))));
            return _URC_NO_REASON;
        },
        &native);
    for (std::size_t i = 0; i + 1 < native.count; ++i)
        text += "native\t" + std::to_string(native.stack_pointers[i]) + '\t' +
                std::to_string(native.stack_pointers[i + 1]) + '\t' + std::to_string(native.functions[i]) + '\n';
}

void count_sample(std::size_t count, core::PythonChain chain, bool holds_gil) {
    ++tally.calls;
    tally.frames += count;
    ++tally.chains[static_cast<std::size_t>(chain)];
    tally.without_gil += !holds_gil;
    for (std::size_t i = 0; i < count; ++i) {
        if (frames[i].code == core::CodeArea::kFull) {
            ++tally.undescribed;
            continue;
        }
        const std::uint64_t code = std::uint64_t{frames[i].code} + 1;
        tally.places.add(code << 32 | static_cast<std::uint32_t>(frames[i].offset + 1));
        if (i > 0 && frames[i - 1].code != core::CodeArea::kFull)
            tally.calls_between.add(code << 32 | frames[i - 1].code);
    }
}

void handle(int, siginfo_t*, void*) {
    core::PythonChain chain{};
    bool holds_gil = false;
    const std::int64_t start = core::wall_clock_ns();
    const std::size_t count = python::copy_frame_chain(area, frames.data(), frames.size(), &chain, &holds_gil);
    const auto spent = static_cast<std::uint64_t>(core::wall_clock_ns() - start);
    tally.spent_ns += spent;
    tally.longest_ns = std::max(tally.longest_ns, spent);
    count_sample(count, chain, holds_gil);
}

void append(std::string& text, const char* key, std::uint64_t value) {
    text += std::string(key) + '\t' + std::to_string(value) + '\n';
}

}  // namespace

#define EXPORTED extern "C" [[gnu::visibility("default")]]

/// 0, or -1 and why not.
EXPORTED int frame_probe_prepare(char* text, std::size_t room) {
    area = core::CodeArea(shared_bytes());
    const core::Status ready = python::prepare_frame_chains();
    if (!ready) answer(ready.error().what, text, room);
    return ready ? 0 : -1;
}

/// Lines of the chain and of the C stack below this call; -1 where there is no room.
EXPORTED int frame_probe_copy(std::size_t most, char* to, std::size_t room) {
    core::PythonChain chain{};
    bool holds_gil = false;
    const std::size_t count =
        python::copy_frame_chain(area, frames.data(), std::min(most, kFrames), &chain, &holds_gil);
    std::string text = "chain\t" + std::to_string(static_cast<int>(chain)) + '\t' + (holds_gil ? "1" : "0") + '\n';
    for (std::size_t i = 0; i < count; ++i) {
        const core::PythonFrame& frame = frames[i];
        const auto code = area.read(frame.code).value_or(core::PythonCode{});
        text += "python\t" + std::to_string(frame.address) + '\t' + (frame.is_entry ? "1" : "0") + '\t' +
                std::to_string(code.line_at(frame.offset).value_or(-1)) + '\t' + std::to_string(frame.offset) + '\t' +
                code.name + '\t' + code.file + '\n';
    }
    add_native_frames(text);
    return answer(text, to, room);
}

/// Asks a FrameWatch of its own which frame is the innermost, and notes the answer.
EXPORTED void frame_probe_watch() {
    if (!watch) watch.emplace(area);
    const auto now = watch->changed();
    if (!now) {
        watched += "same\n";
        return;
    }
    const auto code = area.read(now->function.code).value_or(core::PythonCode{});
    watched += std::to_string(code.line_at(now->function.offset).value_or(-1)) + '\t' + code.name + '\n';
}

/// The answers noted since the last call, a line each; what comes next is watched anew.
EXPORTED int frame_probe_watched(char* to, std::size_t room) {
    watch.reset();
    return answer(std::exchange(watched, {}), to, room);
}

#if PY_VERSION_HEX >= 0x03090000
/// What becomes of a chain that begins at this address, in an eval loop of its own where the version has such a thing.
EXPORTED int frame_probe_chain_from(std::uint64_t frame) {
    const auto state = reinterpret_cast<std::uint64_t>(python::running_interpreter()->thread_state());
    auto& head = *reinterpret_cast<std::uint64_t*>(state + python::layout::kHead);
    const std::uint64_t before = head;
    std::array<std::uint64_t, 8> c_frame{};
    c_frame[python::layout::kCFrameCurrent / 8] = frame;
    c_frame[python::layout::kCFramePrevious / 8] = before;
    core::PythonChain chain{};
    bool holds_gil = false;
    head = python::layout::kHasCFrames ? reinterpret_cast<std::uint64_t>(c_frame.data()) : frame;
    static_cast<void>(python::copy_frame_chain(area, frames.data(), frames.size(), &chain, &holds_gil));
    head = before;
    return static_cast<int>(chain);
}

/// Address of the frame so many links out, shims counted; of -1 where the next one will be (from 3.11 on).
EXPORTED std::uint64_t frame_probe_frame(int links) {
    using python::ReadableMemory;
    const auto state = reinterpret_cast<std::uint64_t>(python::running_interpreter()->thread_state());
#if PY_VERSION_HEX >= 0x030B0000
    if (links < 0) return ReadableMemory::at<std::uint64_t>(state + python::layout::kStackTop);
#endif
    auto frame = ReadableMemory::at<std::uint64_t>(state + python::layout::kHead);
    if (python::layout::kHasCFrames) frame = ReadableMemory::at<std::uint64_t>(frame + python::layout::kCFrameCurrent);
    for (; links > 0; --links) frame = ReadableMemory::at<std::uint64_t>(frame + python::layout::kPrevious);
    return frame;
}
#endif

/// The mean of that many copies, all code described.
EXPORTED double frame_probe_ns_per_copy(int times) {
    core::PythonChain chain{};
    bool holds_gil = false;
    const std::int64_t start = core::thread_cpu_ns();
    for (int i = 0; i < times; ++i)
        static_cast<void>(python::copy_frame_chain(area, frames.data(), frames.size(), &chain, &holds_gil));
    return static_cast<double>(core::thread_cpu_ns() - start) / times;
}

EXPORTED int frame_probe_line_at(int first_line, const char* table, std::size_t size, int offset) {
    const core::PythonCode code{.file = {},
                                .name = {},
                                .first_line = first_line,
                                .line_table = {table, size},
                                .line_format = python::layout::kLineFormat};
    return code.line_at(offset).value_or(-1);
}

/// SIGPROF to the calling thread at this rate, by the wall clock. 0, or -1.
EXPORTED int frame_probe_start(int rate_hz) {
    tally = {};
    struct sigaction action {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    if (sigaction(SIGPROF, &action, nullptr) != 0) return -1;
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGPROF;
    event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return -1;
    const timespec period{0, 1'000'000'000 / rate_hz};
    const itimerspec every{period, period};
    return timer_settime(timer, 0, &every, nullptr);
}

EXPORTED std::uint64_t frame_probe_calls() {
    return tally.calls;
}

/// What the handler saw, as lines.
EXPORTED int frame_probe_stop(char* to, std::size_t room) {
    timer_delete(timer);
    signal(SIGPROF, SIG_IGN);
    std::string text;
    for (std::size_t i = 0; i < tally.chains.size(); ++i)
        append(text, ("chain" + std::to_string(i)).c_str(), tally.chains[i]);
    append(text, "calls", tally.calls);
    append(text, "frames", tally.frames);
    append(text, "without_gil", tally.without_gil);
    append(text, "undescribed", tally.undescribed);
    append(text, "spent_ns", tally.spent_ns);
    append(text, "longest_ns", tally.longest_ns);
    append(text, "lost", tally.calls_between.lost + tally.places.lost);
    append(text, "described", area.described());
    append(text, "refused", area.refused());
    const auto read = [](std::uint64_t number) { return area.read(static_cast<std::uint32_t>(number)); };
    for (const std::uint64_t pair : tally.calls_between.values) {
        if (pair == 0) continue;
        const auto caller = read((pair >> 32) - 1);
        const auto callee = read(pair & 0xFFFFFFFF);
        text += "call\t" + (caller ? caller->name + '\t' + caller->file : "?\t?") + '\t' +
                (callee ? callee->name + '\t' + callee->file : "?\t?") + '\n';
    }
    for (const std::uint64_t place : tally.places.values) {
        if (place == 0) continue;
        const auto code = read((place >> 32) - 1);
        const auto offset = static_cast<std::int32_t>((place & 0xFFFFFFFF) - 1);
        text += "place\t" + (code ? code->name + '\t' + code->file : "?\t?") + '\t' +
                std::to_string(code ? code->line_at(offset).value_or(-1) : -1) + '\n';
    }
    return answer(text, to, room);
}
