// Eight heights between the smallest and the largest mean shown.
#include "harness/history/sparkline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace tare::history {

namespace {

constexpr std::array<const char*, 8> kBlocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr double kLeastSpan = 0.1;  // relative

/// Means of equal shares of the values, in order.
std::vector<double> in_columns(const std::vector<double>& values, std::size_t columns) {
    const std::size_t shown = std::min(columns, values.size());
    std::vector<double> means;
    for (std::size_t i = 0; i < shown; ++i) {
        const std::size_t begin = i * values.size() / shown, end = (i + 1) * values.size() / shown;
        double sum = 0;
        for (std::size_t k = begin; k < end; ++k) sum += values[k];
        means.push_back(sum / static_cast<double>(end - begin));
    }
    return means;
}

}  // namespace

std::string sparkline(std::span<const double> values, std::size_t columns) {
    if (values.empty() || columns == 0) return {};
    std::vector<double> scaled(values.begin(), values.end());
    const bool positive = std::all_of(scaled.begin(), scaled.end(), [](double value) { return value > 0; });
    double least_span = kLeastSpan;
    if (positive) {
        for (double& value : scaled) value = std::log(value);
    } else {
        double size = 0;
        for (const double value : scaled) size = std::max(size, std::abs(value));
        least_span *= size;
    }
    const std::vector<double> shown = in_columns(scaled, columns);
    const auto [lowest, highest] = std::minmax_element(shown.begin(), shown.end());
    const double span = std::max(*highest - *lowest, least_span);
    const double bottom = (*highest + *lowest - span) / 2;
    std::string line;
    for (const double value : shown) {
        const double share = span > 0 ? (value - bottom) / span : 0.5;
        constexpr double kRounding = 1e-9;  // equal values have equal heights
        const auto height = static_cast<std::ptrdiff_t>((share + kRounding) * kBlocks.size());
        line += kBlocks[std::clamp<std::ptrdiff_t>(height, 0, kBlocks.size() - 1)];
    }
    return line;
}

}  // namespace tare::history
