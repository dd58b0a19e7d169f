// The public head of PyUFuncObject (numpy/ufuncobject.h): unchanged in this part from NumPy 1.22 to 2.4. Declared here
// so that workers build without NumPy; every field used is compared with the ufunc's own Python attributes first.
#include "python/ufunc_loop.h"

#include <fmt/format.h>

namespace tare::python {

namespace {

struct UfuncHead {
    PyObject_HEAD int nin;
    int nout;
    int nargs;
    int identity;
    void (**functions)(char**, const std::ptrdiff_t*, const std::ptrdiff_t*, void*);
    void* const* data;
    int ntypes;
    int reserved1;
    const char* name;
};

bool has_this_layout(const UfuncHead& head, const py::handle& ufunc) {
    return head.nin == ufunc.attr("nin").cast<int>() && head.nout == ufunc.attr("nout").cast<int>() &&
           head.nargs == ufunc.attr("nargs").cast<int>() && head.ntypes == ufunc.attr("ntypes").cast<int>();
}

}  // namespace

std::vector<UfuncLoop> ufunc_loops(const py::handle& ufunc) {
    const auto* head = reinterpret_cast<const UfuncHead*>(ufunc.ptr());
    std::vector<UfuncLoop> loops;
    if (!has_this_layout(*head, ufunc) || head->functions == nullptr) return loops;
    for (const py::handle types : ufunc.attr("types"))
        loops.push_back({types.cast<std::string>(), reinterpret_cast<const void*>(head->functions[loops.size()])});
    return loops;
}

core::Expected<core::InnerLoop> ufunc_inner_loop(const py::handle& ufunc, const std::string& signature) {
    const auto name = ufunc.attr("__name__").cast<std::string>();
    const auto* head = reinterpret_cast<const UfuncHead*>(ufunc.ptr());
    if (!has_this_layout(*head, ufunc))
        return core::fail(core::ErrorCode::kEnvironment,
                          fmt::format("the ufunc '{}' has another memory layout than NumPy 1.22 to 2.4", name),
                          "report the NumPy version; native rungs of ufuncs need an update of python/ufunc_loop.cpp");
    int index = 0;
    for (const py::handle type : ufunc.attr("types")) {
        if (type.cast<std::string>() == signature) {
            if (head->functions == nullptr || head->functions[index] == nullptr)
                return core::fail(core::ErrorCode::kCaseFailed,
                                  fmt::format("the loop '{}[{}]' has no function", name, signature));
            return core::InnerLoop{.function = head->functions[index],
                                   .data = head->data != nullptr ? head->data[index] : nullptr,
                                   .nin = head->nin,
                                   .nout = head->nout};
        }
        ++index;
    }
    return core::fail(core::ErrorCode::kCaseFailed, fmt::format("the ufunc '{}' has no loop '{}'", name, signature));
}

}  // namespace tare::python
