// The list: numbers are those of the kernel's arch/x86/entry/syscalls/syscall_64.tbl, which never change.
#include "harness/record/system_call_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tare::record {

namespace {

struct Name {
    std::int64_t number;
    const char* text;
};

constexpr std::array kNames = {Name{0, "read"},
                               Name{1, "write"},
                               Name{2, "open"},
                               Name{3, "close"},
                               Name{4, "stat"},
                               Name{5, "fstat"},
                               Name{6, "lstat"},
                               Name{7, "poll"},
                               Name{8, "lseek"},
                               Name{9, "mmap"},
                               Name{10, "mprotect"},
                               Name{11, "munmap"},
                               Name{12, "brk"},
                               Name{13, "rt_sigaction"},
                               Name{14, "rt_sigprocmask"},
                               Name{16, "ioctl"},
                               Name{17, "pread64"},
                               Name{18, "pwrite64"},
                               Name{19, "readv"},
                               Name{20, "writev"},
                               Name{22, "pipe"},
                               Name{23, "select"},
                               Name{24, "sched_yield"},
                               Name{25, "mremap"},
                               Name{27, "mincore"},
                               Name{28, "madvise"},
                               Name{32, "dup"},
                               Name{33, "dup2"},
                               Name{35, "nanosleep"},
                               Name{39, "getpid"},
                               Name{56, "clone"},
                               Name{60, "exit"},
                               Name{72, "fcntl"},
                               Name{79, "getcwd"},
                               Name{96, "gettimeofday"},
                               Name{98, "getrusage"},
                               Name{99, "sysinfo"},
                               Name{100, "times"},
                               Name{131, "sigaltstack"},
                               Name{149, "mlock"},
                               Name{150, "munlock"},
                               Name{157, "prctl"},
                               Name{158, "arch_prctl"},
                               Name{186, "gettid"},
                               Name{202, "futex"},
                               Name{203, "sched_setaffinity"},
                               Name{204, "sched_getaffinity"},
                               Name{228, "clock_gettime"},
                               Name{230, "clock_nanosleep"},
                               Name{231, "exit_group"},
                               Name{232, "epoll_wait"},
                               Name{237, "mbind"},
                               Name{238, "set_mempolicy"},
                               Name{239, "get_mempolicy"},
                               Name{257, "openat"},
                               Name{262, "newfstatat"},
                               Name{293, "pipe2"},
                               Name{309, "getcpu"},
                               Name{318, "getrandom"},
                               Name{324, "membarrier"},
                               Name{332, "statx"},
                               Name{334, "rseq"},
                               Name{435, "clone3"},
                               Name{440, "process_madvise"}};

}  // namespace

std::string system_call_name(std::int64_t number) {
    const auto* found =
        std::find_if(kNames.begin(), kNames.end(), [&](const Name& name) { return name.number == number; });
    return found == kNames.end() ? fmt::format("syscall {}", number) : found->text;
}

}  // namespace tare::record
