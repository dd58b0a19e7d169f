// Stepper: executes code one instruction at a time by the CPU's trap flag and records where it is. A SIGTRAP handler
// writes into memory that was allocated before; it allocates nothing. One at a time in a process, one thread.
// x86-64 Linux only: elsewhere open() says so (aarch64 has no trap flag; it would need ptrace from another process).
#pragma once

#include <cstddef>
#include <memory>

#include "harness/core/error.h"
#include "harness/core/trace.h"
#include "pmu/frame_look.h"

namespace tare::pmu {

inline constexpr std::size_t kDefaultStepLimit = 100'000;  ///< 1.5 s at 15 us an instruction

class Stepper {
  public:
    /// `limit`: instructions recorded at most (a `rep` counts as one; its iterations are limited to 50 times that).
    /// Installs the handler on a stack of its own. Errors: kEnvironment "stepping is not available on this
    /// architecture"; a Stepper is already open; the system's reason. `frames`: who is asked for Python's frames; none.
    [[nodiscard]] static core::Expected<Stepper> open(std::size_t limit, FrameLook frames = {});
    /// Puts SIGTRAP's old handler back.
    ~Stepper();
    Stepper(Stepper&&) noexcept;
    Stepper& operator=(Stepper&&) noexcept;

    /// Makes sure that traps still reach the handler, as after foreign code ran since open(), which may have taken or
    /// blocked SIGTRAP: then begin() would be the end of the process. Calls the system. Errors: its reason.
    [[nodiscard]] core::Status arm();
    /// Records from the next instruction of the caller on, until end(). Neither allocates, nor calls the system.
    /// Functions in the linker section `tare_step`, such as these two, are never recorded: a caller that only passes
    /// the call on may lie there too.
    void begin();
    /// Ends the recording. Harmless where a refusal has ended it before.
    void end();

    /// What was recorded since begin(): steps, repeats, system calls, Python's frames, refusal; without the
    /// instructions of begin() and end() themselves. Code, modules and names are left empty.
    [[nodiscard]] core::Trace take();

  private:
    struct State;
    explicit Stepper(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace tare::pmu
