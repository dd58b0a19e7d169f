// Digits, units and widths.
#include "harness/record/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tare::record {

std::string three_digits(double value) {
    const double size = std::abs(value);
    // each bound is where the next shorter form takes over after rounding
    if (size < 0.9995) return fmt::format("{:.3f}", value);
    if (size < 9.995) return fmt::format("{:.2f}", value);
    if (size < 99.95) return fmt::format("{:.1f}", value);
    return fmt::format("{:.0f}", value);
}

std::string duration_text(double ns, const TextStyle& style) {
    if (!std::isfinite(ns)) return "?";
    const std::array<const char*, 4> units = {"ns", style.unicode ? "\u00b5s" : "us", "ms", " s"};
    std::size_t unit = 0;
    double value = ns;
    while (std::abs(value) >= 999.5 && unit + 1 < units.size()) {
        value /= 1000;
        ++unit;
    }
    return fmt::format("{} {}", three_digits(value), units[unit]);
}

std::string percent_text(double ratio) {
    return fmt::format("{:.1f} %", 100 * ratio);
}

std::string interval_text(const stats::Estimate& estimate, const TextStyle& style) {
    if (!estimate.interval || estimate.value == 0) return {};
    const double percent = 100 * (estimate.interval->high - estimate.interval->low) / 2 / std::abs(estimate.value);
    const char* sign = style.unicode ? "\u00b1" : "+-";
    if (!(percent < 999.5)) return fmt::format("{}>999 %", sign);
    return percent < 9.95 ? fmt::format("{}{:.1f} %", sign, percent) : fmt::format("{}{:.0f} %", sign, percent);
}

std::string count_text(std::uint64_t count) {
    std::string text = fmt::format("{}", count);
    for (std::size_t place = text.size(); place > 3;) text.insert(place -= 3, 1, ',');
    return text;
}

std::string signed_count_text(std::int64_t change) {
    if (change == 0) return "0";
    const std::uint64_t size = change < 0 ? 0 - static_cast<std::uint64_t>(change) : static_cast<std::uint64_t>(change);
    return (change < 0 ? "-" : "+") + count_text(size);
}

std::size_t text_columns(std::string_view text) {
    // bytes that do not continue a character
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string shortened(const std::string& text, std::size_t columns, const TextStyle& style) {
    if (text_columns(text) <= columns) return text;
    const std::string dots = style.unicode ? "\u2026" : "..";
    const std::size_t dots_columns = text_columns(dots);
    if (columns <= dots_columns) return dots.substr(0, columns == dots_columns ? dots.size() : 0);
    const std::size_t kept = columns - dots_columns;
    const std::size_t front = kept / 2;
    std::vector<std::size_t> starts;  // of characters, so that none is cut
    for (std::size_t i = 0; i < text.size(); ++i)
        if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) starts.push_back(i);
    return text.substr(0, starts[front]) + dots + text.substr(starts[starts.size() - (kept - front)]);
}

}  // namespace tare::record
