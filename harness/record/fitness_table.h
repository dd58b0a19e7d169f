// What `bench doctor` prints for a person: a line a topic, what to do below those that are not good, the verdict. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "harness/core/fitness.h"
#include "harness/record/number_text.h"

namespace tare::record {

/// "ok", "note", "bad", "?"
[[nodiscard]] std::string_view mark_of(core::FitnessState state);

/// `width` in columns, 0: no limit. Commands are never broken, so that they can be copied.
[[nodiscard]] std::string print_fitness(const core::Fitness& fitness, std::size_t width, const TextStyle& style);

}  // namespace tare::record
