// What messages cost: encoding and decoding a typical one, and a request with its answer between two processes.
#include <benchmark/benchmark.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/core/channel.h"
#include "harness/core/codec.h"
#include "harness/gbench/selfbench.h"
#include "harness/measure/step_kind.h"

namespace tare::gbench {

using core::List;
using core::Map;
using core::Value;

namespace {

/// `bench` asks for three batches of every kind.
Value typical_request() {
    List steps;
    for (const std::string_view kind : measure::kStepNames)
        for (int batch = 0; batch < 3; ++batch) steps.emplace_back(List{kind, 3'340, 3'340, 670});
    return Map{{"op", "measure"}, {"steps", std::move(steps)}};
}

Value typical_answer() {
    List samples;
    for (std::size_t i = 0; i < 3 * measure::kStepKinds; ++i)
        samples.emplace_back(List{3'340, 50'234.0 + static_cast<double>(i), 50'111.0});
    return Map{{"samples", std::move(samples)}};
}

void encode(benchmark::State& state) {
    const Value message = typical_answer();
    for (auto unused : state) benchmark::DoNotOptimize(core::encode(message));
    state.counters["bytes"] = static_cast<double>(core::encode(message).size());
}

void decode(benchmark::State& state) {
    const std::string bytes = core::encode(typical_answer());
    for (auto unused : state) benchmark::DoNotOptimize(core::decode(bytes));
}

void round_trip(benchmark::State& state) {
    core::Expected<core::ChannelPair> pair = core::make_channel_pair();
    if (!pair) return state.SkipWithError(pair.error().what.c_str());
    const pid_t pid = fork();
    if (pid < 0) return state.SkipWithError("cannot fork");
    if (pid == 0) {
        pair->ours.close();
        const Value answer = typical_answer();
        while (pair->theirs.receive() && pair->theirs.send(answer)) continue;
        _exit(0);
    }
    pair->theirs.close();
    const Value request = typical_request();
    for (auto unused : state) {
        if (!pair->ours.send(request) || !pair->ours.receive()) {
            state.SkipWithError("the echo is gone");
            break;
        }
    }
    pair->ours.close();
    waitpid(pid, nullptr, 0);
}

}  // namespace

void register_channel_benchmarks() {
    benchmark::RegisterBenchmark("channel/encode_answer", encode);
    benchmark::RegisterBenchmark("channel/decode_answer", decode);
    benchmark::RegisterBenchmark("channel/round_trip", round_trip)->UseRealTime()->Unit(benchmark::kMicrosecond);
}

}  // namespace tare::gbench
