// Reading and checking native requests. Pure functions.
#include "benchmarks/native/request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>

namespace tare::benchmarks {
namespace {

// A complex number is aligned as its parts; on x86-64 and aarch64 every other NumPy number as its size.
std::ptrdiff_t alignment_bytes(const core::Buffer& buffer) {
    const bool complex = buffer.dtype == 'F' || buffer.dtype == 'D' || buffer.dtype == 'G';
    return complex ? buffer.itemsize_bytes / 2 : buffer.itemsize_bytes;
}

bool is_aligned(const core::Buffer& buffer) {
    const std::ptrdiff_t alignment = alignment_bytes(buffer);
    if (alignment <= 1) return true;
    if (reinterpret_cast<std::uintptr_t>(buffer.data) % static_cast<std::uintptr_t>(alignment) != 0) return false;
    for (std::size_t axis = 0; axis < buffer.shape.size(); ++axis)
        if (buffer.shape[axis] > 1 && buffer.strides_bytes[axis] % alignment != 0) return false;
    return true;
}

}  // namespace

std::string option(const core::NativeRequest& request, std::string_view name, std::string_view otherwise) {
    const auto found = request.options.find(std::string(name));
    return found == request.options.end() ? std::string(otherwise) : found->second;
}

std::string dtypes_of(const core::NativeRequest& request) {
    std::string dtypes;
    for (const core::Buffer& buffer : request.buffers) dtypes += buffer.dtype;
    return dtypes;
}

std::string shape_text(const core::Buffer& buffer) {
    return fmt::format("({}{})", fmt::join(buffer.shape, ","), buffer.shape.size() == 1 ? "," : "");
}

core::Status check_buffers(const core::NativeRequest& request, std::size_t outputs) {
    for (std::size_t i = 0; i < request.buffers.size(); ++i) {
        const core::Buffer& buffer = request.buffers[i];
        const auto refuse = [&](std::string_view why) {
            return core::fail(core::ErrorCode::kUsage,
                              fmt::format("{}: operand {} (dtype {}, shape {}) {}", request.routine, i, buffer.dtype,
                                          shape_text(buffer), why));
        };
        if (buffer.shape.size() != buffer.strides_bytes.size()) return refuse("has not as many strides as dimensions");
        if (buffer.data == nullptr) return refuse("has no memory");
        if (!is_aligned(buffer)) return refuse("is not aligned: NumPy copies it before its kernel runs");
        if (i + outputs >= request.buffers.size() && !buffer.writeable) return refuse("is an output but not writeable");
    }
    return {};
}

}  // namespace tare::benchmarks
