// Words and shares.
#include "harness/record/profile_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "harness/core/stack_sample.h"
#include "harness/core/thread_name.h"
#include "harness/record/ledger_text.h"
#include "harness/record/shared_lines.h"
#include "harness/stats/proportion.h"

namespace tare::record {

namespace {

std::string percent_of(std::uint64_t part, std::uint64_t whole) {
    return percent_text(share_of(part, whole));
}

std::string rate_text(double hz) {
    return count_text(static_cast<std::uint64_t>(std::llround(std::max(hz, 0.0))));
}

template <class Time>
void sort_by(std::vector<std::size_t>& order, const Time& time) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return time(a) > time(b); });
}

/// Of a function or a line.
template <class Timed>
std::pair<double, double> key(const Timed& timed, ProfileOrder by) {
    return by == ProfileOrder::kSelf ? std::pair(timed.self.ns, timed.inclusive.ns)
                                     : std::pair(timed.inclusive.ns, timed.self.ns);
}

}  // namespace

double share_of(const core::SampledTime& time, const core::Profile& profile) {
    return profile.total.ns > 0 ? time.ns / profile.total.ns : 0;
}

double share_error(const core::SampledTime& time, const core::Profile& profile) {
    const stats::Interval interval =
        stats::share_interval(share_of(time, profile), static_cast<double>(profile.total.samples));
    return profile.total.samples == 0 ? 1 : (interval.high - interval.low) / 2;
}

std::string share_error_text(const core::SampledTime& time, const core::Profile& profile, const TextStyle& style) {
    if (time.samples == 0) return {};
    return fmt::format("{}{:.1f}", style.unicode ? "\u00b1" : "+-", 100 * share_error(time, profile));
}

std::string place_text(const core::ProfileFunction& function, int line) {
    const std::string file = function.file.empty() ? "?" : file_name_of(function.file);
    return line > 0 ? fmt::format("{}:{}", one_line(file), line) : one_line(file);
}

std::string place_text(const core::Profile& profile, const core::ProfileFunction& function) {
    if (function.kind == core::FrameKind::kPython) return place_text(function, function.first_line);
    if (function.kind != core::FrameKind::kNative || function.module >= profile.modules.size()) return {};
    return file_name_of(profile.modules[function.module].path);
}

std::vector<std::string> main_layers(const core::Profile& profile) {
    std::vector<std::map<std::uint32_t, double>> shares(profile.functions.size());
    for (const core::ProfileNode& node : profile.nodes)
        if (node.self.samples > 0) shares[node.function][node.layer] += node.self.ns;
    std::vector<std::string> layers;
    for (const auto& share : shares) {
        const auto most = std::max_element(share.begin(), share.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        layers.push_back(most == share.end() ? std::string() : profile.layers[most->first].name);
    }
    return layers;
}

std::string plain_duration(double ns, const TextStyle& style) {
    std::string text = duration_text(ns, style);
    if (const std::size_t at = text.find("  "); at != std::string::npos) text.erase(at, 1);
    return text;
}

std::string time_cell(const core::SampledTime& time, const TextStyle& style) {
    return time.samples == 0 ? std::string() : duration_text(time.ns, style);
}

std::string more_text(std::size_t all, std::size_t shown, const std::string& what) {
    if (all <= shown) return {};
    return fmt::format("{} more {}{}\n", count_text(all - shown), what, all - shown == 1 ? "" : "s");
}

std::string clock_text(const core::ProfileSampling& sampling) {
    std::string text;
    switch (sampling.clock) {
        case core::SampleClock::kPmu:
            text = fmt::format("the PMU's {}", sampling.event.empty() ? "cycles" : sampling.event);
            break;
        case core::SampleClock::kCpuClock:
            text = "perf's CPU clock";
            break;
        case core::SampleClock::kTimer:
            text = "a timer of the wall clock";
            break;
    }
    return sampling.fallback_reason.empty() ? text : fmt::format("{} ({})", text, one_line(sampling.fallback_reason));
}

std::string clock_name(core::SampleClock clock) {
    switch (clock) {
        case core::SampleClock::kPmu:
            return "pmu";
        case core::SampleClock::kCpuClock:
            return "cpu_clock";
        case core::SampleClock::kTimer:
            return "timer";
    }
    return "?";
}

std::string sampling_text(const core::Profile& profile, const TextStyle& style) {
    const core::ProfileSampling& sampling = profile.sampling;
    if (profile.total.samples == 0)
        return fmt::format("no samples were taken at {} Hz by {}{}; raise --rate, or let it run longer",
                           rate_text(sampling.asked_hz), clock_text(sampling),
                           sampling.taken == 0 ? "" : fmt::format(" ({} do not count)", count_text(sampling.taken)));
    std::string text =
        fmt::format("{} samples of {} at {} Hz (asked for {}) by {}; {} dropped", count_text(profile.total.samples),
                    plain_duration(profile.total.ns, style), rate_text(sampling.achieved_hz),
                    rate_text(sampling.asked_hz), clock_text(sampling), count_text(sampling.dropped));
    if (sampling.late > 0) text += fmt::format(", {} late", count_text(sampling.late));
    if (sampling.damaged > 0) text += fmt::format(", {} damaged", count_text(sampling.damaged));
    text += fmt::format("; sampling took {} of the CPU time", percent_text(sampling.cost_ratio()));
    return profile.interrupted ? text + "; interrupted: only what was sampled until then" : text;
}

/// " (frame 8, code 1)": why chains could not be read; empty where all could.
std::string causes_text(const core::ProfileQuality& quality) {
    std::string text;
    for (std::size_t i = 0; i < core::kUnreadableCauses.size(); ++i)
        if (quality.unreadable_by[i] > 0)
            text += fmt::format("{}{} {}", text.empty() ? " (" : ", ", core::kUnreadableCauses[i].name,
                                count_text(quality.unreadable_by[i]));
    return text.empty() ? text : text + ")";
}

std::vector<std::string> quality_texts(const core::Profile& profile) {
    const core::ProfileQuality& quality = profile.quality;
    std::vector<std::string> texts;
    const std::uint64_t stacks = quality.complete + quality.scanned + quality.truncated;
    if (stacks > 0)
        texts.push_back(fmt::format(
            "stacks: {} complete by unwind information, {} complete with frames found by scanning, {} truncated",
            percent_of(quality.complete, stacks), percent_of(quality.scanned, stacks),
            percent_of(quality.truncated, stacks)));
    const std::uint64_t chains = quality.python_whole + quality.python_cut + quality.python_unreadable;
    if (chains > 0)
        texts.push_back(fmt::format(
            "Python frames: in {} samples; {} whole, {} cut to the innermost {}, {} unreadable{}; {} of {} boundaries "
            "unmatched",
            count_text(chains), percent_of(quality.python_whole, chains), percent_of(quality.python_cut, chains),
            profile.sampling.python_frames, percent_of(quality.python_unreadable, chains), causes_text(quality),
            count_text(quality.unmatched_boundaries), count_text(quality.boundaries)));
    return texts;
}

std::vector<std::size_t> heaviest(const core::Profile& profile, bool python, ProfileOrder by) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < profile.functions.size(); ++i) {
        const core::ProfileFunction& function = profile.functions[i];
        const bool is_python = function.kind == core::FrameKind::kPython;
        if (function.kind == core::FrameKind::kGroup || is_python != python || function.inclusive.samples == 0)
            continue;
        order.push_back(i);
    }
    sort_by(order, [&](std::size_t i) { return key(profile.functions[i], by); });
    return order;
}

std::vector<std::size_t> heaviest_lines(const core::Profile& profile, ProfileOrder by) {
    std::vector<std::size_t> order(profile.lines.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    sort_by(order, [&](std::size_t i) { return key(profile.lines[i], by); });
    return order;
}

std::vector<std::string> work_of_threads(const core::Profile& profile) {
    constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    struct Stack {
        std::uint32_t root = kNone;
        std::uint32_t python = kNone;  // the innermost
    };
    std::vector<Stack> stacks;
    std::map<std::uint32_t, std::map<std::uint32_t, double>> times;  // by root, by Python function
    for (const core::ProfileNode& node : profile.nodes) {            // a parent stands before its children
        Stack stack = node.parent < 0 ? Stack{.root = node.function} : stacks[static_cast<std::size_t>(node.parent)];
        if (profile.functions[node.function].kind == core::FrameKind::kPython) stack.python = node.function;
        if (stack.python != kNone) times[stack.root][stack.python] += node.self.ns;
        stacks.push_back(stack);
    }
    std::map<std::string, std::string> works;
    for (const auto& [root, functions] : times) {
        const auto most = std::ranges::max_element(functions, {}, [](const auto& each) { return each.second; });
        const core::ProfileFunction& function = profile.functions[most->first];
        works[profile.functions[root].name] =
            fmt::format("{} {}", one_line(function.name), place_text(profile, function));
    }
    std::vector<std::string> texts;
    for (const core::ProfileThread& thread : profile.threads)
        texts.push_back(works[core::thread_name(thread.process, thread.thread)]);
    return texts;
}

std::vector<std::size_t> blas_functions(const core::Profile& profile) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < profile.functions.size(); ++i)
        if (profile.functions[i].blas && profile.functions[i].inclusive.samples > 0) order.push_back(i);
    sort_by(order, [&](std::size_t i) { return profile.functions[i].inclusive.ns; });
    return order;
}

}  // namespace tare::record
