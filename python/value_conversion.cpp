// Recursive conversion; depth is that of our own messages.
#include "python/value_conversion.h"

namespace tare::python {

core::Value to_value(const py::handle& object) {
    if (object.is_none()) return {};
    if (py::isinstance<py::bool_>(object)) return object.cast<bool>();
    if (py::isinstance<py::int_>(object)) {
        int overflow = 0;
        const long long v = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
        if (overflow != 0) return PyLong_AsDouble(object.ptr());
        return static_cast<std::int64_t>(v);
    }
    if (py::isinstance<py::float_>(object)) return object.cast<double>();
    if (py::isinstance<py::str>(object) || py::isinstance<py::bytes>(object)) return object.cast<std::string>();
    if (py::isinstance<py::dict>(object)) {
        core::Map map;
        for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(object))
            map.insert_or_assign(py::str(key).cast<std::string>(), to_value(item));
        return map;
    }
    if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object)) {
        core::List list;
        for (const py::handle item : py::reinterpret_borrow<py::sequence>(object)) list.push_back(to_value(item));
        return list;
    }
    return py::str(object).cast<std::string>();
}

py::object to_python(const core::Value& value) {
    struct Visitor {
        py::object operator()(std::monostate) const { return py::none(); }
        py::object operator()(bool v) const { return py::bool_(v); }
        py::object operator()(std::int64_t v) const { return py::int_(v); }
        py::object operator()(double v) const { return py::float_(v); }
        py::object operator()(const std::string& v) const { return py::str(v); }
        py::object operator()(const core::List& v) const {
            py::list list;
            for (const core::Value& item : v) list.append(to_python(item));
            return list;
        }
        py::object operator()(const core::Map& v) const {
            py::dict dict;
            for (const auto& [key, item] : v) dict[py::str(key)] = to_python(item);
            return dict;
        }
    };
    return std::visit(Visitor{}, value.data());
}

}  // namespace tare::python
