// The packed form of a trace in a message. Numbers are little-endian, as on the one architecture that steps.
#include "harness/core/trace.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace tare::core {

namespace {

static_assert(std::endian::native == std::endian::little);
static_assert(sizeof(Step) == 32 && sizeof(Repeat) == 8 && sizeof(CodeBytes) == 24 && sizeof(PythonStep) == 24);

template <class T>
Value packed(const std::vector<T>& items) {
    static_assert(std::is_trivially_copyable_v<T>);
    return std::string(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T));
}

template <class T>
bool unpack(const Value& value, std::vector<T>& items) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::string& bytes = value.as_text();
    if (bytes.size() % sizeof(T) != 0) return false;
    items.resize(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(items.data(), bytes.data(), bytes.size());
    return true;
}

Value address(std::uint64_t number) {
    return static_cast<std::int64_t>(number);  // modulo 2^64, there and back
}
std::uint64_t address_from(const Value& value) {
    return static_cast<std::uint64_t>(value.as_int());
}

template <class T>
bool within(const std::vector<T>& items, std::size_t steps) {
    for (const T& item : items)
        if (item.step >= steps) return false;
    return true;
}

tl::unexpected<Error> no_trace(std::string_view part) {
    return fail(ErrorCode::kData, fmt::format("the worker's trace is damaged: {}", part));
}

}  // namespace

Value to_value(const Trace& trace) {
    List modules;
    for (const CodeModule& module : trace.modules)
        modules.emplace_back(
            List{module.path, module.build_id, address(module.bias), address(module.start), address(module.end)});
    List names;
    for (const PythonName& name : trace.python_names) names.emplace_back(List{address(name.address), name.name});
    List codes;
    for (const PythonFunction& code : trace.python_codes)
        codes.emplace_back(List{code.file, code.name, code.first_line});
    List calls;
    for (const SystemCall& call : trace.system_calls) calls.emplace_back(List{call.step, call.number});
    return Map{{"steps", packed(trace.steps)},
               {"repeats", packed(trace.repeats)},
               {"system_calls", std::move(calls)},
               {"python", packed(trace.python)},
               {"python_codes", std::move(codes)},
               {"python_problem", trace.python_problem},
               {"code", packed(trace.code)},
               {"modules", std::move(modules)},
               {"python_names", std::move(names)},
               {"randomized_addresses", trace.randomized_addresses},
               {"wall_ns", trace.wall_ns},
               {"refusal", static_cast<int>(trace.refusal)},
               {"refusal_detail", trace.refusal_detail}};
}

Expected<Trace> trace_from(const Value& value) {
    Trace trace;
    if (!value.is_map()) return no_trace("it is no map");
    if (!unpack(value["steps"], trace.steps)) return no_trace("steps are cut off");
    if (!unpack(value["repeats"], trace.repeats)) return no_trace("repeats are cut off");
    if (!unpack(value["code"], trace.code)) return no_trace("code is cut off");
    if (!unpack(value["python"], trace.python)) return no_trace("Python's frames are cut off");
    for (const Value& code : value["python_codes"].as_list()) {
        const List& fields = code.as_list();
        if (fields.size() != 3) return no_trace("a Python function is not [file, name, line]");
        trace.python_codes.push_back({fields[0].as_text(), fields[1].as_text(), static_cast<int>(fields[2].as_int())});
    }
    for (const PythonStep& each : trace.python)
        if (each.code >= trace.python_codes.size()) return no_trace("a frame of Python runs no function");
    for (const Value& call : value["system_calls"].as_list()) {
        const List& fields = call.as_list();
        if (fields.size() != 2) return no_trace("a system call is not [step, number]");
        trace.system_calls.push_back({static_cast<std::uint32_t>(fields[0].as_int()), fields[1].as_int()});
    }
    for (const CodeBytes& code : trace.code)
        if (code.length > code.bytes.size()) return no_trace("an instruction is longer than 15 bytes");
    if (!within(trace.repeats, trace.steps.size()) || !within(trace.python, trace.steps.size()) ||
        !within(trace.system_calls, trace.steps.size()))
        return no_trace("an index points past its steps");
    for (const Value& module : value["modules"].as_list()) {
        const List& fields = module.as_list();
        if (fields.size() != 5) return no_trace("a module is not [path, build_id, bias, start, end]");
        trace.modules.push_back({.path = fields[0].as_text(),
                                 .build_id = fields[1].as_text(),
                                 .bias = address_from(fields[2]),
                                 .start = address_from(fields[3]),
                                 .end = address_from(fields[4])});
    }
    for (const Value& name : value["python_names"].as_list()) {
        const List& fields = name.as_list();
        if (fields.size() != 2) return no_trace("a Python name is not [address, name]");
        trace.python_names.push_back({address_from(fields[0]), fields[1].as_text()});
    }
    trace.randomized_addresses = value["randomized_addresses"].as_bool();
    trace.wall_ns = value["wall_ns"].as_double();
    trace.python_problem = value["python_problem"].as_text();
    const std::int64_t refusal = value["refusal"].as_int();
    if (refusal < 0 || refusal > static_cast<int>(Refusal::kRaised))
        return no_trace(fmt::format("no refusal has the number {}", refusal));
    trace.refusal = static_cast<Refusal>(refusal);
    trace.refusal_detail = value["refusal_detail"].as_text();
    return trace;
}

}  // namespace tare::core
