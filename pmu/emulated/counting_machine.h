// What the tests of ci/pmu-vm share: the fixtures that say which machine a test needs, requests, and counting one call.
// On a machine that is not emulated, the tests run where it has what they need and skip with their reason elsewhere.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/counter.h"
#include "pmu/counter_set.h"

namespace tare::pmu::emulated {

using Work = void (*)(std::uint64_t);

/// Started by ci/pmu-vm, where an instruction takes a nanosecond and a cycle, and interrupts cost the user nothing:
/// counts are exact, and the events that the core lacks are known.
[[nodiscard]] bool is_emulated();

/// Needs a PMU, no matter which.
class CountedMachine : public testing::Test {
  protected:
    void SetUp() override;
};

/// Needs a machine without.
class NoPmu : public testing::Test {
  protected:
    void SetUp() override;
};

/// Needs exact counts, or the emulated core's known gaps.
class EmulatedMachine : public CountedMachine {
  protected:
    void SetUp() override;
};

/// Generic events of the kernel: what every core PMU can count.
[[nodiscard]] core::CounterRequest cycles();
[[nodiscard]] core::CounterRequest instructions();
/// The kernel knows no event for it on QEMU's cores.
[[nodiscard]] core::CounterRequest generic_cache_misses();
/// The kernel's, in ns.
[[nodiscard]] core::CounterRequest task_clock();
/// The PMU's own event by its code, as libpfm would give it (PERF_TYPE_RAW).
[[nodiscard]] core::CounterRequest raw(std::string name, std::uint64_t code,
                                       core::CounterRole role = core::CounterRole::kOther);
inline constexpr std::uint64_t kInstRetired = 0x08;     ///< architectural events of PMUv3
inline constexpr std::uint64_t kL1dCacheRefill = 0x03;  ///< QEMU has no caches: it opens and stays 0

/// What each counter of one pass reads over work(n), as CounterSet gives it; empty where the group was not readable.
[[nodiscard]] std::vector<std::int64_t> counted(CounterSet& set, std::size_t pass, Work work, std::uint64_t n);

/// Counters of the pass, by name.
[[nodiscard]] std::vector<std::string> names_of(const CounterSet& set, std::size_t pass);

/// "name: state errno reason" per counter, for messages.
[[nodiscard]] std::string described(const CounterSet& set);

}  // namespace tare::pmu::emulated
