// At stake: 100 samples of a millisecond go in; every list has to add up to 100 ms, with each function where it ran.
#include "harness/attribution/profile_builder.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "harness/attribution/profile_weights.h"
#include "harness/attribution/samples_for_test.h"

namespace tare::attribution {
namespace {

using core::FrameKind;
using core::Profile;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kEval = "python:_PyEval_EvalFrameDefault";

/// `a>b>c 12` for each node with time, sorted.
std::vector<std::string> paths_of(const Profile& profile) {
    std::vector<std::string> paths, all;
    for (const core::ProfileNode& node : profile.nodes) {
        const std::string above = node.parent < 0 ? "" : paths[static_cast<std::size_t>(node.parent)] + ">";
        const std::string line = node.line > 0 ? ":" + std::to_string(node.line) : "";
        paths.push_back(above + profile.functions[node.function].name + line);
        if (node.self.samples > 0)
            all.push_back(paths.back() + " " + profile.layers[node.layer].name + " " +
                          std::to_string(node.self.samples));
    }
    std::ranges::sort(all);
    return all;
}

struct Built {
    SamplesForTest samples;
    LayerTable layers = layers_for_test();

    Profile of(const std::vector<core::StackSample>& all, ProfileChoice choice = {}) {
        ProfileBuilder builder = samples.builder(layers, choice);
        for (const core::StackSample& sample : all) builder.add(sample);
        return builder.build();
    }
};

TEST(ProfileBuilder, MixesPythonAndNativeFramesOnOnePath) {
    Built made;
    const Profile profile =
        made.of({made.samples.sample({"python:main", "py:<module>:20", "py:work:12", kEval, "umath:DOUBLE_add"})});
    EXPECT_THAT(paths_of(profile),
                ElementsAre("main><module>:20>work:12>_PyEval_EvalFrameDefault>DOUBLE_add inner_loop 1"));
    EXPECT_EQ(profile.quality.boundaries, 1U);
    EXPECT_EQ(profile.quality.unmatched_boundaries, 0U);
    EXPECT_EQ(profile.quality.complete, 1U);
    EXPECT_EQ(profile.quality.python_whole, 1U);
}

TEST(ProfileBuilder, AddsUpInEveryListAndView) {
    for (const FrameView view : {FrameView::kBoth, FrameView::kNative, FrameView::kPython}) {
        const Profile profile = small_profile({.view = view});
        std::uint64_t layers = 0, native = 0, python = 0, nodes = 0, modules = 0;
        for (const core::ProfileLayer& layer : profile.layers) layers += layer.self.samples;
        for (const core::ProfileFunction& function : profile.functions)
            (function.kind == FrameKind::kPython ? python : native) += function.self.samples;
        for (const core::ProfileNode& node : profile.nodes) nodes += node.self.samples;
        for (const core::ProfileModule& module : profile.modules) modules += module.self.samples;
        EXPECT_EQ(profile.total, (core::SampledTime{1e8, 100}));
        EXPECT_EQ(layers, 100U);
        EXPECT_EQ(native, 100U);
        EXPECT_EQ(python, 95U);   // 5 ran no Python
        EXPECT_EQ(modules, 92U);  // 8 were in the kernel
        EXPECT_EQ(nodes, 100U);
    }
}

TEST(ProfileBuilder, GivesEachFunctionItsOwnTimeAndAllBelowIt) {
    const Profile profile = small_profile();
    EXPECT_EQ(function_named(profile, "dgemm_kernel_HASWELL").self.samples, 40U);
    EXPECT_EQ(function_named(profile, "cblas_dgemm").self.samples, 0U);
    EXPECT_EQ(function_named(profile, "cblas_dgemm").inclusive.samples, 50U);
    EXPECT_EQ(function_named(profile, "main").inclusive.samples, 95U);
    EXPECT_EQ(function_named(profile, "work").self.samples, 75U);  // the innermost Python function
    EXPECT_EQ(function_named(profile, "work").inclusive.samples, 87U);
    EXPECT_EQ(function_named(profile, "helper").self.samples, 12U);
    EXPECT_EQ(function_named(profile, "work").file, "/src/script.py");
    EXPECT_EQ(function_named(profile, "work").first_line, 10);
    EXPECT_EQ(profile.functions.front().name, "work");
}

TEST(ProfileBuilder, CountsAFunctionThatRecursOnceASample) {
    Built made;
    const Profile profile = made.of(
        {made.samples.sample({"python:main", "py:f:12", "py:f:12", "py:f:13", kEval, "python:call", "py:f:12", kEval}),
         made.samples.sample({"python:main", "py:f:13", kEval})});
    EXPECT_EQ(function_named(profile, "f").inclusive.samples, 2U);
    EXPECT_EQ(function_named(profile, "f").self.samples, 2U);
    EXPECT_EQ(function_named(profile, "_PyEval_EvalFrameDefault").inclusive.samples, 2U);
    ASSERT_EQ(profile.lines.size(), 2U);
    for (const core::ProfileLine& line : profile.lines) {
        EXPECT_EQ(line.self.samples, 1U) << line.line;
        EXPECT_EQ(line.inclusive.samples, line.line == 12 ? 1U : 2U);
    }
}

TEST(ProfileBuilder, LaysTimeByTheNativeCallPathThroughPythonFrames) {
    const Profile profile = small_profile();
    EXPECT_EQ(samples_in(profile, "blas_kernel"), 40U);
    EXPECT_EQ(samples_in(profile, "blas_interface"), 10U) << "memcpy works for its caller";
    EXPECT_EQ(samples_in(profile, "inner_loop"), 20U);
    EXPECT_EQ(samples_in(profile, "interpreter"), 12U);
    EXPECT_EQ(samples_in(profile, "numpy (unresolved)"), 5U);
    EXPECT_EQ(samples_in(profile, "kernel"), 8U);
    Built made;
    const Profile called = made.of({made.samples.sample({kEval, "py:f:12", kEval, "libc:memcpy"})});
    EXPECT_EQ(samples_in(called, "interpreter"), 1U);
}

TEST(ProfileBuilder, ShowsTheViewThatWasChosen) {
    EXPECT_THAT(paths_of(small_profile({.view = FrameView::kPython})),
                ElementsAre("<module>:20>work:12 interpreter 50", "<module>:20>work:13 interpreter 20",
                            "<module>:20>work:14 interpreter 5", "<module>:20>work:14>helper:30 interpreter 12",
                            "<module>:21 interpreter 8", "[no Python] interpreter 5"));
    EXPECT_THAT(paths_of(small_profile({.view = FrameView::kNative})),
                testing::Contains("main>_PyEval_EvalFrameDefault>write>[kernel] kernel 8"));
}

TEST(ProfileBuilder, LeavesWaitingOutUnlessItIsAskedFor) {
    Built made;
    core::StackSample waits = made.samples.sample({kEval, "libc:poll"});
    waits.waits = true;
    const core::StackSample runs = made.samples.sample({kEval, "libc:poll"});
    EXPECT_EQ(made.of({waits, runs}).total.samples, 1U);
    const Profile profile = made.of({waits, runs}, {.waiting = true});
    EXPECT_EQ(samples_in(profile, "waiting"), 1U);
    EXPECT_EQ(samples_in(profile, "c_library_other"), 1U);
    EXPECT_EQ(function_named(profile, "poll").self.samples, 2U);
    ASSERT_EQ(profile.threads.size(), 1U);
    EXPECT_EQ(profile.threads[0].time.samples, 2U);
    EXPECT_EQ(profile.threads[0].waiting.samples, 1U);
}

TEST(ProfileBuilder, CountsOnlyWhatHeldTheGilIfAsked) {
    EXPECT_EQ(small_profile({.gil_only = true}).total.samples, 92U);
    EXPECT_EQ(small_profile().threads[0].gil.samples, 92U);
}

TEST(ProfileBuilder, PutsEachThreadUnderItsOwnRoot) {
    Built made;
    core::StackSample first = made.samples.sample({"python:main"}), second = made.samples.sample({"python:main"});
    second.thread = 8;
    second.weight_ns *= 2;
    const Profile profile = made.of({first, second}, {.by_thread = true});
    EXPECT_THAT(paths_of(profile), ElementsAre("[thread 7 of process 7]>main cpython_other 1",
                                               "[thread 8 of process 7]>main cpython_other 1"));
    EXPECT_EQ(profile.threads[0].thread, 8) << "most time first";
    EXPECT_EQ(function_named(profile, "[thread 8 of process 7]").kind, FrameKind::kGroup);
}

TEST(ProfileBuilder, KeepsSamplesBackUntilTheCodeOfTheirProcessIsKnown) {
    SamplesForTest samples;
    const LayerTable layers = layers_for_test();
    ProfileBuilder builder = samples.empty_builder(layers);
    core::StackSample sample = samples.sample({"python:main"});
    builder.add(sample);
    sample.process = 99;
    builder.add(sample);
    EXPECT_EQ(builder.samples(), 0U);
    EXPECT_FALSE(builder.knows(7, samples.address_of("python:main")));
    builder.naming(7).add({}, samples.names());
    builder.set_modules(7, samples.modules());
    EXPECT_TRUE(builder.knows(7, samples.address_of("python:main")));
    EXPECT_FALSE(builder.knows(7, 1));
    EXPECT_EQ(builder.samples(), 1U);
    const Profile profile = builder.build();
    EXPECT_EQ(function_named(profile, "main").self.samples, 1U);
    EXPECT_THAT(profile.warnings, testing::Contains("1 samples of process 99 are left out: its code was never known"));
}

TEST(ProfileBuilder, NamesCompiledCodeByAMapThatComesLater) {
    SamplesForTest samples;
    const LayerTable layers = layers_for_test();
    ProfileBuilder builder = samples.builder(layers);
    const core::StackSample sample = samples.sample({"jit:?1"});
    builder.add(sample);
    EXPECT_EQ(builder.build().functions[0].source, core::NameSource::kNone);
    char line[64];
    std::snprintf(line, sizeof line, "%llx 8 py::jitted\n",
                  static_cast<unsigned long long>(samples.address_of("jit:?1") - 2));
    EXPECT_EQ(builder.naming(7).add_perf_map(line), 0U);
    builder.add(sample);
    const Profile profile = builder.build();
    ASSERT_EQ(profile.functions.size(), 1U);
    EXPECT_EQ(profile.functions[0].name, "py::jitted");
    EXPECT_EQ(profile.functions[0].self.samples, 2U);
    EXPECT_EQ(profile.modules[0].named.samples, 2U);
}

TEST(ProfileBuilder, AFileLoadedWhereAnotherOneWasHasItsOwnCode) {
    SamplesForTest samples;
    const LayerTable layers = layers_for_test();
    ProfileBuilder builder = samples.builder(layers);
    const core::StackSample sample = samples.sample({"umath:?1"});
    builder.add(sample);
    std::vector<core::CodeModule> modules = samples.modules();
    modules[1].path = "/nowhere/other.so";
    builder.set_modules(7, modules);
    builder.add(sample);
    const Profile profile = builder.build();
    ASSERT_EQ(profile.modules.size(), 2U);
    EXPECT_EQ(profile.modules[0].self.samples, 1U);
    EXPECT_EQ(profile.modules[1].path, "/nowhere/other.so");
}

TEST(ProfileBuilder, JoinsWhatSeveralProcessesShare) {
    SamplesForTest samples;
    const core::StackSample first = samples.sample({"python:main", "py:f:12", kEval});
    core::StackSample second = samples.sample({"python:main", "py:f:12", kEval});
    second.process = 8;
    const LayerTable layers = layers_for_test();
    ProfileBuilder builder = samples.builder(layers);
    builder.set_modules(8, samples.modules());
    builder.naming(8).add({}, samples.names());
    builder.add(first);
    builder.add(second);
    const Profile profile = builder.build();
    EXPECT_EQ(profile.functions.size(), 3U);
    EXPECT_EQ(profile.modules.size(), 1U);
    EXPECT_EQ(profile.nodes.size(), 3U);
    EXPECT_EQ(profile.threads.size(), 2U);
}

TEST(ProfileBuilder, DoesNotLosePythonCodeThatWasNeverDescribed) {
    Built made;
    core::StackSample sample = made.samples.sample({"python:main", "py:f:12", kEval});
    sample.python[0].code = core::CodeArea::kFull;
    const Profile profile = made.of({sample});
    EXPECT_EQ(function_named(profile, "[Python code that was not described]").inclusive.samples, 1U);
    EXPECT_THAT(profile.warnings, testing::Contains(HasSubstr("1 pieces of Python code have no name")));
    EXPECT_THAT(profile.lines, IsEmpty());
}

TEST(ProfileBuilder, PlacesADeepRecursionOutsideTheEvalLoopThatItKnowsByItsBoundaries) {
    Built made;
    const core::StackSample shallow = made.samples.sample({"python:main", "py:f:12", kEval, "umath:DOUBLE_add"});
    core::StackSample deep = made.samples.sample({"python:main", "py:f:12", kEval, "umath:DOUBLE_add"});
    deep.chain = core::PythonChain::kCut;
    deep.python = {{0, 0, 4, false}, {0, 0, 4, false}};
    EXPECT_THAT(paths_of(made.of({shallow, deep})),
                ElementsAre("main>[Python frames beyond the innermost 2]>f:12>f:12>_PyEval_EvalFrameDefault>DOUBLE_add "
                            "inner_loop 1",
                            "main>f:12>_PyEval_EvalFrameDefault>DOUBLE_add inner_loop 1"));
}

/// CPython 3.9 and 3.10. In the second the innermost loop is on its way out, and names its frame no more; the third is
/// a greenlet, whose chain ends where main() switched to it.
TEST(ProfileBuilder, PlacesFramesOfLoopsThatLeaveNoAddressByCountingTheLoops) {
    Built made;
    std::vector<core::StackSample> samples{
        made.samples.sample({"python:main", "py:f:12", kEval, "python:builtin_sorted", "py:g:13", kEval}),
        made.samples.sample({"python:main", "py:f:12", kEval, "python:builtin_sorted", kEval, "libc:memcpy"}),
        made.samples.sample({"python:main", kEval, "greenlet:g_initialstub", "py:f:12", kEval, "libc:memcpy"})};
    for (core::StackSample& sample : samples)
        for (core::PythonFrame& frame : sample.python) frame.address = 0;
    const Profile profile = made.of(samples);
    EXPECT_THAT(
        paths_of(profile),
        ElementsAre("main>_PyEval_EvalFrameDefault>g_initialstub>f:12>_PyEval_EvalFrameDefault>memcpy interpreter 1",
                    "main>f:12>_PyEval_EvalFrameDefault>builtin_sorted>_PyEval_EvalFrameDefault>memcpy interpreter 1",
                    "main>f:12>_PyEval_EvalFrameDefault>builtin_sorted>g:13>_PyEval_EvalFrameDefault interpreter 1"));
    EXPECT_EQ(profile.quality.boundaries, 4U);
    EXPECT_EQ(profile.quality.unmatched_boundaries, 0U);
}

TEST(ProfileBuilder, AStackThatWasNotUnwoundAtAllIsStillASample) {
    Built made;
    core::StackSample sample = made.samples.sample({});
    sample.registers[core::kInstructionPointer] = made.samples.address_of("python:main");
    const Profile profile = made.of({sample});
    EXPECT_EQ(function_named(profile, "main").self.samples, 1U);
}

TEST(ProfileBuilder, KnowsTheRolesOfBlasFunctionsAndOfTheirHelpers) {
    Built made;
    const Profile profile =
        made.of({made.samples.sample({"blas:cblas_ssyrk", "blas:ssyrk_LT", "blas:blas_memory_alloc"}),
                 made.samples.sample({"umath:cblas_matrixproduct"})});
    EXPECT_EQ(function_named(profile, "ssyrk_LT").blas.value().role, "driver");
    EXPECT_EQ(function_named(profile, "blas_memory_alloc").blas.value().role, "other");
    EXPECT_FALSE(function_named(profile, "cblas_matrixproduct").blas.has_value());
}

TEST(ProfileWeights, CountsOfAPmuBecomeTheTimeThatWasSpent) {
    Profile profile = small_profile();
    weigh_as(profile, 3e8);
    EXPECT_DOUBLE_EQ(profile.total.ns, 3e8);
    EXPECT_DOUBLE_EQ(function_named(profile, "helper").inclusive.ns, 3.6e7);
    EXPECT_EQ(function_named(profile, "helper").inclusive.samples, 12U);
    Profile empty;
    weigh_as(empty, 1);
    EXPECT_EQ(empty.total.ns, 0);
}

}  // namespace
}  // namespace tare::attribution
