// ProfiledProgram: a Python program run as `python` runs it, with the sampling library preloaded. Its streams and
// exit status are its own, and it gets SIGTERM where `bench` dies.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "harness/core/error.h"

namespace tare::cli {

struct ProgramSettings {
    std::string python;
    std::vector<std::string> arguments;  ///< behind `python`
    std::string library;                 ///< to be preloaded
    int ring_descriptor = -1;
    double rate_hz = 1000;
    bool wall = false;
    bool threads = false;
    bool children = false;
};

/// How it ended, and what it used.
struct ProgramEnd {
    int status = 0;     ///< as a shell tells it: 128 + signal where one ended it
    int signal = 0;     ///< 0: none
    double cpu_ns = 0;  ///< of the process and the children that it waited for
};

class ProfiledProgram {
  public:
    /// Errors: kEnvironment where it cannot be started.
    [[nodiscard]] static core::Expected<ProfiledProgram> start(const ProgramSettings& settings);

    [[nodiscard]] pid_t process() const { return process_; }
    /// Before ended() has told its end.
    void send(int signal);
    /// None: it runs still.
    [[nodiscard]] std::optional<ProgramEnd> ended();

  private:
    explicit ProfiledProgram(pid_t process) : process_(process) {}
    pid_t process_ = 0;
};

}  // namespace tare::cli
