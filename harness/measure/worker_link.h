// WorkerLink: what the schedule needs of a worker. WorkerProcess is the real one; tests use fakes.
#pragma once

#include <chrono>
#include <string>

#include "harness/core/error.h"
#include "harness/core/value.h"

namespace tare::measure {

/// Exit status of a worker whose channel descriptor was closed by the code it ran.
inline constexpr int kChannelLostStatus = 71;

/// What a worker's process wrote since it was last asked; what exceeds 64 KiB of a stream is dropped.
struct CapturedOutput {
    std::string out;
    std::string err;
    bool operator==(const CapturedOutput&) const = default;
};

class WorkerLink {
  public:
    WorkerLink() = default;
    WorkerLink(const WorkerLink&) = delete;
    WorkerLink& operator=(const WorkerLink&) = delete;
    virtual ~WorkerLink() = default;

    /// One request, one answer. An {"error": ...} answer comes back as that error. After kWorkerDied, kTimeout or
    /// kInterrupted the process is gone and the link of no more use.
    [[nodiscard]] virtual core::Expected<core::Value> request(const core::Value& message,
                                                              std::chrono::milliseconds limit) = 0;

    [[nodiscard]] virtual CapturedOutput take_output() = 0;
};

}  // namespace tare::measure
