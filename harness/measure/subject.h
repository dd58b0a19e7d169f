// Subject: the environment under test, an interpreter and its packages, as it really runs: learnt by running it once
// and remembered in a cache file until a file that the answer depends on changes. Any thread; starts a process.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/error.h"

namespace tare::measure {

struct Subject {
    std::string python;           ///< absolute, as given: a venv's bin/python stays that symbolic link
    std::string executable;       ///< sys.executable: differs from `python` where that is a script that starts another
    std::string real_executable;  ///< the file that runs (/proc/self/exe)
    bool is_script = false;       ///< `python` begins with #!
    std::string version;          ///< "3.11.2"
    std::string version_text;     ///< sys.version (Py_GetVersion) as one_line
    std::string abi;              ///< "cpython-311-x86_64-linux-gnu": what extension modules are named by, with t, d
    std::string implementation;   ///< "cpython"
    std::string prefix;           ///< sys.prefix
    std::string base_prefix;      ///< sys.base_prefix; differs from prefix in a virtual environment
    std::vector<std::string> site_packages;  ///< in the order of sys.path
    bool free_threaded = false;
    bool debug = false;
    std::string executable_build_id;         ///< empty: linked without one
    std::string libpython_path;              ///< as mapped by the running interpreter; empty: linked statically
    std::string libpython_build_id;          ///< of libpython_path
    std::string shared_libpython_candidate;  ///< of a static interpreter: a libpython of the same version; may be empty
    std::string shared_libpython_candidate_build_id;
    std::string numpy_path;             ///< folder of the package, found without importing it; empty: there is no NumPy
    std::string numpy_version;          ///< from its metadata; empty if that is missing
    std::vector<std::string> warnings;  ///< e.g. the cache folder cannot be written

    [[nodiscard]] bool has_numpy() const { return !numpy_path.empty(); }
    [[nodiscard]] bool is_shared() const { return !libpython_path.empty(); }
    [[nodiscard]] bool is_virtual_environment() const { return prefix != base_prefix; }

    bool operator==(const Subject&) const = default;
};

/// $XDG_CACHE_HOME/tare, else $HOME/.cache/tare; empty (no cache) if neither variable is set.
[[nodiscard]] std::filesystem::path default_cache_dir();

/// `python`: the path of an interpreter, a name searched in PATH, or the folder of a virtual environment. The
/// environment variables of this process apply, as they do to a worker. An empty cache_dir: nothing is remembered.
/// Costs one start of the interpreter (about 60 ms), or under 1 ms if the cached answer holds; a script that starts an
/// interpreter is asked every time, because what it starts may depend on anything.
/// Errors (kUsage: there is no such program; kEnvironment: it is no CPython 3.9 or newer, or is broken; kTimeout).
[[nodiscard]] core::Expected<Subject> probe_subject(const std::string& python, const std::filesystem::path& cache_dir,
                                                    std::chrono::nanoseconds time_limit = std::chrono::seconds(20));

/// Of a program's name, where PATH has it; empty where it does not.
[[nodiscard]] std::string in_search_path(const std::string& name);

/// Every run of white space as one blank. Py_GetVersion() holds a line feed before CPython 3.10.
[[nodiscard]] std::string one_line(std::string_view text);

}  // namespace tare::measure
