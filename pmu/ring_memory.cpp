// Header, states, code area, maps, slots, each beginning on a page.
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

namespace tare::pmu {

using core::ErrorCode;
using core::Expected;

namespace {

constexpr std::uint64_t kMagic = 0x31'67'6e'69'72'65'72'61;  // "arering1", the number being its version
constexpr std::size_t kPage = 4096;
constexpr std::size_t kCodeBytes = std::size_t{4} << 20;  // some 10,000 code objects of 400 bytes
constexpr std::size_t kMapsBytes = std::size_t{1} << 20;  // a process with PyTorch has 150 KB of them
static_assert(sizeof(RingHeader) <= kPage);

constexpr std::size_t whole_pages(std::size_t bytes) {
    return (bytes + kPage - 1) / kPage * kPage;
}

constexpr std::size_t kStatesAt = kPage;
constexpr std::size_t code_at(std::size_t slots) {
    return kStatesAt + whole_pages(slots * sizeof(SharedCount));
}
constexpr std::size_t maps_at(std::size_t slots) {
    return code_at(slots) + kCodeBytes;
}
constexpr std::size_t slots_at(std::size_t slots) {
    return maps_at(slots) + kMapsBytes;
}
constexpr std::size_t size_of(std::size_t slots) {
    return slots_at(slots) + slots * sizeof(SampleSlot);
}

tl::unexpected<core::Error> refused(const char* what) {
    return core::fail(ErrorCode::kEnvironment,
                      std::string("cannot make the ring of samples: ") + what + ": " + std::strerror(errno),
                      "a smaller ring takes less memory");
}

}  // namespace

RingMemory::RingMemory(std::byte* base, std::size_t bytes, int descriptor, bool owns, std::size_t slot_count)
    : base_(base), bytes_(bytes), descriptor_(descriptor), owns_descriptor_(owns), slot_count_(slot_count) {}

RingMemory::RingMemory(RingMemory&& other) noexcept
    : base_(std::exchange(other.base_, nullptr)),
      bytes_(other.bytes_),
      descriptor_(other.descriptor_),
      owns_descriptor_(std::exchange(other.owns_descriptor_, false)),
      slot_count_(other.slot_count_) {}

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
/// page; to map all of 64 MB takes a program's start 10 ms. Slots are taken from the first on: some are enough, as long
/// as somebody drains. Linux before 5.14 refuses: then they come one by one.
void RingMemory::touch() const {
    constexpr std::size_t kTouchedSlots = 64;
    constexpr std::size_t kTouchedCode = std::size_t{256} << 10;
    const auto populate = [&](std::size_t from, std::size_t size) {
        (void)madvise(base_ + from, std::min(size, bytes_ - from), MADV_POPULATE_WRITE);
    };
    populate(0, code_at(slot_count_) + kTouchedCode);
    populate(slots_at(slot_count_), kTouchedSlots * sizeof(SampleSlot));
}

Expected<RingMemory> RingMemory::create(std::size_t bytes) {
    const std::size_t fixed = size_of(0) + kPage;  // the states' pages are rounded up
    const std::size_t slots = bytes <= fixed ? 0 : (bytes - fixed) / (sizeof(SampleSlot) + sizeof(SharedCount));
    if (slots == 0)
        return core::fail(ErrorCode::kUsage, "a ring of " + std::to_string(bytes) + " bytes holds no sample",
                          "it takes " + std::to_string(size_of(1) + kPage) + " at least");
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
    memory.header().slot_count = slots;
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
    if (bytes < size_of(1)) return no_ring("it is too short");
    std::array<std::uint64_t, 2> start{};  // magic, slot_count
    if (pread(descriptor, start.data(), sizeof start, 0) != sizeof start) return no_ring(std::strerror(errno));
    if (start[0] != kMagic) return no_ring("it begins otherwise");
    if (start[1] > bytes / sizeof(SampleSlot) || size_of(start[1]) != bytes) return no_ring("its size is another");
    const Expected<std::byte*> base = map(descriptor, bytes);
    if (!base) return tl::unexpected<core::Error>(base.error());
    RingMemory memory(*base, bytes, descriptor, false, start[1]);
    memory.touch();
    return memory;
}

std::span<SharedCount> RingMemory::states() const {
    return {reinterpret_cast<SharedCount*>(base_ + kStatesAt), slot_count_};
}

std::span<std::byte> RingMemory::code() const {
    return {base_ + code_at(slot_count_), kCodeBytes};
}

std::span<std::byte> RingMemory::maps(bool of_first) const {
    return {base_ + maps_at(slot_count_) + (of_first ? 0 : kMapsBytes / 2), kMapsBytes / 2};
}

std::span<SampleSlot> RingMemory::slots() const {
    return {reinterpret_cast<SampleSlot*>(base_ + slots_at(slot_count_)), slot_count_};
}

}  // namespace tare::pmu
