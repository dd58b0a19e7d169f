// DuetSides: two subjects ready to be measured side by side. Opens both, learns what each has mapped, keeps watch over
// those files, and redraws where the page cache holds them.
#pragma once

#include <array>
#include <set>
#include <string>
#include <vector>

#include "harness/cli/streams.h"
#include "harness/cli/watched_files.h"
#include "harness/cli/workbench.h"
#include "harness/measure/duet_rounds.h"
#include "harness/record/duet.h"

namespace tare::cli {

class DuetSides {
  public:
    /// Starts a worker of each side. Errors name the side.
    [[nodiscard]] static core::Expected<DuetSides> open(const SubjectOptions& a, const SubjectOptions& b,
                                                        const Streams& streams, std::optional<int> cpu);

    [[nodiscard]] const Workbench& bench(core::Side side) const { return benches_[index(side)]; }
    [[nodiscard]] const core::Catalogue& catalogue(core::Side side) const { return catalogues_[index(side)]; }
    /// For the record: subject, host, numpy, blas, worker, suites, environment.
    [[nodiscard]] core::Value facts(core::Side side) const;

    /// `cases`: the names of those to load.
    [[nodiscard]] core::Expected<measure::WorkerPair> spawn(core::Side first, const measure::WorkerDraw& a,
                                                            const measure::WorkerDraw& b, int cpu,
                                                            const core::List& cases) const;

    /// What a worker of this side has mapped and read is watched from now on, and its code redrawn where only one side
    /// maps it.
    [[nodiscard]] core::Status learn_files(core::Side side, measure::WorkerLink& worker);

    /// To be called before a round, with no worker alive. Errors: kEnvironment where a side is no longer what it was.
    [[nodiscard]] core::Status prepare_round(int round, record::PageCacheRedraw& redraw) const;

  private:
    DuetSides() = default;
    [[nodiscard]] std::vector<std::string> redrawn_files() const;
    [[nodiscard]] static std::size_t index(core::Side side) { return side == core::Side::kA ? 0 : 1; }

    std::vector<Workbench> benches_;
    std::vector<SubjectOptions> options_;
    std::array<core::Catalogue, 2> catalogues_;
    std::array<core::Value, 2> facts_;
    std::array<WatchedFiles, 2> watched_;
    std::array<std::set<std::string>, 2> code_;  ///< files with code to execute that a worker had mapped
    std::array<std::string, 2> digests_;         ///< of the files that the first workers had read
};

}  // namespace tare::cli
