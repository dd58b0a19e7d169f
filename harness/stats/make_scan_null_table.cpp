// Writes scan_null_table.cpp to stdout: quantiles of the scans of noise, simulated from a fixed seed. Run by hand when
// level_scan changes; about ten minutes. scan_null_test checks the table that is committed against fresh noise.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "harness/stats/scan_null.h"
#include "harness/stats/simulate_series.h"

namespace tare::stats {
namespace {

/// Enough that 10 values or more lie beyond the last quantile; fewer where one takes long.
std::size_t simulations(LevelShape shape, std::size_t points) {
    if (shape == LevelShape::kBump) return points <= 100 ? 100'000 : 30'000;
    return points <= 1000 ? 200'000 : 50'000;
}

void print_rows(LevelShape shape, std::string_view name, const std::vector<std::size_t>& sizes) {
    fmt::print("constexpr ScanQuantiles {}[] = {{\n", name);
    for (const std::size_t points : sizes) {
        fmt::print("    {{{}, {{{{\n", points);
        for (const double correlation : kScanCorrelations) {
            std::mt19937_64 random(points * 1000 + static_cast<std::size_t>(100 * correlation));
            std::vector<double> values(points), statistics(simulations(shape, points));
            for (double& statistic : statistics) {
                draw_noise(random, correlation, values);
                statistic = scan_level(shape, values).statistic;
            }
            std::sort(statistics.begin(), statistics.end(), std::greater<>());
            fmt::print("        {{");
            for (const double tail : kScanTails) {
                const auto beyond = static_cast<std::size_t>(tail * static_cast<double>(statistics.size()));
                fmt::print("{:.3f}F{}", statistics[beyond], tail == kScanTails.back() ? "},\n" : ", ");
            }
        }
        fmt::print("    }}}}}},\n");
        std::fflush(stdout);
    }
    fmt::print("}};\n\n");
}

void print_table() {
    fmt::print(
        "// Quantiles of the scans of noise: a row a number of points, in it a line a correlation, in it the "
        "statistics of\n"
        "// kScanTails. Written by make_scan_null_table; not to be edited.\n#include \"harness/stats/scan_null.h\"\n\n"
        "namespace tare::stats {{\n\nnamespace {{\n\n// clang-format off\n");
    print_rows(LevelShape::kStep, "kSteps",
               {6, 7, 8, 9, 10, 12, 14, 17, 20, 25, 30, 40, 60, 100, 200, 500, 2000, 10000});
    print_rows(LevelShape::kBump, "kBumps", {11, 12, 14, 17, 20, 25, 30, 40, 60, 100, 200, 500});
    fmt::print(
        "// clang-format on\n\n}}  // namespace\n\n"
        "std::span<const ScanQuantiles> scan_quantiles(LevelShape shape) {{\n"
        "    if (shape == LevelShape::kStep) return kSteps;\n    return kBumps;\n}}\n\n}}  // namespace tare::stats\n");
}

}  // namespace
}  // namespace tare::stats

int main() {
    tare::stats::print_table();
}
