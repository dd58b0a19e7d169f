// Sampler: signals at a given rate on each sampled thread, whose handler copies the thread's state into a SampleRing.
// perf_event_open's clock (or a PMU's event) where it is allowed, a POSIX timer where it is refused.
#pragma once

#include <signal.h>

#include <cstdint>
#include <optional>
#include <string>

#include "harness/core/counter.h"
#include "harness/core/error.h"
#include "pmu/sample_ring.h"

namespace tare::pmu {

/// Copies Python's frame chain of the calling thread; async-signal-safe. Fills `frames` (as many as there is `room`
/// for) innermost first and returns how many; tells what became of it and whether the thread holds the GIL.
using CopyPythonFrames = std::size_t (*)(core::CodeArea& area, core::PythonFrame* frames, std::size_t room,
                                         core::PythonChain* chain, bool* holds_gil);

struct SamplerSettings {
    double rate_hz = 1000;  ///< periods are drawn anew around it (+-25 %), so that nothing periodic is hit or missed
    bool wall = false;      ///< also time that a thread waits: a timer of the wall clock
    bool kernel = true;     ///< samples that fall into the kernel are kept; where perf forbids that, their time is
                            ///< counted (SampleCounts::unseen_ns), for then no signal comes at all
    std::optional<core::CounterRequest> event = {};  ///< a PMU's instead of the clock; rate_hz is then its frequency
    CopyPythonFrames copy_python_frames = nullptr;
};

/// How a thread is being sampled.
struct SamplingState {
    core::SampleClock clock = core::SampleClock::kCpuClock;
    bool sees_kernel = true;
    std::string fallback_reason = {};  ///< why it is not what was asked for: "EPERM: ..."; empty
    bool operator==(const SamplingState&) const = default;
};

/// SIGURG and not SIGPROF: one that is on its way while the thread executes another program finds no handler there, and
/// its default must not be the end of the process: of 1,000 programs executed under 1 kHz, 76 died of SIGPROF, none of
/// SIGURG. Nor must it be one of the real-time signals, in whose place the kernel sends SIGIO where its queue is full.
inline constexpr int kSampleSignal = SIGURG;

/// One for the process: the signal's handler is the process's. A program that sets its own handler of kSampleSignal
/// ends sampling, which `taken` shows.
class Sampler {
  public:
    /// The ring must outlive all threads. Errors: kEnvironment where the handler cannot be set, or sampling has begun
    /// already.
    [[nodiscard]] static core::Status start(SampleRing& ring, const SamplerSettings& settings);
    /// Begins (enabled or not) to sample the calling thread, and unblocks the signal in it. Errors: kEnvironment where
    /// neither way is allowed, or sampling has not begun.
    [[nodiscard]] static core::Expected<SamplingState> add_thread(bool enabled = true);
    /// For the timed window of a batch: one ioctl, on the calling thread. Async-signal-safe.
    static void enable_thread() noexcept;
    static void disable_thread() noexcept;
    /// Ends sampling of the calling thread, and of all.
    static void remove_thread() noexcept;
    static void stop() noexcept;
    /// In a forked child: its descriptors and timers are the parent's; begins anew on the calling thread.
    static void after_fork_in_child() noexcept;
    /// In a forked child that is not to be sampled: gives the parent's descriptors back.
    static void end_in_child() noexcept;
};

}  // namespace tare::pmu
