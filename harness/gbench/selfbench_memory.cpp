// The memory table: an idle worker against the subject's own interpreter with NumPy imported, and `bench` at its peak.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

#include "harness/gbench/process_memory.h"
#include "harness/gbench/selfbench.h"
#include "harness/record/full_size_run.h"
#include "harness/record/scratch_folder.h"

namespace tare::gbench {

using core::ErrorCode;
using core::Expected;
using core::Map;
using core::Value;

namespace {

constexpr std::chrono::milliseconds kPoll{1};  // the peak of the last millisecond before the end may be missed
constexpr double kMegabyte = 1e6;

/// Of the process once it has answered the requests and waits for the next.
Expected<ProcessMemory> idle_after(Expected<std::unique_ptr<measure::WorkerProcess>> process,
                                   const std::vector<Value>& requests) {
    if (!process) return tl::unexpected<core::Error>(process.error());
    for (const Value& request : requests)
        if (const Expected<Value> answer = (*process)->request(request, kAnswerLimit); !answer)
            return tl::unexpected<core::Error>(answer.error());
    return memory_of((*process)->pid());
}

/// VmHWM of a child that runs until `work` returns, which must not return in the child if it calls execve.
Expected<std::int64_t> peak_of_child(const std::function<int()>& work) {
    std::fflush(nullptr);
    const pid_t pid = fork();
    if (pid < 0) return core::fail(ErrorCode::kEnvironment, fmt::format("cannot fork: {}", std::strerror(errno)));
    if (pid == 0) _exit(work());
    std::int64_t peak_bytes = 0;
    int status = 0;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        peak_bytes = std::max(peak_bytes, peak_resident_bytes(pid));
        std::this_thread::sleep_for(kPoll);
    }
    if (status != 0)
        return core::fail(ErrorCode::kEnvironment,
                          fmt::format("a child ended with status {:#x}", static_cast<unsigned>(status)));
    return peak_bytes;
}

Expected<std::int64_t> peak_of_bench(const MeasuredWorker& measured, std::vector<std::string> arguments) {
    const record::ScratchFolder folder;
    arguments.insert(arguments.begin(), measured.program_dir / "bench");
    arguments.insert(arguments.end(), {"--python", measured.subject.python, "--store", folder.path()});
    const std::string log = folder.path() / "log";
    const auto peak_bytes = peak_of_child([&] {
        std::vector<char*> argv;
        for (std::string& argument : arguments) argv.push_back(argument.data());
        argv.push_back(nullptr);
        if (std::freopen(log.c_str(), "w", stdout) == nullptr || dup2(STDOUT_FILENO, STDERR_FILENO) < 0) return 1;
        execv(argv[0], argv.data());
        return 127;
    });
    if (peak_bytes) return peak_bytes;
    std::ifstream said(log);
    return core::fail(ErrorCode::kEnvironment,
                      fmt::format("{}: {}", fmt::join(arguments, " "), peak_bytes.error().what),
                      std::string{std::istreambuf_iterator<char>(said), {}});
}

/// What `bench` does at the end of a run of 700 cases, 5 rungs and 5 processes, with the visits in memory.
Expected<std::int64_t> peak_of_full_run() {
    const record::ScratchFolder folder;
    return peak_of_child([&] {
        const record::Record run = record::full_size_run(1);
        return record::write_record(folder.path() / "record.json", run, record::summarize(run.visits)) ? 0 : 1;
    });
}

std::string row(const std::string& what, double resident_bytes, double private_bytes, const char* sign = "") {
    return fmt::format("{:<62}{:>10}{:>10}\n", what, fmt::format("{}{:.1f} MB", sign, resident_bytes / kMegabyte),
                       private_bytes < 0 ? std::string() : fmt::format("{}{:.1f} MB", sign, private_bytes / kMegabyte));
}

}  // namespace

Expected<std::string> memory_table(const MeasuredWorker& measured) {
    const Value hello = Map{{"op", "hello"}};
    const auto plain = idle_after(measured.spawn_plain_python("import numpy"), {Map{}});
    if (!plain) return tl::unexpected<core::Error>(plain.error());
    const auto worker = idle_after(measured.spawn(), {hello, measured.load_request()});
    if (!worker) return tl::unexpected<core::Error>(worker.error());
    const auto list = peak_of_bench(measured, {"list", "--all"});
    if (!list) return tl::unexpected<core::Error>(list.error());
    const auto one = peak_of_bench(measured, {"run", "-e", "x + x", "--setup", "x = 1.5"});
    if (!one) return tl::unexpected<core::Error>(one.error());
    const auto full = peak_of_full_run();
    if (!full) return tl::unexpected<core::Error>(full.error());
    const auto number = [](std::int64_t bytes) { return static_cast<double>(bytes); };
    std::string table = fmt::format("{:<62}{:>10}{:>10}\n", measured.subject.python, "resident", "private");
    table += row("CPython with NumPy imported", number(plain->resident_bytes), number(plain->private_bytes));
    table += row(fmt::format("worker ({}), suite loaded, idle", measure::name_of(measured.command.host)),
                 number(worker->resident_bytes), number(worker->private_bytes));
    table += row("  beyond CPython and NumPy", number(worker->resident_bytes - plain->resident_bytes),
                 number(worker->private_bytes - plain->private_bytes), "+");
    table += row("bench list --all, at its peak", number(*list), -1);
    table += row("bench run of one case, at its peak", number(*one), -1);
    table += row("a run of 700 cases, 5 rungs, 5 processes, writing its record", number(*full), -1);
    return table;
}

}  // namespace tare::gbench
