// By eye: neighbours in a call path differ in hue or lightness; lightness is above 60 % for contrast with dark text.
#include "harness/attribution/layer_colour.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace tare::attribution {

namespace {

struct Colour {
    std::string_view layer;
    std::string_view colour;
};

constexpr std::array kColours{
    Colour{"interpreter", "#9ec5ee"},
    Colour{"call_protocol", "#7fb0e6"},
    Colour{"number_protocol", "#8fd3e8"},
    Colour{"error_state", "#b9c8f0"},
    Colour{"gil", "#a7b6d6"},
    Colour{"cpython_other", "#c5d7ea"},
    Colour{"argument_parsing", "#8ed6c4"},
    Colour{"override_check", "#a5dcb0"},
    Colour{"coercion", "#bfe3a0"},
    Colour{"type_resolution", "#d9e58c"},
    Colour{"indexing", "#a9e0cf"},
    Colour{"shape", "#c6e8c8"},
    Colour{"loop_setup", "#f2df7e"},
    Colour{"fp_errors", "#e6d3a3"},
    Colour{"wrap_result", "#e9eca6"},
    Colour{"scalar_math", "#f0c987"},
    Colour{"inner_loop", "#f7a25c"},
    Colour{"numpy_other", "#dfe9c9"},
    Colour{"allocation", "#cdb4ea"},
    Colour{"deallocation", "#e2bfe8"},
    Colour{"blas_bridge", "#f6c3a8"},
    Colour{"blas_interface", "#f4a9a0"},
    Colour{"blas_dispatch", "#f3bdc2"},
    Colour{"blas_memory", "#e6b3d3"},
    Colour{"blas_driver", "#ee8f85"},
    Colour{"blas_packing", "#f2a07c"},
    Colour{"blas_kernel", "#f07f5f"},
    Colour{"blas_threading", "#d99bb5"},
    Colour{"blas_other", "#f1cfc9"},
    Colour{"math_library", "#f5b971"},
    Colour{"c_library", "#c9cfa9"},
    Colour{"jit", "#f7b64e"},
    Colour{"jit_dispatch", "#f5d49a"},
    Colour{"harness", "#d5d0c4"},
    Colour{"vdso", "#c8bfae"},
    Colour{"kernel", "#bdb3a0"},
};

/// FNV-1a: the same on every machine, unlike std::hash.
std::uint32_t hash_of(std::string_view text) {
    std::uint32_t hash = 2166136261U;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return hash;
}

}  // namespace

std::string layer_colour(std::string_view layer) {
    if (layer.ends_with("(unresolved)")) return "#cccccc";
    const auto known = std::ranges::find(kColours, layer, &Colour::layer);
    if (known != kColours.end()) return std::string(known->colour);
    const std::uint32_t hash = hash_of(layer);
    const auto channel = [hash](int shift) { return 160 + (hash >> shift & 0xFFU) * 80 / 255; };
    return fmt::format("#{:02x}{:02x}{:02x}", channel(0), channel(8), channel(16));
}

}  // namespace tare::attribution
