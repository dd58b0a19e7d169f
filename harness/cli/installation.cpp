// /proc/self/exe for the workers, the configured source folder or $TARE_HOME for the rest.
#include "harness/cli/installation.h"

#include <fmt/format.h>

#include <cstdlib>

#include "harness/cli/build_info.h"

namespace tare::cli {

namespace fs = std::filesystem;

core::Expected<Installation> find_installation() {
    const char* moved = std::getenv("TARE_HOME");
    const fs::path home = moved != nullptr ? fs::path(moved) : fs::path(kSourceDir);
    std::error_code failure;
    const fs::path self = fs::read_symlink("/proc/self/exe", failure);
    Installation installation{.worker_dir = self.parent_path(),
                              .package_dir = home / "python",
                              .suite_dir = home / "benchmarks" / "numpy",
                              .commit = kCommit};
    if (!fs::exists(installation.package_dir / "tare" / "_session.py", failure))
        return core::fail(core::ErrorCode::kEnvironment,
                          fmt::format("the Python package of tare is not in {}", installation.package_dir.string()),
                          "set TARE_HOME to the folder of tare's sources");
    return installation;
}

}  // namespace tare::cli
