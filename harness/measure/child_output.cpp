// posix_spawn and a poll over both streams and a pidfd: a child that closes its streams, or leaves grandchildren that
// hold them open, is still noticed when it ends.
#include "harness/measure/child_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "harness/core/clock.h"
#include "harness/measure/descriptor.h"

namespace tare::measure {

using core::ErrorCode;
using core::Expected;
using core::fail;

namespace {

constexpr std::size_t kMaxKeptBytes = 1u << 20;
constexpr std::int64_t kMostToEndNs = 3'000'000'000;  // of one that is asked to

struct Pipe {
    Descriptor read_end;
    Descriptor write_end;
    [[nodiscard]] bool make() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) return false;
        read_end.set(ends[0]);
        write_end.set(ends[1]);
        return ::fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
    }
};

/// Appends what is there, up to a pipe's largest capacity (so that an endless writer does not hold us past the time
/// limit); closes the descriptor at its end.
void drain(Descriptor& from, std::string& into) {
    std::array<char, 16384> chunk;
    for (int reads = 0; reads < 64 && from.is_open(); ++reads) {
        const ssize_t n = ::read(from.get(), chunk.data(), chunk.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return;
        if (n <= 0) {
            from.close();
            return;
        }
        if (into.size() < kMaxKeptBytes)
            into.append(chunk.data(), std::min(static_cast<std::size_t>(n), kMaxKeptBytes - into.size()));
    }
}

/// The child in a process group of its own, with our pipes and default signals. Returns errno of the failure.
int spawn(const std::vector<std::string>& argv, int out, int err, pid_t& child) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigset_t handled;
    sigemptyset(&none);
    sigemptyset(&handled);
    for (const int number : {SIGINT, SIGTERM, SIGPIPE}) sigaddset(&handled, number);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &handled);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    std::vector<char*> arguments;
    for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    const int failure = ::posix_spawn(&child, argv[0].c_str(), &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

}  // namespace

Expected<ChildOutput> run_for_output(const std::vector<std::string>& argv, std::chrono::nanoseconds time_limit,
                                     const std::function<bool()>& stop) {
    const auto cannot = [&](int failure) {
        return fail(ErrorCode::kEnvironment, fmt::format("cannot run '{}': {}", argv[0], std::strerror(failure)));
    };
    Pipe out;
    Pipe err;
    if (!out.make() || !err.make()) return cannot(errno);
    pid_t child = -1;
    if (const int failure = spawn(argv, out.write_end.get(), err.write_end.get(), child); failure != 0)
        return cannot(failure);
    out.write_end.close();
    err.write_end.close();
    // Not glibc's pidfd_open: its header in 2.36 lacks the extern "C" and does not link from C++.
    const Descriptor ended(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
    ChildOutput result;
    const int pidfd_failure = !ended.is_open() ? errno : 0;
    const std::int64_t deadline_ns = core::wall_clock_ns() + time_limit.count();
    for (bool alive = pidfd_failure == 0; alive;) {
        std::array<pollfd, 3> streams{pollfd{ended.get(), POLLIN, 0}, pollfd{out.read_end.get(), POLLIN, 0},
                                      pollfd{err.read_end.get(), POLLIN, 0}};  // poll skips a closed one (-1)
        const std::int64_t left_ns = deadline_ns - core::wall_clock_ns();
        if (left_ns <= 0) {
            result.timed_out = true;
            break;
        }
        if (stop && stop()) {
            result.stopped = true;
            break;
        }
        ::poll(streams.data(), streams.size(), static_cast<int>(left_ns / 1'000'000) + 1);
        drain(out.read_end, result.out);
        drain(err.read_end, result.err);
        alive = (streams[0].revents & POLLIN) == 0;
    }
    if (result.stopped) {  // a build tool ends its compilers, which have groups of their own
        ::kill(-child, SIGTERM);
        pollfd end{ended.get(), POLLIN, 0};
        for (const std::int64_t until_ns = core::wall_clock_ns() + kMostToEndNs; core::wall_clock_ns() < until_ns;)
            if (::poll(&end, 1, 100) > 0) break;
    }
    if (result.timed_out || result.stopped || pidfd_failure != 0) ::kill(-child, SIGKILL);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (pidfd_failure != 0) return cannot(pidfd_failure);
    drain(out.read_end, result.out);
    drain(err.read_end, result.err);
    if (WIFEXITED(status)) result.exit_status = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal_number = WTERMSIG(status);
    return result;
}

}  // namespace tare::measure
