// Environments on demand: one release of a package, or one commit as the user builds it, for the interpreter of a
// subject. Kept in the cache folder and used again; two makers of one environment take turns.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/cli/streams.h"
#include "harness/core/error.h"
#include "harness/measure/subject.h"

namespace tare::cli {

/// `command` with {commit} and {prefix} replaced, each as one word of a shell.
[[nodiscard]] std::string build_command(const std::string& command, const std::string& commit,
                                        const std::string& prefix);

struct WantedPackages {
    std::string package;
    std::vector<std::string> beside;  ///< requirements as pip reads them: "numpy<2"
};

class EnvironmentMaker {
  public:
    /// `build`: a shell command that leaves a Python environment of {commit} in {prefix}, run in `repository` (empty:
    /// the current folder); empty: releases from the package index. Errors: as probe_subject; kEnvironment without a
    /// cache folder.
    /// `wanted`: the package whose releases they are (empty: NumPy), and what else pip is to install beside one.
    [[nodiscard]] static core::Expected<EnvironmentMaker> open(const std::string& python, const WantedPackages& wanted,
                                                               std::string build, const std::string& repository,
                                                               const Streams& streams);

    [[nodiscard]] bool builds_commits() const { return !build_.empty(); }
    [[nodiscard]] const measure::Subject& subject() const { return subject_; }

    /// The interpreter of the environment of a release, or with --build of a commit. Errors: kEnvironment with pip's
    /// reason, or the command's exit status, last line and log; kInterrupted.
    [[nodiscard]] core::Expected<std::string> python_of(const std::string& candidate) const;

    /// Final releases of the package that pip lists for this interpreter, oldest first. That is no promise: pip
    /// before 23.1 lists also releases without a wheel, which python_of then refuses, and none lists yanked ones, which
    /// python_of installs. Where the index cannot be reached, those that were made before, with a warning. Errors:
    /// kEnvironment.
    [[nodiscard]] core::Expected<std::vector<std::string>> releases() const;

  private:
    EnvironmentMaker(const Streams& streams) : streams_(&streams) {}
    [[nodiscard]] std::filesystem::path home_of(const std::string& candidate) const;
    [[nodiscard]] core::Status install(const std::string& release, const std::filesystem::path& home) const;
    [[nodiscard]] core::Status build(const std::string& commit, const std::filesystem::path& home) const;
    /// An interpreter whose `-m pip` works: the subject's, that behind its virtual environment, or one made for it.
    [[nodiscard]] core::Expected<std::string> pip() const;
    [[nodiscard]] std::vector<std::string> releases_made() const;

    const Streams* streams_;
    measure::Subject subject_;
    std::string package_;
    std::vector<std::string> beside_;
    std::string build_;
    std::filesystem::path repository_;  ///< absolute; where build_ runs
    std::filesystem::path folder_;
    std::string suffix_;  ///< tells interpreters, and build commands, apart
};

}  // namespace tare::cli
