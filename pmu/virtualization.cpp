// The rules, strongest hint first.
#include "pmu/virtualization.h"

#include <array>
#include <string_view>
#include <utility>

#include "pmu/machine_text.h"

namespace tare::pmu {

namespace {

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

}  // namespace

std::string hypervisor_of(const VirtualizationHints& hints) {
    // A guest's clock source or its bus names the hypervisor itself; DMI may name the cloud.
    if (contains(hints.clock_sources, "kvm-clock")) return "kvm";
    if (contains(hints.clock_sources, "hyperv_clocksource")) return "microsoft";
    if (contains(hints.hypervisor_type, "xen") || contains(hints.clock_sources, "xen")) return "xen";
    if (contains(hints.device_tree, "kvm")) return "kvm";
    if (contains(hints.device_tree, "xen")) return "xen";
    // EC2's bare-metal types carry Amazon's DMI strings too.
    const bool metal = contains(hints.dmi_product, ".metal");
    constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kVendors{
        {{"QEMU", "qemu"},
         {"KVM", "kvm"},
         {"Amazon EC2", "amazon"},
         {"Google Compute Engine", "google"},
         {"VMware", "vmware"},
         {"innotek GmbH", "oracle"},
         {"VirtualBox", "oracle"},
         {"Virtual Machine", "microsoft"},
         {"Apple Virtualization", "apple"}}};
    if (!metal)
        for (const auto& [text, name] : kVendors)
            if (contains(hints.dmi_vendor, text) || contains(hints.dmi_product, text)) return std::string(name);
    return hints.hypervisor_flag ? "vm-other" : "none";
}

std::string container_of(const VirtualizationHints& hints) {
    if (const std::string_view named = trimmed(hints.systemd_container); !named.empty()) return std::string(named);
    if (hints.has_containerenv) return "podman";
    if (contains(hints.init_cgroup, "kubepods")) return "kubernetes";
    if (hints.has_dockerenv || contains(hints.init_cgroup, "/docker")) return "docker";
    if (contains(hints.init_cgroup, "/lxc")) return "lxc";
    if (contains(hints.kernel_release, "microsoft") || contains(hints.kernel_release, "WSL")) return "wsl";
    return "none";
}

}  // namespace tare::pmu
