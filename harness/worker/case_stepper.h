// CaseStepper: executes one pass of a case's statement, or of the empty loop, instruction by instruction, and collects
// what `bench` needs to read the addresses. Main thread, GIL held.
#pragma once

#include "harness/core/error.h"
#include "harness/core/value.h"
#include "python/session.h"

namespace tare::worker {

class CaseStepper {
  public:
    explicit CaseStepper(python::Session& session) : session_(session) {}

    /// {"case","seed","limit","loop":"statement"|"floor"} -> core::to_value(Trace), of a fresh placement. `limit`
    /// absent or 0: pmu::kDefaultStepLimit. A statement that cannot be stepped to its end is a trace with a refusal.
    /// Errors: what the set-up raises; a machine that does not step.
    [[nodiscard]] core::Expected<core::Value> step(const core::Value& request);

  private:
    python::Session& session_;
};

}  // namespace tare::worker
