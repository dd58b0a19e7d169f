// The low quantile of values that come one by one: which best a run has seen, known after each of its batches.
#pragma once

#include <functional>
#include <queue>
#include <vector>

namespace tare::measure {

class LowQuantile {
  public:
    void add(double value) {
        if (!low_.empty() && value < low_.top()) {
            low_.push(value);
            high_.push(low_.top());
            low_.pop();
        } else {
            high_.push(value);
        }
        if (low_.size() < 1 + (count() - 1) / kOneIn) {
            low_.push(high_.top());
            high_.pop();
        }
    }

    [[nodiscard]] std::size_t count() const { return low_.size() + high_.size(); }

    /// The value that one in a hundred is not above (the lowest of up to 100). 0 without any.
    [[nodiscard]] double value() const { return low_.empty() ? 0 : low_.top(); }

  private:
    static constexpr std::size_t kOneIn = 100;

    std::priority_queue<double> low_;  ///< the lowest hundredth
    std::priority_queue<double, std::vector<double>, std::greater<>> high_;
};

}  // namespace tare::measure
