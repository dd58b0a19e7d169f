// At stake: that a number from a guest, whose clock the host moves, is never taken for one of bare metal.
#include "pmu/virtualization.h"

#include <gmock/gmock.h>

namespace tare::pmu {
namespace {

VirtualizationHints with(auto change) {
    VirtualizationHints hints;
    change(hints);
    return hints;
}

TEST(Hypervisor, OfBareMetalIsNone) {
    EXPECT_EQ(hypervisor_of({}), "none");
    EXPECT_EQ(hypervisor_of(with([](auto& h) {
                  h.dmi_vendor = "Dell Inc.";
                  h.dmi_product = "PowerEdge R740";
                  h.clock_sources = "tsc hpet acpi_pm";
              })),
              "none");
}

TEST(Hypervisor, WithoutAnyIdentityButTheFlagIsStillSeen) {
    EXPECT_EQ(hypervisor_of(with([](auto& h) { h.hypervisor_flag = true; })), "vm-other");
}

TEST(Hypervisor, IsNamedByTheGuestsClockSource) {
    EXPECT_EQ(hypervisor_of(with([](auto& h) { h.clock_sources = "tsc kvm-clock"; })), "kvm");
    EXPECT_EQ(hypervisor_of(with([](auto& h) { h.clock_sources = "hyperv_clocksource_tsc_page acpi_pm"; })),
              "microsoft");
    EXPECT_EQ(hypervisor_of(with([](auto& h) { h.hypervisor_type = "xen"; })), "xen");
}

TEST(Hypervisor, IsNamedByTheFirmware) {
    for (const auto& [vendor, product, name] : {std::tuple{"QEMU", "Standard PC (Q35 + ICH9, 2009)", "qemu"},
                                                {"VMware, Inc.", "VMware7,1", "vmware"},
                                                {"innotek GmbH", "VirtualBox", "oracle"},
                                                {"Microsoft Corporation", "Virtual Machine", "microsoft"},
                                                {"Google", "Google Compute Engine", "google"},
                                                {"Amazon EC2", "m7g.large", "amazon"}})
        EXPECT_EQ(hypervisor_of(with([&](auto& h) {
                      h.dmi_vendor = vendor;
                      h.dmi_product = product;
                  })),
                  name);
}

TEST(Hypervisor, OfACloudsBareMetalIsNone) {
    EXPECT_EQ(hypervisor_of(with([](auto& h) {
                  h.dmi_vendor = "Amazon EC2";
                  h.dmi_product = "c7g.metal";
              })),
              "none");
    // Microsoft makes laptops too.
    EXPECT_EQ(hypervisor_of(with([](auto& h) {
                  h.dmi_vendor = "Microsoft Corporation";
                  h.dmi_product = "Surface Laptop";
              })),
              "none");
}

TEST(Container, IsFoundByEachOfItsTraces) {
    EXPECT_EQ(container_of({}), "none");
    EXPECT_EQ(container_of(with([](auto& h) { h.has_dockerenv = true; })), "docker");
    EXPECT_EQ(container_of(with([](auto& h) { h.init_cgroup = "5:devices:/docker/0123abcd"; })), "docker");
    EXPECT_EQ(container_of(with([](auto& h) { h.has_containerenv = true; })), "podman");
    EXPECT_EQ(container_of(with([](auto& h) {
                  h.has_dockerenv = true;
                  h.init_cgroup = "0::/kubepods/besteffort/pod1";
              })),
              "kubernetes");
    EXPECT_EQ(container_of(with([](auto& h) { h.systemd_container = "systemd-nspawn\n"; })), "systemd-nspawn");
    EXPECT_EQ(container_of(with([](auto& h) { h.kernel_release = "5.15.90.1-microsoft-standard-WSL2"; })), "wsl");
}

}  // namespace
}  // namespace tare::pmu
