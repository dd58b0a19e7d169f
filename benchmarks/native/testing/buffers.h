// Buffers over std::vector for tests: contiguous, strided, transposed.
#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "benchmarks/native/native.h"
#include "harness/core/native_request.h"

namespace tare::benchmarks::testing {

template <class T>
constexpr char dtype_of() {
    using U = std::remove_const_t<T>;
    if constexpr (std::is_same_v<U, float>) return 'f';
    if constexpr (std::is_same_v<U, double>) return 'd';
    if constexpr (std::is_same_v<U, std::int64_t>) return 'l';
    if constexpr (std::is_same_v<U, std::complex<float>>) return 'F';
    if constexpr (std::is_same_v<U, std::complex<double>>) return 'D';
    if constexpr (std::is_same_v<U, bool>) return '?';
}

/// C-contiguous memory at `data` with the given shape.
template <class T>
core::Buffer buffer(T* data, std::vector<std::ptrdiff_t> shape) {
    core::Buffer result{.data = data,
                        .shape = shape,
                        .strides_bytes = std::vector<std::ptrdiff_t>(shape.size()),
                        .dtype = dtype_of<T>(),
                        .itemsize_bytes = sizeof(T),
                        .writeable = true};
    std::ptrdiff_t stride = sizeof(T);
    for (std::size_t axis = shape.size(); axis-- > 0; stride *= shape[axis]) result.strides_bytes[axis] = stride;
    return result;
}

template <class T>
core::Buffer strided(T* data, std::vector<std::ptrdiff_t> shape, std::vector<std::ptrdiff_t> steps) {
    core::Buffer result = buffer(data, std::move(shape));
    for (std::size_t axis = 0; axis < steps.size(); ++axis)
        result.strides_bytes[axis] = steps[axis] * static_cast<std::ptrdiff_t>(sizeof(T));
    return result;
}

/// Runs one batch of n executions.
inline bool execute(const core::NativeRung& rung, std::uint64_t n = 1) {
    rung.entry.arm(rung.entry.context, n);
    return rung.entry.run(rung.entry.context);
}

}  // namespace tare::benchmarks::testing
