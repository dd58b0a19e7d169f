// Reading: files come from anywhere, so every index is checked; what is missing reads as nothing.
#include <fmt/format.h>

#include <array>
#include <optional>

#include "harness/record/profile_json.h"
#include "harness/record/profile_text.h"

namespace tare::record {

namespace {

using core::FrameKind;
using core::NameSource;

constexpr std::array kKinds{FrameKind::kNative, FrameKind::kPython, FrameKind::kKernel, FrameKind::kGroup};
constexpr std::array kSources{
    NameSource::kSymbols, NameSource::kDebugFile, NameSource::kMiniDebug, NameSource::kDynamicSymbols,
    NameSource::kStub,    NameSource::kPython,    NameSource::kJit,       NameSource::kFrameEntry,
    NameSource::kNone};
constexpr std::array kClocks{core::SampleClock::kPmu, core::SampleClock::kCpuClock, core::SampleClock::kTimer};

/// The value of that name; the last one where there is none.
template <class Values, class Name>
auto named(const Values& values, const std::string& name, const Name& name_of) {
    for (const auto value : values)
        if (name_of(value) == name) return value;
    return values.back();
}

NameSource source_of(const Json& json) {
    return named(kSources, text_or(json, ""), [](NameSource source) { return core::name_of(source); });
}

template <class Number>
Number integer(const Json& json) {
    const std::int64_t value = integer_or(json, 0);
    return static_cast<Number>(value) == value ? static_cast<Number>(value) : Number{};
}

core::SampledTime time_from(const Json& json) {
    return {number_or(member(json, "ns"), 0), unsigned_or(member(json, "samples"), 0)};
}

core::ProfileSampling sampling_from(const Json& json) {
    core::ProfileSampling sampling;
    sampling.clock = named(kClocks, text_or(member(json, "clock"), ""), clock_name);
    sampling.event = text_or(member(json, "event"), "");
    sampling.fallback_reason = text_or(member(json, "fallback_reason"), "");
    sampling.python_frames = unsigned_or(member(json, "python_frames"), sampling.python_frames);
    sampling.asked_hz = number_or(member(json, "asked_hz"), 0);
    sampling.achieved_hz = number_or(member(json, "achieved_hz"), 0);
    sampling.taken = unsigned_or(member(json, "taken"), 0);
    sampling.dropped = unsigned_or(member(json, "dropped"), 0);
    sampling.late = unsigned_or(member(json, "late"), 0);
    sampling.damaged = unsigned_or(member(json, "damaged"), 0);
    sampling.handler_ns = number_or(member(json, "handler_ns"), 0);
    sampling.cpu_ns = number_or(member(json, "cpu_ns"), 0);
    sampling.wall_ns = number_or(member(json, "wall_ns"), 0);
    return sampling;
}

core::ProfileQuality quality_from(const Json& json) {
    const auto count = [&](const char* name) { return unsigned_or(member(json, name), 0); };
    std::array<std::uint64_t, core::kUnreadableCauses.size()> unreadable_by{};
    for (std::size_t i = 0; i < unreadable_by.size(); ++i)
        unreadable_by[i] = unsigned_or(
            member(member(json, "python_unreadable_by"), std::string(core::kUnreadableCauses[i].name).c_str()), 0);
    return {.complete = count("complete"),
            .scanned = count("scanned"),
            .truncated = count("truncated"),
            .python_whole = count("python_whole"),
            .python_cut = count("python_cut"),
            .python_unreadable = count("python_unreadable"),
            .unreadable_by = unreadable_by,
            .boundaries = count("boundaries"),
            .unmatched_boundaries = count("unmatched_boundaries")};
}

core::ProfileModule module_from(const Json& json) {
    core::ProfileModule module;
    module.path = text_or(member(json, "path"), "");
    module.build_id = text_or(member(json, "build_id"), "");
    module.symbols = source_of(member(json, "symbols"));
    module.self = time_from(member(json, "self"));
    module.named = time_from(member(json, "named"));
    module.problem = text_or(member(json, "problem"), "");
    module.code_start = unsigned_or(member(json, "code_start"), 0);
    module.code_end = unsigned_or(member(json, "code_end"), 0);
    module.code_offset = unsigned_or(member(json, "code_offset"), 0);
    return module;
}

core::ProfileFunction function_from(const Json& json) {
    core::ProfileFunction function;
    function.kind =
        named(kKinds, text_or(member(json, "kind"), ""), [](FrameKind kind) { return core::name_of(kind); });
    function.module = integer<std::uint32_t>(member(json, "module"));
    function.name = text_or(member(json, "name"), "");
    function.file = text_or(member(json, "file"), "");
    function.first_line = integer<int>(member(json, "first_line"));
    function.source = source_of(member(json, "source"));
    function.address = unsigned_or(member(json, "address"), 0);
    function.self = time_from(member(json, "self"));
    function.inclusive = time_from(member(json, "inclusive"));
    if (const Json& blas = member(json, "blas"); blas.is_object())
        function.blas = core::BlasFamily{.role = text_or(member(blas, "role"), ""),
                                         .precision = text_or(member(blas, "precision"), ""),
                                         .routine = text_or(member(blas, "routine"), ""),
                                         .transposition = text_or(member(blas, "transposition"), ""),
                                         .core = text_or(member(blas, "core"), ""),
                                         .small_matrix = bool_or(member(blas, "small_matrix"), false)};
    return function;
}

template <class Item, class Read>
std::vector<Item> list_from(const Json& json, const Read& read) {
    std::vector<Item> items;
    if (json.is_array())
        for (const Json& item : json) items.push_back(read(item));
    return items;
}

/// What is wrong with the indices; none if nothing is.
std::optional<std::string> damage(const core::Profile& profile) {
    for (const core::ProfileFunction& function : profile.functions)
        if (function.kind == FrameKind::kNative && function.module >= profile.modules.size())
            return fmt::format("function '{}' is of module {}, which is not there", function.name, function.module);
    for (const core::ProfileLine& line : profile.lines)
        if (line.function >= profile.functions.size())
            return fmt::format("a line is of function {}, which is not there", line.function);
    for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
        const core::ProfileNode& node = profile.nodes[i];
        if (node.function >= profile.functions.size() || node.layer >= profile.layers.size() || node.parent < -1 ||
            node.parent >= static_cast<std::int64_t>(i))
            return fmt::format("node {} of the call tree leads nowhere", i);
    }
    return std::nullopt;
}

}  // namespace

core::Expected<core::Profile> profile_from_json(std::string_view text, const std::string& name) {
    bool too_deep = false;
    const Json json = Json::parse(
        text.begin(), text.end(),
        [&](int depth, Json::parse_event_t event, const Json&) {
            too_deep |= nests_too_deep(depth, event);
            return !too_deep;
        },
        /*allow_exceptions=*/false);
    if (json.is_discarded() || too_deep || text_or(member(json, "kind"), "") != "profile")
        return core::fail(core::ErrorCode::kData, fmt::format("{} holds no profile", name),
                          "write one with `bench profile --out FILE`");
    core::Profile profile;
    profile.program = text_or(member(json, "program"), "");
    profile.interrupted = bool_or(member(json, "interrupted"), false);
    profile.sampling = sampling_from(member(json, "sampling"));
    profile.quality = quality_from(member(json, "quality"));
    profile.total = time_from(member(json, "total"));
    profile.layers = list_from<core::ProfileLayer>(member(json, "layers"), [](const Json& layer) {
        return core::ProfileLayer{text_or(member(layer, "name"), ""), time_from(member(layer, "self")),
                                  bool_or(member(layer, "unresolved"), false)};
    });
    profile.modules = list_from<core::ProfileModule>(member(json, "modules"), module_from);
    profile.functions = list_from<core::ProfileFunction>(member(json, "functions"), function_from);
    profile.lines = list_from<core::ProfileLine>(member(json, "lines"), [](const Json& line) {
        return core::ProfileLine{integer<std::uint32_t>(member(line, "function")), integer<int>(member(line, "line")),
                                 time_from(member(line, "self")), time_from(member(line, "inclusive"))};
    });
    profile.threads = list_from<core::ProfileThread>(member(json, "threads"), [](const Json& thread) {
        return core::ProfileThread{integer<std::int32_t>(member(thread, "process")),
                                   integer<std::int32_t>(member(thread, "thread")),
                                   time_from(member(thread, "time")),
                                   time_from(member(thread, "waiting")),
                                   time_from(member(thread, "gil")),
                                   text_or(member(thread, "name"), "")};
    });
    profile.nodes = list_from<core::ProfileNode>(member(json, "nodes"), [](const Json& node) {
        return core::ProfileNode{integer<std::int32_t>(member(node, "parent")),
                                 integer<std::uint32_t>(member(node, "function")),
                                 integer<std::uint32_t>(member(node, "layer")), integer<int>(member(node, "line")),
                                 time_from(member(node, "self"))};
    });
    profile.warnings =
        list_from<std::string>(member(json, "warnings"), [](const Json& warning) { return text_or(warning, ""); });
    if (const auto what = damage(profile))
        return core::fail(core::ErrorCode::kData, fmt::format("{} is damaged: {}", name, *what));
    return profile;
}

}  // namespace tare::record
