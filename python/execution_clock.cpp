// An extension type whose tp_iternext reads the clocks.
#include "python/execution_clock.h"

#include "harness/core/clock.h"

namespace tare::python {

namespace {

/// CPU time takes a system call, some 0.5 us, before an execution and after it: of short ones that would be most of the
/// time of a batch, and they are preempted in the middle too seldom to matter.
constexpr std::int64_t kLongExecutionNs = 20'000;

struct Clock {
    PyObject_HEAD std::int64_t started_ns;
    std::int64_t cpu_started_ns;
    ExecutionTimes times;
    bool is_long;  ///< the execution before was
    bool running;
};

PyObject* next_execution(PyObject* self) {
    auto& clock = *reinterpret_cast<Clock*>(self);
    if (clock.running) {
        const std::int64_t took_ns = core::wall_clock_ns() - clock.started_ns;
        clock.times.wall_ns += took_ns;
        clock.times.cpu_ns += clock.is_long ? core::thread_cpu_ns() - clock.cpu_started_ns : took_ns;
        clock.is_long = took_ns > kLongExecutionNs;
        clock.running = false;
        return nullptr;
    }
    clock.running = true;
    if (clock.is_long) clock.cpu_started_ns = core::thread_cpu_ns();
    Py_INCREF(Py_None);
    clock.started_ns = core::wall_clock_ns();
    return Py_None;
}

void deallocate(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

PyTypeObject* clock_type() {
    static PyType_Slot slots[] = {{Py_tp_iter, reinterpret_cast<void*>(PyObject_SelfIter)},
                                  {Py_tp_iternext, reinterpret_cast<void*>(next_execution)},
                                  {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
                                  {0, nullptr}};
    static PyType_Spec spec = {"tare.ExecutionClock", sizeof(Clock), 0, Py_TPFLAGS_DEFAULT, slots};
    static PyObject* const type = PyType_FromSpec(&spec);  // lives as long as the worker
    return reinterpret_cast<PyTypeObject*>(type);
}

}  // namespace

py::object make_execution_clock() {
    PyTypeObject* type = clock_type();
    PyObject* made = type != nullptr ? type->tp_alloc(type, 0) : nullptr;  // all zero
    if (made == nullptr) throw py::error_already_set();
    return py::reinterpret_steal<py::object>(made);
}

void reset(const py::object& clock) {
    auto& fields = *reinterpret_cast<Clock*>(clock.ptr());
    fields.times = {};
    fields.running = false;  // the statement may have raised
    fields.is_long = true;   // until the first one has shown what they are
}

ExecutionTimes times_of(const py::object& clock) {
    return reinterpret_cast<const Clock*>(clock.ptr())->times;
}

}  // namespace tare::python
