// Writing.
#include "harness/record/profile_json.h"

#include <fmt/format.h>

#include "harness/record/profile_text.h"

namespace tare::record {

namespace {

Json ratio(const core::SampledTime& time, const core::Profile& profile) {
    return rounded(share_of(time, profile), kSampleDigits);
}

Json sampling_to_json(const core::ProfileSampling& sampling) {
    return object_of({{"clock", clock_name(sampling.clock)},
                      {"event", sampling.event},
                      {"fallback_reason", sampling.fallback_reason},
                      {"python_frames", sampling.python_frames},
                      {"asked_hz", number(sampling.asked_hz)},
                      {"achieved_hz", number(sampling.achieved_hz)},
                      {"taken", sampling.taken},
                      {"dropped", sampling.dropped},
                      {"late", sampling.late},
                      {"damaged", sampling.damaged},
                      {"handler_ns", number(sampling.handler_ns)},
                      {"cpu_ns", number(sampling.cpu_ns)},
                      {"wall_ns", number(sampling.wall_ns)},
                      {"cost_ratio", rounded(sampling.cost_ratio(), kSampleDigits)}});
}

Json quality_to_json(const core::ProfileQuality& quality) {
    Json causes = Json::object();
    for (std::size_t i = 0; i < core::kUnreadableCauses.size(); ++i)
        causes[std::string(core::kUnreadableCauses[i].name)] = quality.unreadable_by[i];
    return object_of({{"complete", quality.complete},
                      {"scanned", quality.scanned},
                      {"truncated", quality.truncated},
                      {"python_whole", quality.python_whole},
                      {"python_cut", quality.python_cut},
                      {"python_unreadable", quality.python_unreadable},
                      {"python_unreadable_by", std::move(causes)},
                      {"boundaries", quality.boundaries},
                      {"unmatched_boundaries", quality.unmatched_boundaries}});
}

Json profile_module_to_json(const core::ProfileModule& module, const core::Profile& profile) {
    return object_of({{"path", module.path},
                      {"build_id", module.build_id},
                      {"symbols", core::name_of(module.symbols)},
                      {"self", sampled_time_to_json(module.self)},
                      {"self_ratio", ratio(module.self, profile)},
                      {"named", sampled_time_to_json(module.named)},
                      {"problem", module.problem},
                      {"code_start", module.code_start},
                      {"code_end", module.code_end},
                      {"code_offset", module.code_offset}});
}

Json profile_layer_to_json(const core::ProfileLayer& layer, const core::Profile& profile) {
    return object_of({{"name", layer.name},
                      {"self", sampled_time_to_json(layer.self)},
                      {"self_ratio", ratio(layer.self, profile)},
                      {"error_ratio", rounded(share_error(layer.self, profile), kSampleDigits)},
                      {"unresolved", layer.unresolved}});
}

Json profile_function_to_json(const core::ProfileFunction& function, const core::Profile& profile) {
    Json json = object_of({{"kind", core::name_of(function.kind)}, {"name", function.name}});
    if (function.kind == core::FrameKind::kNative) {
        json["module"] = function.module;
        json["source"] = core::name_of(function.source);
        json["address"] = function.address;
    } else if (function.kind == core::FrameKind::kPython) {
        json["file"] = function.file;
        json["first_line"] = function.first_line;
    }
    if (const auto& blas = function.blas)
        json["blas"] = object_of({{"role", blas->role},
                                  {"precision", blas->precision},
                                  {"routine", blas->routine},
                                  {"transposition", blas->transposition},
                                  {"core", blas->core},
                                  {"small_matrix", blas->small_matrix}});
    json["self"] = sampled_time_to_json(function.self);
    json["self_ratio"] = ratio(function.self, profile);
    json["error_ratio"] = rounded(share_error(function.self, profile), kSampleDigits);
    json["inclusive"] = sampled_time_to_json(function.inclusive);
    json["inclusive_ratio"] = ratio(function.inclusive, profile);
    return json;
}

Json line_to_json(const core::ProfileLine& line, const core::Profile& profile) {
    return object_of({{"function", line.function},
                      {"line", line.line},
                      {"self", sampled_time_to_json(line.self)},
                      {"self_ratio", ratio(line.self, profile)},
                      {"error_ratio", rounded(share_error(line.self, profile), kSampleDigits)},
                      {"inclusive", sampled_time_to_json(line.inclusive)},
                      {"inclusive_ratio", ratio(line.inclusive, profile)}});
}

Json thread_to_json(const core::ProfileThread& thread) {
    return object_of({{"process", thread.process},
                      {"thread", thread.thread},
                      {"time", sampled_time_to_json(thread.time)},
                      {"waiting", sampled_time_to_json(thread.waiting)},
                      {"gil", sampled_time_to_json(thread.gil)},
                      {"name", thread.name}});
}

Json profile_node_to_json(const core::ProfileNode& node) {
    return object_of({{"parent", node.parent},
                      {"function", node.function},
                      {"layer", node.layer},
                      {"line", node.line},
                      {"self", sampled_time_to_json(node.self)}});
}

}  // namespace

Json sampled_time_to_json(const core::SampledTime& time) {
    return object_of({{"ns", number(time.ns)}, {"samples", time.samples}});
}

std::string profile_json(const core::Profile& profile) {
    const auto with_shares = [&](const auto& print) {
        return [&profile, &print](const auto& item) { return print(item, profile); };
    };
    return json_in_lines(object_of({{"kind", "profile"},
                                    {"program", profile.program},
                                    {"interrupted", profile.interrupted},
                                    {"sampling", sampling_to_json(profile.sampling)},
                                    {"quality", quality_to_json(profile.quality)},
                                    {"total", sampled_time_to_json(profile.total)},
                                    {"layers", list_of(profile.layers, with_shares(profile_layer_to_json))},
                                    {"modules", list_of(profile.modules, with_shares(profile_module_to_json))},
                                    {"functions", list_of(profile.functions, with_shares(profile_function_to_json))},
                                    {"lines", list_of(profile.lines, with_shares(line_to_json))},
                                    {"threads", list_of(profile.threads, thread_to_json)},
                                    {"nodes", list_of(profile.nodes, profile_node_to_json)},
                                    {"warnings", profile.warnings}}));
}

std::string json_in_lines(const Json& object) {
    std::string text = "{\n";
    std::size_t left = object.size();
    for (const auto& [key, value] : object.items()) {
        text += fmt::format("  \"{}\": ", key);
        if (value.is_array() && !value.empty()) {
            text += "[\n";
            for (std::size_t i = 0; i < value.size(); ++i)
                text += fmt::format("    {}{}\n", compact(value[i]), i + 1 < value.size() ? "," : "");
            text += "  ]";
        } else {
            text += compact(value);
        }
        text += --left > 0 ? ",\n" : "\n";
    }
    return text + "}\n";
}

}  // namespace tare::record
