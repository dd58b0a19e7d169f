// Names across builds: what files of one environment are called in another one of other versions. Pure.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tare::attribution {

/// `libscipy_openblas64_-32a4b2a6.so` -> `BLAS`; `libpython3.11.so.1.0`, `python3.11` -> `python`;
/// `libgfortran-040039e1.so.5.0.0` -> `libgfortran.so`; `libgeos-3.13.1.so` -> `libgeos.so`;
/// `_core.cpython-311-x86_64-linux-gnu.so` -> `_core.so`; others as they are.
[[nodiscard]] std::string module_across_builds(std::string_view file_name);

/// `/v/lib/python3.12/site-packages/numpy/linalg/_linalg.py` -> `numpy/linalg/_linalg.py`; `/usr/lib/python3.11/json/
/// decoder.py` -> `json/decoder.py`; empty for what lies in no environment.
[[nodiscard]] std::string source_in_environment(std::string_view path);

/// Likewise; of what lies in none, a checkout's file above all, the longest path within the other environment that it
/// ends with; else its name without folders.
[[nodiscard]] std::string source_across_environments(std::string_view path,
                                                     const std::set<std::string>& of_the_other = {});

/// Of those of `paths` that lie in an environment.
[[nodiscard]] std::set<std::string> sources_in_environments(const std::vector<std::string>& paths);

/// Whether one of a side's modules is that very build; of what has no id none is.
template <class Module>
[[nodiscard]] bool has_build(const std::vector<Module>& modules, std::string_view build_id) {
    const auto is_it = [&](const Module& module) { return module.build_id == build_id; };
    return !build_id.empty() && std::any_of(modules.begin(), modules.end(), is_it);
}

/// What the modules of two sides are called on both: without what a build adds to the name; where one side has two
/// files of such a name, with the package that owns them; and where a package has two, with the version instead, which
/// tells them apart.
class ModuleNames {
  public:
    /// Paths of the files of either side.
    ModuleNames(const std::vector<std::string>& before, const std::vector<std::string>& after);
    template <class Module>
    ModuleNames(const std::vector<Module>& before, const std::vector<Module>& after)
        : ModuleNames(paths_of(before), paths_of(after)) {}

    /// Of a path of either side.
    [[nodiscard]] std::string of(const std::string& path) const;

  private:
    template <class Module>
    static std::vector<std::string> paths_of(const std::vector<Module>& modules) {
        std::vector<std::string> paths;
        for (const Module& module : modules) paths.push_back(module.path);
        return paths;
    }
    void add(const std::vector<std::string>& paths, const std::vector<std::string>& of_the_other);

    std::map<std::string, std::string> owned_;  ///< by path: `scipy/special/_ufuncs.so`
    std::set<std::string> ambiguous_;           ///< names that a side has twice
    std::set<std::string> ambiguous_owned_;     ///< likewise, with their package
};

}  // namespace tare::attribution
