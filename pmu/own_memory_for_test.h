// What a sandbox forbids that the sampler and the stepper look at the program's memory with.
#pragma once

#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace tare::pmu {

/// Why process_vm_readv reads nothing of this process (seccomp, as in containers on old kernels); empty: it does.
inline std::string why_no_memory_is_read() {
    int from = 1, to = 0;
    const iovec local{&to, sizeof to}, remote{&from, sizeof from};
    if (::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(sizeof to)) return {};
    return std::string("process_vm_readv is refused here: ") + std::strerror(errno);
}

}  // namespace tare::pmu
