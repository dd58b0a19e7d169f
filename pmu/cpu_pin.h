// CpuPin: the calling thread on one CPU for as long as the pin lives; then where it was before. Not for other threads.
#pragma once

#include <vector>

#include "harness/core/error.h"

namespace tare::pmu {

class CpuPin {
  public:
    /// Errors: kEnvironment with the system's reason.
    [[nodiscard]] static core::Expected<CpuPin> pin(int cpu);

    CpuPin(CpuPin&& other) noexcept;
    CpuPin& operator=(CpuPin&&) = delete;
    ~CpuPin();

  private:
    explicit CpuPin(std::vector<int> before) : before_(std::move(before)) {}
    std::vector<int> before_;  ///< empty: moved from
};

}  // namespace tare::pmu
