// The files that an import reads: found in folders, read whole, unpacked; and what lies beside asv's results.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/core/error.h"
#include "harness/history/import_asv.h"

namespace tare::history {

/// The file itself; of a folder its .json and .json.gz and those of the folders in it, but not asv's benchmarks.json
/// and machine.json, which are no results. Sorted. Errors: kUsage for a path that does not exist and for a folder
/// without such files.
[[nodiscard]] core::Expected<std::vector<std::filesystem::path>> files_of(const std::filesystem::path& path);

/// All of a file, unpacked if it is gzip. Errors: kEnvironment; kData for damage and for more than 1 GiB.
[[nodiscard]] core::Expected<std::string> read_foreign_file(const std::filesystem::path& path);

/// What lies beside asv's results, read once a folder.
class AsvFolders {
  public:
    /// The surroundings of a file of results. Errors: kData for a damaged benchmarks.json, which would leave times and
    /// other values mixed up.
    [[nodiscard]] const core::Expected<AsvSurroundings>& around(const std::filesystem::path& file);
    /// The project, by the asv.conf.json or index.json of the folders above; empty where there is none.
    [[nodiscard]] const std::string& project_of(const std::filesystem::path& file);

  private:
    std::map<std::filesystem::path, core::Expected<AsvSurroundings>> surroundings_;
    std::map<std::filesystem::path, std::string> projects_;
};

}  // namespace tare::history
