// sched_setaffinity with a mask as large as the highest CPU asks for.
#include "pmu/cpu_pin.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "pmu/cpu_choice.h"

namespace tare::pmu {

namespace {

/// `cpus` ascending. 0 or an errno.
int set_affinity(const std::vector<int>& cpus) {
    std::vector<cpu_set_t> mask(static_cast<std::size_t>(cpus.back()) / CPU_SETSIZE + 1);
    const std::size_t bytes = mask.size() * sizeof(cpu_set_t);
    for (const int cpu : cpus) CPU_SET_S(static_cast<std::size_t>(cpu), bytes, mask.data());
    return ::sched_setaffinity(0, bytes, mask.data()) == 0 ? 0 : errno;
}

}  // namespace

core::Expected<CpuPin> CpuPin::pin(int cpu) {
    core::Expected<std::vector<int>> before = allowed_cpus();
    if (!before) return tl::unexpected<core::Error>(before.error());
    if (const int failure = set_affinity({cpu}); failure != 0)
        return core::fail(core::ErrorCode::kEnvironment,
                          fmt::format("cannot pin this thread to CPU {}: {}", cpu, std::strerror(failure)));
    return CpuPin(std::move(*before));
}

CpuPin::CpuPin(CpuPin&& other) noexcept : before_(std::exchange(other.before_, {})) {}

CpuPin::~CpuPin() {
    if (!before_.empty()) set_affinity(before_);
}

}  // namespace tare::pmu
