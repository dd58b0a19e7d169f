// Results of asv (airspeed velocity), format version 2: one file a machine, commit and environment. Beside them may lie
// benchmarks.json (what is measured, in which unit), machine.json, and the project's asv.conf.json. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/error.h"
#include "harness/history/imported_run.h"

namespace tare::history {

/// One entry of benchmarks.json.
struct AsvBenchmark {
    bool is_time = false;
    std::string version;  ///< hash of the source; empty: not said
    std::vector<std::string> parameter_names;
    bool operator==(const AsvBenchmark&) const = default;
};
using AsvBenchmarks = std::map<std::string, AsvBenchmark, std::less<>>;

/// Errors: kData for damage and other versions.
[[nodiscard]] core::Expected<AsvBenchmarks> parse_asv_benchmarks(std::string_view text, std::string_view name);

/// Of machine.json: its texts by key; empty for what is none.
[[nodiscard]] std::map<std::string, std::string> parse_asv_machine(std::string_view text);

/// `"project": "numpy"` of asv.conf.json, which has comments, or of a published index.json; empty for what has none.
[[nodiscard]] std::string parse_asv_project(std::string_view text);

struct AsvSurroundings {
    AsvBenchmarks benchmarks;                    ///< empty: kinds are told by statistics and names
    std::map<std::string, std::string> machine;  ///< of machine.json; what the result file says itself comes first
};

/// A case is `module.Class.time_x[param=value,...]`. Where samples were kept they are those of one visit (asv pools
/// its processes); else the stored median is the only one, and asv's 99 % interval and quartiles are facts of the rung.
/// Errors: kData for damage and for version 1, naming `asv update`.
[[nodiscard]] core::Expected<ImportedRun> parse_asv(std::string_view text, std::string_view name,
                                                    const AsvSurroundings& surroundings, const ImportHints& hints);

}  // namespace tare::history
