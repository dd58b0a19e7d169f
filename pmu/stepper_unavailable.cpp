// Stepper on architectures without a trap flag that a program can set for itself.
#include "pmu/stepper.h"

namespace tare::pmu {

struct Stepper::State {};

Stepper::Stepper(std::unique_ptr<State> state) : state_(std::move(state)) {}
Stepper::~Stepper() = default;
Stepper::Stepper(Stepper&&) noexcept = default;
Stepper& Stepper::operator=(Stepper&&) noexcept = default;

core::Expected<Stepper> Stepper::open(std::size_t, FrameLook) {
    return core::fail(core::ErrorCode::kEnvironment, "stepping is not available on this architecture",
                      "instructions are counted on x86-64 alone");
}

core::Status Stepper::arm() {
    return {};
}
void Stepper::begin() {}
void Stepper::end() {}
core::Trace Stepper::take() {
    return {};
}

}  // namespace tare::pmu
