// NumPy's inner loops called as NumPy calls them. The Execute functions run in the timed region: no allocation, no
// branch on configuration; what varies (number of operands, nesting, item size) is chosen when the rung is made.
#include "benchmarks/native/ufunc_rungs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <complex>
#include <cstdint>
#include <cstring>
#include <optional>

#include "benchmarks/native/execution.h"
#include "benchmarks/native/loaded_module.h"
#include "benchmarks/native/loop_layout.h"
#include "benchmarks/native/request.h"

namespace tare::benchmarks {
namespace {

constexpr std::size_t kMaxOperands = 8;  // NumPy allows 32 (64 since 2.0); its own elementwise ufuncs have at most 5

using Pointers = std::array<char*, kMaxOperands>;

struct LoopCall {
    core::InnerLoop loop;
    Pointers data{};
    std::ptrdiff_t length = 0;
    std::array<std::ptrdiff_t, kMaxOperands> steps_bytes{};
};

// A loop may move the pointers it is given (NumPy's matmul does), so each call gets its own copy.
template <std::size_t Operands>
void execute_one_run(void* work) {
    const auto& call = *static_cast<const LoopCall*>(work);
    char* args[Operands];
    std::copy_n(call.data.data(), Operands, args);
    call.loop.function(args, &call.length, call.steps_bytes.data(), call.loop.data);
}

constexpr std::array<Execute, kMaxOperands + 1> kOneRun = {
    nullptr,
    execute_one_run<1>,
    execute_one_run<2>,
    execute_one_run<3>,
    execute_one_run<4>,
    execute_one_run<5>,
    execute_one_run<6>,
    execute_one_run<7>,
    execute_one_run<8>,
};

struct OuterAxis {
    std::ptrdiff_t length = 0;
    std::array<std::ptrdiff_t, kMaxOperands> strides_bytes{};
    std::array<std::ptrdiff_t, kMaxOperands> rewind_bytes{};  // stride * length: back to the start of the axis
    std::ptrdiff_t done = 0;
};

struct NestedLoop {
    LoopCall inner;
    std::size_t operands = 0;
    std::vector<OuterAxis> axes;  // fastest first
};

// An odometer over the outer axes; it ends where it began, all counters 0.
void execute_nested(void* work) {
    auto& nest = *static_cast<NestedLoop*>(work);
    Pointers at = nest.inner.data;
    for (;;) {
        Pointers args = at;
        nest.inner.loop.function(args.data(), &nest.inner.length, nest.inner.steps_bytes.data(), nest.inner.loop.data);
        bool advanced = false;
        for (OuterAxis& axis : nest.axes) {
            for (std::size_t i = 0; i < nest.operands; ++i) at[i] += axis.strides_bytes[i];
            advanced = ++axis.done < axis.length;
            if (advanced) break;
            for (std::size_t i = 0; i < nest.operands; ++i) at[i] -= axis.rewind_bytes[i];
            axis.done = 0;
        }
        if (!advanced) return;
    }
}

struct Reduction {
    LoopCall call;
    std::array<unsigned char, 16> initial{};
    const char* initial_from = nullptr;  // the initial bytes above, or the input's first element
};

// NumPy's reduction passes the output as first input and as output, all three fixed by steps {0, stride, 0}.
template <std::size_t ItemBytes>
void execute_reduction(void* work) {
    const auto& reduction = *static_cast<const Reduction*>(work);
    std::memcpy(reduction.call.data[0], reduction.initial_from, ItemBytes);
    execute_one_run<3>(work);
}
static_assert(offsetof(Reduction, call) == 0, "execute_reduction hands its work on as a LoopCall");

// A reduction that starts from the only element has nothing left to fold.
template <std::size_t ItemBytes>
void execute_copy(void* work) {
    const auto& reduction = *static_cast<const Reduction*>(work);
    std::memcpy(reduction.call.data[0], reduction.initial_from, ItemBytes);
}

struct ReductionCode {
    std::size_t item_bytes;
    Execute fold;
    Execute copy;
};
constexpr std::array kReductionCode = {
    ReductionCode{1, execute_reduction<1>, execute_copy<1>},    ReductionCode{2, execute_reduction<2>, execute_copy<2>},
    ReductionCode{4, execute_reduction<4>, execute_copy<4>},    ReductionCode{8, execute_reduction<8>, execute_copy<8>},
    ReductionCode{16, execute_reduction<16>, execute_copy<16>},
};

core::Status check_loop(const core::NativeRequest& request, std::string_view expected_signature_dtypes) {
    if (request.loop.function == nullptr)
        return core::fail(core::ErrorCode::kUsage, fmt::format("{}: the request holds no inner loop", request.routine));
    std::string signature = option(request, "signature");
    if (const auto arrow = signature.find("->"); arrow != std::string::npos) signature.erase(arrow, 2);
    if (!signature.empty() && signature != expected_signature_dtypes)
        return core::fail(core::ErrorCode::kUsage,
                          fmt::format("{}: the loop is {} but the operands are {}", request.routine,
                                      option(request, "signature"), dtypes_of(request)),
                          "NumPy would convert the operands first: pass what its loop gets");
    if (dtypes_of(request).find('O') != std::string::npos)
        return core::fail(core::ErrorCode::kUsage,
                          fmt::format("{}: loops over objects need Python: no native rung", request.routine));
    return {};
}

void name_rung(core::NativeRung& rung, const core::NativeRequest& request) {
    const std::string signature = option(request, "signature");
    rung.routine = signature.empty() ? request.routine : fmt::format("{}[{}]", request.routine, signature);
    const CodeLocation location = locate(reinterpret_cast<const void*>(request.loop.function));
    rung.symbol = location.symbol;
    rung.library = location.library;
    rung.address = location.address;
    rung.check = "the ufunc's own loop";
}

LoopCall inner_call(const core::InnerLoop& loop, const LoopLayout& layout) {
    LoopCall call{.loop = loop, .length = layout.inner_length()};
    for (std::size_t i = 0; i < layout.data.size(); ++i) {
        call.data[i] = layout.data[i];
        call.steps_bytes[i] = layout.inner_stride_bytes(i);
    }
    return call;
}

NestedLoop nested_loop(const core::InnerLoop& loop, const LoopLayout& layout) {
    NestedLoop nest{.inner = inner_call(loop, layout), .operands = layout.data.size(), .axes = {}};
    for (std::size_t axis = layout.shape.size() - 1; axis-- > 0;) {
        OuterAxis outer{.length = layout.shape[axis]};
        for (std::size_t i = 0; i < nest.operands; ++i) {
            outer.strides_bytes[i] = layout.strides_bytes[i][axis];
            outer.rewind_bytes[i] = outer.strides_bytes[i] * outer.length;
        }
        nest.axes.push_back(outer);
    }
    return nest;
}

// The identity from which NumPy's reduction of a ufunc starts; nullopt: it starts from the first element.
// (PyUFunc_Reduce takes the ufunc's identity as initial value for numbers, though not for objects; seen in the bits of
// np.add.reduce, NumPy 1.24 and 2.4: 0 + pairwise(x), not x[0] + pairwise(x[1:]). maximum and its like have none.)
core::Expected<std::optional<int>> identity_of(const core::NativeRequest& request) {
    const std::string given = option(request, "identity");
    if (given == "none") return std::nullopt;
    if (!given.empty()) {
        int value = 0;
        const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
        if (error != std::errc{} || end != given.data() + given.size())
            return core::fail(core::ErrorCode::kUsage,
                              fmt::format("{}: identity '{}' is no integer", request.routine, given));
        return value;
    }
    for (const char* zero : {"add", "logical_or", "logical_xor", "bitwise_or", "bitwise_xor", "hypot", "gcd"})
        if (request.routine == zero) return 0;
    for (const char* one : {"multiply", "logical_and"})
        if (request.routine == one) return 1;
    if (request.routine == "bitwise_and") return -1;
    return std::nullopt;
}

template <class T>
std::array<unsigned char, 16> bytes_of(T value) {
    std::array<unsigned char, 16> bytes{};
    static_assert(sizeof value <= bytes.size());
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

core::Expected<std::array<unsigned char, 16>> initial_bytes(const core::Buffer& output, int identity) {
    switch (output.dtype) {
        case 'f':
            return bytes_of(static_cast<float>(identity));
        case 'd':
            return bytes_of(static_cast<double>(identity));
        case 'F':
            return bytes_of(std::complex<float>(static_cast<float>(identity)));
        case 'D':
            return bytes_of(std::complex<double>(identity));
        case '?':
            return bytes_of(identity != 0);
        case 'b':
        case 'B':
        case 'h':
        case 'H':
        case 'i':
        case 'I':
        case 'l':
        case 'L':
        case 'q':
        case 'Q':
            return bytes_of(static_cast<std::int64_t>(identity));  // little endian: the low bytes are the small integer
        default:
            return core::fail(core::ErrorCode::kUsage,
                              fmt::format("no identity {} is known for dtype {}", identity, output.dtype));
    }
}

}  // namespace

core::Expected<core::NativeRung> make_ufunc(const core::NativeRequest& request) {
    const auto inputs = static_cast<std::size_t>(request.loop.nin);
    const auto outputs = static_cast<std::size_t>(request.loop.nout);
    const std::size_t operands = inputs + outputs;
    if (request.loop.nin < 0 || request.loop.nout < 1 || operands > kMaxOperands || request.buffers.size() != operands)
        return core::fail(
            core::ErrorCode::kUsage,
            fmt::format("{}: {} operands for a loop of {} inputs and {} outputs (at most {} in all)", request.routine,
                        request.buffers.size(), request.loop.nin, request.loop.nout, kMaxOperands));
    if (const auto checked = check_buffers(request, outputs); !checked) return tl::unexpected(checked.error());
    if (const auto checked = check_loop(request, dtypes_of(request)); !checked) return tl::unexpected(checked.error());
    for (std::size_t i = inputs; i < operands; ++i)
        if (request.buffers[i].shape != request.buffers[inputs].shape)
            return core::fail(core::ErrorCode::kUsage, fmt::format("{}: the outputs differ in shape", request.routine));
    auto layout = lay_out(request.buffers, inputs);
    if (!layout) return tl::unexpected(layout.error());
    core::NativeRung rung = layout->is_one_run() ? rung_of(inner_call(request.loop, *layout), kOneRun[operands])
                                                 : rung_of(nested_loop(request.loop, *layout), execute_nested);
    name_rung(rung, request);
    return rung;
}

core::Expected<core::NativeRung> make_reduce(const core::NativeRequest& request) {
    if (request.buffers.size() != 2 || request.loop.nin != 2 || request.loop.nout != 1)
        return core::fail(core::ErrorCode::kUsage,
                          fmt::format("{}: a reduction takes one input, one output and a loop of two inputs and one "
                                      "output; here {} buffers, a loop of {} and {}",
                                      request.routine, request.buffers.size(), request.loop.nin, request.loop.nout));
    const core::Buffer& input = request.buffers[0];
    const core::Buffer& output = request.buffers[1];
    if (const auto checked = check_buffers(request, 1); !checked) return tl::unexpected(checked.error());
    if (const auto checked = check_loop(request, {std::string{output.dtype, input.dtype, output.dtype}}); !checked)
        return tl::unexpected(checked.error());
    if (input.dtype != output.dtype || input.itemsize_bytes != output.itemsize_bytes || !output.shape.empty())
        return core::fail(core::ErrorCode::kUsage,
                          fmt::format("{}: reduces dtype {} into dtype {} of shape {}; expected one 0-d output of the "
                                      "same dtype",
                                      request.routine, input.dtype, output.dtype, shape_text(output)));
    auto layout = lay_out({input}, 0);
    if (!layout) return tl::unexpected(layout.error());
    if (!layout->is_one_run())
        return core::fail(core::ErrorCode::kUsage,
                          fmt::format("{}: the operand of shape {} is not one run of memory; NumPy reduces it in "
                                      "several calls",
                                      request.routine, shape_text(input)));
    const auto code = std::find_if(kReductionCode.begin(), kReductionCode.end(), [&](const ReductionCode& c) {
        return static_cast<std::ptrdiff_t>(c.item_bytes) == output.itemsize_bytes;
    });
    if (code == kReductionCode.end())
        return core::fail(core::ErrorCode::kUsage, fmt::format("{}: no reduction of dtype {} with items of {} bytes",
                                                               request.routine, output.dtype, output.itemsize_bytes));

    char* out = static_cast<char*>(output.data);
    const std::ptrdiff_t stride = layout->inner_stride_bytes(0);
    Reduction reduction{.call = {.loop = request.loop,
                                 .data = {out, layout->data[0], out},
                                 .length = layout->inner_length(),
                                 .steps_bytes = {0, stride, 0}}};
    const auto known_identity = identity_of(request);
    if (!known_identity) return tl::unexpected(known_identity.error());
    const std::optional<int> identity = *known_identity;
    if (identity) {
        const auto bytes = initial_bytes(output, *identity);
        if (!bytes) return tl::unexpected(bytes.error());
        reduction.initial = *bytes;
    } else {
        reduction.initial_from = layout->data[0];
        reduction.call.data[1] += stride;
        reduction.call.length -= 1;
    }
    const Execute execute = reduction.call.length > 0 ? code->fold : code->copy;
    core::NativeRung rung = rung_of(reduction, execute);
    if (identity) {  // points into the rung's own state, so only after it has its place
        auto* placed = static_cast<Reduction*>(static_cast<Batch*>(rung.entry.context)->work);
        placed->initial_from = reinterpret_cast<const char*>(placed->initial.data());
    }
    name_rung(rung, request);
    rung.routine = fmt::format("{}.reduce", request.routine) + rung.routine.substr(request.routine.size());
    return rung;
}

}  // namespace tare::benchmarks
