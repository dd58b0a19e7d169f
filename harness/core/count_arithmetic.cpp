// A counter speaks through the batches of the passes that hold it; what a batch did not read, it says nothing about.
#include "harness/core/count_arithmetic.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include "harness/core/median.h"

namespace tare::core {

namespace {

using Passes = std::vector<std::vector<std::size_t>>;

/// Where `counter` stands among the counts of the batch; none where its pass lacks it, or nothing was read.
std::optional<std::size_t> place_in(const BatchCounts& counts, std::size_t counter, const Passes& passes) {
    if (counts.counts.empty()) return std::nullopt;
    assert(counts.pass < passes.size() && counts.counts.size() == passes[counts.pass].size());
    const std::vector<std::size_t>& pass = passes[counts.pass];
    const auto it = std::find(pass.begin(), pass.end(), counter);
    return it == pass.end() ? std::nullopt : std::optional(static_cast<std::size_t>(it - pass.begin()));
}

/// What one rung's batches say of one counter, or of two counters where both were read at once.
struct Counter {
    std::size_t index = 0;
    CounterSource source = CounterSource::kHardware;

    /// Events of one execution.
    [[nodiscard]] std::optional<double> in(const CountedBatch& batch, const Passes& passes) const {
        const std::optional<std::size_t> place = place_in(batch.counts, index, passes);
        if (!place || batch.n == 0) return std::nullopt;
        const RawCount raw = batch.counts.counts[*place];
        const std::optional<ScaledCount> events = is_in_group(source)
                                                      ? scaled(raw, batch.counts.enabled_ns, batch.counts.running_ns)
                                                      : ScaledCount{static_cast<double>(raw.value)};
        if (!events) return std::nullopt;
        return events->value / static_cast<double>(batch.n);
    }
    [[nodiscard]] std::vector<double> in(const std::vector<CountedBatch>& batches, const Passes& passes,
                                         const Counter& beside) const {
        std::vector<double> values;
        for (const CountedBatch& batch : batches) {
            const std::optional<double> value = in(batch, passes);
            if (value && beside.in(batch, passes)) values.push_back(*value);
        }
        return values;
    }
    [[nodiscard]] std::vector<double> in(const std::vector<CountedBatch>& batches, const Passes& passes) const {
        return in(batches, passes, *this);
    }
    /// Share of the time counted. A group that never ran in a batch was not counted there.
    [[nodiscard]] double ratio_in(const std::vector<CountedBatch>& batches, const Passes& passes) const {
        if (!is_in_group(source)) return 1;
        std::vector<BatchCounts> read;
        for (const CountedBatch& batch : batches)
            if (place_in(batch.counts, index, passes)) read.push_back(batch.counts);
        return counted_ratio(read).value_or(1);
    }
};

/// What the floor has in one execution. No floor batches at all: the rung is a floor itself. None where there are some
/// and they do not tell: an unknown floor must not pass for a floor of 0.
std::optional<double> floor_of(const Counter& counter, const Counter& beside, const std::vector<CountedBatch>& floor,
                               int unroll, const Passes& passes) {
    if (floor.empty()) return 0.0;
    const std::vector<double> values = counter.in(floor, passes, beside);
    if (values.empty()) return std::nullopt;
    return median(values) / unroll;
}

}  // namespace

std::optional<double> counted_ratio(const std::vector<BatchCounts>& batches) {
    double enabled_ns = 0;
    double running_ns = 0;
    for (const BatchCounts& each : batches) {
        enabled_ns += static_cast<double>(each.enabled_ns);
        running_ns += static_cast<double>(each.running_ns);
    }
    if (enabled_ns <= 0) return std::nullopt;
    return running_ns / enabled_ns;
}

std::optional<ScaledCount> scaled(RawCount raw, std::uint64_t enabled_ns, std::uint64_t running_ns) {
    if (running_ns == 0) return std::nullopt;
    const auto value = static_cast<double>(raw.value);
    // Not through a quotient of 1, so that what was counted all the time stays the integer that was read.
    if (running_ns == enabled_ns) return ScaledCount{value};
    return ScaledCount{value * static_cast<double>(enabled_ns) / static_cast<double>(running_ns)};
}

std::vector<RungCount> rung_counts(const std::vector<CountedBatch>& batches, const std::vector<CountedBatch>& floor,
                                   int unroll, const std::vector<CounterRequest>& requests, const Passes& passes) {
    assert(unroll > 0);
    const auto is_instructions = [](const CounterRequest& each) { return each.role == CounterRole::kInstructions; };
    const auto instructions_request = std::find_if(requests.begin(), requests.end(), is_instructions);
    std::vector<RungCount> counts;
    for (std::size_t index = 0; index < requests.size(); ++index) {
        const Counter counter{.index = index, .source = requests[index].source};
        const std::vector<double> gross = counter.in(batches, passes);
        const std::optional<double> of_empty = floor_of(counter, counter, floor, unroll, passes);
        if (gross.empty() || !of_empty) continue;
        RungCount count;
        count.counter = index;
        count.gross = median(gross);
        count.floor = *of_empty;
        count.net = count.gross - count.floor;
        count.lowest_net = *std::min_element(gross.begin(), gross.end()) - count.floor;
        count.counted_ratio = counter.ratio_in(batches, passes);
        count.batches = static_cast<int>(gross.size());
        if (instructions_request != requests.end()) {
            const Counter instructions{
                .index = static_cast<std::size_t>(instructions_request - requests.begin()),
                .source = instructions_request->source,
            };
            const std::vector<double> of_same_batches = instructions.in(batches, passes, counter);
            const std::optional<double> of_floor = floor_of(instructions, counter, floor, unroll, passes);
            if (!of_same_batches.empty() && of_floor) count.instructions = median(of_same_batches) - *of_floor;
        }
        counts.push_back(count);
    }
    return counts;
}

}  // namespace tare::core
