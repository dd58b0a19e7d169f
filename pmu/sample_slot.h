// SampleSlot: one sample as a signal handler leaves it in shared memory; its Python frames and then its stack lie right
// behind it. Plain bytes: whoever reads it checks all of it, for the sampled program may have written over it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/core/stack_sample.h"
#include "pmu/sample_ring.h"

namespace tare::pmu {

enum SampleFlag : std::uint32_t { kInKernel = 1, kHoldsGil = 2, kWaits = 4, kStackCut = 8, kAllSampleFlags = 15 };

struct alignas(64) SampleSlot {
    std::int32_t process;
    std::int32_t thread;
    std::uint64_t time_ns;
    std::uint64_t weight_ns;
    std::uint64_t stack_address;
    std::uint32_t flags;  ///< SampleFlag
    std::uint32_t chain;  ///< core::PythonChain
    std::uint32_t stack_bytes;
    std::uint32_t python_frames;
    core::Registers registers;
};

}  // namespace tare::pmu
