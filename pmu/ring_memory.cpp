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

constexpr std::uint64_t kMagic = 0x33'67'6e'69'72'65'72'61;  // "arering3", the number being its version
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
constexpr std::size_t frame_bytes(std::size_t python_frames) {
    const std::size_t bytes = python_frames * sizeof(core::PythonFrame);
    return (bytes + alignof(SampleSlot) - 1) / alignof(SampleSlot) * alignof(SampleSlot);
}
constexpr std::size_t small_slot(std::size_t python_frames) {
    return sizeof(SampleSlot) + frame_bytes(python_frames) + kSmallStackBytes;
}
constexpr std::size_t large_slot(std::size_t python_frames) {
    return sizeof(SampleSlot) + frame_bytes(python_frames) + kMostStackBytes;
}
static_assert(kSmallStackBytes % alignof(SampleSlot) == 0 && kMostStackBytes % alignof(SampleSlot) == 0);
constexpr std::size_t large_slots_at(const RingShape& shape) {
    return slots_at(shape.all()) + shape.small * small_slot(shape.python_frames);
}
constexpr std::size_t size_of(const RingShape& shape) {
    return large_slots_at(shape) + shape.large * large_slot(shape.python_frames);
}

constexpr std::size_t least_bytes(std::size_t python_frames) {
    return size_of({}) + kPageBytes + 3 * (large_slot(python_frames) + sizeof(SharedCount));
}

tl::unexpected<core::Error> refused(const char* what) {
    return core::fail(ErrorCode::kEnvironment,
                      std::string("cannot make the ring of samples: ") + what + ": " + std::strerror(errno),
                      "a smaller ring takes less memory");
}

}  // namespace

RingShape RingShape::within(std::size_t ring_bytes, std::size_t python_frames) {
    const std::size_t fixed = size_of({}) + kPageBytes;  // the states' pages are rounded up
    const std::size_t third = ring_bytes <= fixed ? 0 : (ring_bytes - fixed) / 3;
    return {.small = third * 2 / (small_slot(python_frames) + sizeof(SharedCount)),
            .large = third / (large_slot(python_frames) + sizeof(SharedCount)),
            .python_frames = python_frames};
}

RingMemory::RingMemory(std::byte* base, std::size_t bytes, int descriptor, bool owns, RingShape shape)
    : base_(base), bytes_(bytes), descriptor_(descriptor), owns_descriptor_(owns), shape_(shape) {}

RingMemory::RingMemory(RingMemory&& other) noexcept
    : base_(std::exchange(other.base_, nullptr)),
      bytes_(other.bytes_),
      descriptor_(other.descriptor_),
      owns_descriptor_(std::exchange(other.owns_descriptor_, false)),
      shape_(other.shape_) {}

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
/// page; to map all of 88 MB took a program's start 14 ms. Slots are taken from the first on: some are enough, as long
/// as somebody drains. Linux before 5.14 refuses: then they come one by one.
void RingMemory::touch() const {
    constexpr std::size_t kTouchedSmall = 44;
    constexpr std::size_t kTouchedLarge = 12;
    constexpr std::size_t kTouchedCode = std::size_t{256} << 10;
    const auto populate = [&](std::size_t from, std::size_t size) {
        (void)madvise(base_ + from, std::min(size, bytes_ - from), MADV_POPULATE_WRITE);
    };
    populate(0, code_at(shape_.all()) + kTouchedCode);
    populate(slots_at(shape_.all()), std::min(kTouchedSmall, shape_.small) * small_slot(shape_.python_frames));
    populate(large_slots_at(shape_) / kPageBytes * kPageBytes,
             std::min(kTouchedLarge, shape_.large) * large_slot(shape_.python_frames));
}

Expected<RingMemory> RingMemory::create(std::size_t bytes, std::size_t python_frames) {
    const RingShape shape = RingShape::within(bytes, std::min(python_frames, kMostPythonFrames));
    if (shape.large == 0 || python_frames > kMostPythonFrames)
        return core::fail(ErrorCode::kUsage,
                          "a ring of " + std::to_string(bytes) + " bytes holds no sample of " +
                              std::to_string(python_frames) + " Python frames",
                          "it takes " + std::to_string(least_bytes(python_frames)) + " at least, and at most " +
                              std::to_string(kMostPythonFrames) + " frames");
    const int descriptor = memfd_create("tare-samples", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) return refused("memfd_create");
    RingMemory memory(nullptr, size_of(shape), descriptor, true, shape);
    // Not ftruncate alone: where memory is short, the first touch would be a SIGBUS.
    if (const int error = posix_fallocate(descriptor, 0, static_cast<off_t>(memory.bytes_)); error != 0) {
        errno = error;
        return refused("posix_fallocate");
    }
    if (fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) return refused("F_ADD_SEALS");
    const Expected<std::byte*> base = map(descriptor, memory.bytes_);
    if (!base) return tl::unexpected<core::Error>(base.error());
    memory.base_ = *base;
    memory.header().small_slots = shape.small;
    memory.header().large_slots = shape.large;
    memory.header().python_frames = shape.python_frames;
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
    std::array<std::uint64_t, 4> start{};  // magic, small_slots, large_slots, python_frames
    if (pread(descriptor, start.data(), sizeof start, 0) != sizeof start) return no_ring(std::strerror(errno));
    if (start[0] != kMagic) return no_ring("it begins otherwise");
    const RingShape shape{.small = start[1], .large = start[2], .python_frames = start[3]};
    if (shape.python_frames > kMostPythonFrames || shape.small > bytes / kSmallStackBytes ||
        shape.large > bytes / kMostStackBytes || size_of(shape) != bytes)
        return no_ring("its size is another");
    const Expected<std::byte*> base = map(descriptor, bytes);
    if (!base) return tl::unexpected<core::Error>(base.error());
    RingMemory memory(*base, bytes, descriptor, false, shape);
    memory.touch();
    return memory;
}

std::span<SharedCount> RingMemory::states() const {
    return {reinterpret_cast<SharedCount*>(base_ + kStatesAt), shape_.all()};
}

std::span<std::byte> RingMemory::code() const {
    return {base_ + code_at(shape_.all()), kCodeBytes};
}

std::span<std::byte> RingMemory::maps(bool of_first) const {
    return {base_ + maps_at(shape_.all()) + (of_first ? 0 : kMapsBytes / 2), kMapsBytes / 2};
}

SampleSlot& RingMemory::slot(std::size_t index) const {
    std::byte* at = index < shape_.small
                        ? base_ + slots_at(shape_.all()) + index * small_slot(shape_.python_frames)
                        : base_ + large_slots_at(shape_) + (index - shape_.small) * large_slot(shape_.python_frames);
    return *reinterpret_cast<SampleSlot*>(at);
}

std::span<core::PythonFrame> RingMemory::python(std::size_t index) const {
    return {reinterpret_cast<core::PythonFrame*>(&slot(index) + 1), shape_.python_frames};
}

std::span<std::byte> RingMemory::stack(std::size_t index) const {
    return {reinterpret_cast<std::byte*>(&slot(index) + 1) + frame_bytes(shape_.python_frames),
            index < shape_.small ? kSmallStackBytes : kMostStackBytes};
}

}  // namespace tare::pmu
