// SampleRing: samples on their way from the signal handlers of a process, its threads and forked children, to `bench`.
// A memory file of slots of two sizes: bounded, touched beforehand, nothing is allocated and nobody waits. A sample
// that finds no free slot is dropped and counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/core/code_area.h"
#include "harness/core/error.h"
#include "harness/core/stack_sample.h"

namespace tare::pmu {

/// OpenBLAS lays the job table of its threaded products on the stack: with 64 KB one stack in five ended there.
inline constexpr std::size_t kMostStackBytes = std::size_t{128} << 10;
/// A worker's takes 60, 64 or 68 KB while NumPy multiplies matrices: OpenBLAS's kernel aligns its buffers to pages.
inline constexpr std::size_t kSmallStackBytes = std::size_t{80} << 10;
/// Of a sample: 240 KB, beside which a stack is small.
inline constexpr std::size_t kMostPythonFrames = 10'000;
inline constexpr std::size_t kDefaultRingBytes = std::size_t{96} << 20;

/// What the handlers counted, and of the last two what drain() found.
struct SampleCounts {
    std::uint64_t taken = 0;        ///< handlers that ran
    std::uint64_t dropped = 0;      ///< of those, found no free slot
    std::uint64_t late = 0;         ///< came later than half a period after they were due
    std::uint64_t handler_ns = 0;   ///< CPU time spent in handlers
    std::uint64_t delivery_ns = 0;  ///< from the clock's interrupt to the handler, where a program's own code ran and
                                    ///< perf tells: with handler_ns most of what sampling costs
    std::uint64_t unseen_ns = 0;    ///< periods that ended in the kernel where perf may not look: time without a sample
    std::uint64_t damaged = 0;      ///< slots that the program has written over
    std::uint64_t abandoned = 0;    ///< slots whose writer was killed in the middle of it
    bool operator==(const SampleCounts&) const = default;
};

/// What the sampled process says of itself, once.
struct SamplingReport {
    core::SampleClock clock = core::SampleClock::kCpuClock;
    bool sees_kernel = true;  ///< false: periods that end in the kernel are counted as `unseen_ns`, not sampled
    std::string fallback_reason = {};  ///< why it is not perf's clock; empty
    std::string python_problem = {};   ///< why there are no Python frames; empty
    std::string failure = {};          ///< why there are no samples at all; empty
    bool operator==(const SamplingReport&) const = default;
};

/// One slot as the handler fills it; in shared memory, so that its layout is its own contract. `taken` belongs to
/// SampleRing.
struct SampleSlot;

class SampleRing {
  public:
    /// Makes the memory file (memfd_create; closed on exec: whoever starts a process clears that in the child) and
    /// gives it all of its pages. Nobody can change its size. `python_frames`: of each sample, up to kMostPythonFrames.
    /// Errors: kUsage where not one slot fits; kEnvironment.
    [[nodiscard]] static core::Expected<SampleRing> create(std::size_t bytes = kDefaultRingBytes,
                                                           std::size_t python_frames = core::kDefaultPythonFrames);
    /// Maps one that another process made; the descriptor stays the caller's, who may close it. Errors: kData where it
    /// is none.
    [[nodiscard]] static core::Expected<SampleRing> open(int descriptor);
    SampleRing(SampleRing&&) noexcept;
    SampleRing& operator=(SampleRing&&) noexcept;
    ~SampleRing();

    [[nodiscard]] int descriptor() const;  ///< to be inherited by the sampled process
    [[nodiscard]] core::CodeArea& code();
    [[nodiscard]] std::size_t slots() const;
    /// For stacks up to kMostStackBytes, of a ring of so many bytes, with the default number of Python frames.
    [[nodiscard]] static std::size_t large_slots_within(std::size_t bytes);

    // Of the sampled process, in a signal handler:
    /// A slot to be filled; its ticket is the claimer's alone, for the slot may be taken from one that is too slow.
    struct Claim {
        SampleSlot* slot = nullptr;                ///< null: none is free; counted as dropped
        std::span<core::PythonFrame> python = {};  ///< where the frames go
        std::span<std::byte> stack = {};           ///< where the stack goes: kSmallStackBytes or kMostStackBytes
        std::size_t index = 0;
        std::uint64_t ticket = 0;
    };
    /// For a stack of so many bytes. While no large slot is free it is a small one: half a stack is better than none.
    [[nodiscard]] Claim claim(std::size_t stack_bytes) noexcept;
    void commit(const Claim& claim) noexcept;
    void count_handler(std::uint64_t spent_ns, bool was_late) noexcept;
    void count_delivery(std::uint64_t ns) noexcept;
    void count_unseen(std::uint64_t ns) noexcept;
    /// At a signal, at a reading of CLOCK_MONOTONIC: the first begins the duration; true: it is over, and nothing is to
    /// be sampled any more.
    [[nodiscard]] bool is_over(std::int64_t now_ns) noexcept;
    /// /proc/self/maps at its end (what was loaded last and never polled); cut at the room there is.
    void leave_maps() noexcept;
    // Of the same, outside handlers:
    /// The process that `bench` started is the first to say this; it has half the room for maps to itself.
    void attach() noexcept;
    /// Of the process that attached first; later ones change nothing. Texts are cut at 255 bytes.
    void leave_report(const SamplingReport& report) noexcept;

    // Of `bench`:
    /// How long is sampled, from the first sample on; before anything is sampled. Without: until the program ends.
    void set_duration(std::int64_t ns);
    /// CPU time of the process that attached first, at the first signal behind the duration. None: there was no such
    /// signal.
    [[nodiscard]] std::optional<std::int64_t> cpu_ns_at_end() const;
    /// Takes every sample that is ready, oldest first. Slots claimed by a process that is gone are given back.
    [[nodiscard]] std::vector<core::StackSample> drain();
    [[nodiscard]] SampleCounts counts() const;
    /// Of one process, 0: of the one that attached first. Empty: it has left none.
    [[nodiscard]] std::string left_maps(std::int32_t process = 0) const;
    /// None: no process has got so far.
    [[nodiscard]] std::optional<SamplingReport> left_report() const;
    /// The process that attached first; 0: none yet.
    [[nodiscard]] std::int32_t first_process() const;

  private:
    struct State;
    explicit SampleRing(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace tare::pmu
