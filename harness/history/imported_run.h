// A run that another tool measured, in the terms of a record, and the pieces that its parser puts together. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/value.h"
#include "harness/core/visit.h"
#include "harness/history/foreign_names.h"
#include "harness/record/record.h"

namespace tare::history {

inline constexpr double kNanosecondsOfSecond = 1e9;

/// What became of the cases of a file.
struct ImportCounts {
    std::size_t cases = 0;       ///< with times
    std::size_t not_times = 0;   ///< memory, tracked values, bytes
    std::size_t failed = 0;      ///< the other tool says so; in the record with an error
    std::size_t skipped = 0;     ///< the benchmark did not apply
    std::size_t outdated = 0;    ///< measured by another version of the benchmark than the list of benchmarks describes
    std::size_t not_wanted = 0;  ///< a filter left them out
    std::vector<std::string> untrue = {};  ///< "BM_a: a time of 0 s": values that no time can have, a case each

    ImportCounts& operator+=(const ImportCounts& other);
    bool operator==(const ImportCounts&) const = default;
};

/// What the caller knows and the file may not.
struct ImportHints {
    std::string machine = {};                                       ///< name, whatever the file says; empty: as it says
    std::string project = {};                                       ///< what is measured, "numpy"; empty: unknown
    std::function<bool(const std::string& case_name)> wanted = {};  ///< empty: all
};

struct ImportedRun {
    record::Record record;
    double date_s = 0;           ///< Unix time of the commit, where the tool names one, else of the run
    std::uint64_t identity = 0;  ///< equal: the same measurement, perhaps in a newer version of its file or in part;
                                 ///< of what tool and machine say of its beginning, never of the file or the choice
    ImportCounts counts;
};

/// Name and facts of the machine, and a fingerprint of tool, name, CPU and architecture. Empty texts are unknown.
struct ForeignMachine {
    std::string name;
    std::string cpu_model;
    std::string architecture;
    std::string system;
    std::optional<std::int64_t> num_cpus;
};
/// kData for a file that names none.
[[nodiscard]] core::Error no_machine(std::string_view file);
void describe_machine(core::Map& context, std::string_view tool, const ForeignMachine& machine);

/// `imported_from`: what wrote the file, in which environment of its own naming (may be empty). The host that measured
/// is the tool: its times include its own loop.
void describe_origin(core::Map& context, std::string_view tool, std::string_view file, core::Value format_version,
                     const std::string& environment = {});

/// `python`, `numpy` and `subject_commit`: the commit of the project measured, of NumPy's also as NumPy's revision.
struct ForeignSubject {
    std::string python_version;
    std::string numpy_version;
    std::string project;
    std::string commit;
};
void describe_subject(core::Map& context, const ForeignSubject& subject);

/// Text that is not empty, else nil.
[[nodiscard]] core::Value known(const std::string& text);

/// One process of one case. Times in seconds per execution.
struct ForeignTimes {
    int process = 0;
    std::vector<double> wall_s;
    std::vector<double> cpu_s;     ///< one each, or none: unknown
    std::vector<std::uint64_t> n;  ///< executions behind each, or one for all
    double started_s = 0;
    core::Value facts;  ///< what else the tool stored of them
};

/// Collects visits, telling equal names apart and leaving out what is not wanted.
class ForeignVisits {
  public:
    explicit ForeignVisits(const ImportHints& hints) : hints_(hints) {}

    /// A case with the times of its processes, without those that cannot be true: not above 0, no finite number, or
    /// longer than 30 years. A failed one where none is left.
    void add(const std::string& name, const std::vector<ForeignTimes>& processes);
    void add_failed(const std::string& name, std::string_view reason, double started_s = 0);
    ImportCounts& counts() { return counts_; }
    [[nodiscard]] std::vector<core::Visit> take() { return std::move(visits_); }

  private:
    /// Nothing where the case is not wanted.
    [[nodiscard]] std::optional<std::string> admitted(const std::string& name);

    const ImportHints& hints_;
    DistinctNames names_;
    ImportCounts counts_;
    std::vector<core::Visit> visits_;
    int order_ = 0;
};

}  // namespace tare::history
