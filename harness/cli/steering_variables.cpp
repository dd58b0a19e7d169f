// By the beginnings of their names, as the libraries' manuals give them. No search paths: they differ from one build
// folder to the next, and what they find is recorded itself (build-ids, the BLAS library).
#include "harness/cli/steering_variables.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tare::cli {

namespace {

constexpr std::array<std::string_view, 12> kBeginnings = {"OPENBLAS_", "GOTO_",          "MKL_",       "BLIS_",
                                                          "OMP_",      "KMP_",           "NPY_",       "NUMPY_",
                                                          "MALLOC_",   "GLIBC_TUNABLES", "LD_PRELOAD", "LD_BIND_NOW"};
constexpr std::array<std::string_view, 5> kPython = {"PYTHONMALLOC", "PYTHONOPTIMIZE", "PYTHONDEVMODE", "PYTHON_GIL",
                                                     "PYTHON_JIT"};

bool steers(std::string_view name) {
    if (name.ends_with("_NUM_THREADS")) return false;
    return std::ranges::any_of(kBeginnings, [&](std::string_view each) { return name.starts_with(each); }) ||
           std::ranges::find(kPython, name) != kPython.end();
}

}  // namespace

std::vector<std::pair<std::string, std::string>> steering_variables(const char* const* environment) {
    std::vector<std::pair<std::string, std::string>> found;
    for (; *environment != nullptr; ++environment) {
        const std::string_view text = *environment;
        const std::size_t equals = text.find('=');
        if (equals == std::string_view::npos || !steers(text.substr(0, equals))) continue;
        found.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return found;
}

}  // namespace tare::cli
