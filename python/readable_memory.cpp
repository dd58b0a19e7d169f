// rt_sigprocmask copies the new set in, then looks at what to do with it (Linux, kernel/signal.c), and we ask for
// nothing that it knows.
#include "python/readable_memory.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tare::python {

namespace {

constexpr std::uint64_t kPageBytes = 4096;  // the smallest; a page of a larger size is asked for in parts
constexpr std::uint64_t kLowest = 65'536;   // vm.mmap_min_addr: below it nothing is ever mapped
constexpr std::uint64_t kHighest = (1ULL << 47) - kPageBytes;  // of user space with four levels of page tables
constexpr int kNoSuchChange = -1;                              // neither SIG_BLOCK nor SIG_UNBLOCK nor SIG_SETMASK
constexpr std::size_t kSetBytes = 8;                           // of the kernel's signal set

}  // namespace

bool is_page_readable(std::uint64_t address) noexcept {
    return syscall(SYS_rt_sigprocmask, kNoSuchChange, address, nullptr, kSetBytes) == -1 && errno == EINVAL;
}

bool ReadableMemory::has(std::uint64_t address, std::size_t size) noexcept {
    if (address < kLowest || address >= kHighest || size > kHighest - address) return false;
    const std::uint64_t last = (address + size - 1) / kPageBytes;
    for (std::uint64_t page = address / kPageBytes; page <= last; ++page) {
        std::uint64_t& remembered = pages_[page % kRemembered];
        if (remembered == page) continue;
        if (!is_page_readable(page * kPageBytes)) return false;
        remembered = page;
    }
    return true;
}

}  // namespace tare::python
