// Who is sampled, and the signal's handler. What happens at a signal is in sample_handler, when it comes in
// thread_clock.
#include "pmu/sampler.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "pmu/sample_handler.h"

namespace tare::pmu {

using core::ErrorCode;
using core::Expected;

namespace {

/// Set by start(), for threads that begin later; also while the process ends, so that it is never destroyed.
SamplerSettings& settings_in_use() {
    alignas(SamplerSettings) static std::array<std::byte, sizeof(SamplerSettings)> memory;
    static auto* const settings = std::construct_at(reinterpret_cast<SamplerSettings*>(memory.data()));
    return *settings;
}

/// On the thread's alternate stack where it has one: there may be little left of its own, and programs with parts in Go
/// require it of every handler. All signals blocked: nothing jumps out of the handler.
core::Status set_handler() {
    struct sigaction action {};
    action.sa_sigaction = handle_sample;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    sigfillset(&action.sa_mask);
    if (sigaction(kSampleSignal, &action, nullptr) != 0)
        return core::fail(ErrorCode::kEnvironment, std::string("cannot sample: sigaction: ") + std::strerror(errno));
    return {};
}

void unblock_signal() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, kSampleSignal);
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

/// Of the main thread glibc reads /proc/self/maps and takes the limit of its size for its extent.
void find_stack(SampledThread& thread) {
    thread.stack_low = thread.stack_high = 0;
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* low = nullptr;
    std::size_t size = 0;
    if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
        thread.stack_low = reinterpret_cast<std::uint64_t>(low);
        thread.stack_high = thread.stack_low + size;
    }
    pthread_attr_destroy(&attributes);
}

Expected<SamplingState> begin_thread(SampledThread& thread, bool enabled) {
    thread.process = getpid();
    thread.thread = static_cast<pid_t>(syscall(SYS_gettid));
    Expected<SamplingState> state = thread.clock.open(settings_in_use());
    if (state) unblock_signal();
    if (state && enabled) thread.clock.enable();
    return state;
}

}  // namespace

core::Status Sampler::start(SampleRing& ring, const SamplerSettings& settings) {
    if (!(settings.rate_hz > 0 && settings.rate_hz <= 1e5))  // perf's shortest period is 10 us
        return core::fail(ErrorCode::kUsage, "cannot sample " + std::to_string(settings.rate_hz) + " times a second",
                          "choose a rate up to 100000");
    if (!claim_samples(ring, settings.copy_python_frames))
        return core::fail(ErrorCode::kEnvironment, "cannot sample: this process is being sampled already");
    settings_in_use() = settings;
    core::Status set = set_handler();
    if (!set) release_samples();
    return set;
}

Expected<SamplingState> Sampler::add_thread(bool enabled) {
    if (ring_in_use() == nullptr)
        return core::fail(ErrorCode::kEnvironment, "cannot sample this thread: sampling has not begun");
    SampledThread& thread = sampled_thread();
    thread.clock.close();
    find_stack(thread);
    return begin_thread(thread, enabled);
}

void Sampler::enable_thread() noexcept {
    sampled_thread().clock.enable();
}

void Sampler::disable_thread() noexcept {
    sampled_thread().clock.disable();
}

void Sampler::remove_thread() noexcept {
    sampled_thread().clock.close();
}

/// The handler stays: other threads learn by their next signal that they are not sampled any more.
void Sampler::stop() noexcept {
    remove_thread();
    release_samples();
}

void Sampler::after_fork_in_child() noexcept {
    SampledThread& thread = sampled_thread();
    thread.clock.forget();
    PerfClock::close_inherited();
    if (ring_in_use() == nullptr) return;
    if (thread.stack_high == 0) find_stack(thread);  // one that was not sampled has forked
    (void)begin_thread(thread, true);
}

void Sampler::end_in_child() noexcept {
    sampled_thread().clock.forget();
    PerfClock::close_inherited();
    release_samples();
}

}  // namespace tare::pmu
