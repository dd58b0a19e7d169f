// perf_event_open with F_SETSIG. The descriptor gets a high number, for a program counts on low ones; one that closes
// all descriptors may close ours, too, and reuse its number.
#include "pmu/perf_clock.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <utility>

#include "pmu/memory_page.h"

namespace tare::pmu {

namespace {

constexpr std::size_t kMappedBytes = 2 * kPageBytes;  // the first page is the kernel's; 126 records fit into the other

/// PERF_RECORD_SAMPLE with the sample_type below.
struct SampleRecord {
    perf_event_header header;
    std::uint64_t address;
    std::uint64_t time_ns;
    std::uint64_t period;
};
constexpr std::uint64_t kSampleType = PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD;

perf_event_attr attributes(const PerfClock::Settings& settings) {
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.disabled = 1;
    attr.exclude_kernel = settings.kernel ? 0 : 1;
    attr.exclude_hv = 1;
    attr.sample_type = kSampleType;
    attr.use_clockid = 1;
    attr.clockid = CLOCK_MONOTONIC;
    if (settings.event) {
        attr.type = settings.event->type;
        attr.config = settings.event->config;
        attr.config1 = settings.event->config1;
        attr.config2 = settings.event->config2;
        attr.freq = 1;
        attr.sample_freq = static_cast<std::uint64_t>(settings.rate_hz);
    } else {
        attr.type = PERF_TYPE_SOFTWARE;
        attr.config = PERF_COUNT_SW_CPU_CLOCK;
        attr.sample_period = settings.first_period_ns;
    }
    return attr;
}

/// 256 below the limit, but not where the table of descriptors would have to grow beyond 4,096 entries for it.
int high_number() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
    const rlim_t end = std::min<rlim_t>(limit.rlim_cur, 4096);
    return static_cast<int>(end > 512 ? end - 256 : end / 2);
}

/// Numbers of all threads' events, 0 where there is none: a forked child has copies of them all, which would keep them
/// running. With more threads than fit, it keeps some.
std::array<std::atomic<int>, 1024> open_numbers;

void remember_number(int descriptor) {
    for (std::atomic<int>& number : open_numbers)
        if (int none = 0; number.compare_exchange_strong(none, descriptor)) return;
}

void forget_number(int descriptor) {
    for (std::atomic<int>& number : open_numbers)
        if (int same = descriptor; number.compare_exchange_strong(same, 0)) return;
}

/// One of these, and not a file of the program's that has got its number: such has no signal.
bool is_event(int descriptor) {
    f_owner_ex owner{};
    return fcntl(descriptor, F_GETSIG) > 0 && fcntl(descriptor, F_GETOWN_EX, &owner) == 0 && owner.type == F_OWNER_TID;
}

pid_t id_of_this_thread() {
    return static_cast<pid_t>(syscall(SYS_gettid));
}

/// The signal is asked for under the number that it is to carry.
int signal_this_thread(int descriptor, int signal) {
    f_owner_ex owner{F_OWNER_TID, id_of_this_thread()};
    const bool set = fcntl(descriptor, F_SETSIG, signal) == 0 && fcntl(descriptor, F_SETOWN_EX, &owner) == 0 &&
                     fcntl(descriptor, F_SETFL, O_ASYNC | O_NONBLOCK) == 0;
    return set ? 0 : errno;
}

}  // namespace

int PerfClock::open(const Settings& settings) {
    perf_event_attr attr = attributes(settings);
    const int low = static_cast<int>(syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
    if (low < 0) return errno;
    const int high = fcntl(low, F_DUPFD_CLOEXEC, high_number());
    descriptor_ = descriptor_number_ = high >= 0 ? high : low;
    if (high >= 0) ::close(low);
    if (const int refusal = signal_this_thread(descriptor_, settings.signal); refusal != 0) {
        close();
        return refusal;
    }
    remember_number(descriptor_);
    void* page = mmap(nullptr, kMappedBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (page != MAP_FAILED) page_ = page;
    return 0;
}

void PerfClock::enable() noexcept {
    if (descriptor_ >= 0) ioctl(descriptor_, PERF_EVENT_IOC_ENABLE, 0);
}

void PerfClock::disable() noexcept {
    if (descriptor_ >= 0) ioctl(descriptor_, PERF_EVENT_IOC_DISABLE, 0);
}

void PerfClock::set_period(std::uint64_t ns) noexcept {
    // A number that is another file's by now: the event goes on at its last period.
    if (descriptor_ >= 0 && ioctl(descriptor_, PERF_EVENT_IOC_PERIOD, &ns) != 0) descriptor_ = -1;
}

PerfClock::Records PerfClock::take_records() noexcept {
    Records records;
    if (page_ == nullptr) return records;
    auto& control = *static_cast<perf_event_mmap_page*>(page_);
    const auto* data = static_cast<const char*>(page_) + kPageBytes;
    const auto word_at = [&](std::uint64_t at) {  // all is in units of 8 bytes, so that only words do not wrap
        return *reinterpret_cast<const std::uint64_t*>(data + at % kPageBytes);
    };
    const std::uint64_t head = std::atomic_ref(control.data_head).load(std::memory_order_acquire);
    std::uint64_t tail = control.data_tail;
    while (tail < head) {
        const auto header = std::bit_cast<perf_event_header>(word_at(tail));
        if (header.type == PERF_RECORD_SAMPLE) {
            ++records.count;
            records.last_ns = static_cast<std::int64_t>(word_at(tail + offsetof(SampleRecord, time_ns)));
            records.events += word_at(tail + offsetof(SampleRecord, period));
            records.in_kernel = (header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
        }
        if (header.size == 0) break;
        tail += header.size;
    }
    std::atomic_ref(control.data_tail).store(head, std::memory_order_release);
    return records;
}

void PerfClock::close() noexcept {
    disable();
    if (page_ != nullptr) munmap(std::exchange(page_, nullptr), kMappedBytes);
    forget_number(descriptor_number_);
    if (descriptor_ >= 0 && is_event(descriptor_)) ::close(descriptor_);
    descriptor_ = descriptor_number_ = -1;
}

void PerfClock::forget() noexcept {
    page_ = nullptr;
    descriptor_ = descriptor_number_ = -1;
}

void PerfClock::close_inherited() noexcept {
    for (std::atomic<int>& number : open_numbers) {
        const int descriptor = number.exchange(0);
        if (descriptor > 0 && is_event(descriptor)) ::close(descriptor);
    }
}

}  // namespace tare::pmu
