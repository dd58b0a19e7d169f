// /proc/PROCESS/task/THREAD/comm
#include "harness/cli/thread_names.h"

#include <fmt/format.h>

#include <fstream>

namespace tare::cli {

void ThreadNames::met(std::int32_t process, std::int32_t thread, std::int64_t now_ns) {
    constexpr std::int64_t kAgeNs = 100'000'000;
    Known& known = known_[{process, thread}];
    if (known.read_ns != 0 && now_ns - known.read_ns < kAgeNs) return;
    known.read_ns = now_ns;
    std::ifstream file(fmt::format("/proc/{}/task/{}/comm", process, thread), std::ios::binary);
    std::string name;
    if (std::getline(file, name, '\0') && name.ends_with('\n')) name.pop_back();
    if (!name.empty()) known.name = std::move(name);
    if (thread != process) met(process, process, now_ns);  // which may never run while it is sampled
}

std::string ThreadNames::of(std::int32_t process, std::int32_t thread) const {
    const auto known = known_.find({process, thread});
    if (known == known_.end()) return {};
    const auto first = known_.find({process, process});
    const bool is_its_own = thread == process || first == known_.end() || first->second.name != known->second.name;
    return is_its_own ? known->second.name : std::string();
}

}  // namespace tare::cli
