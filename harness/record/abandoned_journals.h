// Journals whose run or duet is gone: found, locked and read, so that nothing that was measured is lost.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/core/error.h"
#include "harness/record/any_record.h"
#include "harness/record/descriptor.h"

namespace tare::record {

/// A journal that nobody writes; locked by us until it is destroyed.
struct AbandonedJournal {
    std::filesystem::path path;
    AnyRecord record;  ///< recovered: true
    Descriptor lock;
};

struct AbandonedJournals {
    std::vector<AbandonedJournal> journals;
    std::vector<core::Error> problems;  ///< journals that could not be read; they stay where they are
};

/// The journals in `folder` that no run or duet holds. A missing folder holds none.
[[nodiscard]] AbandonedJournals recover_journals(const std::filesystem::path& folder);

}  // namespace tare::record
