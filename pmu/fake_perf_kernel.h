// FakePerfKernel: a kernel made of numbers. It refuses, schedules, multiplexes, forgets and lies as a test tells it to,
// and knows which descriptors are open.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pmu/perf_kernel.h"

namespace tare::pmu {

/// A request as tests need it: the name tells it apart, the role what it means.
inline core::CounterRequest counter(const std::string& name, core::CounterRole role = core::CounterRole::kOther,
                                    core::CounterSource source = core::CounterSource::kHardware) {
    core::CounterRequest request;
    request.name = name;
    request.event = "fake::" + name;
    request.role = role;
    request.source = source;
    return request;
}

class FakePerfKernel final : public PerfKernel {
  public:
    // What it does; any of it may change between calls.
    std::map<std::string, int> refused;             ///< by name: the errno of open
    std::map<std::string, int> refused_again;       ///< by name: of any open but the first
    int refuse_all = 0;                             ///< the errno of every open
    std::optional<std::size_t> descriptors;         ///< EMFILE beyond so many at once
    std::optional<std::size_t> group_limit;         ///< counters of a PMU in a group; EINVAL beyond
    std::optional<std::size_t> free_counters;       ///< a group that needs more is never scheduled: reads of 0 bytes
    std::map<std::string, std::string> not_beside;  ///< EINVAL for the first in a group that holds the second
    std::map<std::string, std::uint64_t> steps;     ///< by name: what a counter grows by with each reading
    std::uint64_t enabled_step_ns = 1000;           ///< what the times grow by with each reading
    std::uint64_t running_step_ns = 1000;
    bool lost = false;     ///< groups lose the PMU: 0 bytes until enabled again
    int enable_error = 0;  ///< the errno of enable_group
    std::function<void(const std::vector<std::string>&)> on_enable;  ///< told the names of the group
    ThreadUsage now;                                                 ///< what usage() gives
    ThreadUsage usage_step;                                          ///< and what it grows by each time
    std::vector<double> chains_ns;                                   ///< what chain_ns() gives, in turn
    std::int64_t now_step_ns = 0;                                    ///< what now_ns() grows by each time

    // What was done to it.
    std::vector<std::string> opened;  ///< names with success, in order; a leader with a '*'
    int reads = 0;
    int usages = 0;
    int bad_calls = 0;  ///< closed twice, unknown, or a control of what is no leader

    [[nodiscard]] std::size_t open_descriptors() const { return counters_.size(); }
    /// The leaders that count at the moment.
    [[nodiscard]] std::vector<std::string> counting() const {
        std::vector<std::string> names;
        for (const auto& [descriptor, each] : counters_)
            if (each.leader == descriptor && each.enabled) names.push_back(each.request.name);
        return names;
    }

    tl::expected<int, int> open(const core::CounterRequest& request, int group_descriptor) override {
        if (refuse_all != 0) return tl::unexpected(refuse_all);
        if (const auto it = refused.find(request.name); it != refused.end()) return tl::unexpected(it->second);
        if (const auto it = refused_again.find(request.name);
            it != refused_again.end() && std::any_of(counters_.begin(), counters_.end(), [&](const auto& each) {
                return each.second.request.name == request.name;
            }))
            return tl::unexpected(it->second);
        if (descriptors && counters_.size() >= *descriptors) return tl::unexpected(EMFILE);
        const int descriptor = next_descriptor_++;
        const int leader = group_descriptor < 0 ? descriptor : group_descriptor;
        if (leader != descriptor && !counters_.contains(leader)) return tl::unexpected(EBADF);
        for (const auto* each : members(leader))
            if (const auto it = not_beside.find(request.name);
                it != not_beside.end() && it->second == each->request.name)
                return tl::unexpected(EINVAL);
        const bool of_pmu = request.source == core::CounterSource::kHardware;
        if (of_pmu && group_limit && hardware_in(leader) + 1 > *group_limit) return tl::unexpected(EINVAL);
        counters_[descriptor] = {.request = request, .leader = leader, .enabled = false, .in_error = false, .value = 0};
        opened.push_back(request.name + (leader == descriptor ? "*" : ""));
        return descriptor;
    }
    int enable_group(int leader) override {
        Counter* group = leader_of(leader);
        if (group == nullptr) return EBADF;
        if (enable_error != 0) return enable_error;
        if (on_enable) {
            std::vector<std::string> names;
            for (const Counter* each : members(leader)) names.push_back(each->request.name);
            on_enable(names);
        }
        group->enabled = true;
        group->in_error = free_counters && hardware_in(leader) > *free_counters;
        return 0;
    }
    int disable_group(int leader) override {
        Counter* group = leader_of(leader);
        if (group == nullptr) return EBADF;
        group->enabled = false;
        return 0;
    }
    std::ptrdiff_t read(int leader, std::span<std::uint64_t> into) noexcept override {
        ++reads;
        Counter* group = leader_of(leader);
        if (group == nullptr) return -EBADF;
        if (lost) group->in_error = true;
        if (group->in_error) return 0;
        const std::vector<Counter*> all = members(leader);
        if (into.size() < all.size() + 3) return -ENOSPC;
        if (group->enabled) {
            enabled_ns_ += enabled_step_ns;
            running_ns_ += running_step_ns;
            for (Counter* each : all) each->value += steps[each->request.name];
        }
        into[0] = all.size();
        into[1] = enabled_ns_;
        into[2] = running_ns_;
        for (std::size_t i = 0; i < all.size(); ++i) into[3 + i] = all[i]->value;
        return static_cast<std::ptrdiff_t>((all.size() + 3) * sizeof(std::uint64_t));
    }
    void close(int descriptor) noexcept override { bad_calls += counters_.erase(descriptor) == 1 ? 0 : 1; }
    ThreadUsage usage() noexcept override {
        ++usages;
        now.minor_faults += usage_step.minor_faults;
        now.major_faults += usage_step.major_faults;
        now.voluntary_switches += usage_step.voluntary_switches;
        now.involuntary_switches += usage_step.involuntary_switches;
        return now;
    }
    double chain_ns() noexcept override { return chains_ns.empty() ? 0 : chains_ns[chains_++ % chains_ns.size()]; }
    std::int64_t now_ns() noexcept override { return now_ns_ += now_step_ns; }

  private:
    struct Counter {
        core::CounterRequest request;
        int leader = -1;
        bool enabled = false;   ///< of a leader: its group counts
        bool in_error = false;  ///< of a leader: the pinned group could not be scheduled
        std::uint64_t value = 0;
    };

    Counter* leader_of(int descriptor) {
        const auto it = counters_.find(descriptor);
        if (it != counters_.end() && it->second.leader == descriptor) return &it->second;
        ++bad_calls;
        return nullptr;
    }
    std::vector<Counter*> members(int leader) {
        std::vector<Counter*> found;
        for (auto& [descriptor, each] : counters_)  // ascending, so in the order they joined
            if (each.leader == leader) found.push_back(&each);
        return found;
    }
    std::size_t hardware_in(int leader) {
        std::size_t count = 0;
        for (const Counter* each : members(leader)) count += each->request.source == core::CounterSource::kHardware;
        return count;
    }

    std::map<int, Counter> counters_;
    std::size_t chains_ = 0;
    std::int64_t now_ns_ = 1'000'000;
    int next_descriptor_ = 100;
    std::uint64_t enabled_ns_ = 0;
    std::uint64_t running_ns_ = 0;
};

}  // namespace tare::pmu
