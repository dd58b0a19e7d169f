// tare_change_points: the change-point detector for other programs. Each line of stdin is a series of positive numbers;
// each line of stdout has the first points of its new levels, counted from 0. Every series is judged on its own; with
// `--together`, as one store. Exit status 2 for a line that is no such series.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

#include "harness/stats/change_points.h"

namespace tare::stats {
namespace {

std::optional<ScanSeries> series_in(std::string_view line) {
    ScanSeries series;
    const char* at = line.data();
    const char* const end = at + line.size();
    for (;;) {
        while (at != end && *at == ' ') ++at;
        if (at == end) return series;
        double value = 0;
        const auto [next, error] = std::from_chars(at, end, value);
        if (error != std::errc() || !std::isfinite(value) || value <= 0) return std::nullopt;
        series.values.push_back(std::log(value));
        at = next;
    }
}

int run(bool together) {
    std::vector<ScanSeries> all;
    for (std::string line; std::getline(std::cin, line);) {
        std::optional<ScanSeries> series = series_in(line);
        if (!series) {
            fmt::print(stderr, "tare_change_points: line {} is no series of positive numbers: '{}'\n", all.size() + 1,
                       std::string_view(line).substr(0, 60));
            return 2;
        }
        all.push_back(*std::move(series));
    }
    const std::size_t at_once = together ? std::max<std::size_t>(all.size(), 1) : 1;
    for (std::size_t i = 0; i < all.size(); i += at_once)
        for (const std::vector<ChangePoint>& points : find_change_points(std::span(all).subspan(i, at_once))) {
            std::string text;
            for (const ChangePoint& point : points) text += fmt::format("{}{}", text.empty() ? "" : " ", point.first);
            fmt::print("{}\n", text);
        }
    return 0;
}

}  // namespace
}  // namespace tare::stats

int main(int argc, char** argv) {
    const bool together = argc == 2 && std::string_view(argv[1]) == "--together";
    if (argc > 1 && !together) {
        fmt::print(stderr, "usage: tare_change_points [--together] < SERIES\n");
        return 2;
    }
    return tare::stats::run(together);
}
