// Record: everything that one run measured, and the file that holds it: JSON, a superset of Google Benchmark's
// schema 1. Pure but for write_record and read_record. The layout is described in results/record.schema.json.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/case_profile.h"
#include "harness/core/counter.h"
#include "harness/core/error.h"
#include "harness/core/ledger.h"
#include "harness/core/value.h"
#include "harness/core/visit.h"
#include "harness/record/summary.h"

namespace tare::record {

inline constexpr int kFormatVersion = 1;

struct Record {
    /// A map of facts about machine, subject and harness. Its members named as in Google Benchmark (date, host_name,
    /// executable, num_cpus, mhz_per_cpu, cpu_scaling_enabled, aslr_enabled, caches, load_avg, library_version) are
    /// also written where Google Benchmark has them.
    core::Value context;
    core::Value settings;  ///< a map: what the run was asked to do (filter, rounds, seed, ...)
    std::vector<core::Visit> visits;
    std::vector<core::Catalogue::Problem> problems;  ///< suites that could not be loaded, damaged lines of a journal
    std::vector<core::Ledger> ledgers;  ///< one a case at most; of each the stored part is written (stored_ledgers.h)
    std::vector<core::LedgerProblem> ledger_problems;
    std::vector<core::CaseProfile>
        profiles;  ///< one a case at most; with --profile. Of each the stored part is written
    std::vector<core::ProfileProblem> profile_problems;
    core::Counting counting;   ///< with --counters; what was counted is in the visits
    bool interrupted = false;  ///< the user ended the run early
    bool recovered = false;    ///< made from the journal of a run that was killed

    bool operator==(const Record&) const = default;
};

/// What the run's references take on its machine when it is quiet, and the clock that its times are said at:
/// `references` of its context. 0: it says nothing.
[[nodiscard]] core::References best_references(const core::Value& context);

/// Takes the next piece of text.
using Sink = std::function<core::Status(std::string_view)>;

/// Of its visits, counters, ledgers and profiles.
[[nodiscard]] Summary summarize(const Record& record);

/// The record as JSON, one row a line. `summary` is that of `summarize`.
[[nodiscard]] core::Status print_record(const Record& record, const Summary& summary, const Sink& sink);

/// Writes it atomically: readers see the whole file or none. Errors name the file, the system's reason, and `journal`
/// (if not empty) as the file that still holds the data.
[[nodiscard]] core::Status write_record(const std::filesystem::path& path, const Record& record, const Summary& summary,
                                        const std::filesystem::path& journal = {});

/// Reads what write_record wrote, tolerating unknown members. Visits come by round and order, rungs in the order of
/// kAllRungs. A sample and a count are read back at their 5 significant digits (net instructions at 7); CPU times
/// only as the median of each row; a native rung's facts in its first visit; of a ledger its stored part.
/// Errors: kEnvironment if the file cannot be read; kData for damaged JSON (with the byte), another format version, or
/// a file that is no record (Google Benchmark's own output, say).
[[nodiscard]] core::Expected<Record> read_record(const std::filesystem::path& path);
/// The same from text; `name` stands for the file in messages.
[[nodiscard]] core::Expected<Record> parse_record(std::string_view text, std::string_view name);

}  // namespace tare::record
