// Whether a machine is fit to measure: findings by topic and what follows from them. Values only; pmu/ judges, record/
// prints.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/value.h"

namespace tare::core {

enum class FitnessState {
    kGood,
    kCouldBeBetter,  ///< usable, within a limit that the finding names
    kBad,            ///< what is measured now would mislead
    kUnknown,        ///< the machine does not say
};
inline constexpr std::array kAllFitnessStates = {FitnessState::kGood, FitnessState::kCouldBeBetter, FitnessState::kBad,
                                                 FitnessState::kUnknown};
[[nodiscard]] constexpr std::string_view name_of(FitnessState state) {
    constexpr std::array<std::string_view, 4> kNames = {"good", "could_be_better", "bad", "unknown"};
    return kNames[static_cast<std::size_t>(state)];
}

/// Which numbers suffer where a topic is not good; each includes those before it but kCounters.
enum class Affects {
    kNothing,
    kCounters,       ///< hardware counters only; times are as good
    kSingleNumbers,  ///< times of one run against those of another; measured by turns it cancels
    kPairs,          ///< also what is measured by turns
};
[[nodiscard]] constexpr std::string_view name_of(Affects affects) {
    constexpr std::array<std::string_view, 4> kNames = {"nothing", "counters", "single_numbers", "paired_comparisons"};
    return kNames[static_cast<std::size_t>(affects)];
}

struct Remedy {
    std::string action;   ///< "fix the clock's governor"
    std::string command;  ///< for a POSIX shell, as it stands; empty: none does it, the action says who can
    std::string undo;     ///< the command that takes it back; empty: there is nothing to take back
    bool operator==(const Remedy&) const = default;
};

struct Finding {
    std::string topic;  ///< stable: a key for programs
    FitnessState state = FitnessState::kUnknown;
    Affects affects = Affects::kNothing;
    std::string found;
    std::string meaning;  ///< for a measurement
    std::string cause;    ///< a noun for the verdict, "steal time"; empty: not worth a word there
    std::vector<Remedy> remedies;
    Map values;  ///< what was read or measured, by name with its unit; nil where unknown
    bool operator==(const Finding&) const = default;
};

/// What the machine can be used for as it is.
enum class FitFor { kSingleNumbers, kPairs, kNothing };
[[nodiscard]] constexpr std::string_view name_of(FitFor fit_for) {
    constexpr std::array<std::string_view, 3> kNames = {"single_numbers", "paired_comparisons", "nothing"};
    return kNames[static_cast<std::size_t>(fit_for)];
}

struct Fitness {
    int cpu = 0;  ///< that was looked at: where bench would measure
    std::vector<Finding> findings;
    FitFor fit_for = FitFor::kNothing;
    std::string verdict;  ///< one or two sentences that a person can act on
    bool operator==(const Fitness&) const = default;
};

}  // namespace tare::core
