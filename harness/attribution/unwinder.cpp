// Joins the code of the process and a walk for each sample.
#include "harness/attribution/unwinder.h"

#include <utility>

#include "harness/attribution/loaded_code.h"
#include "harness/attribution/stack_walk.h"

namespace tare::attribution {

struct Unwinder::State {
    LoadedCode code;
    UnwindEffort effort;
};

Unwinder::Unwinder() : state_(std::make_unique<State>()) {}
Unwinder::~Unwinder() = default;
Unwinder::Unwinder(Unwinder&&) noexcept = default;
Unwinder& Unwinder::operator=(Unwinder&&) noexcept = default;

void Unwinder::set_modules(const std::vector<core::CodeModule>& modules) {
    state_->code.set(modules);
}

void Unwinder::add_compiled(std::string object) {
    state_->code.add_compiled(std::move(object));
}

NativeStack Unwinder::unwind(const core::StackSample& sample) {
    return StackWalk(sample, state_->code, state_->effort).run();
}

UnwindEffort Unwinder::effort() const {
    UnwindEffort effort = state_->effort;
    for (const auto& [key, file] : state_->code.files()) {
        effort.rules_read += file->rules_read();
        effort.bytes += file->bytes();
    }
    return effort;
}

}  // namespace tare::attribution
