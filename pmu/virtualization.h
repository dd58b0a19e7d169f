// Whether a hypervisor or a container lies between us and the machine, judged from files that anyone may read.
// Pure functions over captured hints. Any thread.
#pragma once

#include <optional>
#include <string>

namespace tare::pmu {

/// What the files say; an empty text: the file does not exist or cannot be read.
struct VirtualizationHints {
    bool hypervisor_flag = false;   ///< `hypervisor` among the flags of /proc/cpuinfo (x86 only)
    std::string dmi_vendor;         ///< /sys/class/dmi/id/sys_vendor
    std::string dmi_product;        ///< /sys/class/dmi/id/product_name
    std::string hypervisor_type;    ///< /sys/hypervisor/type
    std::string clock_sources;      ///< /sys/devices/system/clocksource/clocksource0/available_clocksource
    std::string device_tree;        ///< /proc/device-tree/hypervisor/compatible
    bool has_dockerenv = false;     ///< /.dockerenv
    bool has_containerenv = false;  ///< /run/.containerenv (podman)
    std::string systemd_container;  ///< /run/systemd/container
    std::string init_cgroup;        ///< /proc/1/cgroup
    std::string kernel_release;     ///< /proc/sys/kernel/osrelease
};

/// The hypervisor by the name that systemd-detect-virt gives it: "kvm", "qemu", "xen", "vmware", "microsoft",
/// "oracle", "amazon", "google", "apple", "vm-other"; or "none".
[[nodiscard]] std::string hypervisor_of(const VirtualizationHints& hints);

/// The container: "docker", "podman", "lxc", "kubernetes", "wsl", or what systemd wrote down; or "none".
[[nodiscard]] std::string container_of(const VirtualizationHints& hints);

}  // namespace tare::pmu
