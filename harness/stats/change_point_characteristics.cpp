// What the change-point detector does with known truths: prints the table that documentation quotes, 10,000 series a
// row. Simulated, seeded; takes a minute or two. Not a test: change_point_aims_test holds the aims.
#include <fmt/format.h>

#include "harness/stats/simulate_changes.h"

namespace tare::stats {
namespace {

constexpr int kSeries = 10'000;

double percent(double share) {
    return 100 * share;
}

void print_false_alarms() {
    fmt::print("| unchanged series alarmed |");
    for (const NoiseKind& noise : kNoiseKinds) fmt::print(" {} |", noise.name);
    fmt::print("\n|---|---|---|---|---|\n");
    for (const std::size_t points : {10, 20, 40, 60, 100, 400}) {
        fmt::print("| {} points |", points);
        for (const NoiseKind& noise : kNoiseKinds)
            fmt::print(" {:.2f} % |", percent(detection_rates({noise, points}, kSeries, 401).alarmed));
        fmt::print("\n");
    }
}

void print_found() {
    fmt::print(
        "\n| level raised, 100 points | noise | by | found within 2 points | within 10 | both ends within 2 | "
        "spurious, a series |\n|---|---|---|---|---|---|---|\n");
    struct Piece {
        std::size_t from, to;
    };
    for (const Piece piece :
         {Piece{97, 100}, Piece{95, 100}, Piece{90, 100}, Piece{50, 100}, Piece{35, 65}, Piece{45, 55}, Piece{48, 52}})
        for (const NoiseKind& noise : kNoiseKinds)
            for (const double step : {2.0, 3.0}) {
                const DetectionRates rates = detection_rates({noise, 100, piece.from, piece.to, step}, kSeries, 409);
                const std::string both =
                    piece.to == 100 ? std::string() : fmt::format(" {:.1f} %", percent(rates.both_ends));
                fmt::print("| {} to {} | {} | {} | {:.1f} % | {:.1f} % |{} | {:.3f} |\n", piece.from, piece.to,
                           noise.name, step, percent(rates.near_2), percent(rates.near_10), both, rates.spurious);
            }
}

}  // namespace
}  // namespace tare::stats

int main() {
    tare::stats::print_false_alarms();
    tare::stats::print_found();
}
