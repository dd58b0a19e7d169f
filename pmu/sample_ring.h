// SampleRing: samples on their way from the signal handlers of a process, its threads and forked children, to `bench`.
// A memory file of fixed slots: bounded, touched beforehand, nothing is allocated and nobody waits. A sample that finds
// no free slot is dropped and counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/core/code_area.h"
#include "harness/core/error.h"
#include "harness/core/stack_sample.h"

namespace tare::pmu {

inline constexpr std::size_t kMostStackBytes = 64 * 1024;
inline constexpr std::size_t kMostPythonFrames = 256;
inline constexpr std::size_t kDefaultRingBytes = 64 * 1024 * 1024;

/// What the handlers counted.
struct SampleCounts {
    std::uint64_t taken = 0;       ///< handlers that ran
    std::uint64_t dropped = 0;     ///< of those, found no free slot
    std::uint64_t late = 0;        ///< came later than half a period after they were due
    std::uint64_t handler_ns = 0;  ///< time spent in handlers
    bool operator==(const SampleCounts&) const = default;
};

/// One slot as the handler fills it; in shared memory, so that its layout is its own contract. `taken` belongs to
/// SampleRing.
struct SampleSlot;

class SampleRing {
  public:
    /// Makes the memory file (memfd_create) and touches its pages. Errors: kEnvironment.
    [[nodiscard]] static core::Expected<SampleRing> create(std::size_t bytes = kDefaultRingBytes);
    /// Maps one that another process made. Errors: kData where it is none.
    [[nodiscard]] static core::Expected<SampleRing> open(int descriptor);
    SampleRing(SampleRing&&) noexcept;
    SampleRing& operator=(SampleRing&&) noexcept;
    ~SampleRing();

    [[nodiscard]] int descriptor() const;  ///< to be inherited by the sampled process
    [[nodiscard]] core::CodeArea& code();
    [[nodiscard]] std::size_t slots() const;

    // Of the sampled process, in a signal handler:
    /// Null: none is free; counted as dropped.
    [[nodiscard]] SampleSlot* claim() noexcept;
    void commit(SampleSlot* slot) noexcept;
    void count_handler(std::uint64_t spent_ns, bool was_late) noexcept;
    /// /proc/self/maps at its end (what was loaded last and never polled); cut at the room there is.
    void leave_maps() noexcept;

    // Of `bench`:
    /// Takes every sample that is ready, oldest first. Slots claimed by a process that is gone are given back.
    [[nodiscard]] std::vector<core::StackSample> drain();
    [[nodiscard]] SampleCounts counts() const;
    [[nodiscard]] std::string left_maps() const;

  private:
    struct State;
    explicit SampleRing(State* state);
    State* state_ = nullptr;
};

}  // namespace tare::pmu
