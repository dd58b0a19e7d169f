// process_vm_readv copies without stopping the process: what it changes meanwhile is JitList's to bear.
#include "harness/cli/jit_watch.h"

#include <fmt/format.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "harness/attribution/naming.h"

namespace tare::cli {

void JitWatch::set_modules(std::int32_t process, const std::vector<core::CodeModule>& modules) {
    const auto has_no_file = [](const core::CodeModule& module) { return module.path.empty(); };
    if (std::ranges::none_of(modules, has_no_file)) return;
    Process& known = processes_[process];
    for (const core::CodeModule& module : modules) {
        if (!module.path.starts_with('/') || !known.asked.emplace(module.path, module.bias).second) continue;
        attribution::Naming file({module}, {});
        if (const auto address = file.address_of("__jit_debug_descriptor")) known.lists.emplace_back(*address);
    }
}

std::vector<std::string> JitWatch::fresh_objects(std::int32_t process) {
    std::vector<std::string> objects;
    const auto known = processes_.find(process);
    if (known == processes_.end()) return objects;
    const auto read = [&](std::uint64_t address, void* to, std::size_t bytes) {
        const iovec local{to, bytes};
        const iovec remote{reinterpret_cast<void*>(address), bytes};
        const ssize_t done = process_vm_readv(process, &local, 1, &remote, 1, 0);
        if (done < 0 && (errno == EPERM || errno == ENOSYS))
            problem_ = fmt::format("memory of the program cannot be read ({})", std::strerror(errno));
        return done == static_cast<ssize_t>(bytes);
    };
    for (attribution::JitList& list : known->second.lists)
        for (std::string& object : list.fresh(read)) objects.push_back(std::move(object));
    return objects;
}

}  // namespace tare::cli
