// The real kernel. Every counter is one of the calling thread, wherever it runs, and of none of its children.
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "harness/core/clock.h"
#include "pmu/core_clock.h"
#include "pmu/perf_kernel.h"

namespace tare::pmu {

namespace {

class LinuxPerfKernel final : public PerfKernel {
  public:
    tl::expected<int, int> open(const core::CounterRequest& request, int group_descriptor) override {
        const bool leads = group_descriptor < 0;
        perf_event_attr attributes{};
        attributes.size = sizeof attributes;
        attributes.type = request.type;
        attributes.config = request.config;
        attributes.config1 = request.config1;
        attributes.config2 = request.config2;
        attributes.exclude_kernel = request.kernel ? 0 : 1;
        attributes.exclude_hv = 1;
        // Members follow their leader: only it is pinned, and switched on and off.
        attributes.pinned = leads ? 1 : 0;
        attributes.disabled = leads ? 1 : 0;
        attributes.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
        constexpr pid_t kCallingThread = 0;
        constexpr int kAnyCpu = -1;
        const long descriptor = ::syscall(SYS_perf_event_open, &attributes, kCallingThread, kAnyCpu, group_descriptor,
                                          PERF_FLAG_FD_CLOEXEC);
        if (descriptor < 0) return tl::unexpected(errno);
        return static_cast<int>(descriptor);
    }
    int enable_group(int leader) override { return control(leader, PERF_EVENT_IOC_ENABLE); }
    int disable_group(int leader) override { return control(leader, PERF_EVENT_IOC_DISABLE); }
    std::ptrdiff_t read(int leader, std::span<std::uint64_t> into) noexcept override {
        const ssize_t size = ::read(leader, into.data(), into.size_bytes());
        return size < 0 ? -errno : size;
    }
    void close(int descriptor) noexcept override { ::close(descriptor); }
    ThreadUsage usage() noexcept override {
        rusage usage{};
        ::getrusage(RUSAGE_THREAD, &usage);  // fails for no valid argument
        return {.minor_faults = static_cast<std::uint64_t>(usage.ru_minflt),
                .major_faults = static_cast<std::uint64_t>(usage.ru_majflt),
                .voluntary_switches = static_cast<std::uint64_t>(usage.ru_nvcsw),
                .involuntary_switches = static_cast<std::uint64_t>(usage.ru_nivcsw)};
    }

    double chain_ns() noexcept override { return time_chain_ns(); }
    std::int64_t now_ns() noexcept override { return core::wall_clock_ns(); }

  private:
    // Without PERF_IOC_FLAG_GROUP: members are never disabled, and come and go with their leader. With it, a member of
    // another PMU than the leader's (page faults beside the task clock, or beside cycles) that was disabled and enabled
    // again reads on but counts nothing until the next context switch (seen on Linux 6.18).
    static int control(int leader, unsigned long request) { return ::ioctl(leader, request, 0) < 0 ? errno : 0; }
};

}  // namespace

PerfKernel& linux_kernel() {
    static LinuxPerfKernel kernel;  // has no state
    return kernel;
}

}  // namespace tare::pmu
