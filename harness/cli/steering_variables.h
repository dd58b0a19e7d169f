// Steering variables: those of this process's environment that every worker inherits and that choose what NumPy, its
// BLAS or the allocator run. A series that mixed OPENBLAS_CORETYPE=Haswell with the machine's own kernels would show
// steps that no release made.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tare::cli {

/// Of "NAME=value" texts, ended by a null pointer (as `environ`), the steering ones, in their order. Not those that
/// `bench` sets itself: numbers of threads, the hash seed.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> steering_variables(const char* const* environment);

}  // namespace tare::cli
