// Which files a worker has mapped, and of which of them it matters where the page cache holds them: two processes get
// the same physical pages as long as they stay there, and a placement can cost a statement 20 %.
#pragma once

#include <string>
#include <vector>

#include "harness/core/error.h"
#include "harness/measure/worker_link.h"
#include "harness/record/duet.h"

namespace tare::cli {

struct WorkerFiles {
    std::vector<std::string> mapped;  ///< in its address space
    std::vector<std::string> code;    ///< of these the ones with code to execute: no data of the user's
    std::vector<std::string> read;    ///< what modules and suites were made from
};

[[nodiscard]] core::Expected<WorkerFiles> files_of(measure::WorkerLink& worker);

/// Whether what is measured rests on where this file lies. Of the system's own libraries a process may map some (of
/// TLS, say) that no measured statement executes, and that other processes hold; only the interpreter's and BLAS's
/// count.
[[nodiscard]] bool placement_matters(const std::string& path);

/// Draws anew where the page cache holds `redraw.files`. To be called with no worker alive.
void redraw_placement(record::PageCacheRedraw& redraw);

/// Those of one subject. What lies badly for all processes of a run would be in no interval: it is drawn anew before
/// the second round and each after it.
class PlacedFiles {
  public:
    /// The code that this worker has mapped, unless a worker before it was asked. Errors: kInterrupted.
    [[nodiscard]] core::Status learn(measure::WorkerLink& worker);
    /// Before the first worker of a round starts, and harmless before its others; whether it was tried to draw anew.
    bool round_starts(int round);
    [[nodiscard]] const record::PageCacheRedraw& redraw() const { return redraw_; }

  private:
    record::PageCacheRedraw redraw_;
    int latest_round_ = 0;
    bool asked_ = false;
};

}  // namespace tare::cli
