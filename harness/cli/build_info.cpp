// The values, from CMakeLists.txt.
#include "harness/cli/build_info.h"

namespace tare::cli {

const char* const kVersion = TARE_VERSION;
const char* const kCommit = TARE_COMMIT;
const char* const kSourceDir = TARE_SOURCE_DIR;

}  // namespace tare::cli
