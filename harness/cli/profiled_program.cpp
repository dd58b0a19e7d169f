// fork and exec; nothing of ours is between `bench` and the interpreter.
#include "harness/cli/profiled_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace tare::cli {

namespace {

constexpr int kCannotStart = 127;

std::vector<std::string> environment_of(const ProgramSettings& settings) {
    std::vector<std::string> variables;
    std::string preload = settings.library;
    for (char** each = environ; *each != nullptr; ++each) {
        const std::string_view variable = *each;
        if (variable.starts_with("LD_PRELOAD="))
            preload += ':' + std::string(variable.substr(variable.find('=') + 1));
        else if (!variable.starts_with("TARE_PROFILE_"))
            variables.emplace_back(variable);
    }
    variables.push_back("LD_PRELOAD=" + preload);
    variables.push_back(fmt::format("TARE_PROFILE_FD={}", settings.ring_descriptor));
    variables.push_back(fmt::format("TARE_PROFILE_PATH=/proc/{}/fd/{}", getpid(), settings.ring_descriptor));
    variables.push_back(fmt::format("TARE_PROFILE_RATE={}", settings.rate_hz));
    if (settings.wall) variables.emplace_back("TARE_PROFILE_WALL=1");
    if (settings.threads) variables.emplace_back("TARE_PROFILE_THREADS=1");
    if (settings.children) variables.emplace_back("TARE_PROFILE_CHILDREN=1");
    return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

double nanoseconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_usec) * 1e3;
}

}  // namespace

core::Expected<ProfiledProgram> ProfiledProgram::start(const ProgramSettings& settings) {
    std::vector<std::string> arguments{settings.python};
    arguments.insert(arguments.end(), settings.arguments.begin(), settings.arguments.end());
    std::vector<std::string> variables = environment_of(settings);
    const std::vector<char*> argv = pointers_to(arguments);
    const std::vector<char*> envp = pointers_to(variables);
    const pid_t parent = getpid();
    const pid_t process = fork();
    if (process < 0)
        return core::fail(core::ErrorCode::kEnvironment,
                          fmt::format("cannot start {}: {}", settings.python, std::strerror(errno)));
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);  // survives the exec; where `bench` is killed, nobody forwards anything
        if (getppid() != parent) _exit(kCannotStart);
        fcntl(settings.ring_descriptor, F_SETFD, 0);  // survives the exec
        std::signal(SIGINT, SIG_DFL);
        std::signal(SIGTERM, SIG_DFL);
        execve(argv[0], argv.data(), envp.data());
        const std::string message = fmt::format("bench: error: cannot execute {}: {}\n", argv[0], std::strerror(errno));
        (void)!write(STDERR_FILENO, message.data(), message.size());
        _exit(kCannotStart);
    }
    return ProfiledProgram(process);
}

void ProfiledProgram::send(int signal) {
    kill(process_, signal);
}

std::optional<ProgramEnd> ProfiledProgram::ended() {
    int status = 0;
    rusage usage{};
    if (wait4(process_, &status, WNOHANG, &usage) != process_) return std::nullopt;
    ProgramEnd end;
    end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    end.status = WIFSIGNALED(status) ? 128 + end.signal : WEXITSTATUS(status);
    end.cpu_ns = nanoseconds_of(usage.ru_utime) + nanoseconds_of(usage.ru_stime);
    return end;
}

}  // namespace tare::cli
