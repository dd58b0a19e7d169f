// How a program is sampled without its noticing: what it can see is its environment, its descriptors and its threads.
#include "harness/worker/profiled_process.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <memory>

#include "pmu/sampler.h"
#include "python/frame_chain.h"

namespace tare::worker {

using core::Expected;
using pmu::Sampler;
using pmu::SampleRing;

namespace {

bool is_python() {
    return dlsym(RTLD_DEFAULT, "Py_GetVersion") != nullptr;
}

/// As it stands in LD_PRELOAD.
std::string path_of_this_library() {
    static const char here = 0;
    Dl_info info{};
    return dladdr(&here, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

}  // namespace

ProfiledProcess& ProfiledProcess::instance() {
    alignas(ProfiledProcess) static std::array<std::byte, sizeof(ProfiledProcess)> memory;
    static auto* const only = ::new (memory.data()) ProfiledProcess;
    return *only;
}

bool ProfiledProcess::open_ring(const ProfileRequest& request) {
    Expected<SampleRing> ring = SampleRing::open(request.descriptor);
    if (ring) {
        if (request.children)
            keep_ring_for_children(request.descriptor);
        else
            close(request.descriptor);  // the mapping stays
    } else if (!request.path.empty()) {
        const int descriptor = open(request.path.c_str(), O_RDWR | O_CLOEXEC);
        ring = SampleRing::open(descriptor);
        if (descriptor >= 0) close(descriptor);
    }
    if (!ring) return false;
    ring_.emplace(*std::move(ring));
    return true;
}

/// Under a number that the program does not come across.
void ProfiledProcess::keep_ring_for_children(int descriptor) {
    constexpr int kHigh = 700;  // below perf's, and below the usual limit of 1,024
    const int high = fcntl(descriptor, F_DUPFD, kHigh);
    if (high < 0) return;
    close(descriptor);
    setenv("TARE_PROFILE_FD", std::to_string(high).c_str(), 1);
}

bool ProfiledProcess::start(const ProfileRequest& request) {
    ring_->attach();
    pmu::SamplingReport report;
    const core::Status frames = python::prepare_frame_chains();
    if (!frames) report.python_problem = frames.error().what;
    const core::Status started =
        Sampler::start(*ring_, {.rate_hz = request.rate_hz,
                                .wall = request.wall,
                                .copy_python_frames = frames ? python::copy_frame_chain : nullptr});
    const Expected<pmu::SamplingState> state =
        started ? Sampler::add_thread() : Expected<pmu::SamplingState>(tl::unexpect, started.error());
    if (state) {
        report.clock = state->clock;
        report.sees_kernel = state->sees_kernel;
        report.fallback_reason = state->fallback_reason;
    } else {
        report.failure = state.error().what;
    }
    ring_->leave_report(report);
    return state.has_value();
}

void ProfiledProcess::begin() {
    if (process_ != 0 || !is_python()) return;
    const std::optional<ProfileRequest> request = profile_request([](const char* name) { return std::getenv(name); });
    const bool opened = request && open_ring(*request);
    if (!opened || !request->children) clear_environment(path_of_this_library());
    if (!opened || pthread_key_create(&at_thread_exit_, [](void*) { Sampler::remove_thread(); }) != 0) return;
    threads_ = request->threads;
    children_ = request->children;
    if (start(*request)) process_ = getpid();
}

void ProfiledProcess::add_thread() {
    if (process_ == 0 || !threads_) return;
    if (!Sampler::add_thread()) return;  // too many descriptors are open: it runs unsampled
    pthread_setspecific(at_thread_exit_, this);
}

void ProfiledProcess::after_fork_in_child() {
    if (process_ == 0) return;
    process_ = 0;
    if (!children_) return Sampler::end_in_child();
    process_ = getpid();
    Sampler::after_fork_in_child();
}

void ProfiledProcess::end() {
    if (process_ == 0 || process_ != getpid()) return;
    process_ = 0;
    ring_->leave_maps();
    Sampler::stop();
}

}  // namespace tare::worker
