// Walks modules and types. No foreign code runs: attributes are read from the structs and dictionaries of CPython's own
// types, and from NumPy's ufuncs and dispatchers, whose getters are C.
#include "python/known_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>

#include "python/type_slots.h"
#include "python/ufunc_loop.h"

namespace tare::python {

namespace {

std::string last_part(std::string_view dotted) {
    return std::string(dotted.substr(dotted.rfind('.') + 1));
}

bool is_a(const py::handle& object, std::string_view type_name) {
    return type_name == Py_TYPE(object.ptr())->tp_name;
}

/// The text of a str; empty for anything else.
std::string text_of(PyObject* object) {
    if (object == nullptr || !PyUnicode_Check(object)) return {};
    const char* utf8 = PyUnicode_AsUTF8(object);
    if (utf8 == nullptr) PyErr_Clear();
    return utf8 != nullptr ? utf8 : "";
}

class Walk {
  public:
    explicit Walk(const std::vector<std::uint64_t>& addresses) {
        for (const std::uint64_t address : addresses) names_.emplace(address, std::string());
    }
    void walk();
    [[nodiscard]] std::vector<core::PythonName> result() const;

  private:
    /// The place of a name still to be found; null where `function` was not asked for or has its name.
    std::string* wanted(const void* function) {
        const auto found = names_.find(reinterpret_cast<std::uint64_t>(function));
        return found != names_.end() && found->second.empty() ? &found->second : nullptr;
    }
    /// Of a type: a function that types share which do not inherit it from one another belongs to none of them
    /// (generators and coroutines have one tp_dealloc): `shared.tp_dealloc`.
    template <class F>
    void name_of_type(F function, const PyTypeObject& type, std::string_view called, std::string_view what) {
        const auto found = names_.find(reinterpret_cast<std::uint64_t>(reinterpret_cast<const void*>(function)));
        if (found == names_.end()) return;
        const auto [claim, fresh] = claims_.try_emplace(found->first, &type);
        if (!fresh) {
            if (!PyType_IsSubtype(const_cast<PyTypeObject*>(&type), const_cast<PyTypeObject*>(claim->second)))
                found->second = fmt::format("shared.{}", what);
        } else if (found->second.empty()) {
            found->second = fmt::format("{}.{}", called, what);
        }
    }
    template <class F>
    void name(F function, std::string_view owner, std::string_view what) {
        if (std::string* name = wanted(reinterpret_cast<const void*>(function)))
            *name = owner.empty() ? std::string(what) : fmt::format("{}.{}", owner, what);
    }
    void find_modules();
    void name_ufunc_loops();
    void name_types();
    void name_type(const PyTypeObject& type, const std::string& called);
    void name_class_slots();
    void name_module_functions();
    void name_builtin(PyObject* function, std::string_view module);
    void name_vectorcall(const py::handle& callable);

    struct Module {
        std::string name;
        py::object object;
        py::dict members;  ///< a copy: looking at a member may import
    };
    std::unordered_map<std::uint64_t, std::string> names_;
    std::unordered_map<std::uint64_t, const PyTypeObject*> claims_;  ///< which type a name is of
    std::vector<Module> modules_;                                    ///< outermost packages first
};

void Walk::find_modules() {
    const auto all = py::reinterpret_steal<py::dict>(PyDict_Copy(PyImport_GetModuleDict()));
    for (const auto& [key, module] : all) {
        if (!PyModule_Check(module.ptr())) continue;
        auto members = py::reinterpret_steal<py::dict>(PyDict_Copy(PyModule_GetDict(module.ptr())));
        modules_.push_back({text_of(key.ptr()), py::reinterpret_borrow<py::object>(module), std::move(members)});
    }
    const auto depth = [](const Module& module) { return std::count(module.name.begin(), module.name.end(), '.'); };
    std::sort(modules_.begin(), modules_.end(), [&](const Module& a, const Module& b) {
        return std::pair(depth(a), std::string_view(a.name)) < std::pair(depth(b), std::string_view(b.name));
    });
}

/// A loop that ufuncs share, told what to compute by its data pointer, belongs to none: `ufunc[d->d]`.
void Walk::name_ufunc_loops() {
    struct Claim {
        std::string ufunc;
        std::string types;
    };
    std::map<const void*, Claim> claims;
    std::set<const PyObject*> seen;
    for (const Module& module : modules_)
        for (const auto& [key, value] : module.members) {
            if (!is_a(value, "numpy.ufunc") || !seen.insert(value.ptr()).second) continue;
            const auto called = value.attr("__name__").cast<std::string>();
            for (UfuncLoop& loop : ufunc_loops(value)) {
                const auto [claim, fresh] = claims.try_emplace(loop.function, Claim{called, std::move(loop.types)});
                if (!fresh && claim->second.ufunc != called) claim->second.ufunc = "ufunc";
            }
        }
    for (const auto& [function, claim] : claims)
        if (std::string* name = wanted(function)) *name = fmt::format("{}[{}]", claim.ufunc, claim.types);
}

void Walk::name_type(const PyTypeObject& type, const std::string& called) {
    for (const TypeSlot& slot : type_slots())
        if (const void* function = function_in(type, slot)) name_of_type(function, type, called, slot.name);
    if (type.tp_methods != nullptr)
        for (const PyMethodDef* method = type.tp_methods; method->ml_name != nullptr; ++method)
            name_of_type(method->ml_meth, type, called, method->ml_name);
    if (type.tp_getset != nullptr)
        for (const PyGetSetDef* attribute = type.tp_getset; attribute->name != nullptr; ++attribute) {
            name_of_type(attribute->get, type, called, attribute->name);
            name_of_type(attribute->set, type, called, std::string(attribute->name) + ".setter");
        }
}

/// What CPython puts into the slots of a class that defines `__add__` and so on; else the first such class of the
/// standard library would give its name to them.
void Walk::name_class_slots() {
    // Made once and kept: with the collector off, each would stay.
    static PyObject* const made = [] {
        py::dict methods;
        for (const TypeSlot& slot : type_slots())
            if (*slot.method != '\0') methods[slot.method] = py::ellipsis();  // None would leave __hash__ out
        return PyObject_CallFunction(reinterpret_cast<PyObject*>(&PyType_Type), "s()O", "class", methods.ptr());
    }();
    if (made == nullptr) throw std::runtime_error("no class to read slots from");
    name_type(*reinterpret_cast<const PyTypeObject*>(made), "class");
}

void Walk::name_types() {
    name_type(PyBaseObject_Type, "object");
    name_class_slots();
    std::vector<py::object> queue{py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(&PyBaseObject_Type))};
    std::set<const PyObject*> queued{queue[0].ptr()};
    std::set<const PyObject*> named;
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const auto& type = *reinterpret_cast<const PyTypeObject*>(queue[i].ptr());
        if (type.tp_mro != nullptr)  // what it inherits from, however it was reached, is named before it
            for (Py_ssize_t k = PyTuple_GET_SIZE(type.tp_mro) - 1; k >= 0; --k) {
                PyObject* base = PyTuple_GET_ITEM(type.tp_mro, k);
                if (!PyType_Check(base) || !named.insert(base).second) continue;
                const auto& base_type = *reinterpret_cast<const PyTypeObject*>(base);
                name_type(base_type, last_part(base_type.tp_name));
            }
        // Not the attribute of `type`, which its metaclass may have replaced.
        const auto below = py::reinterpret_steal<py::object>(
            PyObject_CallMethod(reinterpret_cast<PyObject*>(&PyType_Type), "__subclasses__", "O", queue[i].ptr()));
        if (!below) throw py::error_already_set();
        for (const py::handle subclass : below)
            if (queued.insert(subclass.ptr()).second) queue.push_back(py::reinterpret_borrow<py::object>(subclass));
    }
}

void Walk::name_builtin(PyObject* function, std::string_view module) {
    if (function == nullptr || !PyCFunction_Check(function)) return;
    const PyMethodDef* method = reinterpret_cast<const PyCFunctionObject*>(function)->m_ml;
    name(method->ml_meth, module, method->ml_name);
}

void Walk::name_vectorcall(const py::handle& callable) {
    const PyTypeObject* type = Py_TYPE(callable.ptr());
    if (PyType_Check(callable.ptr()) || !PyType_HasFeature(Py_TYPE(callable.ptr()), Py_TPFLAGS_HAVE_VECTORCALL) ||
        type->tp_vectorcall_offset <= 0)
        return;
    const char* place = reinterpret_cast<const char*>(callable.ptr()) + type->tp_vectorcall_offset;
    name(*reinterpret_cast<const char* const*>(place), last_part(type->tp_name), "vectorcall");
}

/// Functions with NumPy's dispatch of __array_function__ around them are named as their users know them.
void Walk::name_module_functions() {
    for (const Module& module : modules_)
        for (const auto& [key, value] : module.members) {
            name_vectorcall(value);
            if (PyCFunction_Check(value.ptr())) {
                const std::string owner = text_of(reinterpret_cast<PyCFunctionObject*>(value.ptr())->m_module);
                name_builtin(value.ptr(), owner.empty() ? module.name : owner);
            } else if (is_a(value, "numpy._ArrayFunctionDispatcher")) {  // NumPy 1.25 on
                const py::object inner = py::getattr(value, "_implementation", py::none());
                name_builtin(inner.ptr(), text_of(py::getattr(value, "__module__", py::none()).ptr()));
            } else if (PyFunction_Check(value.ptr())) {
                PyObject* members = reinterpret_cast<PyFunctionObject*>(value.ptr())->func_dict;
                if (members != nullptr)
                    name_builtin(PyDict_GetItemString(members, "_implementation"),
                                 text_of(reinterpret_cast<PyFunctionObject*>(value.ptr())->func_module));
            }
        }
    for (const Module& module : modules_) {
        const PyModuleDef* definition = PyModule_GetDef(module.object.ptr());
        if (definition == nullptr) PyErr_Clear();
        if (definition == nullptr || definition->m_methods == nullptr) continue;
        for (const PyMethodDef* method = definition->m_methods; method->ml_name != nullptr; ++method)
            name(method->ml_meth, module.name, method->ml_name);
    }
    // One descriptor of each calling convention is among the methods of these.
    for (PyTypeObject* type : {&PyUnicode_Type, &PyList_Type, &PyDict_Type, &PyBytes_Type, &PyLong_Type}) {
        const py::object members = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(type));
        for (const PyMethodDef* method = type->tp_methods; method != nullptr && method->ml_name != nullptr; ++method)
            if (const py::object descriptor = py::getattr(members, method->ml_name, py::none()); !descriptor.is_none())
                name_vectorcall(descriptor);
    }
}

void Walk::walk() {
    find_modules();
    name_ufunc_loops();
    name_types();
    name_module_functions();
}

std::vector<core::PythonName> Walk::result() const {
    std::vector<core::PythonName> found;
    for (const auto& [address, name] : names_)
        if (!name.empty()) found.push_back({address, name});
    std::sort(found.begin(), found.end(),
              [](const core::PythonName& a, const core::PythonName& b) { return a.address < b.address; });
    return found;
}

}  // namespace

std::vector<core::PythonName> known_names(const std::vector<std::uint64_t>& addresses) {
    Walk walk(addresses);
    try {
        walk.walk();
    } catch (const std::exception&) {
        PyErr_Clear();  // names are an aid: those found so far
    }
    return walk.result();
}

}  // namespace tare::python
