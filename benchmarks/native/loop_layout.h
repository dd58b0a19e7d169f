// How operands are walked by an inner loop: broadcast, axes ordered by the output's memory, merged where all operands
// allow. Pure arithmetic on shapes and strides (bytes), as NumPy's iterator does it with EXTERNAL_LOOP.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/core/error.h"
#include "harness/core/native_request.h"

namespace tare::benchmarks {

struct LoopLayout {
    std::vector<std::ptrdiff_t> shape;  ///< outermost axis first, never empty; the last one goes to a single loop call
    std::vector<std::vector<std::ptrdiff_t>> strides_bytes;  ///< [operand][axis]; 0 where an operand is repeated
    std::vector<char*> data;                                 ///< [operand]

    [[nodiscard]] bool is_one_run() const { return shape.size() == 1; }
    [[nodiscard]] std::ptrdiff_t inner_length() const { return shape.back(); }
    [[nodiscard]] std::ptrdiff_t inner_stride_bytes(std::size_t operand) const { return strides_bytes[operand].back(); }
};

/// The layout of `operands` broadcast to the shape of operands[leader], whose memory order decides the axis order.
/// Errors: an operand that does not broadcast to that shape; nothing to compute (a dimension of 0).
[[nodiscard]] core::Expected<LoopLayout> lay_out(const std::vector<core::Buffer>& operands, std::size_t leader);

}  // namespace tare::benchmarks
