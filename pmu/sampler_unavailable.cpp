// Sampler on architectures whose registers and stacks its handler does not know.
#include "pmu/sampler.h"

namespace tare::pmu {

namespace {

tl::unexpected<core::Error> not_available() {
    return core::fail(core::ErrorCode::kEnvironment, "sampling is not available on this architecture",
                      "stacks are sampled on x86-64 alone");
}

}  // namespace

core::Status Sampler::start(SampleRing&, const SamplerSettings&) {
    return not_available();
}
core::Expected<SamplingState> Sampler::add_thread(bool) {
    return not_available();
}
void Sampler::enable_thread() noexcept {}
void Sampler::disable_thread() noexcept {}
void Sampler::remove_thread() noexcept {}
void Sampler::stop() noexcept {}
void Sampler::after_fork_in_child() noexcept {}
void Sampler::end_in_child() noexcept {}

}  // namespace tare::pmu
