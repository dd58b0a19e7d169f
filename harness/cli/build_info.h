// What this program was built from: values of CMake, compiled in one place, so that a new commit compiles nothing else.
#pragma once

namespace tare::cli {

extern const char* const kVersion;
extern const char* const kCommit;     ///< `git describe`; "unknown" outside a checkout
extern const char* const kSourceDir;  ///< of the source tree

}  // namespace tare::cli
