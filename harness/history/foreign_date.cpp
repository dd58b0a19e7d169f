// Digits by place; the calendar is the standard library's.
#include "harness/history/foreign_date.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <ctime>

namespace tare::history {

namespace {

constexpr double kEndOfYear9999_s = 253402300799;
constexpr int kMinute_s = 60;
constexpr int kHour_s = 3600;
constexpr int kDay_s = 86400;

/// Takes `count` digits off the text.
std::optional<int> take_digits(std::string_view& text, std::size_t count) {
    if (text.size() < count) return std::nullopt;
    int value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + count, value);
    if (failure != std::errc() || end != text.data() + count || text.front() == '-') return std::nullopt;
    text.remove_prefix(count);
    return value;
}

bool take(std::string_view& text, std::string_view any_of) {
    if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
    text.remove_prefix(1);
    return true;
}

void skip_fraction(std::string_view& text) {
    if (!take(text, ".,")) return;
    while (take(text, "0123456789")) {
    }
}

/// Seconds east of UTC of what is left of the text.
std::optional<int> offset_s(std::string_view text) {
    if (text.empty() || text == "Z") return 0;
    const int sign = text.front() == '-' ? -1 : 1;
    if (!take(text, "+-")) return std::nullopt;
    const auto hours = take_digits(text, 2);
    take(text, ":");
    const auto minutes = text.empty() ? std::optional(0) : take_digits(text, 2);
    if (!hours || !minutes || !text.empty() || *hours > 23 || *minutes > 59) return std::nullopt;
    return sign * (*hours * kHour_s + *minutes * kMinute_s);
}

}  // namespace

std::optional<double> parse_date(std::string_view text) {
    constexpr std::array<std::size_t, 6> kDigits = {4, 2, 2, 2, 2, 2};
    constexpr std::array<std::string_view, 6> kBehind = {"-", "-", "T ", ":", ":", ""};
    std::array<int, 6> parts{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto part = take_digits(text, kDigits[i]);
        if (!part || (!kBehind[i].empty() && !take(text, kBehind[i]))) return std::nullopt;
        parts[i] = *part;
    }
    skip_fraction(text);
    const auto offset = offset_s(text);
    const std::chrono::year_month_day day{std::chrono::year(parts[0]),
                                          std::chrono::month(static_cast<unsigned>(parts[1])),
                                          std::chrono::day(static_cast<unsigned>(parts[2]))};
    if (!offset || !day.ok() || parts[3] > 23 || parts[4] > 59 || parts[5] > 60) return std::nullopt;
    const auto days = static_cast<double>(std::chrono::sys_days(day).time_since_epoch().count());
    const double unix_s = days * kDay_s + parts[3] * kHour_s + parts[4] * kMinute_s + parts[5] - *offset;
    return is_date(unix_s) ? std::optional(unix_s) : std::nullopt;
}

bool is_date(double unix_s) {
    return unix_s >= 0 && unix_s <= kEndOfYear9999_s;  // false for NaN
}

std::string date_text(double unix_s) {
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}+00:00", fmt::gmtime(static_cast<std::time_t>(unix_s)));
}

}  // namespace tare::history
