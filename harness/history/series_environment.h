// The text of a series' environment taken apart again: would a duet that is measured here and now belong to the series?
// Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tare::history {

/// What was held while versions went by, as record_surroundings writes it.
struct SeriesEnvironment {
    std::string interpreter;               ///< "CPython 3.13.1t"; empty: not known
    std::string host;                      ///< "embedded" or "executable"; empty: not known
    int threads = 0;                       ///< 0: not known
    std::vector<std::string> variables;    ///< "OPENBLAS_CORETYPE=Haswell", ascending
    std::string package;                   ///< what it is about, where that is not NumPy; empty: NumPy, or not known
    std::string build;                     ///< of the interpreter: beginnings of build-ids; empty: not known
    std::vector<std::string> other_facts;  ///< "unroll 2", the set-up code of -e, another tool's words
    bool operator==(const SeriesEnvironment&) const = default;
};

/// "CPython 3.11.2, executable, 1 thread, build 1a2b3c4d, OMP_WAIT_POLICY=active"
[[nodiscard]] SeriesEnvironment read_environment(std::string_view text);

/// Why a duet of the environment `here` says nothing of `series`, in words that follow a change; empty: it may be
/// asked. Threads are not compared, because a duet takes those of the series.
[[nodiscard]] std::string difference_between(const SeriesEnvironment& series, const SeriesEnvironment& here);

}  // namespace tare::history
