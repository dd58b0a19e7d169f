// The SIGTRAP handler and what it writes to. Runs between two instructions of any code: allocates nothing, locks
// nothing, keeps errno. Its one global is the record in use; everything else lies in that record. x86-64 Linux.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "harness/core/trace.h"
#include "pmu/frame_look.h"

namespace tare::pmu {

inline constexpr std::int64_t kTrapFlag = 0x100;  ///< TF in RFLAGS (Intel SDM volume 1, 3.4.3)

/// Memory of one recording. The arrays hold `limit` entries each and have been written to, so that no page is missing.
struct TrapRecord {
    core::Step* steps = nullptr;
    core::Repeat* repeats = nullptr;
    core::SystemCall* system_calls = nullptr;
    core::PythonStep* python_steps = nullptr;
    FrameLook frames = {};
    std::size_t limit = 0;
    std::size_t trap_limit = 0;  ///< traps in all, repeats included
    pid_t process = 0;           ///< ours

    std::size_t step_count = 0;
    std::size_t repeat_count = 0;
    std::size_t system_call_count = 0;
    std::size_t python_step_count = 0;
    std::size_t trap_count = 0;
    std::uint64_t after_system_call = 0;  ///< address of the instruction behind the last `syscall`; 0: seen, or none
    bool recording = false;
    bool trap_blocked = false;  ///< the program believes that it has blocked SIGTRAP
    core::Refusal refusal = core::Refusal::kNone;
};

/// Makes `record` the one that traps are written to. False: another is.
[[nodiscard]] bool claim_traps(TrapRecord& record);
void release_traps();

/// For sigaction with SA_SIGINFO and all signals blocked meanwhile.
void handle_trap(int number, siginfo_t* info, void* context);

}  // namespace tare::pmu
