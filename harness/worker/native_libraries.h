// Native libraries: the shared objects whose code this process has loaded, and which build of each.
#pragma once

#include <map>
#include <string>

namespace tare::worker {

/// Build-id by absolute path, in hexadecimal; empty: linked without one. Without the program itself, what lies in
/// `without` (tare's own), and the standard library's modules, which the interpreter's build names, and
/// code that a program wrote itself.
[[nodiscard]] std::map<std::string, std::string> native_libraries(const std::string& without);

/// The folder of the file that this code was loaded from; empty: unknown.
[[nodiscard]] std::string own_folder();

}  // namespace tare::worker
