// Where the parts of this program lie: workers beside it, the Python package and the shipped suite in its home.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/core/error.h"

namespace tare::cli {

struct Installation {
    /// Hold bench-worker-<abi>, tare_worker.<abi>.so and libtare_profile.<abi>.so: `built_dir`, then what came with it.
    std::vector<std::filesystem::path> worker_dirs;
    std::filesystem::path built_dir;    ///< of workers that `bench worker build` made for this build; empty: no cache
    std::filesystem::path source_dir;   ///< what builds workers; empty: it was not installed
    std::filesystem::path package_dir;  ///< holds the Python package `tare`
    std::filesystem::path suite_dir;    ///< the shipped NumPy suite
    std::string commit;                 ///< of tare, at build time; "unknown" outside a checkout
};

/// The home is $TARE_HOME; else the folder above that of the program, as `cmake --install` and the wheel lay it out;
/// else the source tree that the program was built from. Errors: kEnvironment where none of them holds the package.
[[nodiscard]] core::Expected<Installation> find_installation();

/// The same of a program at that path. `home`: $TARE_HOME, or empty; `sources`: the source tree.
[[nodiscard]] core::Expected<Installation> find_installation(const std::filesystem::path& program,
                                                             const std::filesystem::path& home,
                                                             const std::filesystem::path& sources);

}  // namespace tare::cli
