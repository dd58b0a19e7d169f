// The index of a store: what its records say, case by case, in an SQLite file beside them. Disposable: made anew where
// it is missing, damaged or of another version, and brought up to date when it is opened. The records are the truth.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/error.h"
#include "harness/core/series.h"
#include "harness/record/store.h"

namespace tare::history {

/// What a record in the store is, in a line.
struct IndexedRecord {
    std::string file;  ///< name in the store's folder of records
    std::string kind;  ///< "run", "duet", "imported"
    double date_s = 0;
    std::string machine;       ///< as machine_of (record_surroundings.h) names it
    std::string machine_text;  ///< "Intel(R) Xeon(R) Processor, 2 CPUs, host vm"
    std::string environment;   ///< see core::SeriesKey
    std::string version;       ///< of the package that it is about; where the record does not say, of NumPy
    std::string commit;
    std::string reference;  ///< of a duet: what side a is, "numpy 2.4.6"
    std::size_t cases = 0;
    std::size_t busy_cases = 0;  ///< without times: others used the core for all but a few batches
    std::string package = {};    ///< what it is about, "numpy"; empty: the record does not say
    std::string packages = {};   ///< all that was loaded, a line each: "shapely 2.0.2 COMMIT"; empty: it does not say
    double at_clock_ghz = 0;     ///< the core's clock that its times are said at; 0: it does not say
};

struct SeriesQuery {
    std::string case_pattern;  ///< regular expression searched in the case's name; empty: all
    std::string metric = "gross";
    std::string machine;  ///< as in IndexedRecord, or its beginning: a fingerprint; empty: all
    /// Whose versions and commits the points have, as indexes compare its name; empty: as the records say.
    std::string package = {};
};

class StoreIndex {
  public:
    struct Refused {
        std::filesystem::path file;
        core::Error error;
    };

    /// Opens the index and reads what is new among the store's records; files that vanished are forgotten. A store that
    /// cannot be written to is indexed in memory, with a note. Errors: kEnvironment.
    [[nodiscard]] static core::Expected<StoreIndex> open(const record::Store& store);

    [[nodiscard]] core::Expected<std::vector<IndexedRecord>> records();
    /// By case, machine, environment and reference; points by date. Times are at one clock of the core, which is the
    /// same for all cases and metrics: that which the oldest record says its own at (or, where that one is far from
    /// most, the next). Exact where a case follows the clock wholly or not at all, else to 0.3 %. Errors: kUsage for a
    /// pattern that is none.
    [[nodiscard]] core::Expected<std::vector<core::Series>> series(const SeriesQuery& query);
    /// The metrics that the store's records have, by name.
    [[nodiscard]] core::Expected<std::vector<std::string>> metrics();
    /// All that any record ever named, by name.
    [[nodiscard]] core::Expected<std::vector<std::string>> case_names();
    /// Reads every record again, whatever the index says; others see the old one until the new one is whole.
    [[nodiscard]] core::Status rebuild();
    /// Until then all answers are of one state of the store, and processes that have new records to write into the
    /// index wait: to be called before anything that takes long (measuring, a pager). Later answers are of what is
    /// there when they are asked for.
    void let_go();
    [[nodiscard]] const std::vector<Refused>& refused() const;  ///< damaged or foreign files: named and left out
    [[nodiscard]] const std::vector<std::string>& notes() const;

    StoreIndex(StoreIndex&&) noexcept;
    StoreIndex& operator=(StoreIndex&&) noexcept;
    ~StoreIndex();

  private:
    struct State;
    explicit StoreIndex(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace tare::history
