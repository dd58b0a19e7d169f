// Series: what one case cost, in one metric, at successive times, versions or commits, on one machine and in one
// environment. Values only; harness/history reads them from records.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "harness/core/shared_text.h"

namespace tare::core {

/// What must be equal for values to be in one series.
struct SeriesKey {
    std::string machine;      ///< fingerprint and a hash of what is set on it: history/record_surroundings.h
    std::string environment;  ///< what else was held: "CPython 3.11.2, executable, 1 thread, build 571d98e0"
    std::string case_name;
    std::string metric;     ///< gross, net, tare, call, cpp, anchored, instructions, or a counter's name
    std::string reference;  ///< of `anchored`: what it is a multiple of, "numpy 2.4.6"; else empty
    bool operator==(const SeriesKey&) const = default;
    bool operator<(const SeriesKey& other) const {
        const auto parts = [](const SeriesKey& key) {
            return std::tie(key.machine, key.environment, key.case_name, key.metric, key.reference);
        };
        return parts(*this) < parts(other);
    }
};

enum class SeriesUnit { kNanoseconds, kRatio, kCount };
/// "ns", "ratio", "count"
[[nodiscard]] constexpr std::string_view name_of(SeriesUnit unit) {
    return unit == SeriesUnit::kNanoseconds ? "ns" : unit == SeriesUnit::kRatio ? "ratio" : "count";
}

struct SeriesPoint {
    SharedText record;   ///< its file's name in the store
    double date_s = 0;   ///< Unix time of the run; of imported results that of the commit
    SharedText version;  ///< of the package that it is about; empty where unknown
    SharedText commit;   ///< that this was built from; empty where unknown
    double value = 0;
    /// 95 % t interval over processes or pairs; of `instructions` the lowest and the highest count over the layouts.
    std::optional<double> low;
    std::optional<double> high;
    /// Values behind it: processes, pairs of a duet, or layouts of a ledger; 1: the interval is within one process.
    int processes = 0;
    /// What was loaded, a line each, where it is not known which package the value is about; else empty.
    SharedText packages = {};
    bool operator==(const SeriesPoint&) const = default;
};

struct Series {
    SeriesKey key;
    SeriesUnit unit = SeriesUnit::kNanoseconds;
    std::vector<SeriesPoint> points;  ///< in the order of the axis
    double at_clock_ghz = 0;          ///< of the core, that times are said at; 0: no record says
    std::size_t at_own_clock = 0;     ///< records whose values are not: they say no clock, or one too far
    bool operator==(const Series&) const = default;
};

}  // namespace tare::core
