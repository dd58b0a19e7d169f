// Noise with a unit spread, as series over time have it: independent, dependent, heavy-tailed. For tests and tables.
#pragma once

#include <cmath>
#include <random>
#include <vector>

namespace tare::stats {

/// AR(1): the correlation of successive values is `correlation`; 0: independent. Spread 1 from the first value on.
inline void draw_noise(std::mt19937_64& random, double correlation, std::vector<double>& values) {
    std::normal_distribution<double> normal;
    const double fresh = std::sqrt(1 - correlation * correlation);
    double last = normal(random);
    for (double& value : values) {
        value = last;
        last = correlation * last + fresh * normal(random);
    }
}

/// Student's t with 3 degrees of freedom, scaled to spread 1.
inline void draw_heavy_tails(std::mt19937_64& random, std::vector<double>& values) {
    std::student_t_distribution<double> student(3);
    for (double& value : values) value = student(random) / std::sqrt(3.0);
}

}  // namespace tare::stats
