// A profile as pprof reads it: profile.proto (https://github.com/google/pprof/blob/main/proto/profile.proto). Pure.
#pragma once

#include <string>

#include "harness/core/profile.h"

namespace tare::attribution {

/// The message itself. A sample for each call path: how many samples, and nanoseconds; its layer as a label. Locations
/// are functions (of Python also lines), not addresses within them.
[[nodiscard]] std::string pprof_message(const core::Profile& profile);

/// The same compressed by gzip, as pprof writes its files.
[[nodiscard]] std::string pprof(const core::Profile& profile);

}  // namespace tare::attribution
