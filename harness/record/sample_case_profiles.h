// Test data: what samples tell of the cases of sample_run, and of a whole suite. Shares that are easy to compute.
#pragma once

#include <fmt/format.h>

#include <random>

#include "harness/core/case_profile.h"
#include "harness/record/record.h"

namespace tare::record {

inline core::SampledTime case_samples(std::uint64_t samples) {
    return {static_cast<double>(samples) * 2e5, samples};
}

/// 1,000 samples of an addition: 400 of the interpreter (25 of the loop), 300 of the allocation, 300 of the loop that
/// adds; sampling cost 2 %.
inline core::CaseProfile add_profile() {
    using core::FrameKind;
    core::CaseProfile profile;
    profile.case_name = "add[kind=array,dtype=f8,n=8]";
    profile.asked_hz = 5000;
    profile.total = case_samples(1000);
    profile.named = case_samples(990);
    profile.layers = {{"interpreter", case_samples(400), false},
                      {"allocation", case_samples(300), false},
                      {"inner_loop", case_samples(290), false},
                      {"c_library", case_samples(10), true}};
    const std::string umath = "/env/numpy/_core/_multiarray_umath.so";
    profile.functions = {
        {FrameKind::kPython, "bench_python", "<tare add>", "", case_samples(1000)},
        {FrameKind::kNative, "_PyEval_EvalFrameDefault", "/usr/bin/python3.11", "interpreter", case_samples(400)},
        {FrameKind::kNative, "PyDataMem_UserNEW", umath, "allocation", case_samples(300)},
        {FrameKind::kNative, "DOUBLE_add_AVX512F", umath, "inner_loop", case_samples(286)},
        {FrameKind::kKernel, "[kernel]", "", "kernel", case_samples(10)},
        {FrameKind::kNative, "light", umath, "inner_loop", case_samples(4)}};
    profile.complete = 990;
    profile.scanned = 10;
    profile.outside = 2;
    profile.batches_ns = 2.01e8;
    for (int round = 0; round < 3; ++round) profile.costs.push_back({round, round, 326.4 + round, 320.0 + round, 8});
    return profile;
}

/// By a timer, that sees no names of a library.
inline core::CaseProfile matmul_profile() {
    core::CaseProfile profile;
    profile.case_name = "matmul[dtype=f4,n=8]";
    profile.asked_hz = 1000;
    profile.way = {core::SampleClock::kTimer, true, "EACCES: perf_event_open: Permission denied", ""};
    profile.total = case_samples(200);
    profile.named = case_samples(150);
    profile.layers = {{"blas_kernel", case_samples(150), false}, {"numpy (unresolved)", case_samples(50), true}};
    profile.functions = {
        {core::FrameKind::kNative, "sgemm_kernel", "/env/numpy.libs/libopenblas.so", "blas_kernel", case_samples(150)}};
    profile.complete = 200;
    profile.dropped = 3;
    profile.costs = {{0, 0, 1700, 1690, 0}};
    profile.warnings = {"no names of /env/numpy/_core/_multiarray_umath.so: the file was replaced since"};
    return profile;
}

/// A case each: 6 to 16 layers, 10 to 40 functions of 2,000, five visits.
inline std::vector<core::CaseProfile> full_size_profiles(unsigned seed, int cases = 700) {
    std::mt19937_64 random(seed);
    std::vector<core::CaseProfile> profiles;
    for (int i = 0; i < cases; ++i) {
        core::CaseProfile profile = add_profile();
        profile.case_name = fmt::format("operation_{}[kind=array,dtype=f8,n={}]", i / 7, 1 << (i % 7));
        profile.layers.clear();
        profile.functions.clear();
        for (std::uint64_t k = 0; k < 6 + random() % 11; ++k)
            profile.layers.push_back(
                {fmt::format("layer_{}", k), {1.7 * static_cast<double>(random() % 1'000'000), random() % 500}, false});
        for (std::uint64_t k = 0; k < 10 + random() % 31; ++k)
            profile.functions.push_back({core::FrameKind::kNative,
                                         fmt::format("PyUFunc_a_function_number_{}", random() % 2000),
                                         "/env/numpy.so",
                                         "layer_1",
                                         {1.7 * static_cast<double>(random() % 1'000'000), 20 + random() % 500}});
        for (int round = 3; round < 5; ++round) profile.costs.push_back({round, round, 326.4 + round, 320.1, 8});
        profiles.push_back(std::move(profile));
    }
    return profiles;
}

}  // namespace tare::record
