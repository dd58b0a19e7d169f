// At stake: a profile is a sum, so thousands of random stacks must give what counting them one by one gives; and
// samples of garbage, as a damaged ring would hold, must add up too.
#include <gmock/gmock.h>

#include <map>
#include <random>
#include <set>

#include "harness/attribution/samples_for_test.h"

namespace tare::attribution {
namespace {

using core::FrameKind;
using core::Profile;

/// Counted one by one. Names tell Python and native functions apart here.
struct Counted {
    std::map<std::string, std::uint64_t> self, inclusive;

    void add(const std::vector<std::string>& frames) {
        std::set<std::string> names;
        std::string native, python;
        for (const std::string& frame : frames) {
            const bool is_python = frame.starts_with("py:");
            const std::string name =
                is_python ? frame.substr(3, frame.rfind(':') - 3) : frame.substr(frame.find(':') + 1);
            (is_python ? python : native) = name;
            names.insert(name);
        }
        ++self[native];
        if (!python.empty()) ++self[python];
        for (const std::string& name : names) ++inclusive[name];
    }
};

std::vector<std::string> random_stack(std::mt19937_64& random) {
    static const std::vector<std::string> kNative{"umath:DOUBLE_add", "blas:cblas_dgemm", "blas:dgemm_kernel",
                                                  "libc:memcpy", "python:PyObject_Call"};
    static const std::vector<std::string> kPython{"py:f:12", "py:f:13", "py:g:20", "py:h:15"};
    std::vector<std::string> frames{"python:main"};
    const std::uint64_t turns = random() % 6;
    for (std::uint64_t i = 0; i < turns; ++i) {
        for (std::uint64_t k = 0; k <= random() % 3; ++k) frames.push_back(kPython[random() % kPython.size()]);
        frames.emplace_back("python:_PyEval_EvalFrameDefault");
        for (std::uint64_t k = 0; k < random() % 4; ++k) frames.push_back(kNative[random() % kNative.size()]);
    }
    return frames;
}

void expect_consistent(const Profile& profile, std::uint64_t samples) {
    EXPECT_EQ(profile.total.samples, samples);
    std::uint64_t layers = 0, nodes = 0, threads = 0;
    for (const core::ProfileLayer& layer : profile.layers) layers += layer.self.samples;
    for (const core::ProfileThread& thread : profile.threads) threads += thread.time.samples;
    for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
        nodes += profile.nodes[i].self.samples;
        EXPECT_LT(profile.nodes[i].parent, static_cast<std::int64_t>(i));
        ASSERT_LT(profile.nodes[i].function, profile.functions.size());
        ASSERT_LT(profile.nodes[i].layer, profile.layers.size());
    }
    EXPECT_EQ(layers, samples);
    EXPECT_EQ(nodes, samples);
    EXPECT_EQ(threads, samples);
    for (const core::ProfileFunction& function : profile.functions) {
        EXPECT_LE(function.self.samples, function.inclusive.samples) << function.name;
        EXPECT_LE(function.inclusive.samples, samples);
    }
}

TEST(ProfileFuzz, IsWhatCountingOneByOneGives) {
    std::mt19937_64 random(20240611);
    for (const FrameView view : {FrameView::kBoth, FrameView::kNative, FrameView::kPython}) {
        SamplesForTest samples;
        Counted counted;
        std::vector<core::StackSample> all;
        for (int i = 0; i < 3000; ++i) {
            const std::vector<std::string> frames = random_stack(random);
            all.push_back(samples.sample(frames));
            counted.add(frames);
        }
        const LayerTable layers = layers_for_test();
        ProfileBuilder builder = samples.builder(layers, {.view = view});
        for (const core::StackSample& sample : all) builder.add(sample);
        const Profile profile = builder.build();
        expect_consistent(profile, all.size());
        EXPECT_EQ(profile.quality.unmatched_boundaries, 0U);
        for (const core::ProfileFunction& function : profile.functions) {
            if (function.kind == FrameKind::kGroup) continue;
            EXPECT_EQ(function.self.samples, counted.self[function.name]) << function.name;
            EXPECT_EQ(function.inclusive.samples, counted.inclusive[function.name]) << function.name;
        }
    }
}

TEST(ProfileFuzz, GarbageAddsUpToo) {
    std::mt19937_64 random(7);
    const LayerTable layers = layers_for_test();
    for (int round = 0; round < 30; ++round) {
        const ProfileChoice choice{.view = static_cast<FrameView>(round % 3),
                                   .gil_only = round % 5 == 4,
                                   .waiting = round % 2 == 0,
                                   .by_thread = round % 4 == 1};
        SamplesForTest samples;
        ProfileBuilder builder = samples.builder(layers, choice);
        std::uint64_t expected = 0;
        for (int i = 0; i < 300; ++i) {
            core::StackSample sample = samples.sample(random_stack(random));
            NativeStack& stack = samples.last_stack();
            stack.quality = static_cast<StackQuality>(random() % 3);
            for (NativeFrame& frame : stack.frames) {
                if (random() % 4 == 0) frame.address = random() >> (random() % 64);
                if (random() % 4 == 0) frame.stack_pointer = random() >> (random() % 64);
            }
            if (random() % 8 == 0) stack.frames.clear();
            for (core::PythonFrame& frame : sample.python) {
                if (random() % 4 == 0) frame.address = random();
                if (random() % 4 == 0) frame.code = static_cast<std::uint32_t>(random());
                if (random() % 4 == 0) frame.offset = static_cast<std::int32_t>(random());
                if (random() % 4 == 0) frame.is_entry = !frame.is_entry;
            }
            sample.chain = static_cast<core::PythonChain>(random() % 4);
            sample.in_kernel = random() % 2 == 0;
            sample.waits = random() % 4 == 0;
            sample.holds_gil = random() % 2 == 0;
            sample.thread = static_cast<std::int32_t>(random() % 3);
            expected += (!choice.gil_only || sample.holds_gil) && (choice.waiting || !sample.waits) ? 1 : 0;
            builder.add(sample);
        }
        expect_consistent(builder.build(), expected);
        EXPECT_EQ(builder.samples(), expected);
    }
}

}  // namespace
}  // namespace tare::attribution
