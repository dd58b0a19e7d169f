// Sampling: a worker that samples its own batches: the ring that `bench` shares, the clock of the measuring thread, and
// the hook that lets it run within a batch only. On the main thread, which is the one that is sampled.
#pragma once

#include <optional>
#include <string>

#include "harness/core/count_hook.h"
#include "harness/core/error.h"
#include "harness/core/value.h"
#include "pmu/sample_ring.h"

namespace tare::worker {

class Sampling {
  public:
    Sampling() = default;
    Sampling(const Sampling&) = delete;  // the handler writes into the ring
    Sampling& operator=(const Sampling&) = delete;
    ~Sampling();

    /// {"ring": where it can be opened, "rate_hz"} -> {"clock","sees_kernel","fallback_reason","python_problem"}.
    /// Begins, paused; anew where it had begun. "rate_hz" absent or 0: ends it. Errors: kEnvironment where neither perf
    /// nor a timer is allowed, or the ring cannot be opened.
    [[nodiscard]] core::Expected<core::Value> begin(const core::Value& request);
    void end();

    /// Around a batch, valid as long as this object. Errors: kUsage where sampling has not begun.
    [[nodiscard]] core::Expected<const core::CountHook*> hook() const;

  private:
    [[nodiscard]] core::Status open_ring(const std::string& path);

    std::optional<pmu::SampleRing> ring_;
    std::string path_;  ///< of ring_
    bool begun_ = false;
};

}  // namespace tare::worker
