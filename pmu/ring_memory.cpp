// Header, states, code area, maps, small slots, large slots; all but the last begin on a page.
#include "pmu/ring_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "pmu/memory_page.h"

namespace tare::pmu {

using core::ErrorCode;
using core::Expected;

namespace {

constexpr std::uint64_t kMagic = 0x32'67'6e'69'72'65'72'61;  // "arering2", the number being its version
constexpr std::size_t kCodeBytes = std::size_t{4} << 20;     // some 10,000 code objects of 400 bytes
constexpr std::size_t kMapsBytes = std::size_t{1} << 20;     // a process with PyTorch has 150 KB of them
static_assert(sizeof(RingHeader) <= kPageBytes);

constexpr std::size_t whole_pages(std::size_t bytes) {
    return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

constexpr std::size_t kStatesAt = kPageBytes;
constexpr std::size_t code_at(std::size_t slots) {
    return kStatesAt + whole_pages(slots * sizeof(SharedCount));
}
constexpr std::size_t maps_at(std::size_t slots) {
    return code_at(slots) + kCodeBytes;
}
constexpr std::size_t slots_at(std::size_t slots) {
    return maps_at(slots) + kMapsBytes;
}
constexpr std::size_t kSmallSlot = sizeof(SampleSlot) + kSmallStackBytes;
constexpr std::size_t kLargeSlot = sizeof(SampleSlot) + kMostStackBytes;
constexpr std::size_t large_slots_at(const SlotCounts& slots) {
    return slots_at(slots.all()) + slots.small * kSmallSlot;
}
constexpr std::size_t size_of(const SlotCounts& slots) {
    return large_slots_at(slots) + slots.large * kLargeSlot;
}

constexpr std::size_t kLeastBytes = size_of({}) + kPageBytes + 3 * (kLargeSlot + sizeof(SharedCount));

tl::unexpected<core::Error> refused(const char* what) {
    return core::fail(ErrorCode::kEnvironment,
                      std::string("cannot make the ring of samples: ") + what + ": " + std::strerror(errno),
                      "a smaller ring takes less memory");
}

}  // namespace

SlotCounts SlotCounts::within(std::size_t ring_bytes) {
    const std::size_t fixed = size_of({}) + kPageBytes;  // the states' pages are rounded up
    const std::size_t third = ring_bytes <= fixed ? 0 : (ring_bytes - fixed) / 3;
    return {.small = third * 2 / (kSmallSlot + sizeof(SharedCount)),
            .large = third / (kLargeSlot + sizeof(SharedCount))};
}

RingMemory::RingMemory(std::byte* base, std::size_t bytes, int descriptor, bool owns, SlotCounts slots)
    : base_(base), bytes_(bytes), descriptor_(descriptor), owns_descriptor_(owns), slots_(slots) {}

RingMemory::RingMemory(RingMemory&& other) noexcept
    : base_(std::exchange(other.base_, nullptr)),
      bytes_(other.bytes_),
      descriptor_(other.descriptor_),
      owns_descriptor_(std::exchange(other.owns_descriptor_, false)),
      slots_(other.slots_) {}

RingMemory::~RingMemory() {
    if (base_ != nullptr) munmap(base_, bytes_);
    if (owns_descriptor_) close(descriptor_);
}

Expected<std::byte*> RingMemory::map(int descriptor, std::size_t bytes) {
    void* base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (base == MAP_FAILED) return refused("mmap");
    return static_cast<std::byte*>(base);
}

/// The file's pages are there, but this process has to map each at its first touch, which takes the handler 0.7 us a
/// page; to map all of 88 MB takes a program's start 14 ms. Slots are taken from the first on: some are enough, as long
/// as somebody drains. Linux before 5.14 refuses: then they come one by one.
void RingMemory::touch() const {
    constexpr std::size_t kTouchedSmall = 44;
    constexpr std::size_t kTouchedLarge = 12;
    constexpr std::size_t kTouchedCode = std::size_t{256} << 10;
    const auto populate = [&](std::size_t from, std::size_t size) {
        (void)madvise(base_ + from, std::min(size, bytes_ - from), MADV_POPULATE_WRITE);
    };
    populate(0, code_at(slots_.all()) + kTouchedCode);
    populate(slots_at(slots_.all()), std::min(kTouchedSmall, slots_.small) * kSmallSlot);
    populate(large_slots_at(slots_) / kPageBytes * kPageBytes, std::min(kTouchedLarge, slots_.large) * kLargeSlot);
}

Expected<RingMemory> RingMemory::create(std::size_t bytes) {
    const SlotCounts slots = SlotCounts::within(bytes);
    if (slots.large == 0)
        return core::fail(ErrorCode::kUsage, "a ring of " + std::to_string(bytes) + " bytes holds no sample",
                          "it takes " + std::to_string(kLeastBytes) + " at least");
    const int descriptor = memfd_create("tare-samples", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) return refused("memfd_create");
    RingMemory memory(nullptr, size_of(slots), descriptor, true, slots);
    // Not ftruncate alone: where memory is short, the first touch would be a SIGBUS.
    if (const int error = posix_fallocate(descriptor, 0, static_cast<off_t>(memory.bytes_)); error != 0) {
        errno = error;
        return refused("posix_fallocate");
    }
    if (fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) return refused("F_ADD_SEALS");
    const Expected<std::byte*> base = map(descriptor, memory.bytes_);
    if (!base) return tl::unexpected<core::Error>(base.error());
    memory.base_ = *base;
    memory.header().small_slots = slots.small;
    memory.header().large_slots = slots.large;
    memory.header().magic = kMagic;
    return memory;
}

Expected<RingMemory> RingMemory::open(int descriptor) {
    const auto no_ring = [&](const char* why) {
        return core::fail(ErrorCode::kData,
                          "descriptor " + std::to_string(descriptor) + " is no ring of samples: " + why);
    };
    struct stat facts {};
    if (fstat(descriptor, &facts) != 0) return no_ring(std::strerror(errno));
    const int seals = fcntl(descriptor, F_GET_SEALS);
    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0) return no_ring("it is not sealed");
    const auto bytes = static_cast<std::size_t>(facts.st_size);
    if (bytes < size_of({})) return no_ring("it is too short");
    std::array<std::uint64_t, 3> start{};  // magic, small_slots, large_slots
    if (pread(descriptor, start.data(), sizeof start, 0) != sizeof start) return no_ring(std::strerror(errno));
    if (start[0] != kMagic) return no_ring("it begins otherwise");
    const SlotCounts slots{.small = start[1], .large = start[2]};
    if (slots.small > bytes / kSmallSlot || slots.large > bytes / kLargeSlot || size_of(slots) != bytes)
        return no_ring("its size is another");
    const Expected<std::byte*> base = map(descriptor, bytes);
    if (!base) return tl::unexpected<core::Error>(base.error());
    RingMemory memory(*base, bytes, descriptor, false, slots);
    memory.touch();
    return memory;
}

std::span<SharedCount> RingMemory::states() const {
    return {reinterpret_cast<SharedCount*>(base_ + kStatesAt), slots_.all()};
}

std::span<std::byte> RingMemory::code() const {
    return {base_ + code_at(slots_.all()), kCodeBytes};
}

std::span<std::byte> RingMemory::maps(bool of_first) const {
    return {base_ + maps_at(slots_.all()) + (of_first ? 0 : kMapsBytes / 2), kMapsBytes / 2};
}

SampleSlot& RingMemory::slot(std::size_t index) const {
    std::byte* at = index < slots_.small ? base_ + slots_at(slots_.all()) + index * kSmallSlot
                                         : base_ + large_slots_at(slots_) + (index - slots_.small) * kLargeSlot;
    return *reinterpret_cast<SampleSlot*>(at);
}

std::span<std::byte> RingMemory::stack(std::size_t index) const {
    return {reinterpret_cast<std::byte*>(&slot(index) + 1), index < slots_.small ? kSmallStackBytes : kMostStackBytes};
}

}  // namespace tare::pmu
