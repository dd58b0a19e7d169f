// The store that the options and the environment name.
#pragma once

#include "harness/cli/options.h"
#include "harness/record/store.h"

namespace tare::cli {

[[nodiscard]] core::Expected<record::Store> open_store(const Options& options);
/// For commands that only read. Errors: kUsage where it does not exist.
[[nodiscard]] core::Expected<record::Store> open_existing_store(const Options& options);

}  // namespace tare::cli
