// What a batch can run: a rung, or the floor of a rung's loop.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "harness/core/rung_kind.h"
#include "harness/core/shorter_copies.h"

namespace tare::measure {

enum class StepKind {
    kPython,
    kCall,
    kNative,
    kCpp,
    kFloor,
    kFloorCall,
    kFloorNative,
    kPython2,  ///< the python rung's loop with two copies of the statement in a pass, four
    kPython4,
};

inline constexpr std::array<std::string_view, 9> kStepNames = {
    "python", "call", "native", "cpp", "floor", "floor_call", "floor_native", "python_2", "python_4"};
inline constexpr std::size_t kStepKinds = kStepNames.size();

[[nodiscard]] constexpr std::string_view name_of(StepKind kind) {
    return kStepNames[static_cast<std::size_t>(kind)];
}

[[nodiscard]] constexpr std::optional<StepKind> step_named(std::string_view name) {
    for (std::size_t i = 0; i < kStepKinds; ++i)
        if (kStepNames[i] == name) return static_cast<StepKind>(i);
    return std::nullopt;
}

/// In the order of core::kShorterCopies.
inline constexpr std::array kShorterSteps = {StepKind::kPython2, StepKind::kPython4};
static_assert(kShorterSteps.size() == core::kShorterCopies.size());

[[nodiscard]] constexpr bool is_shorter(StepKind kind) {
    return kind == StepKind::kPython2 || kind == StepKind::kPython4;
}

/// Executions in one pass of a step's loop; `unroll`: in the python rung's.
[[nodiscard]] constexpr int copies_in(StepKind kind, int unroll) {
    if (kind == StepKind::kPython) return unroll > 0 ? unroll : 1;
    for (std::size_t i = 0; i < kShorterSteps.size(); ++i)
        if (kShorterSteps[i] == kind) return core::kShorterCopies[i];
    return 1;
}

[[nodiscard]] constexpr StepKind step_of(core::RungKind kind) {
    switch (kind) {
        case core::RungKind::kPython:
            return StepKind::kPython;
        case core::RungKind::kCall:
            return StepKind::kCall;
        case core::RungKind::kNative:
            return StepKind::kNative;
        case core::RungKind::kCpp:
            return StepKind::kCpp;
        case core::RungKind::kFloor:
            return StepKind::kFloor;
    }
    return StepKind::kFloor;
}

/// The empty loop of the same shape, whose cost is subtracted from the rung.
[[nodiscard]] constexpr StepKind floor_of(core::RungKind kind) {
    switch (kind) {
        case core::RungKind::kCall:
            return StepKind::kFloorCall;
        case core::RungKind::kNative:
        case core::RungKind::kCpp:
            return StepKind::kFloorNative;
        case core::RungKind::kPython:
        case core::RungKind::kFloor:
            return StepKind::kFloor;
    }
    return StepKind::kFloor;
}

}  // namespace tare::measure
