// Not built into this version: --confirm says so.
#include "harness/cli/trend_confirmation.h"

namespace tare::cli {

core::Status confirm_changes(const Options& /*options*/, const Streams& /*streams*/,
                             std::vector<history::Trend>& /*trends*/) {
    return core::fail(core::ErrorCode::kUsage, "--confirm is not built into this version",
                      "measure the two versions with `bench duet`");
}

}  // namespace tare::cli
