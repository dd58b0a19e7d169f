// sched_getaffinity with a mask that grows until the kernel's fits (EINVAL before).
#include "pmu/cpu_choice.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "pmu/machine_text.h"

namespace tare::pmu {

using core::ErrorCode;
using core::Expected;
using core::fail;

Expected<std::vector<int>> allowed_cpus() {
    std::vector<cpu_set_t> mask(1);  // 1024 CPUs each
    while (::sched_getaffinity(0, mask.size() * sizeof(cpu_set_t), mask.data()) != 0) {
        if (errno != EINVAL || mask.size() >= 64)
            return fail(ErrorCode::kEnvironment, fmt::format("cannot read the CPU affinity: {}", std::strerror(errno)));
        mask.assign(mask.size() * 2, cpu_set_t{});
    }
    std::vector<int> cpus;
    const std::size_t bytes = mask.size() * sizeof(cpu_set_t);
    for (std::size_t cpu = 0; cpu < bytes * 8; ++cpu)
        if (CPU_ISSET_S(cpu, bytes, mask.data())) cpus.push_back(static_cast<int>(cpu));
    return cpus;
}

Expected<int> pick_cpu(std::optional<int> asked, const std::vector<int>& allowed) {
    if (allowed.empty()) return fail(ErrorCode::kEnvironment, "this process may run on no CPU");
    if (!asked) return allowed.back();
    if (std::find(allowed.begin(), allowed.end(), *asked) == allowed.end())
        return fail(ErrorCode::kUsage,
                    fmt::format("--cpu {}: this process may run only on CPU {}", *asked, format_cpu_list(allowed)),
                    "choose one of these, or start bench under another affinity (taskset, the cgroup's cpuset)");
    return *asked;
}

Expected<int> pick_cpu(std::optional<int> asked) {
    const Expected<std::vector<int>> allowed = allowed_cpus();
    if (!allowed) return tl::unexpected<core::Error>(allowed.error());
    return pick_cpu(asked, *allowed);
}

Expected<std::vector<int>> cpus_for_threads(int cpu, int threads, const std::vector<int>& allowed) {
    if (static_cast<std::size_t>(threads) > allowed.size())
        return fail(ErrorCode::kUsage,
                    fmt::format("--threads {}: this process may run only on CPU {}", threads, format_cpu_list(allowed)),
                    "BLAS starts no more threads than there are CPUs: ask for fewer, or start bench under another "
                    "affinity (taskset, the cgroup's cpuset)");
    std::vector<int> chosen{cpu};
    for (auto other = allowed.rbegin(); chosen.size() < static_cast<std::size_t>(threads); ++other)
        if (*other != cpu) chosen.push_back(*other);
    return chosen;
}

Expected<std::vector<int>> cpus_for_threads(int cpu, int threads) {
    if (threads == 1) return std::vector{cpu};
    const Expected<std::vector<int>> allowed = allowed_cpus();
    if (!allowed) return tl::unexpected<core::Error>(allowed.error());
    return cpus_for_threads(cpu, threads, *allowed);
}

}  // namespace tare::pmu
