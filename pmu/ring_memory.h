// RingMemory: the memory file of a SampleRing: what lies where, and its mapping. Whatever another process can write to
// is read once and checked, or checked whenever it is used.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "harness/core/error.h"
#include "pmu/sample_slot.h"

namespace tare::pmu {

using SharedCount = std::atomic<std::uint64_t>;
static_assert(SharedCount::is_always_lock_free && sizeof(SharedCount) == sizeof(std::uint64_t));

/// SamplingReport in shared memory.
struct SharedReport {
    std::atomic<std::uint32_t> state;  ///< 0 none, 1 being written, 2 there
    std::uint32_t clock;
    std::uint32_t sees_kernel;
    std::array<char, 256> fallback_reason;  ///< these end in a zero
    std::array<char, 256> python_problem;
    std::array<char, 256> failure;
};

/// The first page of the file.
struct RingHeader {
    std::uint64_t magic;
    std::uint64_t small_slots;
    std::uint64_t large_slots;
    std::uint64_t python_frames;
    std::atomic<std::int32_t> first_process;
    SharedCount taken;
    SharedCount dropped;
    SharedCount late;
    SharedCount handler_ns;
    SharedCount delivery_ns;
    SharedCount unseen_ns;
    SharedReport report;
    SharedCount duration_ns;      ///< 0: until the program ends
    SharedCount first_sample_ns;  ///< CLOCK_MONOTONIC; 0: there was none
    SharedCount cpu_at_end_ns;    ///< 0: sampling has not ended, or not in the first process
};

/// How many slots there are: the first have room for kSmallStackBytes of stack, the rest for kMostStackBytes, and all
/// for so many of Python's frames.
struct RingShape {
    std::size_t small = 0;
    std::size_t large = 0;
    std::size_t python_frames = core::kDefaultPythonFrames;
    [[nodiscard]] constexpr std::size_t all() const { return small + large; }
    /// Small ones get two thirds of the memory that is left for slots.
    [[nodiscard]] static RingShape within(std::size_t ring_bytes, std::size_t python_frames);
};

class RingMemory {
  public:
    [[nodiscard]] static core::Expected<RingMemory> create(std::size_t bytes, std::size_t python_frames);
    [[nodiscard]] static core::Expected<RingMemory> open(int descriptor);
    RingMemory(RingMemory&& other) noexcept;
    RingMemory& operator=(RingMemory&&) = delete;
    ~RingMemory();

    [[nodiscard]] int descriptor() const { return descriptor_; }
    [[nodiscard]] const RingShape& shape() const { return shape_; }
    [[nodiscard]] RingHeader& header() const { return *reinterpret_cast<RingHeader*>(base_); }
    /// One state a slot, side by side, so that a search for a free one touches little memory.
    [[nodiscard]] std::span<SharedCount> states() const;
    [[nodiscard]] std::span<std::byte> code() const;
    /// Two halves: of the process that attached first, and of all others.
    [[nodiscard]] std::span<std::byte> maps(bool of_first) const;
    [[nodiscard]] SampleSlot& slot(std::size_t index) const;
    [[nodiscard]] std::span<core::PythonFrame> python(std::size_t index) const;
    [[nodiscard]] std::span<std::byte> stack(std::size_t index) const;

  private:
    RingMemory(std::byte* base, std::size_t bytes, int descriptor, bool owns, RingShape shape);
    [[nodiscard]] static core::Expected<std::byte*> map(int descriptor, std::size_t bytes);
    void touch() const;

    std::byte* base_;
    std::size_t bytes_;
    int descriptor_;
    bool owns_descriptor_;
    RingShape shape_;
};

}  // namespace tare::pmu
