// Finds the plain loop of a request and fits the buffers to it. The table is built once, on first use.
#include "benchmarks/native/plain_rungs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "benchmarks/native/loaded_module.h"
#include "benchmarks/native/loop_layout.h"
#include "benchmarks/native/plain_table.h"
#include "benchmarks/native/request.h"

namespace tare::benchmarks {
namespace {

using plain::Entry;
using plain::Form;
using plain::Work;

const plain::Table& table() {
    static const plain::Table built = [] {
        plain::Table all;
        plain::add_arithmetic(all);
        plain::add_mathematics(all);
        plain::add_comparisons(all);
        plain::add_reductions(all);
        plain::add_sequences(all);
        plain::add_matrices(all);
        return all;
    }();
    return built;
}

tl::unexpected<core::Error> refuse(const core::NativeRequest& request, const std::string& why,
                                   const std::string& hint = {}) {
    std::vector<std::string> shapes;
    for (const core::Buffer& buffer : request.buffers) shapes.push_back(shape_text(buffer));
    return core::fail(core::ErrorCode::kUsage,
                      fmt::format("plain loop {} for dtypes {} and shapes {}: {}", request.routine, dtypes_of(request),
                                  fmt::join(shapes, " "), why),
                      hint);
}

core::Expected<const Entry*> find_entry(const core::NativeRequest& request) {
    const std::string dtypes = dtypes_of(request);
    for (const Entry& entry : table())
        if (entry.routine == request.routine && entry.dtypes == dtypes) return &entry;
    const auto offered = plain_dtypes(request.routine);
    return refuse(request, offered.empty() ? "there is no such routine" : "the routine is not there for these dtypes",
                  offered.empty() ? "" : fmt::format("{} is there for {}", request.routine, fmt::join(offered, ", ")));
}

// Operands walked together: inputs (and the output, if it has the same shape) as one run.
core::Expected<Work> fit_runs(const core::NativeRequest& request, Form form) {
    std::vector<core::Buffer> together = request.buffers;
    if (form == Form::kReduction) together.pop_back();
    const auto layout = lay_out(together, form == Form::kReduction ? 0 : together.size() - 1);
    if (!layout) return refuse(request, layout.error().what);
    if (!layout->is_one_run()) return refuse(request, "the operands are not one run of memory");
    if (form == Form::kReduction && !request.buffers.back().shape.empty())
        return refuse(request, "a reduction writes one 0-d output");
    Work work{.n = layout->inner_length()};
    for (std::size_t i = 0; i < together.size(); ++i)
        work.operands[i] = {layout->data[i], {work.n, 1}, {layout->inner_stride_bytes(i), 0}};
    work.operands[request.buffers.size() - 1].data = static_cast<char*>(request.buffers.back().data);
    return work;
}

core::Expected<Work> fit_separately(const core::NativeRequest& request, const Entry& entry) {
    const std::size_t most = entry.form == Form::kMatrix ? 2 : 1;
    Work work;
    for (std::size_t i = 0; i < request.buffers.size(); ++i) {
        const core::Buffer& buffer = request.buffers[i];
        if (buffer.shape.size() > most)
            return refuse(request, fmt::format("an operand of more than {} dimensions", most));
        work.operands[i].data = static_cast<char*>(buffer.data);
        for (std::size_t axis = 0; axis < buffer.shape.size(); ++axis) {
            work.operands[i].length[axis] = buffer.shape[axis];
            work.operands[i].step_bytes[axis] = buffer.strides_bytes[axis];
        }
    }
    if (!entry.fits(work)) return refuse(request, "the shapes do not fit together");
    return work;
}

bool is_contiguous(const core::NativeRequest& request, const Entry& entry, const Work& work) {
    if (entry.form == Form::kMatrix) {  // rows in one piece; they may lie apart
        for (std::size_t i = 0; i < request.buffers.size(); ++i)
            if (work.operands[i].step_bytes[1] != request.buffers[i].itemsize_bytes) return false;
        return true;
    }
    const std::size_t walked = request.buffers.size() - (entry.form == Form::kReduction ? 1 : 0);
    for (std::size_t i = 0; i < walked; ++i) {
        const bool single = entry.form == Form::kSequence && work.operands[i].length[0] == 1;
        if (!single && work.operands[i].step_bytes[0] != request.buffers[i].itemsize_bytes) return false;
    }
    return true;
}

}  // namespace

std::vector<std::string> plain_dtypes(std::string_view routine) {
    std::vector<std::string> dtypes;
    for (const Entry& entry : table())
        if (entry.routine == routine) dtypes.push_back(entry.dtypes);
    return dtypes;
}

core::Expected<core::NativeRung> make_plain(const core::NativeRequest& request) {
    const auto entry = find_entry(request);
    if (!entry) return tl::unexpected(entry.error());
    if (const auto checked = check_buffers(request, 1); !checked) return tl::unexpected(checked.error());
    const bool walked_together = (*entry)->form == Form::kElementwise || (*entry)->form == Form::kReduction;
    const auto work = walked_together ? fit_runs(request, (*entry)->form) : fit_separately(request, **entry);
    if (!work) return tl::unexpected(work.error());
    const Execute execute = is_contiguous(request, **entry, *work) ? (*entry)->contiguous : (*entry)->strided;
    if (execute == nullptr) return refuse(request, "the loop takes contiguous operands only");
    core::NativeRung rung = rung_of(*work, execute);
    rung.routine = fmt::format("plain {}[{}]", request.routine, (*entry)->dtypes);
    const CodeLocation location = locate(reinterpret_cast<const void*>(execute));
    rung.library = location.library;
    rung.address = location.address;
    rung.check = "a loop of tare, for reference";
    return rung;
}

}  // namespace tare::benchmarks
