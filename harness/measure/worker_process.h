// WorkerProcess: a worker as a child process of its own session, pinned, with captured output and time limits.
// Dies with us (PR_SET_PDEATHSIG), and takes its own children along when it is ended.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/channel.h"
#include "harness/measure/worker_link.h"

namespace tare::measure {

struct SpawnSettings {
    std::vector<std::string> argv;                                 ///< argv[0] is a path
    std::vector<std::pair<std::string, std::string>> environment;  ///< set on top of our own
    std::vector<int> cpus;                                         ///< pinned to these; empty: as bench itself
    bool fixed_addresses = false;  ///< without address randomisation, where the system allows it; the worker tells
    std::function<bool()> interrupted = [] { return false; };  ///< asked when a wait is cut short by a signal
};

class WorkerProcess final : public WorkerLink {
  public:
    [[nodiscard]] static core::Expected<std::unique_ptr<WorkerProcess>> spawn(const SpawnSettings& settings);
    ~WorkerProcess() override;

    [[nodiscard]] core::Expected<core::Value> request(const core::Value& message,
                                                      std::chrono::milliseconds limit) override;
    [[nodiscard]] CapturedOutput take_output() override;
    [[nodiscard]] pid_t pid() const { return pid_; }

  private:
    WorkerProcess() = default;
    void drain(int descriptor, std::string& text);
    [[nodiscard]] bool reap(bool wait);
    void end();
    [[nodiscard]] core::Error death(const core::Error& cause);

    pid_t pid_ = -1;
    int exit_status_ = 0;
    core::Channel channel_;
    core::Channel out_;  ///< only as an owner of the descriptor
    core::Channel err_;
    CapturedOutput output_;
    std::function<bool()> interrupted_;
};

}  // namespace tare::measure
