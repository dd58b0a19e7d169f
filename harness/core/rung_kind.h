// The rungs of a case: the ways to do its work, from the user's statement down to the bare kernel.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace tare::core {

enum class RungKind {
    kPython,  ///< the statement in CPython's bytecode: the gross
    kCall,    ///< the outermost call of the statement through the C API, no bytecode
    kNative,  ///< the kernel that NumPy itself runs, on the same buffers: the net
    kCpp,     ///< a plain C++ loop over the same buffers, for reference only
    kFloor,   ///< an empty statement in the same loop
};

inline constexpr std::array kAllRungs = {RungKind::kPython, RungKind::kCall, RungKind::kNative, RungKind::kCpp,
                                         RungKind::kFloor};

[[nodiscard]] constexpr std::string_view name_of(RungKind kind) {
    switch (kind) {
        case RungKind::kPython:
            return "python";
        case RungKind::kCall:
            return "call";
        case RungKind::kNative:
            return "native";
        case RungKind::kCpp:
            return "cpp";
        case RungKind::kFloor:
            return "floor";
    }
    return "?";
}

[[nodiscard]] constexpr std::optional<RungKind> rung_named(std::string_view name) {
    for (const RungKind kind : kAllRungs)
        if (name_of(kind) == name) return kind;
    return std::nullopt;
}

}  // namespace tare::core
