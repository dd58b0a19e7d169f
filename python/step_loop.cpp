// An extension type whose tp_iternext switches the recording on as the last thing it does, and off as the first.
#include "python/step_loop.h"

#include <structmember.h>

#include <algorithm>
#include <cstddef>
#include <limits>

#include "harness/core/clock.h"

namespace tare::python {

namespace {

// CPython looks at a bytecode that it could not specialise again and again, at growing distances: in pass 33 of a
// fresh loop (3.11), in 26, 30 and 40 (3.12, 3.13), seen as 50 to 780 instructions more. 34 to 39 are free of it.
constexpr int kLeastWarmUp = 34;
constexpr int kWarmUpSpread = 6;
constexpr int kSlowWarmUp = 3;  // a statement this slow has warmed itself
// 39 passes of it are as long as stepping a small one. Of the wall clock, for one that waits is slow, too; the fastest
// pass counts, so that a preemption does not make a fast statement slow.
constexpr std::int64_t kSlowPassNs = 1'000'000;
// Of a statement that is timed alone the execution counts, and what is done before it may take long: then CPython's 8
// executions that make it specialise a bytecode have to be enough.
constexpr int kFewestAlone = 9;
constexpr std::int64_t kLongWarmUpNs = 500'000'000;

enum class Stage { kWarmUp, kRecorded, kDone };

struct Passes {
    PyObject_HEAD core::StepHooks hooks;
    int warm_up;
    int passed;
    std::int64_t first_ns;    ///< when the first pass began
    std::int64_t last_ns;     ///< when the pass under way began, of `alone` the execution
    std::int64_t fastest_ns;  ///< of the passes done, of `alone` the executions
    Stage stage;
    bool alone;
    bool in_pass;  ///< of `alone`: the next call ends an execution
    char done;     ///< what the attribute says
};

/// Whether the next pass is one of the warm-up.
[[gnu::noinline]] bool warms_up(Passes& passes) {
    const std::int64_t now_ns = core::wall_clock_ns();
    if (passes.passed == 0) passes.first_ns = now_ns;
    if (passes.passed > 0 && !passes.alone) passes.fastest_ns = std::min(passes.fastest_ns, now_ns - passes.last_ns);
    passes.last_ns = now_ns;
    const bool slow = passes.passed >= kSlowWarmUp && passes.fastest_ns > kSlowPassNs;
    const bool long_enough = passes.alone && passes.passed >= kFewestAlone && now_ns - passes.first_ns > kLongWarmUpNs;
    return passes.passed++ < passes.warm_up && !slow && !long_enough;
}

[[gnu::noinline]] void end_execution(Passes& passes) {
    passes.fastest_ns = std::min(passes.fastest_ns, core::wall_clock_ns() - passes.last_ns);
}

// In the section that is never recorded: the pass begins with this function's return and ends with the next call.
[[gnu::section("tare_step"), gnu::noinline]] PyObject* next_pass(PyObject* self) {
    auto& passes = *reinterpret_cast<Passes*>(self);
    if (passes.stage == Stage::kRecorded) {
        passes.hooks.end(passes.hooks.context);
        passes.stage = Stage::kDone;
        passes.done = 1;
    }
    if (passes.stage == Stage::kDone) return nullptr;
    if (passes.alone) passes.in_pass = !passes.in_pass;
    if (passes.alone && !passes.in_pass) {
        end_execution(passes);
        return nullptr;
    }
    Py_INCREF(Py_None);
    if (!warms_up(passes)) {
        passes.stage = Stage::kRecorded;
        passes.hooks.begin(passes.hooks.context);
    }
    return Py_None;
}

void deallocate(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

PyTypeObject* passes_type() {
    static PyMemberDef members[] = {{"done", T_BOOL, offsetof(Passes, done), READONLY, nullptr},
                                    {nullptr, 0, 0, 0, nullptr}};
    static PyType_Slot slots[] = {{Py_tp_members, members},
                                  {Py_tp_iter, reinterpret_cast<void*>(PyObject_SelfIter)},
                                  {Py_tp_iternext, reinterpret_cast<void*>(next_pass)},
                                  {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
                                  {0, nullptr}};
    static PyType_Spec spec = {"tare.StepPasses", sizeof(Passes), 0, Py_TPFLAGS_DEFAULT, slots};
    static PyObject* const type = PyType_FromSpec(&spec);  // lives as long as the worker
    return reinterpret_cast<PyTypeObject*>(type);
}

}  // namespace

int warm_up_passes(std::uint64_t seed) {
    return kLeastWarmUp + static_cast<int>(seed % kWarmUpSpread);
}

py::object make_step_passes(const core::StepHooks& hooks, int warm_up, bool alone) {
    PyTypeObject* type = passes_type();
    PyObject* made = type != nullptr ? type->tp_alloc(type, 0) : nullptr;
    if (made == nullptr) throw py::error_already_set();
    auto& passes = *reinterpret_cast<Passes*>(made);
    passes.hooks = hooks;
    passes.warm_up = warm_up;
    passes.passed = 0;
    passes.alone = alone;
    passes.in_pass = false;
    passes.done = 0;
    passes.fastest_ns = std::numeric_limits<std::int64_t>::max();
    passes.stage = Stage::kWarmUp;
    return py::reinterpret_steal<py::object>(made);
}

}  // namespace tare::python
