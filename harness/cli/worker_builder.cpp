// CMake, in a folder of the cache; what it made is renamed into its place, so that no run meets half a worker.
#include "harness/cli/worker_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <thread>
#include <utility>

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
constexpr std::pair kOldestCMake{3, 24};
constexpr std::size_t kMostLogBytes = std::size_t{64} << 20;

struct Tool {
    std::string program;  ///< empty: there is none
    std::pair<int, int> version;
};

/// "cmake version 3.25.1", "1.11.0".
std::pair<int, int> version_in(const std::string& text) {
    const std::size_t at = std::min(text.find_first_of("0123456789"), text.size());
    std::pair<int, int> version;
    if (std::sscanf(text.c_str() + at, "%d.%d", &version.first, &version.second) != 2) return {};
    return version;
}

/// In the search path, or where the subject's own pip puts it. Errors: kInterrupted.
Expected<Tool> find_tool(const std::string& name, const measure::Subject& subject) {
    const std::string own = fs::path(subject.python).parent_path() / name;
    for (const std::vector<std::string>& call : {std::vector<std::string>{"/usr/bin/env", name}, {own}}) {
        std::vector<std::string> command = call;
        command.emplace_back("--version");
        const auto ran = run_step(command, kAskLimit);
        if (!ran && ran.error().code == ErrorCode::kInterrupted) return tl::unexpected<core::Error>(ran.error());
        if (ran && ran->exit_status == 0) return Tool{call.back(), version_in(ran->out)};
    }
    return Tool{};
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
    Tool cmake;
    Tool ninja;
};

std::string text_of(const fs::path& log) {
    std::ifstream file(log, std::ios::binary);
    std::string text(kMostLogBytes, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

/// Its output goes into the log as it comes, in English.
Status run_logged(const Job& job, const std::vector<std::string>& arguments, std::chrono::nanoseconds limit) {
    std::vector<std::string> command{"/bin/sh",        "-c",           "log=$0; exec \"$@\" >>\"$log\" 2>&1",
                                     job.log.native(), "/usr/bin/env", "LC_ALL=C",
                                     job.cmake.program};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const auto ran = run_step(command, limit);
    if (!ran) return tl::unexpected<core::Error>(ran.error());
    if (ran->timed_out)
        return core::fail(ErrorCode::kTimeout,
                          fmt::format("the build of workers did not end (its output: {})", job.log.native()));
    if (ran->exit_status == 0) return {};
    return core::fail(ErrorCode::kEnvironment,
                      fmt::format("workers for '{}' cannot be built: {} (all of its output: {})", job.python,
                                  build_failure(text_of(job.log)), job.log.native()),
                      "a compiler of C++20 and the interpreter's headers are needed (Debian: g++, python3-dev)");
}

Status configure(const Job& job) {
    // Anew: compiler or generator of a try before that failed may be others.
    std::vector<std::string> arguments{"--fresh",
                                       "-S",
                                       job.sources.native(),
                                       "-B",
                                       job.folder.native(),
                                       "-DTARE_WORKERS_ONLY=ON",
                                       "-DTARE_TESTS=OFF",
                                       "-DCMAKE_BUILD_TYPE=Release",
                                       "-DCMAKE_UNITY_BUILD=ON",
                                       "-DTARE_PYTHONS=" + job.python};
    if (!job.ninja.program.empty()) arguments.insert(arguments.end(), {"-G", "Ninja"});
    if (job.ninja.program.find('/') != std::string::npos)  // which the search path has not
        arguments.push_back("-DCMAKE_MAKE_PROGRAM=" + job.ninja.program);
    // A source tree has what it needs from Python in an environment of its own.
    const fs::path tools = job.sources / ".tools" / "bin" / "python";
    std::error_code ignored;
    if (fs::exists(tools, ignored)) arguments.push_back("-DTARE_PYTHON_TOOLS=" + tools.native());
    return run_logged(job, arguments, kConfigureLimit);
}

Status compile(const Job& job) {
    const unsigned cpus = std::max(1U, std::thread::hardware_concurrency());
    return run_logged(
        job, {"--build", job.folder.native(), "--target", "tare_workers", "--parallel", fmt::format("{}", cpus)},
        kCompileLimit);
}

/// What a build takes; errors say what is missing.
Expected<Job> prepare(const Installation& installation, const measure::Subject& subject) {
    if (installation.source_dir.empty())
        return core::fail(ErrorCode::kEnvironment, "this installation has no sources of its workers",
                          "install tare anew, or build it with -DTARE_PYTHONS=" + subject.python);
    if (installation.built_dir.empty())
        return core::fail(ErrorCode::kEnvironment, "there is no folder to build workers in",
                          "set HOME or XDG_CACHE_HOME (and this program must have been linked with a build-id)");
    Job job{.sources = installation.source_dir,
            .folder = installation.built_dir / ("build-" + subject.abi),
            .log = installation.built_dir / ("build-" + subject.abi + ".log"),
            .python = subject.is_script ? subject.executable : subject.python,
            .cmake = {},
            .ninja = {}};
    if (job.python.find(';') != std::string::npos)
        return core::fail(ErrorCode::kUsage,
                          fmt::format("CMake takes the ';' in '{}' for the end of a name", job.python),
                          "name the interpreter by another path, such as a link");
    for (const auto& [tool, name] : {std::pair{&job.cmake, "cmake"}, {&job.ninja, "ninja"}}) {
        Expected<Tool> found = find_tool(name, subject);
        if (!found) return tl::unexpected<core::Error>(found.error());
        *tool = *std::move(found);
    }
    if (job.cmake.program.empty() || job.cmake.version < kOldestCMake)
        return core::fail(
            ErrorCode::kEnvironment,
            job.cmake.program.empty()
                ? "there is no cmake in the search path, which builds workers"
                : fmt::format("cmake is {}.{}, which is too old", job.cmake.version.first, job.cmake.version.second),
            fmt::format("3.24 or newer is needed: {} -m pip install cmake ninja (Debian 12: cmake, ninja-build)",
                        subject.python));
    return job;
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
        const bool is_error = line.find("error: ") != std::string_view::npos ||
                              line.find("undefined reference") != std::string_view::npos;
        if (below_error || is_error) return std::string(line);
        below_error = line.starts_with("CMake Error");
        if (below_error && !line.ends_with(':')) return std::string(line);
        last = line;
    }
    return last;
}

Expected<std::vector<fs::path>> build_workers(const Installation& installation, const measure::Subject& subject,
                                              const Streams& streams, const std::function<bool()>& is_there) {
    const Expected<Job> job = prepare(installation, subject);
    if (!job) return tl::unexpected<core::Error>(job.error());
    std::error_code failure;
    fs::create_directories(installation.built_dir, failure);
    if (failure)
        return core::fail(ErrorCode::kEnvironment,
                          fmt::format("cannot make '{}': {}", installation.built_dir.native(), failure.message()));
    const Expected<Turn> turn = take_turn(job->folder, streams);
    if (!turn) return tl::unexpected<core::Error>(turn.error());
    if (is_there && is_there()) return {};  // by whom we waited for
    streams.err << fmt::format("building workers for CPython {} ({}): a minute or two, its output goes to {}",
                               subject.version, subject.abi, job->log.native())
                << std::endl;
    std::ofstream(job->log, std::ios::trunc);
    if (Status s = configure(*job); !s) return tl::unexpected<core::Error>(s.error());
    if (Status s = compile(*job); !s) return tl::unexpected<core::Error>(s.error());
    Expected<std::vector<fs::path>> files = moved(job->folder / "bin", installation.built_dir);
    if (files) fs::remove_all(job->folder, failure);
    return files;
}

}  // namespace tare::cli
