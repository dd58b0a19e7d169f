// fork and exec, poll, and what the kernel says when the worker ends.
#include "harness/measure/worker_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

#include "harness/core/clock.h"

namespace tare::measure {

using core::Error;
using core::ErrorCode;
using core::Expected;
using core::Value;

namespace {

constexpr std::size_t kCapturedBytes = 64 << 10;
constexpr int kMostReads = 64;  // at a time: 1 MiB, a pipe's largest capacity; an endless writer must not hold us
constexpr int kPollMs = 50;     // how soon a death is seen when a child of the worker keeps the channel open
constexpr int kExecFailedStatus = 127;
constexpr unsigned long kAskPersonality = 0xffffffff;  // personality(2): changes nothing
constexpr std::chrono::milliseconds kEndGrace{300};

struct Pipe {
    int read = -1;
    int write = -1;
};

Expected<Pipe> make_pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return core::fail(ErrorCode::kEnvironment, fmt::format("cannot create a pipe: {}", std::strerror(errno)));
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return Pipe{ends[0], ends[1]};
}

/// Everything the child needs, made before fork: between fork and exec only async-signal-safe calls are allowed.
struct Exec {
    std::vector<std::string> environment_text;
    std::vector<char*> argv;
    std::vector<char*> environment;
};

Exec make_exec(const SpawnSettings& settings, int channel) {
    Exec exec;
    std::vector<std::pair<std::string, std::string>> set = settings.environment;
    set.emplace_back("TARE_WORKER_FD", std::to_string(channel));
    const auto is_set = [&](std::string_view entry) {
        for (const auto& [name, value] : set)
            if (entry.starts_with(name) && entry.substr(name.size()).starts_with('=')) return true;
        return false;
    };
    for (char** entry = environ; *entry != nullptr; ++entry)
        if (!is_set(*entry)) exec.environment_text.emplace_back(*entry);
    for (const auto& [name, value] : set) exec.environment_text.push_back(name + '=' + value);
    for (std::string& entry : exec.environment_text) exec.environment.push_back(entry.data());
    exec.environment.push_back(nullptr);
    for (const std::string& argument : settings.argv) exec.argv.push_back(const_cast<char*>(argument.c_str()));
    exec.argv.push_back(nullptr);
    return exec;
}

/// In the child: the reason goes to the worker's stderr, which `bench` quotes.
[[noreturn]] void refuse(const char* what) {
    const char* reason = std::strerror(errno);
    [[maybe_unused]] ssize_t ignored = write(STDERR_FILENO, what, std::strlen(what));
    ignored = write(STDERR_FILENO, reason, std::strlen(reason));
    _exit(kExecFailedStatus);
}

[[noreturn]] void become_worker(const SpawnSettings& settings, const Exec& exec, int channel, int out, int err,
                                pid_t parent) {
    setsid();  // Ctrl-C goes to bench alone
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(kExecFailedStatus);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(null, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    if (!settings.cpus.empty()) {
        cpu_set_t set;
        CPU_ZERO(&set);
        for (const int cpu : settings.cpus) CPU_SET(static_cast<std::size_t>(cpu), &set);
        if (sched_setaffinity(0, sizeof set, &set) != 0) refuse("cannot pin the worker to its CPU: ");
    }
    // A container's seccomp profile may answer EPERM. The worker is as good without; it says how its addresses are.
    if (settings.fixed_addresses)
        if (const int own = personality(kAskPersonality); own != -1)
            personality(static_cast<unsigned long>(own) | ADDR_NO_RANDOMIZE);
    fcntl(channel, F_SETFD, 0);
    std::array signals{SIGINT, SIGTERM, SIGPIPE};
    for (const int number : signals) signal(number, SIG_DFL);
    execve(exec.argv[0], exec.argv.data(), exec.environment.data());
    refuse("cannot execute it: ");
}

std::string describe_status(int status) {
    if (WIFSIGNALED(status)) {
        const int number = WTERMSIG(status);
        const char* name = sigabbrev_np(number);
        return fmt::format("it was ended by SIG{} ({})", name != nullptr ? name : "?", strsignal(number));
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == kChannelLostStatus)
        return "the case closed the worker's file descriptors";
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return "it left with status 0 in the middle of a request (os._exit?)";
    if (WIFEXITED(status)) return fmt::format("it left with status {} (os._exit?)", WEXITSTATUS(status));
    return fmt::format("its wait status is {:#x}", static_cast<unsigned>(status));
}

std::string last_line(std::string_view text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
    const std::size_t start = text.rfind('\n');
    return std::string(start == std::string_view::npos ? text : text.substr(start + 1));
}

}  // namespace

Expected<std::unique_ptr<WorkerProcess>> WorkerProcess::spawn(const SpawnSettings& settings) {
    Expected<core::ChannelPair> pair = core::make_channel_pair();
    if (!pair) return tl::unexpected<Error>(pair.error());
    Expected<Pipe> out = make_pipe();
    if (!out) return tl::unexpected<Error>(out.error());
    std::unique_ptr<WorkerProcess> worker(new WorkerProcess);
    worker->out_ = core::Channel(out->read);
    const core::Channel out_end(out->write);
    Expected<Pipe> err = make_pipe();
    if (!err) return tl::unexpected<Error>(err.error());
    worker->err_ = core::Channel(err->read);
    const core::Channel err_end(err->write);
    const Exec exec = make_exec(settings, pair->theirs.descriptor());
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0)
        return core::fail(ErrorCode::kEnvironment, fmt::format("cannot fork a worker: {}", std::strerror(errno)));
    if (pid == 0) become_worker(settings, exec, pair->theirs.descriptor(), out->write, err->write, parent);
    worker->pid_ = pid;
    worker->channel_ = std::move(pair->ours);
    worker->interrupted_ = settings.interrupted;
    return worker;
}

WorkerProcess::~WorkerProcess() {
    if (pid_ < 0) return;
    channel_.close();  // an idle worker leaves at end of file
    const std::int64_t deadline_ns = core::wall_clock_ns() + std::chrono::nanoseconds(kEndGrace).count();
    while (!reap(false) && core::wall_clock_ns() < deadline_ns)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    end();
}

bool WorkerProcess::reap(bool wait) {
    if (pid_ < 0) return true;
    const pid_t reaped = waitpid(pid_, &exit_status_, wait ? 0 : WNOHANG);
    if (reaped != pid_) return false;
    kill(-pid_, SIGKILL);  // what the case left behind in its session
    pid_ = -1;
    return true;
}

void WorkerProcess::end() {
    if (pid_ < 0) return;
    kill(-pid_, SIGKILL);
    kill(pid_, SIGKILL);  // in case it had not called setsid yet
    while (!reap(true) && errno == EINTR) continue;
}

void WorkerProcess::drain(int descriptor, std::string& text) {
    std::array<char, 16384> chunk;
    for (int reads = 0; reads < kMostReads; ++reads) {
        const ssize_t n = read(descriptor, chunk.data(), chunk.size());
        if (n <= 0) return;
        text.append(chunk.data(), static_cast<std::size_t>(n));
        if (text.size() > kCapturedBytes) text.resize(kCapturedBytes);
    }
}

Error WorkerProcess::death(const Error& cause) {
    // The end of the channel comes a moment before the end of the process.
    const std::int64_t deadline_ns = core::wall_clock_ns() + std::chrono::nanoseconds(kEndGrace).count();
    bool left = reap(false);
    while (!left && core::wall_clock_ns() < deadline_ns) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        left = reap(false);
    }
    drain(out_.descriptor(), output_.out);
    drain(err_.descriptor(), output_.err);
    if (!left) {
        end();
        return {ErrorCode::kWorkerDied, "the case closed the worker's channel; the worker was ended", cause.what};
    }
    std::string what = "the worker died: " + describe_status(exit_status_);
    if (const std::string line = last_line(output_.err); !line.empty()) what += "; last line on stderr: " + line;
    return {ErrorCode::kWorkerDied, std::move(what), {}};
}

Expected<Value> WorkerProcess::request(const Value& message, std::chrono::milliseconds limit) {
    if (core::Status sent = channel_.send(message); !sent) return tl::unexpected<Error>(death(sent.error()));
    const std::int64_t deadline_ns = core::wall_clock_ns() + std::chrono::nanoseconds(limit).count();
    for (;;) {
        bool complete = false;
        Expected<Value> answer = channel_.receive_available(complete);
        if (!answer) return tl::unexpected<Error>(death(answer.error()));
        if (complete) {
            drain(out_.descriptor(), output_.out);
            drain(err_.descriptor(), output_.err);
            const Value& error = (*answer)["error"];
            if (error.is_nil()) return answer;
            return tl::unexpected<Error>(Error{static_cast<ErrorCode>(error["code"].as_int()), error["what"].as_text(),
                                               error["hint"].as_text()});
        }
        if (interrupted_()) {
            end();
            return core::fail(ErrorCode::kInterrupted, "interrupted");
        }
        const std::int64_t left_ms = (deadline_ns - core::wall_clock_ns()) / 1'000'000;
        if (left_ms <= 0) {
            end();
            return core::fail(ErrorCode::kTimeout, fmt::format("no answer within {:.3g} s; the worker was ended",
                                                               std::chrono::duration<double>(limit).count()));
        }
        std::array<pollfd, 3> polled{
            {{channel_.descriptor(), POLLIN, 0}, {out_.descriptor(), POLLIN, 0}, {err_.descriptor(), POLLIN, 0}}};
        poll(polled.data(), polled.size(), static_cast<int>(std::min<std::int64_t>(left_ms + 1, kPollMs)));
        drain(out_.descriptor(), output_.out);
        drain(err_.descriptor(), output_.err);
        // A worker without stdout would make every poll return at once.
        if ((polled[1].revents & POLLHUP) != 0) out_.close();
        if ((polled[2].revents & POLLHUP) != 0) err_.close();
        if (polled[0].revents == 0 && reap(false)) return tl::unexpected<Error>(death({}));
    }
}

CapturedOutput WorkerProcess::take_output() {
    return std::exchange(output_, {});
}

}  // namespace tare::measure
