// Profiles made up in a few lines, for the tests of this folder.
#pragma once

#include "harness/core/profile.h"
#include "harness/core/profile_difference.h"

namespace tare::record {

inline core::SampledTime sampled(std::uint64_t samples) {
    return {static_cast<double>(samples) * 1e6, samples};
}

/// 6,000 samples of a millisecond: a product of matrices in a script, a kernel without a name, two threads.
inline core::Profile sample_profile() {
    using core::FrameKind;
    using core::NameSource;
    core::Profile profile;
    profile.program = "script.py --size 128";
    profile.sampling.asked_hz = 1000;
    profile.sampling.achieved_hz = 998.2;
    profile.sampling.taken = 6012;
    profile.sampling.dropped = 12;
    profile.sampling.late = 3;
    profile.sampling.handler_ns = 7.8e7;
    profile.sampling.cpu_ns = 6e9;
    profile.sampling.wall_ns = 6.1e9;
    profile.quality = {.complete = 5960,
                       .scanned = 34,
                       .truncated = 6,
                       .python_whole = 5400,
                       .python_cut = 1,
                       .python_unreadable = 9,
                       .unreadable_by = {0, 8, 1, 0},
                       .boundaries = 5405,
                       .unmatched_boundaries = 2};
    profile.total = sampled(6000);
    profile.modules = {
        {"/v/libopenblas.so.0", "b1", NameSource::kDynamicSymbols, sampled(4500), sampled(4500), "", 0x1000, 0x9000,
         0x1000},
        {"/usr/bin/python3.11", "a1", NameSource::kSymbols, sampled(900), sampled(900), "", 0, 0, 0},
        {"/v/_multiarray_umath.so", "c1", NameSource::kFrameEntry, sampled(500), sampled(0), "", 0, 0, 0},
        {"", "", NameSource::kNone, sampled(10), sampled(0), "", 0, 0, 0}};
    profile.layers = {{"blas_kernel", sampled(4400), false},
                      {"interpreter", sampled(900), false},
                      {"numpy (unresolved)", sampled(500), true},
                      {"blas_memory", sampled(100), false},
                      {"kernel", sampled(90), false},
                      {"(unresolved)", sampled(10), true}};
    const auto native = [](std::uint32_t module, const char* name, std::uint64_t self, std::uint64_t inclusive,
                           NameSource source = NameSource::kSymbols) {
        core::ProfileFunction function;
        function.module = module;
        function.name = name;
        function.source = source;
        function.self = sampled(self);
        function.inclusive = sampled(inclusive);
        return function;
    };
    const auto python = [](const char* name, int line, std::uint64_t self, std::uint64_t inclusive) {
        core::ProfileFunction function;
        function.kind = FrameKind::kPython;
        function.name = name;
        function.file = "/home/me/script.py";
        function.first_line = line;
        function.self = sampled(self);
        function.inclusive = sampled(inclusive);
        return function;
    };
    profile.functions = {python("work", 10, 5400, 5400),
                         native(0, "sgemm_kernel_HASWELL", 4400, 4400),
                         native(1, "_PyEval_EvalFrameDefault", 900, 5990),
                         native(2, "_multiarray_umath.so+0x1234", 500, 5090, NameSource::kFrameEntry),
                         native(0, "blas_memory_alloc", 100, 100),
                         native(0, "[kernel]", 90, 90),
                         native(3, "[compiled]+0x7f0010", 10, 10, NameSource::kNone),
                         native(0, "cblas_sgemm", 0, 4590),
                         native(0, "sgemm_nn", 0, 4400),
                         python("<module>", 1, 0, 5400)};
    profile.functions[5].kind = FrameKind::kKernel;
    profile.functions[5].source = NameSource::kNone;
    profile.functions[1].blas = core::BlasFamily{"kernel", "s", "gemm", "", "HASWELL", false};
    profile.functions[4].blas = core::BlasFamily{"other", "", "", "", "", false};
    profile.functions[7].blas = core::BlasFamily{"interface", "s", "gemm", "", "", false};
    profile.functions[8].blas = core::BlasFamily{"driver", "s", "gemm", "nn", "", false};
    profile.lines = {
        {0, 12, sampled(5000), sampled(5000)}, {0, 13, sampled(400), sampled(400)}, {9, 20, sampled(0), sampled(5400)}};
    profile.threads = {{7, 7, sampled(5990), sampled(0), sampled(1400), "python3"},
                       {7, 9, sampled(10), sampled(4), sampled(0), "pool\n1"}};
    profile.nodes = {
        {-1, 9, 1, 20, {}},        {0, 0, 1, 12, {}},          {1, 2, 1, 0, sampled(900)}, {2, 3, 2, 0, sampled(500)},
        {3, 7, 3, 0, {}},          {4, 4, 3, 0, sampled(100)}, {4, 8, 0, 0, {}},           {6, 1, 0, 0, sampled(4400)},
        {5, 5, 4, 0, sampled(90)}, {-1, 6, 5, 0, sampled(10)}};
    profile.warnings = {"no names of /v/_multiarray_umath.so: the file was replaced since"};
    return profile;
}

/// Of a faster kernel: one layer that shrank, one that is new, one within the error.
inline core::ProfileDifference sample_profile_difference() {
    core::ProfileDifference difference;
    difference.sides = {"old", "new"};
    difference.programs = {"script.py", "script.py"};
    const auto change = [](const char* name, const char* place, std::uint64_t before, std::uint64_t after,
                           double error_ns, bool told_apart) {
        core::ProfileDifference::Change made;
        made.name = name;
        made.place = place;
        made.before = sampled(before);
        made.after = sampled(after);
        made.change_ns = made.after.ns - made.before.ns;
        made.error_ns = error_ns;
        made.before_ratio = static_cast<double>(before) / 1000;
        made.after_ratio = static_cast<double>(after) / 700;
        made.change_ratio = made.after_ratio - made.before_ratio;
        made.error_ratio = 0.02;
        made.told_apart = told_apart;
        return made;
    };
    difference.total = change("", "", 1000, 700, 4.1e7, true);
    difference.layers = {change("blas_kernel", "", 800, 450, 3.5e7, true), change("jit", "", 0, 60, 7.8e6, true),
                         change("interpreter", "", 200, 190, 1.97e7, false)};
    difference.functions = {change("sgemm_kernel_HASWELL", "libopenblas.so.0", 800, 450, 3.5e7, true),
                            change("work|it", "script.py", 1000, 700, 4.1e7, true),
                            change("_PyEval_EvalFrameDefault", "python3.11", 200, 190, 1.97e7, false)};
    difference.functions[1].kind = core::FrameKind::kPython;
    difference.notes = {"b was interrupted: times are not of the whole program"};
    return difference;
}

}  // namespace tare::record
