// CMake, in a folder of the cache; what it made is renamed into its place, so that no run meets half a worker.
#include "harness/cli/worker_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "harness/cli/maker_steps.h"

namespace tare::cli {

using core::ErrorCode;
using core::Expected;
using core::Status;
namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds kAskLimit{20};
constexpr std::chrono::minutes kConfigureLimit{5};
constexpr std::chrono::hours kCompileLimit{1};  // a minute or two; ten on one CPU that others use, too
constexpr const char* kSearchPath = "/usr/bin/env";

bool can_run(const std::string& program) {
    const auto ran = run_step({kSearchPath, program, "--version"}, kAskLimit);
    return ran && ran->exit_status == 0;
}

std::string_view unindented(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    return begin == std::string_view::npos ? "" : line.substr(begin);
}

struct Job {
    fs::path sources;
    fs::path folder;  ///< CMake's
    fs::path log;
    std::string python;
};

Status run_logged(const Job& job, const std::vector<std::string>& command, std::chrono::nanoseconds limit) {
    const auto ran = run_step(command, limit);
    if (!ran) return tl::unexpected<core::Error>(ran.error());
    std::ofstream(job.log, std::ios::app) << ran->out << ran->err;
    if (ran->timed_out)
        return core::fail(ErrorCode::kTimeout,
                          fmt::format("the build of workers did not end (its output: {})", job.log.native()));
    if (ran->exit_status == 0) return {};
    return core::fail(ErrorCode::kEnvironment,
                      fmt::format("workers for '{}' cannot be built: {} (all of its output: {})", job.python,
                                  build_failure(ran->out + '\n' + ran->err), job.log.native()),
                      "a compiler of C++20 and the interpreter's headers are needed (Debian: g++, python3-dev)");
}

Status configure(const Job& job) {
    std::vector<std::string> command{kSearchPath,
                                     "cmake",
                                     "-S",
                                     job.sources.native(),
                                     "-B",
                                     job.folder.native(),
                                     "-DTARE_WORKERS_ONLY=ON",
                                     "-DTARE_TESTS=OFF",
                                     "-DCMAKE_BUILD_TYPE=Release",
                                     "-DCMAKE_UNITY_BUILD=ON",
                                     "-DTARE_PYTHONS=" + job.python};
    if (can_run("ninja")) command.insert(command.end(), {"-G", "Ninja"});
    // A source tree has what it needs from Python in an environment of its own.
    const fs::path tools = job.sources / ".tools" / "bin" / "python";
    std::error_code ignored;
    if (fs::exists(tools, ignored)) command.push_back("-DTARE_PYTHON_TOOLS=" + tools.native());
    return run_logged(job, command, kConfigureLimit);
}

Status compile(const Job& job) {
    const unsigned cpus = std::max(1U, std::thread::hardware_concurrency());
    return run_logged(job,
                      {kSearchPath, "cmake", "--build", job.folder.native(), "--target", "tare_workers", "--parallel",
                       fmt::format("{}", cpus)},
                      kCompileLimit);
}

Expected<std::vector<fs::path>> moved(const fs::path& from, const fs::path& to) {
    std::vector<fs::path> files;
    std::error_code failure;
    for (fs::directory_iterator entry(from, failure), end; !failure && entry != end; entry.increment(failure))
        files.push_back(to / entry->path().filename());
    std::ranges::sort(files);
    for (const fs::path& file : files)
        if (!failure) fs::rename(from / file.filename(), file, failure);
    if (!failure && !files.empty()) return files;
    return core::fail(ErrorCode::kEnvironment,
                      fmt::format("the workers cannot be moved from '{}' to '{}': {}", from.native(), to.native(),
                                  failure ? failure.message() : "there are none"));
}

}  // namespace

std::string build_failure(std::string_view output) {
    std::string last;
    bool below_error = false;
    while (!output.empty()) {
        const std::size_t end = std::min(output.find('\n'), output.size());
        const std::string_view line = unindented(output.substr(0, end));
        output.remove_prefix(std::min(end + 1, output.size()));
        if (line.empty()) continue;
        if (below_error || line.find("error: ") != std::string_view::npos) return std::string(line);
        below_error = line.starts_with("CMake Error");
        if (below_error && !line.ends_with(':')) return std::string(line);
        last = line;
    }
    return last;
}

Expected<std::vector<fs::path>> build_workers(const Installation& installation, const measure::Subject& subject,
                                              const Streams& streams) {
    if (installation.source_dir.empty())
        return core::fail(ErrorCode::kEnvironment, "this installation has no sources of its workers",
                          "install tare anew, or build it with -DTARE_PYTHONS=" + subject.python);
    if (installation.built_dir.empty())
        return core::fail(ErrorCode::kEnvironment, "there is no folder to build workers in",
                          "set HOME or XDG_CACHE_HOME");
    if (!can_run("cmake"))
        return core::fail(
            ErrorCode::kEnvironment, "there is no cmake in the search path, which builds workers",
            fmt::format("install it: {} -m pip install cmake ninja (Debian: cmake, ninja-build)", subject.python));
    std::error_code failure;
    fs::create_directories(installation.built_dir, failure);
    if (failure)
        return core::fail(ErrorCode::kEnvironment,
                          fmt::format("cannot make '{}': {}", installation.built_dir.native(), failure.message()));
    const fs::path folder = installation.built_dir / ("build-" + subject.abi);
    const Job job{installation.source_dir, folder, folder.native() + ".log",
                  subject.is_script ? subject.executable : subject.python};
    const Expected<Turn> turn = take_turn(folder, streams);
    if (!turn) return tl::unexpected<core::Error>(turn.error());
    streams.err << fmt::format("building workers for CPython {} ({}): a minute or two, its output goes to {}",
                               subject.version, subject.abi, job.log.native())
                << std::endl;
    std::ofstream(job.log, std::ios::trunc);
    if (Status s = configure(job); !s) return tl::unexpected<core::Error>(s.error());
    if (Status s = compile(job); !s) return tl::unexpected<core::Error>(s.error());
    Expected<std::vector<fs::path>> files = moved(folder / "bin", installation.built_dir);
    if (files) fs::remove_all(folder, failure);
    return files;
}

}  // namespace tare::cli
