// Pieces that the texts of profiles share: shares with their error, places of functions, how samples were taken and how
// good the stacks are. Pure.
#pragma once

#include <string>
#include <vector>

#include "harness/core/profile.h"
#include "harness/record/number_text.h"

namespace tare::record {

enum class ProfileOrder { kSelf, kCumulative };

struct ProfileTableOptions {
    std::size_t width = 0;  ///< columns of the terminal; 0: no limit
    TextStyle style;
    std::size_t most_functions = 15;  ///< the heaviest, of each kind
    std::size_t most_lines = 10;
    ProfileOrder order = ProfileOrder::kSelf;  ///< of functions and lines
    bool native = true;                        ///< native functions are listed
    bool python = true;                        ///< Python's, and its lines
};

/// Of the whole profile; 0 of nothing.
[[nodiscard]] double share_of(const core::SampledTime& time, const core::Profile& profile);
/// Half the 95 % interval of that share, which sampling alone causes; 1 without samples.
[[nodiscard]] double share_error(const core::SampledTime& time, const core::Profile& profile);
/// "±0.8": percentage points; empty without samples.
[[nodiscard]] std::string share_error_text(const core::SampledTime& time, const core::Profile& profile,
                                           const TextStyle& style);

/// Native: the file without folders; Python: `a.py:12`, of a line that line's; empty for the kernel.
[[nodiscard]] std::string place_text(const core::Profile& profile, const core::ProfileFunction& function);
[[nodiscard]] std::string place_text(const core::ProfileFunction& function, int line);
/// By index into Profile::functions: the layer with most of its time; empty without.
[[nodiscard]] std::vector<std::string> main_layers(const core::Profile& profile);

/// "6.00 s": within a sentence, where units need not stand one below another. Empty cells tell that there was nothing.
[[nodiscard]] std::string plain_duration(double ns, const TextStyle& style);
[[nodiscard]] std::string time_cell(const core::SampledTime& time, const TextStyle& style);
/// "1 more function", "12 more functions"; empty where all are shown. Ends with a line's end.
[[nodiscard]] std::string more_text(std::size_t all, std::size_t shown, const std::string& what);

/// "perf's CPU clock", with the reason where it is not the one asked for.
[[nodiscard]] std::string clock_text(const core::ProfileSampling& sampling);
/// In JSON and CSV: pmu, cpu_clock, timer.
[[nodiscard]] std::string clock_name(core::SampleClock clock);

/// "5,988 samples of 6.00 s at 998 Hz (asked for 1,000) by perf's CPU clock; 12 dropped, 3 late; sampling took 1.3 % of
/// the CPU time"
[[nodiscard]] std::string sampling_text(const core::Profile& profile, const TextStyle& style);
/// Sentences: native stacks, and Python's frames where there are some.
[[nodiscard]] std::vector<std::string> quality_texts(const core::Profile& profile);

/// Of one kind, with time on any stack; most time first.
[[nodiscard]] std::vector<std::size_t> heaviest(const core::Profile& profile, bool python, ProfileOrder order);
/// Likewise of Profile::lines.
[[nodiscard]] std::vector<std::size_t> heaviest_lines(const core::Profile& profile, ProfileOrder order);
/// Of each of Profile::threads: "work a.py:10", the Python function that it ran most, as the innermost one; empty where
/// the call tree does not tell threads apart, or the thread ran none.
[[nodiscard]] std::vector<std::string> work_of_threads(const core::Profile& profile);
/// Functions of BLAS libraries with a name, most inclusive time first.
[[nodiscard]] std::vector<std::size_t> blas_functions(const core::Profile& profile);

}  // namespace tare::record
