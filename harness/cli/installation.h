// Where the parts of this program lie: workers beside it, the Python package and the shipped suite in the source tree.
#pragma once

#include <filesystem>

#include "harness/core/error.h"

namespace tare::cli {

struct Installation {
    std::filesystem::path worker_dir;   ///< holds bench-worker-<abi> and tare_worker.<abi>.so
    std::filesystem::path package_dir;  ///< holds the Python package `tare`
    std::filesystem::path suite_dir;    ///< the shipped NumPy suite
    std::string commit;                 ///< of tare, at build time; "unknown" outside a checkout
};

/// Errors: kEnvironment when the source tree was moved; $TARE_HOME says where it is now.
[[nodiscard]] core::Expected<Installation> find_installation();

}  // namespace tare::cli
