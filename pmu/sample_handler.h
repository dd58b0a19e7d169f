// The handler of kSampleSignal and what it knows of its thread. Runs between two instructions of any code: allocates
// nothing, locks nothing, keeps errno, calls nothing that does otherwise. Its globals: the ring in use and the function
// that copies Python's frames; and one SampledThread a thread. x86-64 Linux.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstdint>

#include "pmu/sampler.h"
#include "pmu/thread_clock.h"

namespace tare::pmu {

struct SampledThread {
    ThreadClock clock;
    pid_t process = 0;
    pid_t thread = 0;
    std::uint64_t stack_low = 0;   ///< of the thread's own stack; both 0 where that is not known
    std::uint64_t stack_high = 0;  ///< first address beyond it
};

/// Of the calling thread.
[[nodiscard]] SampledThread& sampled_thread() noexcept;

/// Lets samples go to `ring`. False: they go to one already.
[[nodiscard]] bool claim_samples(SampleRing& ring, CopyPythonFrames copy_python_frames);
/// From here on every thread that is signalled disables its clock.
void release_samples() noexcept;
/// Null: none is in use.
[[nodiscard]] SampleRing* ring_in_use() noexcept;

/// For sigaction with SA_SIGINFO and all signals blocked meanwhile.
void handle_sample(int number, siginfo_t* info, void* context);

}  // namespace tare::pmu
