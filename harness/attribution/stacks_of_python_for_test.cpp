// A library for the test with a real NumPy: loaded into an interpreter by ctypes, samples its thread by a timer and
// writes raw samples and modules to files. `stacks_of_python_start` returns 0, or errno.
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "harness/attribution/own_modules_for_test.h"

namespace {

constexpr std::size_t kStackBytes = 65536;
constexpr std::uint64_t kRedZone = 128;

struct Raw {
    std::uint64_t registers[17];
    std::uint64_t address;
    std::uint64_t size;
    std::uint64_t is_cut;
    std::byte bytes[kStackBytes];
};

// The handler's; one thread is sampled.
Raw* samples = nullptr;
std::size_t most = 0;
volatile std::size_t count = 0;
std::uint64_t stack_end = 0;
timer_t timer;

void record(int, siginfo_t*, void* context) {
    if (count == most) return;
    const auto& g = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    constexpr std::array<int, 17> kOrder = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                            REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                            REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
    Raw& raw = samples[count];
    for (std::size_t i = 0; i < kOrder.size(); ++i) raw.registers[i] = static_cast<std::uint64_t>(g[kOrder[i]]);
    raw.address = raw.registers[7] - kRedZone;
    raw.size = std::min<std::uint64_t>(stack_end - raw.address, kStackBytes);
    raw.is_cut = raw.address + raw.size < stack_end ? 1 : 0;
    std::memcpy(raw.bytes, reinterpret_cast<const void*>(raw.address), raw.size);
    count = count + 1;
}

}  // namespace

extern "C" [[gnu::visibility("default")]] int stacks_of_python_start(long period_us, std::size_t most_samples) {
    most = most_samples;
    void* memory =
        ::mmap(nullptr, most * sizeof(Raw), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return errno;
    samples = static_cast<Raw*>(memory);
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    void* start = nullptr;
    std::size_t size = 0;
    pthread_attr_getstack(&attributes, &start, &size);
    pthread_attr_destroy(&attributes);
    stack_end = reinterpret_cast<std::uint64_t>(start) + size;

    struct sigaction action {};
    action.sa_sigaction = &record;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    ::sigaction(SIGPROF, &action, nullptr);
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGPROF;
    event._sigev_un._tid = static_cast<pid_t>(::syscall(SYS_gettid));
    if (::timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return errno;
    const itimerspec period{{0, period_us * 1000}, {0, period_us * 1000}};
    return ::timer_settime(timer, 0, &period, nullptr) == 0 ? 0 : errno;
}

/// To `path` the samples, to `path`.modules a line for each module: start, end, bias, build-id or -, path.
extern "C" [[gnu::visibility("default")]] void stacks_of_python_stop(const char* path) {
    ::timer_delete(timer);
    std::ofstream file(path, std::ios::binary);
    for (std::size_t i = 0; i < count; ++i)
        file.write(reinterpret_cast<const char*>(&samples[i]),
                   static_cast<std::streamsize>(offsetof(Raw, bytes) + samples[i].size));
    std::ofstream modules(std::string(path) + ".modules");
    for (const auto& module : tare::attribution::own_modules())
        modules << module.start << ' ' << module.end << ' ' << module.bias << ' '
                << (module.build_id.empty() ? "-" : module.build_id) << ' ' << module.path << '\n';
}
