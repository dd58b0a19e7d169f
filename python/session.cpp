// Calls into tare._session and turns what it prepares into batch entries.
#include "python/session.h"

#include "python/call_rung.h"
#include "python/error_text.h"
#include "python/execution_clock.h"
#include "python/known_names.h"
#include "python/py.h"
#include "python/step_loop.h"
#include "python/ufunc_loop.h"
#include "python/value_conversion.h"

namespace tare::python {

namespace {

/// A generated loop called as loop(passes). The integer is made while arming, outside the timed region.
struct LoopCall {
    py::object loop;
    py::object passes;
    int unroll = 1;
    py::object clock;  ///< of a statement that is timed alone; else null

    static void arm(void* context, std::uint64_t n) {
        auto& self = *static_cast<LoopCall*>(context);
        self.passes = py::int_(n / static_cast<std::uint64_t>(self.unroll));
        if (self.clock) reset(self.clock);
    }
    static bool run(void* context) {
        const auto& self = *static_cast<LoopCall*>(context);
        PyObject* argument = self.passes.ptr();
        PyObject* result = PyObject_Vectorcall(self.loop.ptr(), &argument, 1, nullptr);
        if (result == nullptr) return false;
        Py_DECREF(result);
        return true;
    }
    static void own_times(void* context, std::int64_t& wall_ns, std::int64_t& cpu_ns) {
        const ExecutionTimes times = times_of(static_cast<LoopCall*>(context)->clock);
        wall_ns = times.wall_ns;
        cpu_ns = times.cpu_ns;
    }
    core::BatchEntry entry() { return {this, arm, run, clock ? own_times : nullptr}; }
};

core::Buffer buffer_of(const py::handle& described) {
    const auto fields = py::reinterpret_borrow<py::tuple>(described);
    core::Buffer buffer;
    buffer.data = reinterpret_cast<void*>(fields[0].cast<std::uintptr_t>());
    for (const py::handle length : fields[1]) buffer.shape.push_back(length.cast<std::ptrdiff_t>());
    for (const py::handle stride : fields[2]) buffer.strides_bytes.push_back(stride.cast<std::ptrdiff_t>());
    buffer.dtype = fields[3].cast<std::string>().at(0);
    buffer.itemsize_bytes = fields[4].cast<std::ptrdiff_t>();
    buffer.writeable = fields[5].cast<bool>();
    return buffer;
}

core::Expected<core::NativeRequest> request_of(const py::dict& described) {
    core::NativeRequest request;
    request.family = described["family"].cast<std::string>();
    request.routine = described["routine"].cast<std::string>();
    for (const py::handle buffer : described["buffers"]) request.buffers.push_back(buffer_of(buffer));
    for (const auto& [key, value] : described["options"].cast<py::dict>())
        request.options.insert_or_assign(key.cast<std::string>(), py::str(value).cast<std::string>());
    if (const py::object ufunc = described["ufunc"]; !ufunc.is_none()) {
        core::Expected<core::InnerLoop> loop = ufunc_inner_loop(ufunc, described["loop_types"].cast<std::string>());
        if (!loop) return tl::unexpected<core::Error>(loop.error());
        request.loop = *loop;
    }
    return request;
}

}  // namespace

struct Session::State {
    py::module_ module;
    py::object execution_clock;
    py::object prepared;  ///< keeps operands and buffers alive
    LoopCall python;
    std::array<LoopCall, core::kShorterCopies.size()> shorter;
    LoopCall floor;
    std::shared_ptr<void> call_state;
    py::object stepped;    ///< keeps the operands of the loop to step alive
    py::object step_loop;  ///< called with an iterator
    int step_warm_up = 0;
    bool steps_alone = false;  ///< the loop's statement is timed alone, and so it is stepped
    py::object remembered;     ///< null: nothing
};

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

core::Expected<Session> Session::open(const std::string& package_dir) {
    return guarded([&] {
        auto state = std::make_unique<State>();
        py::list path = py::module_::import("sys").attr("path");
        path.insert(0, package_dir);
        try {
            state->module = py::module_::import("tare._session");
        } catch (py::error_already_set&) {
            path.attr("remove")(package_dir);
            throw;
        }
        path.attr("remove")(package_dir);
        state->execution_clock = make_execution_clock();
        return Session(std::move(state));
    });
}

core::Expected<core::Value> Session::load(const core::Value& suites, const core::Value& expression,
                                          const core::Value& cases) {
    return guarded([&] {
        return to_value(state_->module.attr("load")(to_python(suites), to_python(expression), to_python(cases)));
    });
}

core::Expected<Prepared> Session::prepare(const std::string& case_name, std::uint64_t seed, int unroll,
                                          const std::vector<core::RungKind>& rungs, bool line) {
    core::Expected<core::Expected<Prepared>> prepared = guarded([&]() -> core::Expected<Prepared> {
        py::list names;
        for (const core::RungKind kind : rungs) names.append(std::string(core::name_of(kind)));
        // The old placement is dropped after the new one is made: otherwise the new objects would get the old
        // addresses.
        const py::object fresh =
            state_->module.attr("prepare")(case_name, seed, unroll, names, line, state_->execution_clock);
        const py::object clock = fresh.attr("timed_alone").cast<bool>() ? state_->execution_clock : py::object();
        Prepared result;
        result.unroll = fresh.attr("unroll").cast<int>();
        state_->python = {fresh.attr("batch"), py::int_(0), result.unroll, clock};
        state_->floor = {fresh.attr("floor"), py::int_(0), 1, clock};  // None where it is not wanted
        result.python = state_->python.entry();
        const py::list shorter = fresh.attr("shorter");
        for (std::size_t i = 0; i < core::kShorterCopies.size(); ++i) {
            state_->shorter[i] = {};
            if (i >= shorter.size()) continue;
            state_->shorter[i] = {shorter[i], py::int_(0), core::kShorterCopies[i], py::object()};
            result.shorter[i] = state_->shorter[i].entry();
        }
        if (!state_->floor.loop.is_none()) result.floor = state_->floor.entry();
        if (const py::object call = fresh.attr("call"); !call.is_none()) {
            CallRung rung = make_call_rung(call.cast<py::tuple>());
            state_->call_state = rung.state;
            result.call = rung.entry;
            result.call_floor = rung.floor;
        } else if (const py::object reason = fresh.attr("call_problem"); !reason.is_none()) {
            result.call_problem = reason.cast<std::string>();
        }
        const auto take = [&](const char* attribute, std::optional<core::NativeRequest>& request,
                              std::string& problem) {
            const py::object described = fresh.attr(attribute);
            const py::object reason = py::getattr(fresh, (std::string(attribute) + "_problem").c_str(), py::none());
            if (!reason.is_none()) problem = py::str(reason).cast<std::string>();
            if (described.is_none()) return;
            core::Expected<core::NativeRequest> made = request_of(described.cast<py::dict>());
            if (made)
                request = *std::move(made);
            else
                problem = made.error().what;
        };
        take("native", result.native, result.native_problem);
        take("cpp", result.cpp, result.cpp_problem);
        state_->prepared = fresh;
        return result;
    });
    if (!prepared) return tl::unexpected<core::Error>(prepared.error());
    return *std::move(prepared);
}

core::Status Session::prepare_step(const std::string& case_name, std::uint64_t seed, const std::string& loop) {
    return guarded([&] {
        const py::object fresh = state_->module.attr("prepare")(case_name, seed, 1, py::list());
        state_->step_loop = fresh.attr("passes_over")(loop);
        state_->stepped = fresh;  // after the new one is made: see prepare()
        state_->step_warm_up = warm_up_passes(seed);
        state_->steps_alone = fresh.attr("timed_alone").cast<bool>();
    });
}

core::Status Session::run_step(const core::StepHooks& hooks) {
    const core::Expected<py::object> passes =
        guarded([&] { return make_step_passes(hooks, state_->step_warm_up, state_->steps_alone); });
    if (!passes) return tl::unexpected<core::Error>(passes.error());
    PyObject* argument = passes->ptr();
    PyObject* result = PyObject_Vectorcall(state_->step_loop.ptr(), &argument, 1, nullptr);
    hooks.end(hooks.context);  // where the statement raised, nothing else has called it
    if (result == nullptr) return tl::unexpected<core::Error>(take_error());
    Py_DECREF(result);
    return {};
}

core::Expected<std::vector<core::PythonName>> Session::names_of(const std::vector<std::uint64_t>& addresses) {
    return guarded([&] { return known_names(addresses); });
}

core::Expected<core::Value> Session::verify(core::RungKind kind) {
    return guarded(
        [&] { return to_value(state_->module.attr("verify")(state_->prepared, std::string(core::name_of(kind)))); });
}

core::Expected<core::Value> Session::facts() {
    return guarded([&] { return to_value(state_->module.attr("facts")()); });
}

core::Expected<core::Value> Session::loaded_packages() {
    return guarded([&] { return to_value(state_->module.attr("loaded_packages")()); });
}

core::Expected<core::Value> Session::read_files() {
    return guarded([&] { return to_value(state_->module.attr("read_files")()); });
}

core::Status Session::remember_state() {
    return guarded([&] { state_->remembered = state_->module.attr("snapshot")(); });
}

bool Session::remembers_state() const {
    return static_cast<bool>(state_->remembered);
}

core::Expected<core::Value> Session::state_changes() {
    return guarded([&]() -> core::Value {
        if (!state_->remembered) return core::List{};
        const py::object remembered = std::exchange(state_->remembered, py::object());
        return to_value(state_->module.attr("changes")(remembered));
    });
}

core::Expected<core::Value> Session::told_of_repeats(const std::string& case_name) {
    return guarded([&] { return to_value(state_->module.attr("repeats")(case_name)); });
}

core::Status Session::release() {
    return guarded([&] {
        state_->python = {};
        state_->shorter = {};
        state_->floor = {};
        state_->call_state.reset();
        state_->prepared = py::object();
        state_->step_loop = py::object();
        state_->stepped = py::object();
        state_->module.attr("release")();
    });
}

core::Error Session::batch_error() {
    return take_error();
}

}  // namespace tare::python
