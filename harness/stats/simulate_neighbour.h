// Test data: another user of the core.
#pragma once

#include <random>

namespace tare::stats {

/// Busy and quiet by turns, for times drawn from exponential distributions. Times in milliseconds.
class Neighbour {
  public:
    Neighbour(double mean_change_ms, double busy_ratio, std::mt19937_64& random)
        : change_ms_(mean_change_ms), busy_ratio_(busy_ratio), random_(random) {
        busy_ = uniform() < busy_ratio_;
        draw();
    }

    /// How much of the next `ms` it is busy, as a ratio.
    double busy_in(double ms) {
        if (busy_ratio_ <= 0) return 0;
        double left = ms, busy = 0;
        while (left > until_ms_) {
            busy += busy_ ? until_ms_ : 0;
            left -= until_ms_;
            busy_ = !busy_;
            draw();
        }
        until_ms_ -= left;
        return (busy + (busy_ ? left : 0)) / ms;
    }

  private:
    double uniform() { return std::uniform_real_distribution<double>()(random_); }
    void draw() {
        const double mean_ms = 2 * change_ms_ * (busy_ ? busy_ratio_ : 1 - busy_ratio_);
        until_ms_ = std::exponential_distribution<double>(1 / mean_ms)(random_);
    }

    double change_ms_;
    double busy_ratio_;
    std::mt19937_64& random_;
    bool busy_ = false;
    double until_ms_ = 0;
};

}  // namespace tare::stats
