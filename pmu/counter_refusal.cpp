// One errno has several causes; what is known of the machine tells which. Sources: the man page of perf_event_open,
// kernel/events/core.c, and what the sandboxes of containers answer.
#include "pmu/counter_refusal.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>
#include <utility>

#include "pmu/core_pmu.h"
#include "pmu/machine_facts.h"
#include "pmu/machine_text.h"
#include "pmu/text_file.h"

namespace tare::pmu {

using core::CounterProblem;
using core::CounterRequest;
using core::CounterSource;

namespace {

constexpr const char* kCapability = "give the process CAP_PERFMON";

std::string errno_name(int value) {
    constexpr std::array<std::pair<int, std::string_view>, 14> kNames = {{{EPERM, "EPERM"},
                                                                          {ENOENT, "ENOENT"},
                                                                          {E2BIG, "E2BIG"},
                                                                          {ENOMEM, "ENOMEM"},
                                                                          {EACCES, "EACCES"},
                                                                          {EBUSY, "EBUSY"},
                                                                          {ENODEV, "ENODEV"},
                                                                          {EINVAL, "EINVAL"},
                                                                          {ENFILE, "ENFILE"},
                                                                          {EMFILE, "EMFILE"},
                                                                          {ENOSPC, "ENOSPC"},
                                                                          {ENOSYS, "ENOSYS"},
                                                                          {EOPNOTSUPP, "EOPNOTSUPP"},
                                                                          {EIO, "EIO"}}};
    const auto* it = std::find_if(kNames.begin(), kNames.end(), [value](auto& each) { return each.first == value; });
    return it != kNames.end() ? std::string(it->second) : fmt::format("errno {}", value);
}

struct Text {
    std::string reason;
    std::string hint;
};

Text no_such_event(const CounterRequest& request, const CountingSurroundings& surroundings) {
    if (request.source == CounterSource::kSoftware)
        return {fmt::format("this kernel has no event {}", request.event), "use a newer kernel"};
    if (surroundings.has_core_pmu)
        return {fmt::format("this CPU, or its virtual PMU, has no event {}", request.event),
                "`bench pmu list` shows the events of this CPU"};
    return {"this machine exposes no PMU",
            surroundings.hypervisor
                ? "it is a virtual machine: measure on bare metal, or in a guest with a virtual PMU"
                : "measure where the kernel has a driver for the PMU (/sys/bus/event_source/devices)"};
}

/// Levels of Documentation/admin-guide/sysctl/kernel.rst: at 2 the unprivileged may count user space, at 1 the kernel
/// as well; 3 and 4 are Debian's and Ubuntu's own and close all of it.
Text no_access(const CounterRequest& request, const CountingSurroundings& surroundings) {
    const int wanted = request.kernel ? 1 : 2;
    if (!surroundings.privileged && surroundings.paranoid && *surroundings.paranoid > wanted) {
        const bool only_kernel = *surroundings.paranoid <= 2;
        return {fmt::format("kernel.perf_event_paranoid is {}, which forbids to count{}", *surroundings.paranoid,
                            only_kernel ? " in the kernel" : ""),
                fmt::format("{}as root `sysctl kernel.perf_event_paranoid={}`, or {}",
                            only_kernel ? "count user space only, or " : "", wanted, kCapability)};
    }
    const std::string level = surroundings.paranoid ? fmt::format("{}", *surroundings.paranoid) : "not readable";
    return {fmt::format("a security policy forbids to count (kernel.perf_event_paranoid is {})", level),
            fmt::format("{}, or ask who set up SELinux or the sandbox here", kCapability)};
}

Text not_permitted(const CountingSurroundings& surroundings) {
    if (surroundings.container)
        return {"the container's seccomp profile forbids perf_event_open",
                "start the container with --cap-add PERFMON, or with a seccomp profile that allows perf_event_open"};
    return {"a seccomp filter or a security policy of this process forbids perf_event_open",
            fmt::format("{}, or start it outside of the sandbox", kCapability)};
}

Text text_of(int errno_value, const CounterRequest& request, const CountingSurroundings& surroundings) {
    switch (errno_value) {
        case 0:
            return {
                "it cannot be scheduled: too few counters of the PMU are free (the NMI watchdog holds one, another "
                "user of perf may hold more)",
                "as root `sysctl kernel.nmi_watchdog=0`; end other users of perf"};
        case ENOENT:
            return no_such_event(request, surroundings);
        case EACCES:
            return no_access(request, surroundings);
        case EPERM:
            return not_permitted(surroundings);
        case ENOSYS:
            return {"there is no perf_event_open: the kernel is built without it, or a sandbox hides it",
                    "use a kernel with CONFIG_PERF_EVENTS; in a container, allow perf_event_open"};
        case EINVAL:
            return {fmt::format("the kernel rejects the encoding of {}: type {}, config {:#x}, config1 {:#x}",
                                request.event, request.type, request.config, request.config1),
                    "compare it with `bench pmu list`"};
        case EOPNOTSUPP:
            return {fmt::format("the PMU cannot count {} {}", request.event,
                                request.kernel ? "as asked for" : "in user space only"),
                    request.kernel ? "choose another event" : "count in the kernel, too, or choose another event"};
        case EMFILE:
            return {
                fmt::format(
                    "this process has no file descriptor left{}",
                    surroundings.descriptor_limit ? fmt::format(" (limit {})", *surroundings.descriptor_limit) : ""),
                "raise the limit (`ulimit -n`), or ask for fewer counters"};
        case ENFILE:
            return {"the system has no file descriptor left",
                    "as root raise `sysctl fs.file-max`; `ulimit -n` limits only a process"};
        case EBUSY:
            return {"another user of perf holds the PMU for itself", "end the other user of perf"};
        case ENODEV:
            return {fmt::format("the PMU{} does not count on this CPU",
                                request.pmu.empty() ? "" : fmt::format(" '{}'", request.pmu)),
                    "measure on another CPU"};
        default:
            return {fmt::format("perf_event_open: {}", std::strerror(errno_value)), "see its man page"};
    }
}

/// The value behind "Name:" in /proc/self/status.
std::string_view status_field(std::string_view status, std::string_view name) {
    const std::size_t begin = status.find(name);
    if (begin == std::string_view::npos) return {};
    const std::string_view rest = status.substr(begin + name.size());
    return trimmed(rest.substr(0, rest.find('\n')));
}

bool is_privileged(std::string_view status) {
    constexpr int kCapPerfmon = 38;                                                      // linux/capability.h
    const std::vector<std::string_view> users = words_of(status_field(status, "Uid:"));  // real, effective, ...
    if (users.size() > 1 && users[1] == "0") return true;
    const std::string_view mask = status_field(status, "CapEff:");
    std::uint64_t capabilities = 0;
    std::from_chars(mask.data(), mask.data() + mask.size(), capabilities, 16);
    return (capabilities >> kCapPerfmon & 1U) != 0;
}

}  // namespace

CountingSurroundings counting_surroundings(const std::string& root) {
    const core::Value facts = machine_facts(root);
    CountingSurroundings found;
    found.has_core_pmu = !core_pmus(root).empty();
    found.hypervisor = facts["hypervisor"].as_bool();
    found.container = facts["container"].as_text() != "none";
    if (const core::Value& level = facts["perf_event_paranoid"]; !level.is_nil())
        found.paranoid = static_cast<int>(level.as_int());
    found.privileged = is_privileged(read_text_file(std::filesystem::path(root) / "proc/self/status").value_or(""));
    rlimit descriptors{};
    if (::getrlimit(RLIMIT_NOFILE, &descriptors) == 0) found.descriptor_limit = descriptors.rlim_cur;
    return found;
}

CounterProblem refusal(int errno_value, const CounterRequest& request, const CountingSurroundings& surroundings) {
    Text text = text_of(errno_value, request, surroundings);
    return {.errno_name = errno_value == 0 ? "" : errno_name(errno_value),
            .reason = std::move(text.reason),
            .hint = std::move(text.hint)};
}

}  // namespace tare::pmu
