// The wiring of python's loop with pmu's stepper.
#include "harness/worker/case_stepper.h"

#include <sys/personality.h>

#include <algorithm>

#include "harness/core/clock.h"
#include "harness/core/trace.h"
#include "harness/worker/code_map.h"
#include "harness/worker/interval_timers.h"
#include "pmu/stepper.h"

namespace tare::worker {

using core::Expected;
using core::Status;
using core::Value;

namespace {

constexpr unsigned long kAskPersonality = 0xffffffff;  // personality(2): changes nothing

/// The clock is read at native speed, outside of what is recorded.
struct Recording {
    pmu::Stepper& stepper;
    Status armed;
    std::int64_t begun_ns = 0;
    std::int64_t ended_ns = 0;

    // In the section that is never recorded.
    [[gnu::section("tare_step"), gnu::noinline]] static void begin(void* context) {
        auto& self = *static_cast<Recording*>(context);
        self.armed = self.stepper.arm();  // the warm-up has run foreign code
        self.begun_ns = core::wall_clock_ns();
        if (self.armed) self.stepper.begin();
    }
    [[gnu::section("tare_step"), gnu::noinline]] static void end(void* context) {
        auto& self = *static_cast<Recording*>(context);
        self.stepper.end();
        if (self.ended_ns == 0) self.ended_ns = core::wall_clock_ns();
    }
    [[nodiscard]] double wall_ns() const { return begun_ns == 0 ? 0 : static_cast<double>(ended_ns - begun_ns); }
};

Expected<core::Trace> record(python::Session& session, std::size_t limit) {
    Expected<pmu::Stepper> stepper = pmu::Stepper::open(limit);
    if (!stepper) return tl::unexpected<core::Error>(stepper.error());
    Recording recording{.stepper = *stepper, .armed = {}};
    Status ran;
    {
        const IntervalTimersOff quiet;
        ran = session.run_step({.context = &recording, .begin = Recording::begin, .end = Recording::end});
    }
    if (!recording.armed) return tl::unexpected<core::Error>(recording.armed.error());
    core::Trace trace = stepper->take();
    trace.wall_ns = recording.wall_ns();
    if (!ran) {
        trace.refusal = core::Refusal::kRaised;
        trace.refusal_detail = ran.error().what;
    }
    return trace;
}

std::vector<std::uint64_t> distinct_addresses(const core::Trace& trace) {
    std::vector<std::uint64_t> addresses;
    addresses.reserve(trace.steps.size());
    for (const core::Step& step : trace.steps) addresses.push_back(step.address);
    std::sort(addresses.begin(), addresses.end());
    addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
    return addresses;
}

}  // namespace

Expected<Value> CaseStepper::step(const Value& request) {
    if (!session_.remembers_state())
        if (Status s = session_.remember_state(); !s) return tl::unexpected<core::Error>(s.error());
    const std::int64_t limit = request["limit"].as_int();
    if (Status s = session_.prepare_step(
            request["case"].as_text(), static_cast<std::uint64_t>(request["seed"].as_int()), request["loop"].as_text());
        !s)
        return tl::unexpected<core::Error>(s.error());
    Expected<core::Trace> trace =
        record(session_, limit > 0 ? static_cast<std::size_t>(limit) : pmu::kDefaultStepLimit);
    if (!trace) return tl::unexpected<core::Error>(trace.error());
    if (trace->refusal != core::Refusal::kNone) {  // its steps are of no use, and may be too many for a message
        core::Trace refused;
        refused.refusal = trace->refusal;
        refused.refusal_detail = trace->refusal_detail;
        refused.wall_ns = trace->wall_ns;
        return core::to_value(refused);
    }
    const std::vector<std::uint64_t> addresses = distinct_addresses(*trace);
    OwnMemory memory;
    trace->code = code_at(addresses, memory);
    trace->modules = loaded_code(addresses, memory);
    Expected<std::vector<core::PythonName>> names = session_.names_of(addresses);
    if (!names) return tl::unexpected<core::Error>(names.error());
    trace->python_names = *std::move(names);
    const int persona = personality(kAskPersonality);
    trace->randomized_addresses =
        persona == -1 || (persona & ADDR_NO_RANDOMIZE) == 0;  // -1: not even asking is allowed
    return core::to_value(*trace);
}

}  // namespace tare::worker
