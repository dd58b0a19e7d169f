// What the rules of fitness() share: facts with their reasons, quantities as text, commands and how to undo them. Pure.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/fitness.h"
#include "harness/core/value.h"

namespace tare::pmu {

/// Why a fact is missing.
[[nodiscard]] std::string why(const core::Value& facts, std::string_view key);
/// A finding of `topic` whose state is unknown because `key` is missing; `keys` are its values.
[[nodiscard]] core::Finding start_finding(std::string topic, core::Affects affects, const core::Value& facts,
                                          std::initializer_list<const char*> keys);
void set(core::Finding& finding, core::FitnessState state, std::string found, std::string meaning);

[[nodiscard]] bool is_guest(const core::Value& facts);
[[nodiscard]] std::vector<int> numbers_of(const core::Value& list);
[[nodiscard]] bool holds(const core::Value& list, std::int64_t number);

[[nodiscard]] std::string percent_text(double ratio);                     ///< "0.04 %", "3.1 %", "12 %"
[[nodiscard]] std::string bytes_text(double bytes);                       ///< "512 MiB", "23.1 GiB"
[[nodiscard]] std::string time_text(double ns);                           ///< "22 ns", "1.3 us", "4.1 ms"
[[nodiscard]] std::string joined(const std::vector<std::string>& words);  ///< "a, b and c"

[[nodiscard]] core::Remedy by_sysctl(std::string action, std::string_view name, std::int64_t wanted, std::int64_t now);
[[nodiscard]] core::Remedy by_file(std::string action, std::string_view path, std::string_view wanted,
                                   std::string_view now);
/// What no command of this machine's does.
[[nodiscard]] core::Remedy by_others(std::string action);

}  // namespace tare::pmu
