// Quantities have two or three digits: a finding is read, not computed with.
#include "pmu/fitness_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tare::pmu {

using core::Finding;
using core::Remedy;
using core::Value;

std::string why(const Value& facts, std::string_view key) {
    const std::string& reason = facts["reasons"][key].as_text();
    return reason.empty() ? fmt::format("'{}' was not looked at", key) : reason;
}

Finding start_finding(std::string topic, core::Affects affects, const Value& facts,
                      std::initializer_list<const char*> keys) {
    Finding finding;
    finding.topic = std::move(topic);
    finding.affects = affects;
    for (const char* key : keys) {
        finding.values[key] = facts[key];
        if (facts[key].is_nil() && finding.found.empty()) finding.found = why(facts, key);
    }
    return finding;
}

void set(Finding& finding, core::FitnessState state, std::string found, std::string meaning) {
    finding.state = state;
    finding.found = std::move(found);
    finding.meaning = std::move(meaning);
}

bool is_guest(const Value& facts) {
    return facts["hypervisor"].as_bool();
}

std::vector<int> numbers_of(const Value& list) {
    std::vector<int> numbers;
    for (const Value& each : list.as_list()) numbers.push_back(static_cast<int>(each.as_int()));
    return numbers;
}

bool holds(const Value& list, std::int64_t number) {
    const core::List& all = list.as_list();
    return std::find(all.begin(), all.end(), Value(number)) != all.end();
}

std::string percent_text(double ratio) {
    const double percent = 100 * ratio;
    return fmt::format("{:.{}f} %", percent, percent == 0 || percent >= 9.95 ? 0 : percent >= 0.995 ? 1 : 2);
}

std::string bytes_text(double bytes) {
    constexpr double kMiB = 1 << 20;
    return bytes < 1024 * kMiB ? fmt::format("{:.0f} MiB", bytes / kMiB)
                               : fmt::format("{:.1f} GiB", bytes / 1024 / kMiB);
}

std::string time_text(double ns) {
    if (ns < 999.5) return fmt::format("{:.0f} ns", ns);
    if (ns < 999'500) return fmt::format("{:.3g} us", ns / 1e3);
    if (ns < 999.5e6) return fmt::format("{:.3g} ms", ns / 1e6);
    return fmt::format("{:.3g} s", ns / 1e9);
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
        text += words[i];
    }
    return text;
}

Remedy by_sysctl(std::string action, std::string_view name, std::int64_t wanted, std::int64_t now) {
    return {.action = std::move(action),
            .command = fmt::format("sudo sysctl {}={}", name, wanted),
            .undo = fmt::format("sudo sysctl {}={}", name, now)};
}

Remedy by_file(std::string action, std::string_view path, std::string_view wanted, std::string_view now) {
    return {.action = std::move(action),
            .command = fmt::format("echo {} | sudo tee {}", wanted, path),
            .undo = fmt::format("echo {} | sudo tee {}", now, path)};
}

Remedy by_others(std::string action) {
    return {.action = std::move(action), .command = {}, .undo = {}};
}

}  // namespace tare::pmu
