// The memory begins with how much of it is taken. The file is read twice, for its size and for its text: the kernel
// gives a page of it at a time and does not know its size.
#include "pmu/maps_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <string_view>

namespace tare::pmu {

struct MapsLog::Entry {
    std::atomic<std::int32_t> process;  ///< 0: not written yet
    std::uint32_t bytes;                ///< of the text
    std::uint64_t room;                 ///< that was reserved for it, a multiple of 8

    [[nodiscard]] char* text() { return reinterpret_cast<char*>(this + 1); }
};

namespace {

using Taken = std::atomic<std::uint64_t>;

/// As much as there is, up to `room`; where `into` is null it is only counted.
std::size_t read_all(int descriptor, char* into, std::size_t room) {
    std::array<char, 4096> page;
    std::size_t total = 0;
    while (total < room) {
        const ssize_t n = into == nullptr ? pread(descriptor, page.data(), page.size(), static_cast<off_t>(total))
                                          : pread(descriptor, into + total, room - total, static_cast<off_t>(total));
        if (n <= 0) break;
        total += static_cast<std::size_t>(n);
    }
    return total;
}

}  // namespace

MapsLog::Entry* MapsLog::reserve(std::size_t bytes) noexcept {
    auto& taken = *reinterpret_cast<Taken*>(memory_.data());
    std::uint64_t before = taken.load();
    for (;;) {
        const std::uint64_t begin = std::max<std::uint64_t>(before, sizeof(Taken));
        if (begin % sizeof(Taken) != 0 || begin >= memory_.size() - sizeof(Entry)) return nullptr;
        const std::uint64_t room =
            std::min<std::uint64_t>((bytes + 7) / 8 * 8, (memory_.size() - begin - sizeof(Entry)) / 8 * 8);
        if (!taken.compare_exchange_weak(before, begin + sizeof(Entry) + room)) continue;
        auto* entry = reinterpret_cast<Entry*>(memory_.data() + begin);
        entry->room = room;
        return entry;
    }
}

void MapsLog::leave(std::int32_t process) noexcept {
    const int error = errno;
    const int descriptor = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) {
        if (Entry* entry = reserve(read_all(descriptor, nullptr, memory_.size()))) {
            const std::string_view text(entry->text(), read_all(descriptor, entry->text(), entry->room));
            entry->bytes = static_cast<std::uint32_t>(text.rfind('\n') + 1);  // npos + 1 is 0
            entry->process.store(process, std::memory_order_release);
        }
        close(descriptor);
    }
    errno = error;
}

std::string MapsLog::of(std::int32_t process) const {
    std::string last;
    const std::uint64_t end =
        std::min<std::uint64_t>(reinterpret_cast<const Taken*>(memory_.data())->load(), memory_.size());
    for (std::uint64_t at = sizeof(Taken); at + sizeof(Entry) <= end;) {
        auto* entry = reinterpret_cast<Entry*>(memory_.data() + at);
        const std::uint64_t room = entry->room;
        if (room == 0 || room % 8 != 0 || room > end - at - sizeof(Entry)) break;  // its writer died, or damaged
        if (entry->process.load(std::memory_order_acquire) == process)
            last.assign(entry->text(), std::min<std::uint64_t>(entry->bytes, room));
        at += sizeof(Entry) + room;
    }
    return last;
}

}  // namespace tare::pmu
