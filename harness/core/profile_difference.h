// ProfileDifference: what two profiles differ by, layer by layer and function by function, with the error that comes
// of sampling. Times in nanoseconds that samples stand for. Values only.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "harness/core/profile.h"

namespace tare::core {

struct ProfileDifference {
    struct Change {
        std::string name;
        std::string place;  ///< of native functions: the file without folders; of Python's: `a.py`; empty for a layer
        FrameKind kind = FrameKind::kNative;  ///< of functions
        SampledTime before;                   ///< self, as in ProfileFunction
        SampledTime after;
        double change_ns = 0;
        double error_ns = 0;      ///< standard error of change_ns: samples are Poisson counts, each taken as one more
        double before_ratio = 0;  ///< share of the whole profile
        double after_ratio = 0;
        double change_ratio = 0;  ///< after_ratio - before_ratio: 0.01 is a point
        double error_ratio = 0;   ///< its standard error
        bool told_apart = false;  ///< change_ns is beyond two standard errors
        bool operator==(const Change&) const = default;
    };

    std::array<std::string, 2> sides{"a", "b"};
    std::array<std::string, 2> programs;
    Change total;                   ///< without a name
    std::vector<Change> layers;     ///< those told apart first, of them the largest change of time first
    std::vector<Change> functions;  ///< likewise
    std::vector<std::string> notes;
    bool operator==(const ProfileDifference&) const = default;

    /// How many standard errors a change must exceed to be told apart: 95 % for one of them, not for all together.
    static constexpr double kErrors = 2;
};

}  // namespace tare::core
