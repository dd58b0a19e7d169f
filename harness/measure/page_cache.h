// Where a file's pages lie in physical memory: the page cache keeps them as long as it can, so that new processes get
// the old placement. Evicting a file draws it anew at its next use. Linux; any thread; no worker may map the files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/error.h"

namespace tare::measure {

struct EvictedFile {
    std::string path;
    std::uint64_t pages = 0;           ///< that the file has
    std::uint64_t resident_pages = 0;  ///< still in the cache afterwards
    std::optional<core::Error> error;  ///< why not all of them left, or why that cannot be known

    bool operator==(const EvictedFile&) const = default;
};

/// One answer per path, in their order. About 0.5 ms for a file of 10 MB; the next start reads it from disk.
[[nodiscard]] std::vector<EvictedFile> evict(const std::vector<std::string>& paths);

/// Files that only one of two processes maps, those of a first: what both map lies in one place for both. Files are the
/// same if device and inode are; one that cannot be looked up counts as mapped by its side alone.
[[nodiscard]] std::vector<std::string> mapped_by_one_side(const std::vector<std::string>& files_a,
                                                          const std::vector<std::string>& files_b);

}  // namespace tare::measure
