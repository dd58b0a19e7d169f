// Formatting of exceptions; must itself never raise, because foreign __str__ methods may.
#include "python/error_text.h"

#include <string>

namespace tare::python {

namespace {

constexpr const char* kGeneratedFile = "<tare>";  // what tare/statement.py compiles

std::string text_of(const py::handle& object) {
    PyObject* text = PyObject_Str(object.ptr());
    if (text == nullptr) {
        PyErr_Clear();
        return "<no text>";
    }
    const char* utf8 = PyUnicode_AsUTF8(text);
    std::string result = utf8 != nullptr ? utf8 : "<no UTF-8>";
    if (utf8 == nullptr) PyErr_Clear();
    Py_DECREF(text);
    return result;
}

std::string attribute_text(const py::handle& object, const char* name) {
    PyObject* value = PyObject_GetAttrString(object.ptr(), name);
    if (value == nullptr) {
        PyErr_Clear();
        return {};
    }
    const auto owned = py::reinterpret_steal<py::object>(value);
    return text_of(owned);
}

/// The innermost frame of a traceback: " (at FILE, line N)"; nothing where that is a generated loop, whose lines no
/// user has written.
std::string place_of(py::object trace) {
    std::string place;
    while (trace && !trace.is_none()) {
        PyObject* frame = PyObject_GetAttrString(trace.ptr(), "tb_frame");
        if (frame == nullptr) break;
        const auto owned_frame = py::reinterpret_steal<py::object>(frame);
        PyObject* code = PyObject_GetAttrString(frame, "f_code");
        if (code == nullptr) break;
        const auto owned_code = py::reinterpret_steal<py::object>(code);
        const std::string file = attribute_text(owned_code, "co_filename");
        place = file == kGeneratedFile ? "" : " (at " + file + ", line " + attribute_text(trace, "tb_lineno") + ")";
        PyObject* next = PyObject_GetAttrString(trace.ptr(), "tb_next");
        if (next == nullptr) break;
        trace = py::reinterpret_steal<py::object>(next);
    }
    PyErr_Clear();
    return place;
}

core::Error describe(const py::handle& type, const py::handle& value, const py::object& trace) {
    const std::string kind = type ? attribute_text(type, "__name__") : "Error";
    const std::string message = value ? text_of(value) : std::string();
    std::string what = kind + (message.empty() ? "" : ": " + message) + place_of(trace);
    if (kind == "SuiteError") what = message;  // says itself which line of a suite is wrong; it was raised in ours
    std::string hint;
    if (kind == "SystemExit") hint = "a case must return; it called sys.exit or raised SystemExit";
    return core::Error{core::ErrorCode::kCaseFailed, std::move(what), std::move(hint)};
}

}  // namespace

core::Error take_error() {
    if (PyErr_Occurred() == nullptr) return {core::ErrorCode::kCaseFailed, "a call failed without an exception", {}};
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    const auto owned_type = py::reinterpret_steal<py::object>(type);
    const auto owned_value = py::reinterpret_steal<py::object>(value);
    const auto owned_trace = py::reinterpret_steal<py::object>(trace);
    return describe(owned_type, owned_value, owned_trace);
}

core::Error error_of(py::error_already_set& caught) {
    return describe(caught.type(), caught.value(), caught.trace());
}

}  // namespace tare::python
