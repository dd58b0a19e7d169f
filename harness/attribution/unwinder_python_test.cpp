// At stake: with OPENBLAS_CORETYPE=Haswell 85 to 89 % of the samples of a 128 x 128 product of doubles end in a frame
// that has no unwind information. Real stacks of a real NumPy, sampled at 1 kHz; at least 99 % must reach the entry.
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "harness/attribution/naming.h"
#include "harness/attribution/unwinder.h"
#include "harness/core/clock.h"

namespace tare::attribution {
namespace {

using core::CodeModule;
using core::StackSample;
using ::testing::Ge;
using ::testing::SizeIs;

struct Recording {
    std::vector<StackSample> samples;
    std::vector<CodeModule> modules;
    std::string output;
};

std::vector<StackSample> read_samples(const std::string& path) {
    std::vector<StackSample> samples;
    std::ifstream file(path, std::ios::binary);
    while (true) {
        StackSample sample;
        std::array<std::uint64_t, 20> numbers{};
        if (!file.read(reinterpret_cast<char*>(numbers.data()), sizeof numbers)) return samples;
        std::copy_n(numbers.begin(), 17, sample.registers.begin());
        sample.stack_address = numbers[17];
        sample.stack.resize(numbers[18]);
        sample.stack_cut = numbers[19] != 0;
        file.read(reinterpret_cast<char*>(sample.stack.data()), static_cast<std::streamsize>(numbers[18]));
        samples.push_back(std::move(sample));
    }
}

std::vector<CodeModule> read_modules(const std::string& path) {
    std::vector<CodeModule> modules;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream fields(line);
        CodeModule module;
        fields >> module.start >> module.end >> module.bias >> module.build_id >> std::ws;
        std::getline(fields, module.path);
        if (module.build_id == "-") module.build_id.clear();
        modules.push_back(std::move(module));
    }
    return modules;
}

bool runs_haswell_kernels() {
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}

/// Before an interpreter: nothing of this process's environment but what the test is about.
std::string environment() {
    const std::string set = "env -i PATH=/usr/bin:/bin LANG=C.UTF-8 OPENBLAS_NUM_THREADS=1 ";
    return runs_haswell_kernels() ? set + "OPENBLAS_CORETYPE=Haswell "
                                  : set;  // it would be believed, and end by SIGILL
}

/// Runs `statement` for 1.2 s of CPU time, of which 1 kHz of the wall clock takes a thousand samples and more, however
/// little of the machine it gets; A and B are 128 x 128 doubles, C is 4 x 4, v has 8 elements.
Recording recorded(const std::string& python, const std::string& statement) {
    const std::string path =
        std::filesystem::path(::testing::TempDir()) / ("tare_stacks_" + std::to_string(::getpid()));
    {
        std::ofstream script(path + ".py");
        script << "import ctypes, time\nimport numpy as np\n"
               << "A = np.random.rand(128, 128); B = np.random.rand(128, 128)\n"
               << "C = np.random.rand(4, 4); v = np.random.rand(8)\n"
               << "def work(end):\n    while time.thread_time() < end:\n        for _ in range(50):\n            "
               << statement << "\n"
               << "work(time.thread_time() + 0.1)\n"
               << "library = ctypes.CDLL('" << TARE_STACKS_LIBRARY << "')\n"
               << "library.stacks_of_python_start.argtypes = [ctypes.c_long, ctypes.c_size_t]\n"
               << "assert library.stacks_of_python_start(1000, 4000) == 0\n"
               << "work(time.thread_time() + 1.2)\n"
               << "library.stacks_of_python_stop(b'" << path << "')\n";
    }
    const std::string command = environment() + python + " -s '" + path + ".py' 2>&1";
    Recording recording;
    if (std::FILE* pipe = ::popen(command.c_str(), "r")) {
        char text[256];
        while (std::fgets(text, sizeof text, pipe) != nullptr) recording.output += text;
        ::pclose(pipe);
    }
    recording.samples = read_samples(path);
    recording.modules = read_modules(path + ".modules");
    for (const char* ending : {"", ".py", ".modules"}) std::filesystem::remove(path + ending);
    return recording;
}

bool is_openblas(const CodeModule& module) {
    return module.path.find("openblas") != std::string::npos;  // Debian's, too, behind links: libopenblasp-r0.3.21.so
}

class PythonStacks : public ::testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        ::unsetenv("DEBUGINFOD_URLS");
        const std::string probe = environment() + GetParam() + " -s -c 'import numpy' >/dev/null 2>&1";
        if (std::system(probe.c_str()) != 0) GTEST_SKIP() << GetParam() << " has no NumPy";
    }

    /// Unwinds all, prints what came out.
    std::vector<NativeStack> unwound(const Recording& recording, const std::string& what) {
        std::vector<NativeStack> stacks;
        Unwinder unwinder;
        unwinder.set_modules(recording.modules);
        const auto pass = [&] {
            const std::int64_t start_ns = core::thread_cpu_ns();
            stacks.clear();
            for (const StackSample& sample : recording.samples) stacks.push_back(unwinder.unwind(sample));
            const auto time_ns = static_cast<double>(core::thread_cpu_ns() - start_ns);
            return time_ns / 1000 / static_cast<double>(recording.samples.size());
        };
        const double first_us = pass();
        const UnwindEffort effort = unwinder.effort();
        const double again_us = pass();
        std::map<StackQuality, std::size_t> by_quality;
        for (const NativeStack& stack : stacks) ++by_quality[stack.quality];
        const auto per_sample = [&](std::uint64_t n) {
            return static_cast<double>(n) / static_cast<double>(stacks.size());
        };
        std::printf(
            "%s: %zu samples, %.1f frames each: complete %.2f %%, scanned %.2f %%, truncated %.2f %%; %.2f us a "
            "sample, "
            "%.2f us when all rules are known; of %llu rules used %llu were read; by code %llu, by scan %llu; %.1f "
            "MB\n",
            what.c_str(), stacks.size(), per_sample(effort.frames),
            100 * per_sample(by_quality[StackQuality::kComplete]), 100 * per_sample(by_quality[StackQuality::kScanned]),
            100 * per_sample(by_quality[StackQuality::kTruncated]), first_us, again_us,
            static_cast<unsigned long long>(effort.rules_used), static_cast<unsigned long long>(effort.rules_read),
            static_cast<unsigned long long>(effort.by_code), static_cast<unsigned long long>(effort.by_scan),
            static_cast<double>(effort.bytes) / 1e6);
        return stacks;
    }

    static double reached(const std::vector<NativeStack>& stacks) {
        std::size_t whole = 0;
        for (const NativeStack& stack : stacks) whole += stack.quality != StackQuality::kTruncated ? 1U : 0U;
        return static_cast<double>(whole) / static_cast<double>(stacks.size());
    }
};

TEST_P(PythonStacks, OfAProductOfMatricesReachTheEntryThroughTheKernelByItsTrueCaller) {
    const Recording recording = recorded(GetParam(), "A @ B");
    ASSERT_THAT(recording.samples, SizeIs(Ge(100U))) << recording.output;
    const std::vector<NativeStack> stacks = unwound(recording, "A @ B");
    EXPECT_THAT(reached(stacks), Ge(0.99));

    if (!runs_haswell_kernels())
        GTEST_SKIP() << "OpenBLAS's kernels for Haswell take AVX2 and FMA, which this CPU does not have";
    if (std::ranges::none_of(recording.modules, is_openblas)) GTEST_SKIP() << "this NumPy runs on another BLAS";
    Naming naming(recording.modules, {});
    std::map<std::string, std::size_t> callers;
    std::size_t in_kernel = 0;
    for (const NativeStack& stack : stacks) {
        if (naming.function_at(stack.frames[0].address).name != "dgemm_kernel_HASWELL" || stack.frames.size() < 2)
            continue;
        ++in_kernel;
        ++callers[naming.function_at(stack.frames[1].address).name];
    }
    std::printf("in the kernel: %zu\n", in_kernel);
    for (const auto& [name, times] : callers) std::printf("  called by %s: %zu\n", name.c_str(), times);
    EXPECT_THAT(in_kernel, Ge(stacks.size() / 2));
    EXPECT_EQ(callers["dgemm_nn"], in_kernel);
}

TEST_P(PythonStacks, OfASmallProductWithItsTransposeReachTheEntry) {
    const Recording recording = recorded(GetParam(), "np.dot(C, C.T)");
    ASSERT_THAT(recording.samples, SizeIs(Ge(100U))) << recording.output;
    EXPECT_THAT(reached(unwound(recording, "np.dot(C, C.T)")), Ge(0.99));
}

TEST_P(PythonStacks, OfASumReachTheEntry) {
    const Recording recording = recorded(GetParam(), "np.sum(v)");
    ASSERT_THAT(recording.samples, SizeIs(Ge(100U))) << recording.output;
    EXPECT_THAT(reached(unwound(recording, "np.sum(v)")), Ge(0.99));
}

std::string name_of(const ::testing::TestParamInfo<std::string>& info) {
    return info.index == 0 ? "First" : "Venv";
}

INSTANTIATE_TEST_SUITE_P(Interpreters, PythonStacks,
                         ::testing::Values(std::string(TARE_TEST_PYTHON),
                                           std::string(TARE_SOURCE_DIR "/.venv/bin/python")),
                         name_of);

}  // namespace
}  // namespace tare::attribution
