// One loop per arity, each calling through a function pointer, so that rung and floor differ in the callee alone.
#include "python/call_rung.h"

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace tare::python {

namespace {

using Unary = PyObject* (*)(PyObject*);
using Binary = PyObject* (*)(PyObject*, PyObject*);
using Compare = PyObject* (*)(PyObject*, PyObject*, int);
using Assign = int (*)(PyObject*, PyObject*, PyObject*);
using Vector = PyObject* (*)(PyObject*, PyObject* const*, std::size_t, PyObject*);

struct Call {
    std::uint64_t n = 0;
    Unary unary = nullptr;
    Binary binary = nullptr;
    Compare compare = nullptr;
    Assign assign = nullptr;
    Vector vector = nullptr;
    int operation = 0;                 ///< of a comparison
    std::vector<py::object> operands;  ///< keeps alive what `a` to `values` point to
    PyObject* a = nullptr;
    PyObject* b = nullptr;
    PyObject* c = nullptr;
    std::vector<PyObject*> values;  ///< slot 0 is scratch for PY_VECTORCALL_ARGUMENTS_OFFSET
    std::size_t positional = 0;
    py::object keywords;
};

struct Calls {
    Call rung;
    Call floor;
};

void arm(void* context, std::uint64_t n) {
    static_cast<Call*>(context)->n = n;
}

bool run_unary(void* context) {
    Call& call = *static_cast<Call*>(context);
    for (std::uint64_t i = 0; i < call.n; ++i) {
        PyObject* result = call.unary(call.a);
        if (result == nullptr) return false;
        Py_DECREF(result);
    }
    return true;
}

bool run_binary(void* context) {
    Call& call = *static_cast<Call*>(context);
    for (std::uint64_t i = 0; i < call.n; ++i) {
        PyObject* result = call.binary(call.a, call.b);
        if (result == nullptr) return false;
        Py_DECREF(result);
    }
    return true;
}

bool run_compare(void* context) {
    Call& call = *static_cast<Call*>(context);
    for (std::uint64_t i = 0; i < call.n; ++i) {
        PyObject* result = call.compare(call.a, call.b, call.operation);
        if (result == nullptr) return false;
        Py_DECREF(result);
    }
    return true;
}

bool run_assign(void* context) {
    Call& call = *static_cast<Call*>(context);
    for (std::uint64_t i = 0; i < call.n; ++i)
        if (call.assign(call.a, call.b, call.c) != 0) return false;
    return true;
}

bool run_vector(void* context) {
    Call& call = *static_cast<Call*>(context);
    PyObject* const* arguments = call.values.data() + 1;
    const std::size_t flags = call.positional | PY_VECTORCALL_ARGUMENTS_OFFSET;
    for (std::uint64_t i = 0; i < call.n; ++i) {
        PyObject* result = call.vector(call.a, arguments, flags, call.keywords.ptr());
        if (result == nullptr) return false;
        Py_DECREF(result);
    }
    return true;
}

// The empty callables: a new reference to None, as cheap as an answer can be.
[[gnu::noinline]] PyObject* empty_unary(PyObject*) {
    Py_INCREF(Py_None);
    return Py_None;
}
[[gnu::noinline]] PyObject* empty_binary(PyObject*, PyObject*) {
    Py_INCREF(Py_None);
    return Py_None;
}
[[gnu::noinline]] PyObject* empty_compare(PyObject*, PyObject*, int) {
    Py_INCREF(Py_None);
    return Py_None;
}
[[gnu::noinline]] int empty_assign(PyObject*, PyObject*, PyObject*) {
    asm volatile("");
    return 0;
}
[[gnu::noinline]] PyObject* empty_vector(PyObject*, PyObject* const*, std::size_t, PyObject*) {
    Py_INCREF(Py_None);
    return Py_None;
}

PyObject* power(PyObject* a, PyObject* b) {
    return PyNumber_Power(a, b, Py_None);
}
PyObject* inplace_power(PyObject* a, PyObject* b) {
    return PyNumber_InPlacePower(a, b, Py_None);
}
PyObject* method(PyObject* name, PyObject* const* arguments, std::size_t flags, PyObject* keywords) {
    return PyObject_VectorcallMethod(name, arguments, flags, keywords);
}

template <class Function>
Function find(const std::map<std::string, Function>& functions, const std::string& name, const char* kind) {
    const auto it = functions.find(name);
    if (it == functions.end())
        throw std::invalid_argument(std::string("no C API function for ") + kind + " '" + name + "'");
    return it->second;
}

Binary binary_named(const std::string& name) {
    static const std::map<std::string, Binary> functions = {{"add", PyNumber_Add},
                                                            {"subtract", PyNumber_Subtract},
                                                            {"multiply", PyNumber_Multiply},
                                                            {"matmul", PyNumber_MatrixMultiply},
                                                            {"true_divide", PyNumber_TrueDivide},
                                                            {"floor_divide", PyNumber_FloorDivide},
                                                            {"remainder", PyNumber_Remainder},
                                                            {"power", power},
                                                            {"lshift", PyNumber_Lshift},
                                                            {"rshift", PyNumber_Rshift},
                                                            {"and", PyNumber_And},
                                                            {"xor", PyNumber_Xor},
                                                            {"or", PyNumber_Or}};
    return find(functions, name, "the binary operator");
}

Binary inplace_named(const std::string& name) {
    static const std::map<std::string, Binary> functions = {{"add", PyNumber_InPlaceAdd},
                                                            {"subtract", PyNumber_InPlaceSubtract},
                                                            {"multiply", PyNumber_InPlaceMultiply},
                                                            {"matmul", PyNumber_InPlaceMatrixMultiply},
                                                            {"true_divide", PyNumber_InPlaceTrueDivide},
                                                            {"floor_divide", PyNumber_InPlaceFloorDivide},
                                                            {"remainder", PyNumber_InPlaceRemainder},
                                                            {"power", inplace_power},
                                                            {"lshift", PyNumber_InPlaceLshift},
                                                            {"rshift", PyNumber_InPlaceRshift},
                                                            {"and", PyNumber_InPlaceAnd},
                                                            {"xor", PyNumber_InPlaceXor},
                                                            {"or", PyNumber_InPlaceOr}};
    return find(functions, name, "the in-place operator");
}

Unary unary_named(const std::string& name) {
    static const std::map<std::string, Unary> functions = {
        {"negative", PyNumber_Negative}, {"positive", PyNumber_Positive}, {"invert", PyNumber_Invert}};
    return find(functions, name, "the unary operator");
}

int comparison_named(const std::string& name) {
    static const std::map<std::string, int> operations = {{"<", Py_LT},  {"<=", Py_LE}, {"==", Py_EQ},
                                                          {"!=", Py_NE}, {">", Py_GT},  {">=", Py_GE}};
    return find(operations, name, "the comparison");
}

/// Lays out arguments for vectorcall: scratch, positional (with the receiver first for a method), keyword values.
void set_arguments(Call& call, const py::object& receiver, const py::tuple& positional, const py::dict& keywords) {
    call.values.push_back(nullptr);
    if (receiver) call.values.push_back(receiver.ptr());
    for (const py::handle argument : positional) call.values.push_back(argument.ptr());
    call.positional = call.values.size() - 1;
    if (!keywords.empty()) {
        py::list names;
        for (const auto& [name, value] : keywords) {
            PyObject* interned = py::reinterpret_borrow<py::object>(name).release().ptr();
            PyUnicode_InternInPlace(&interned);  // as the compiler does with the names in a call
            names.append(py::reinterpret_steal<py::object>(interned));
            call.values.push_back(value.ptr());
        }
        call.keywords = py::tuple(names);
    }
    call.operands.push_back(positional);
    call.operands.push_back(keywords);
}

}  // namespace

CallRung make_call_rung(const py::tuple& tuple) {
    auto calls = std::make_shared<Calls>();
    Call& call = calls->rung;
    for (const py::handle item : tuple) call.operands.push_back(py::reinterpret_borrow<py::object>(item));
    const auto kind = tuple[0].cast<std::string>();
    const auto object = [&](std::size_t i) { return call.operands.at(i); };
    bool (*run)(void*) = nullptr;
    Call empty;
    if (kind == "unary") {
        call.unary = unary_named(object(1).cast<std::string>());
        call.a = object(2).ptr();
        empty.unary = empty_unary;
        run = run_unary;
    } else if (kind == "binary" || kind == "inplace" || kind == "getitem" || kind == "getattr") {
        const bool named = kind == "binary" || kind == "inplace";
        const std::size_t first = named ? 2 : 1;
        call.binary = kind == "binary"    ? binary_named(object(1).cast<std::string>())
                      : kind == "inplace" ? inplace_named(object(1).cast<std::string>())
                      : kind == "getitem" ? PyObject_GetItem
                                          : PyObject_GetAttr;
        call.a = object(first).ptr();
        call.b = object(first + 1).ptr();
        empty.binary = empty_binary;
        run = run_binary;
    } else if (kind == "compare") {
        call.compare = PyObject_RichCompare;
        call.operation = comparison_named(object(1).cast<std::string>());
        call.a = object(2).ptr();
        call.b = object(3).ptr();
        empty.compare = empty_compare;
        run = run_compare;
    } else if (kind == "setitem") {
        call.assign = PyObject_SetItem;
        call.a = object(1).ptr();
        call.b = object(2).ptr();
        call.c = object(3).ptr();
        empty.assign = empty_assign;
        run = run_assign;
    } else if (kind == "vectorcall") {
        call.vector = PyObject_Vectorcall;
        call.a = object(1).ptr();
        set_arguments(call, py::object(), object(2).cast<py::tuple>(), object(3).cast<py::dict>());
        empty.vector = empty_vector;
        run = run_vector;
    } else if (kind == "method") {
        call.vector = method;
        call.a = object(2).ptr();
        set_arguments(call, object(1), object(3).cast<py::tuple>(), object(4).cast<py::dict>());
        empty.vector = empty_vector;
        run = run_vector;
    } else {
        throw std::invalid_argument("no call rung of kind '" + kind + "'");
    }
    calls->floor = call;
    calls->floor.unary = empty.unary;
    calls->floor.binary = empty.binary;
    calls->floor.compare = empty.compare;
    calls->floor.assign = empty.assign;
    calls->floor.vector = empty.vector;
    return CallRung{.entry = {&calls->rung, arm, run}, .floor = {&calls->floor, arm, run}, .state = calls};
}

}  // namespace tare::python
