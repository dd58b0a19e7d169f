// What a batch can run: a rung, or the floor of a rung's loop.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "harness/core/rung_kind.h"

namespace tare::measure {

enum class StepKind { kPython, kCall, kNative, kCpp, kFloor, kFloorCall, kFloorNative };

inline constexpr std::array<std::string_view, 7> kStepNames = {"python", "call",       "native",      "cpp",
                                                               "floor",  "floor_call", "floor_native"};
inline constexpr std::size_t kStepKinds = kStepNames.size();

[[nodiscard]] constexpr std::string_view name_of(StepKind kind) {
    return kStepNames[static_cast<std::size_t>(kind)];
}

[[nodiscard]] constexpr std::optional<StepKind> step_named(std::string_view name) {
    for (std::size_t i = 0; i < kStepKinds; ++i)
        if (kStepNames[i] == name) return static_cast<StepKind>(i);
    return std::nullopt;
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
