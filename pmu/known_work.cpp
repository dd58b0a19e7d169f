// Instructions are counted, so the loop is assembly; loads depend on each other and go in an order without a stride, so
// that no prefetcher takes the misses away.
#include "pmu/known_work.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "the loop and the flush of known_work.cpp are written for x86-64 and aarch64"
#endif

namespace tare::pmu {

namespace {

/// Apart by more than a line and its neighbour, which prefetchers fetch together.
constexpr std::size_t kLineDistanceBytes = 256;

/// The next of `size` places, a power of 2: visits each once before it repeats (multiplier 4k + 1, odd increment: Hull
/// and Dobell, 1962).
constexpr std::size_t next_place(std::size_t place, std::size_t size) {
    return (place * 1645 + 1013) & (size - 1);
}

std::size_t page_bytes() {
    return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::size_t memory_bytes(WorkKind kind) {
    switch (kind) {
        case WorkKind::kFlushedLines:
            return kFlushedLines * kLineDistanceBytes;
        case WorkKind::kScatteredPages:
            return kScatteredPages * page_bytes();
        case WorkKind::kFreshPages:
            return kFreshPages * page_bytes();
        default:
            return 0;
    }
}

void run_loop() noexcept {
    std::uint64_t left = kLoopIterations;
#if defined(__x86_64__)
    asm volatile("1:\tdec %0\n\tjnz 1b" : "+r"(left) : : "cc");
#else
    asm volatile("1:\tsubs %0, %0, #1\n\tb.ne 1b" : "+r"(left) : : "cc");
#endif
}

/// One branch on the lowest bit: assembly, as a compiler would make arithmetic of it.
void branch_on(std::uint64_t bits) noexcept {
#if defined(__x86_64__)
    asm volatile("testb $1, %b0\n\tjz 1f\n\tnop\n1:" : : "q"(bits) : "cc");
#else
    asm volatile("tbz %0, #0, 1f\n\tnop\n1:" : : "r"(bits));
#endif
}

/// xorshift64 (Marsaglia, 2003).
std::uint64_t next_random(std::uint64_t state) {
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    return state;
}

void flush(const std::byte* line) noexcept {
#if defined(__x86_64__)
    asm volatile("clflush %0" : : "m"(*line));
#else
    asm volatile("dc civac, %0" : : "r"(line) : "memory");  // Linux allows it in user space (SCTLR_EL1.UCI)
#endif
}

void wait_for_flushes() noexcept {
#if defined(__x86_64__)
    asm volatile("mfence" : : : "memory");
#else
    asm volatile("dsb ish" : : : "memory");
#endif
}

/// One load from each of `count` places; each address waits for the load before, as all of them hold 0. A sanitizer
/// would load from its own shadow of each place as well, and fault there.
[[gnu::no_sanitize_address, gnu::no_sanitize_thread]] void load_each(const std::byte* memory, std::size_t count,
                                                                     std::size_t distance_bytes) noexcept {
    std::size_t place = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto zero =
            static_cast<std::size_t>(*static_cast<const volatile std::byte*>(memory + place * distance_bytes));
        place = next_place(place + zero, count);
    }
}

[[gnu::no_sanitize_address, gnu::no_sanitize_thread]] void write_each(std::byte* memory, std::size_t count,
                                                                      std::size_t distance_bytes) noexcept {
    for (std::size_t i = 0; i < count; ++i)
        *static_cast<volatile std::byte*>(memory + i * distance_bytes) = std::byte{1};
}

}  // namespace

core::Expected<KnownWork> KnownWork::prepare(WorkKind kind) {
    const std::size_t size = memory_bytes(kind);
    if (size == 0) return KnownWork(kind, {});
    void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return core::fail(core::ErrorCode::kEnvironment,
                          fmt::format("cannot map {} bytes for the self-test: {}", size, std::strerror(errno)));
    KnownWork work(kind, {static_cast<std::byte*>(memory), size});
    // One huge page would be one TLB entry and one fault. A kernel without huge pages refuses, and has none.
    (void)::madvise(memory, size, MADV_NOHUGEPAGE);
    if (kind == WorkKind::kFlushedLines) std::memset(memory, 0, size);
    if (kind == WorkKind::kScatteredPages) {
        // Reading maps the page of zeros everywhere: an entry in the TLB for each page, and no memory taken.
        constexpr int kPopulateRead = 22;  // MADV_POPULATE_READ, Linux 5.14
        if (::madvise(memory, size, kPopulateRead) != 0) load_each(work.memory_.data(), kScatteredPages, page_bytes());
    }
    return work;
}

KnownWork::KnownWork(KnownWork&& other) noexcept
    : kind_(other.kind_), memory_(std::exchange(other.memory_, {})), random_(other.random_) {}

KnownWork::~KnownWork() {
    if (!memory_.empty()) ::munmap(memory_.data(), memory_.size());
}

void KnownWork::reset() noexcept {
    if (kind_ == WorkKind::kFlushedLines) {
        for (std::size_t at = 0; at < memory_.size(); at += kLineDistanceBytes) flush(memory_.data() + at);
        wait_for_flushes();
    }
    if (kind_ == WorkKind::kFreshPages) (void)::madvise(memory_.data(), memory_.size(), MADV_DONTNEED);
}

void KnownWork::run() noexcept {
    constexpr useconds_t kSleepUs = 50;
    switch (kind_) {
        case WorkKind::kLoop:
            return run_loop();
        case WorkKind::kRandomBranches:
            for (std::uint64_t i = 0; i < kRandomBranches; ++i) {
                random_ = next_random(random_);
                branch_on(random_ >> 32U);
            }
            return;
        case WorkKind::kFlushedLines:
            return load_each(memory_.data(), kFlushedLines, kLineDistanceBytes);
        case WorkKind::kScatteredPages:
            return load_each(memory_.data(), kScatteredPages, memory_.size() / kScatteredPages);
        case WorkKind::kFreshPages:
            return write_each(memory_.data(), kFreshPages, memory_.size() / kFreshPages);
        case WorkKind::kSleep:
            ::usleep(kSleepUs);
            return;
    }
}

}  // namespace tare::pmu
