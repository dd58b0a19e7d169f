// Broadcasting, ordering and merging of axes. Pure arithmetic; strides in bytes.
#include "benchmarks/native/loop_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "benchmarks/native/request.h"

namespace tare::benchmarks {
namespace {

using Axis = std::vector<std::ptrdiff_t>;  // the stride of each operand along one axis

struct Axes {
    std::vector<std::ptrdiff_t> lengths;
    std::vector<Axis> strides;  // [axis][operand]
};

core::Expected<Axes> broadcast(const std::vector<core::Buffer>& operands, const core::Buffer& leader) {
    Axes axes;
    const std::size_t rank = leader.shape.size();
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const std::ptrdiff_t length = leader.shape[axis];
        if (length == 0)
            return core::fail(core::ErrorCode::kUsage,
                              fmt::format("nothing to compute: an output has shape {}", shape_text(leader)));
        Axis strides;
        for (const core::Buffer& operand : operands) {
            const std::size_t missing = rank - std::min(rank, operand.shape.size());
            const bool repeated = axis < missing || operand.shape[axis - missing] == 1;
            if (operand.shape.size() > rank || (!repeated && operand.shape[axis - missing] != length))
                return core::fail(core::ErrorCode::kUsage, fmt::format("shape {} does not broadcast to {}",
                                                                       shape_text(operand), shape_text(leader)));
            strides.push_back(repeated ? 0 : operand.strides_bytes[axis - missing]);
        }
        if (length == 1) continue;  // contributes nothing to the walk
        axes.lengths.push_back(length);
        axes.strides.push_back(std::move(strides));
    }
    return axes;
}

// The leader's slowest axis first. Stable, so equal strides keep the order of the shape.
Axes ordered(const Axes& axes, std::size_t leader) {
    std::vector<std::size_t> order(axes.lengths.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::abs(axes.strides[a][leader]) > std::abs(axes.strides[b][leader]);
    });
    Axes result;
    for (const std::size_t axis : order) {
        result.lengths.push_back(axes.lengths[axis]);
        result.strides.push_back(axes.strides[axis]);
    }
    return result;
}

// Two neighbouring axes are one where, for all operands, a step of the outer one is a whole run of the inner one.
Axes merged(const Axes& axes) {
    Axes result;
    for (std::size_t axis = 0; axis < axes.lengths.size(); ++axis) {
        bool merges = !result.lengths.empty();
        for (std::size_t i = 0; merges && i < axes.strides[axis].size(); ++i)
            merges = result.strides.back()[i] == axes.strides[axis][i] * axes.lengths[axis];
        if (merges) {
            result.lengths.back() *= axes.lengths[axis];
            result.strides.back() = axes.strides[axis];
        } else {
            result.lengths.push_back(axes.lengths[axis]);
            result.strides.push_back(axes.strides[axis]);
        }
    }
    return result;
}

}  // namespace

core::Expected<LoopLayout> lay_out(const std::vector<core::Buffer>& operands, std::size_t leader) {
    const auto axes = broadcast(operands, operands[leader]);
    if (!axes) return tl::unexpected(axes.error());
    const Axes walk = merged(ordered(*axes, leader));
    LoopLayout layout;
    layout.shape = walk.lengths;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        layout.data.push_back(static_cast<char*>(operands[i].data));
        std::vector<std::ptrdiff_t> strides;
        for (const Axis& axis : walk.strides) strides.push_back(axis[i]);
        layout.strides_bytes.push_back(std::move(strides));
    }
    if (layout.shape.empty()) {  // one element: any stride does; the item size keeps loops from seeing a reduction
        layout.shape.push_back(1);
        for (std::size_t i = 0; i < operands.size(); ++i) layout.strides_bytes[i].push_back(operands[i].itemsize_bytes);
    }
    return layout;
}

}  // namespace tare::benchmarks
