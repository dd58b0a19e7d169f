// A forked child that does the work and sends its numbers back through a pipe.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "harness/gbench/selfbench.h"

namespace tare::gbench {

using core::ErrorCode;

namespace {

/// False at end of file or at an error.
bool transfer_all(ssize_t (*transfer)(int, void*, std::size_t), int descriptor, void* data, std::size_t size) {
    auto* next = static_cast<char*>(data);
    while (size > 0) {
        const ssize_t moved = transfer(descriptor, next, size);
        if (moved < 0 && errno == EINTR) continue;
        if (moved <= 0) return false;
        next += moved;
        size -= static_cast<std::size_t>(moved);
    }
    return true;
}

}  // namespace

core::Expected<std::vector<double>> from_child(std::size_t count, const std::function<double()>& next) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0)
        return core::fail(ErrorCode::kEnvironment, fmt::format("cannot create a pipe: {}", std::strerror(errno)));
    const pid_t pid = fork();
    if (pid < 0) return core::fail(ErrorCode::kEnvironment, fmt::format("cannot fork: {}", std::strerror(errno)));
    std::vector<double> values(count);
    const std::size_t size = count * sizeof(double);
    if (pid == 0) {
        close(ends[0]);
        benchmark::ClearRegisteredBenchmarks();  // drive_batch runs the one that it registers
        for (double& value : values) value = next();
        const auto put = [](int fd, void* data, std::size_t n) { return write(fd, data, n); };
        _exit(transfer_all(put, ends[1], values.data(), size) ? 0 : 1);
    }
    close(ends[1]);
    const bool complete =
        transfer_all([](int fd, void* data, std::size_t n) { return read(fd, data, n); }, ends[0], values.data(), size);
    close(ends[0]);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    if (!complete || status != 0)
        return core::fail(ErrorCode::kEnvironment,
                          fmt::format("a forked child ended with status {:#x}", static_cast<unsigned>(status)));
    return values;
}

}  // namespace tare::gbench
