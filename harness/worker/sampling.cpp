// The wiring of pmu's sampler with Python's frames.
#include "harness/worker/sampling.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "pmu/sampler.h"
#include "python/frame_chain.h"

namespace tare::worker {

using core::ErrorCode;
using core::Expected;
using core::Map;
using core::Status;
using core::Value;
using pmu::Sampler;

namespace {

/// The clock stands still but for the batch: what it counted is kept from one batch to the next.
constexpr core::CountHook kHook{.context = nullptr,
                                .before = [](void*) { Sampler::enable_thread(); },
                                .after = [](void*) { Sampler::disable_thread(); }};

}  // namespace

Sampling::~Sampling() {
    end();
}

Status Sampling::open_ring(const std::string& path) {
    if (ring_ && path == path_) return {};
    ring_.reset();
    const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0)
        return core::fail(ErrorCode::kEnvironment,
                          fmt::format("cannot open the memory for samples '{}': {}", path, std::strerror(errno)));
    Expected<pmu::SampleRing> ring = pmu::SampleRing::open(descriptor);
    close(descriptor);  // the mapping stays; the case sees no descriptor
    if (!ring) return tl::unexpected<core::Error>(ring.error());
    ring_ = *std::move(ring);
    path_ = path;
    return {};
}

Expected<Value> Sampling::begin(const Value& request) {
    end();
    const double rate_hz = request["rate_hz"].as_double();
    if (rate_hz <= 0) return Value(Map{});
    if (Status s = open_ring(request["ring"].as_text()); !s) return tl::unexpected<core::Error>(s.error());
    const Status frames = python::prepare_frame_chains();
    const Status started =
        Sampler::start(*ring_, {.rate_hz = rate_hz, .copy_python_frames = frames ? python::copy_frame_chain : nullptr});
    if (!started) return tl::unexpected<core::Error>(started.error());
    begun_ = true;
    const Expected<pmu::SamplingState> state = Sampler::add_thread(false);
    if (!state) {
        end();
        return tl::unexpected<core::Error>(state.error());
    }
    return Value(Map{{"clock", static_cast<int>(state->clock)},
                     {"sees_kernel", state->sees_kernel},
                     {"fallback_reason", state->fallback_reason},
                     {"python_problem", frames ? std::string() : frames.error().what}});
}

void Sampling::end() {
    if (begun_) Sampler::stop();
    begun_ = false;
}

Expected<const core::CountHook*> Sampling::hook() const {
    if (!begun_) return core::fail(ErrorCode::kUsage, "sampled batches were ordered of a worker that does not sample");
    return &kHook;
}

}  // namespace tare::worker
