// What building a profile costs beyond unwinding, for the table in harness/README.md; run by hand.
#include <cstdio>
#include <random>

#include "harness/attribution/samples_for_test.h"
#include "harness/core/clock.h"

namespace {

constexpr int kSamples = 60'000;
constexpr int kDistinctStacks = 500;

double seconds_since(std::int64_t start_ns) {
    return static_cast<double>(tare::core::wall_clock_ns() - start_ns) * 1e-9;
}

}  // namespace

/// Stacks of 40 frames, a third of them Python's: 500 distinct ones, over 300 functions.
int main() {
    namespace attribution = tare::attribution;
    std::mt19937_64 random(1);
    attribution::SamplesForTest samples;
    std::vector<std::vector<std::string>> stacks;
    for (int i = 0; i < kDistinctStacks; ++i) {
        std::vector<std::string> frames{"python:main"};
        while (frames.size() < 39) {
            frames.push_back("py:f" + std::to_string(random() % 100) + ":" + std::to_string(10 + random() % 50));
            frames.emplace_back("python:_PyEval_EvalFrameDefault");
            frames.push_back("umath:f" + std::to_string(random() % 200));
        }
        frames.push_back("blas:kernel" + std::to_string(random() % 20));
        stacks.push_back(std::move(frames));
    }
    std::vector<tare::core::StackSample> all;
    for (int i = 0; i < kSamples; ++i) all.push_back(samples.sample(stacks[random() % stacks.size()]));
    const attribution::LayerTable layers = attribution::layers_for_test();
    attribution::ProfileBuilder builder = samples.builder(layers);
    const std::int64_t start = tare::core::wall_clock_ns();
    for (const tare::core::StackSample& sample : all) builder.add(sample);
    const double added = seconds_since(start);
    const tare::core::Profile profile = builder.build();
    std::printf("%d samples of %zu frames: added in %.3f s, built in %.3f s, %zu nodes\n", kSamples, stacks[0].size(),
                added, seconds_since(start) - added, profile.nodes.size());
    return profile.total.samples == kSamples ? 0 : 1;
}
