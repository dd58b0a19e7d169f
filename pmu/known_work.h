// Work of known size, for counters to be tested on: a loop of two instructions, branches that cannot be predicted,
// lines that no cache holds, pages that no TLB holds, pages that are not there, a sleep. x86-64 and aarch64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "harness/core/error.h"

namespace tare::pmu {

enum class WorkKind { kLoop, kRandomBranches, kFlushedLines, kScatteredPages, kFreshPages, kSleep };

inline constexpr std::uint64_t kLoopIterations = 1'000'000;  ///< of two instructions, one of them a branch
inline constexpr std::uint64_t kRandomBranches = 10'000;     ///< half of them mispredicted
inline constexpr std::size_t kFlushedLines = 4096;
inline constexpr std::size_t kScatteredPages = 16'384;  ///< several times what the TLBs of today's cores hold
inline constexpr std::size_t kFreshPages = 100;

class KnownWork {
  public:
    /// Maps and fills the memory that the work needs. Errors: kEnvironment, the system's reason.
    [[nodiscard]] static core::Expected<KnownWork> prepare(WorkKind kind);
    KnownWork(KnownWork&& other) noexcept;
    KnownWork& operator=(KnownWork&&) = delete;
    ~KnownWork();

    /// Before each run: out of the caches with the lines, out of memory with the fresh pages.
    void reset() noexcept;
    void run() noexcept;

  private:
    KnownWork(WorkKind kind, std::span<std::byte> memory) : kind_(kind), memory_(memory) {}

    WorkKind kind_;
    std::span<std::byte> memory_;                 ///< a mapping of our own; may be empty
    std::uint64_t random_ = 0x9e3779b97f4a7c15U;  ///< goes on from run to run, so that no predictor learns it
};

}  // namespace tare::pmu
