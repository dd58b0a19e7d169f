// The wiring of python's loop with pmu's stepper.
#include "harness/worker/case_stepper.h"

#include <sys/personality.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "harness/core/clock.h"
#include "harness/core/trace.h"
#include "harness/worker/code_map.h"
#include "harness/worker/interval_timers.h"
#include "pmu/stepper.h"
#include "python/frame_chain.h"

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

/// What the statement's Python functions are called, and which of them runs at each step.
class Frames {
  public:
    Frames() : memory_(kCodeBytes), area_(std::span(memory_)), watch_(area_) {
        if (const Status known = python::prepare_frame_chains(); !known) problem_ = known.error().what;
    }

    [[nodiscard]] pmu::FrameLook look() { return problem_.empty() ? pmu::FrameLook{look_at, this} : pmu::FrameLook{}; }

    /// Numbers become functions, offsets lines; what is on the same line as before is left out.
    void name(core::Trace& trace) const {
        std::map<std::uint32_t, std::optional<core::PythonCode>> codes;
        std::map<std::uint32_t, std::uint32_t> places;
        std::vector<core::PythonStep> named;
        for (core::PythonStep each : trace.python) {
            const auto [code, unread] = codes.try_emplace(each.code);
            if (unread) code->second = area_.read(each.code);
            const auto [place, fresh] =
                places.try_emplace(each.code, static_cast<std::uint32_t>(trace.python_codes.size()));
            if (fresh) trace.python_codes.push_back(code->second ? described(*code->second) : unknown());
            each.line = code->second ? code->second->line_at(each.line).value_or(0) : 0;
            each.code = place->second;
            const bool same = !named.empty() && named.back().frame == each.frame && named.back().code == each.code &&
                              named.back().line == each.line;
            if (!same) named.push_back(each);
        }
        trace.python = std::move(named);
        trace.python_problem = problem_;
        if (problem_.empty() && area_.refused() > 0)
            trace.python_problem = "there are more Python functions than there is room for";
    }

  private:
    static constexpr std::size_t kCodeBytes = std::size_t{4} << 20;

    [[nodiscard]] static core::PythonFunction unknown() { return {"", "(unknown)", 0}; }  // no room for it

    /// A lambda within the statement lies within the function that was made of it, whose file has a name of ours.
    /// Before CPython 3.11 its name does not say so; it has one in brackets, as no function of ours has.
    [[nodiscard]] static core::PythonFunction described(const core::PythonCode& code) {
        constexpr std::string_view kOurs = "batch.<locals>.";
        if (code.file == "<tare>" && code.name.starts_with(kOurs))
            return {"statement", code.name.substr(kOurs.size()), code.first_line};
        if (code.file == "<tare>" && code.name.starts_with('<')) return {"statement", code.name, code.first_line};
        return {code.file, code.name, code.first_line};
    }

    static bool look_at(void* context, core::PythonStep& found) noexcept {
        const auto now = static_cast<Frames*>(context)->watch_.changed();
        if (!now) return false;
        found.frame = now->frame;
        found.code = now->function.code;
        found.line = now->function.offset;
        return true;
    }

    std::vector<std::byte> memory_;
    core::CodeArea area_;
    python::FrameWatch watch_;
    std::string problem_;  ///< why nothing is known
};

Expected<core::Trace> record(python::Session& session, std::size_t limit) {
    Frames frames;
    Expected<pmu::Stepper> stepper = pmu::Stepper::open(limit, frames.look());
    if (!stepper) return tl::unexpected<core::Error>(stepper.error());
    Recording recording{.stepper = *stepper, .armed = {}};
    Status ran;
    {
        const IntervalTimersOff quiet;
        ran = session.run_step({.context = &recording, .begin = Recording::begin, .end = Recording::end});
    }
    if (!recording.armed) return tl::unexpected<core::Error>(recording.armed.error());
    core::Trace trace = stepper->take();
    frames.name(trace);
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
