// Reading and checking native requests: options, dtypes, alignment. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "harness/core/error.h"
#include "harness/core/native_request.h"

namespace tare::benchmarks {

/// The option `name`; `otherwise` if the request has none.
[[nodiscard]] std::string option(const core::NativeRequest& request, std::string_view name,
                                 std::string_view otherwise = {});

/// The type characters of all buffers, inputs first: "ddd".
[[nodiscard]] std::string dtypes_of(const core::NativeRequest& request);

/// "(8,8)", as Python writes a shape.
[[nodiscard]] std::string shape_text(const core::Buffer& buffer);

/// What every family relies on: shape and strides of one length, memory there and aligned for the dtype, and the last
/// `outputs` buffers writeable. (NumPy copies unaligned operands before its kernels see them: they have no bare
/// kernel.)
[[nodiscard]] core::Status check_buffers(const core::NativeRequest& request, std::size_t outputs);

}  // namespace tare::benchmarks
