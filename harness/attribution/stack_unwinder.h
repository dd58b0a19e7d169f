// StackUnwinder: what a profile's builder needs of an unwinder, so that it is tested without ELF files.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/attribution/unwinder.h"
#include "harness/core/stack_sample.h"
#include "harness/core/trace.h"

namespace tare::attribution {

/// Unwinds the samples of one process. As Unwinder says.
class StackUnwinder {
  public:
    virtual ~StackUnwinder() = default;
    virtual void set_modules(const std::vector<core::CodeModule>& modules) = 0;
    virtual void add_compiled(const std::string& object) { (void)object; }
    [[nodiscard]] virtual NativeStack unwind(const core::StackSample& sample) = 0;
};

/// Called once a process.
using MakeUnwinder = std::function<std::unique_ptr<StackUnwinder>()>;

}  // namespace tare::attribution
