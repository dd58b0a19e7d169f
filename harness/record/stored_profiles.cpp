// Writing and reading. Functions are [function, samples, ns]; visits [round, process, sampled_ns, beside_ns, loop_ns].
#include "harness/record/stored_profiles.h"

#include <fmt/format.h>

#include <map>

#include "harness/record/profile_text.h"
#include "harness/record/shared_table.h"
#include "harness/record/visit_json.h"

namespace tare::record {

namespace {

using core::ErrorCode;

void add_time(Json& json, const LayerTime& time) {
    json["share_ratio"] = rounded(time.share_ratio, kSampleDigits);
    json["share_low_ratio"] = rounded(time.share.low, kSampleDigits);
    json["share_high_ratio"] = rounded(time.share.high, kSampleDigits);
    json["time_ns"] = time.time_ns ? rounded(*time.time_ns, kSampleDigits) : Json();
    if (!time.instructions_share_ratio) return;
    json["instructions_share_ratio"] = rounded(*time.instructions_share_ratio, kSampleDigits);
    json["stands_out"] = time.stands_out;
}

/// The times of layers stand in another order, and there may be more of them.
Json layers_to_json(const core::CaseProfile& profile, const CaseTime* time) {
    Json list = Json::array();
    const auto add = [&](const std::string& name, bool unresolved, const core::SampledTime& self,
                         const LayerTime* known) {
        Json json = object_of({{"name", name}, {"samples", self.samples}, {"ns", rounded(self.ns, kSampleDigits + 2)}});
        if (unresolved) json["unresolved"] = true;
        if (known != nullptr) add_time(json, *known);
        list.push_back(std::move(json));
    };
    if (time == nullptr) {
        for (const core::ProfileLayer& layer : profile.layers) add(layer.name, layer.unresolved, layer.self, nullptr);
        return list;
    }
    for (const LayerTime& known : time->layers) {
        core::SampledTime self;
        for (const core::ProfileLayer& layer : profile.layers)
            if (layer.name == known.name && layer.unresolved == known.unresolved) self = layer.self;
        add(known.name, known.unresolved, self, &known);
    }
    return list;
}

void add_costs(Json& json, const CaseTime& time) {
    json["named_ratio"] = rounded(time.named_ratio, kSampleDigits);
    json["loop_ratio"] = rounded(time.loop_ratio, kSampleDigits);
    json["sampled_time_ns"] = rounded(time.sampled_time_ns, kSampleDigits);
    json["unsampled_time_ns"] = rounded(time.unsampled_time_ns, kSampleDigits);
    if (time.waiting_ratio) json["waiting_ratio"] = rounded(*time.waiting_ratio, kSampleDigits);
    json["cost_ratio"] = time.cost_ratio ? rounded(time.cost_ratio->value, kSampleDigits) : Json();
    const auto interval = time.cost_ratio ? time.cost_ratio->interval : std::nullopt;
    json["cost_low_ratio"] = interval ? rounded(interval->low, kSampleDigits) : Json();
    json["cost_high_ratio"] = interval ? rounded(interval->high, kSampleDigits) : Json();
}

class ProfileWriter {
  public:
    [[nodiscard]] Json profile(const core::CaseProfile& profile, const CaseTime* time) {
        Json json = object_of({{"case", profile.case_name},
                               {"clock", clock_name(profile.way.clock)},
                               {"rate_hz", number(profile.asked_hz)},
                               {"samples", profile.total.samples},
                               {"sampled_ns", rounded(profile.total.ns, kSampleDigits + 2)}});
        if (!profile.way.sees_kernel) json["sees_kernel"] = false;
        if (!profile.way.fallback_reason.empty()) json["fallback_reason"] = profile.way.fallback_reason;
        if (!profile.way.python_problem.empty()) json["python_problem"] = profile.way.python_problem;
        if (time != nullptr) add_costs(json, *time);
        json["layers"] = layers_to_json(profile, time);
        json["functions"] = functions(profile);
        json["named"] =
            object_of({{"samples", profile.named.samples}, {"ns", rounded(profile.named.ns, kSampleDigits + 2)}});
        json["stacks"] =
            object_of({{"complete", profile.complete}, {"scanned", profile.scanned}, {"truncated", profile.truncated}});
        json["outside"] = profile.outside;
        json["dropped"] = profile.dropped;
        json["batches_ns"] = rounded(profile.batches_ns, kSampleDigits + 2);
        json["visits"] = Json::array();
        for (const core::SamplingCost& cost : profile.costs)
            json["visits"].push_back(
                Json::array({cost.round, cost.process, rounded(cost.sampled_ns, kSampleDigits),
                             rounded(cost.beside_ns, kSampleDigits), rounded(cost.loop_ns, kSampleDigits)}));
        if (!profile.warnings.empty()) json["warnings"] = profile.warnings;
        return json;
    }
    [[nodiscard]] Json tables() { return object_of({{"files", files_.take()}, {"functions", functions_.take()}}); }

  private:
    [[nodiscard]] Json functions(const core::CaseProfile& profile) {
        Json list = Json::array();
        for (const core::CaseProfileFunction& function : profile.functions) {
            const Json entry = object_of({{"kind", core::name_of(function.kind)},
                                          {"name", function.name},
                                          {"file", files_.index_of(function.file)},
                                          {"layer", function.layer}});
            list.push_back(Json::array(
                {functions_.index_of(entry), function.self.samples, rounded(function.self.ns, kSampleDigits + 2)}));
        }
        return list;
    }

    Table files_, functions_;
};

const Json* at(const Json& table, const Json& index) {
    const std::uint64_t place = unsigned_or(index, table.size());
    return place < table.size() ? &table[place] : nullptr;
}

core::SampledTime time_from(const Json& samples, const Json& ns) {
    return {number_or(ns, 0), unsigned_or(samples, 0)};
}

core::SampleClock clock_from(const Json& json) {
    const std::string name = text_or(json, "");
    for (const auto clock : {core::SampleClock::kPmu, core::SampleClock::kTimer})
        if (clock_name(clock) == name) return clock;
    return core::SampleClock::kCpuClock;
}

core::FrameKind kind_from(const Json& json) {
    const std::string name = text_or(json, "");
    for (const auto kind : {core::FrameKind::kPython, core::FrameKind::kKernel})
        if (core::name_of(kind) == name) return kind;
    return core::FrameKind::kNative;
}

bool read_functions(core::CaseProfile& profile, const Json& json, const Json& tables) {
    const Json& files = items_of(tables, "files");
    const Json& functions = items_of(tables, "functions");
    for (const Json& row : items_of(json, "functions")) {
        if (!row.is_array() || row.size() != 3) return false;
        const Json* function = at(functions, row[0]);
        const Json* file = function == nullptr ? nullptr : at(files, member(*function, "file"));
        if (file == nullptr) return false;
        profile.functions.push_back({kind_from(member(*function, "kind")), text_or(member(*function, "name"), ""),
                                     text_or(*file, ""), text_or(member(*function, "layer"), ""),
                                     time_from(row[1], row[2])});
    }
    return true;
}

bool read_visits(core::CaseProfile& profile, const Json& json) {
    for (const Json& row : items_of(json, "visits")) {
        if (!row.is_array() || row.size() != 5) return false;
        profile.costs.push_back(
            {int_or(row[0], 0), int_or(row[1], 0), number_or(row[2], 0), number_or(row[3], 0), number_or(row[4], 0)});
    }
    return true;
}

core::Expected<core::CaseProfile> profile_from(const Json& json, const Json& tables) {
    if (!member(json, "case").is_string()) return core::fail(ErrorCode::kData, "a profile names no case");
    core::CaseProfile profile;
    profile.case_name = text_or(member(json, "case"), "");
    profile.way = {clock_from(member(json, "clock")), bool_or(member(json, "sees_kernel"), true),
                   text_or(member(json, "fallback_reason"), ""), text_or(member(json, "python_problem"), "")};
    profile.asked_hz = number_or(member(json, "rate_hz"), 0);
    profile.total = time_from(member(json, "samples"), member(json, "sampled_ns"));
    profile.named = time_from(member(member(json, "named"), "samples"), member(member(json, "named"), "ns"));
    for (const Json& item : items_of(json, "layers")) {
        const core::SampledTime self = time_from(member(item, "samples"), member(item, "ns"));
        if (self.samples == 0) continue;  // of the ledger alone
        profile.layers.push_back({text_or(member(item, "name"), ""), self, bool_or(member(item, "unresolved"), false)});
    }
    const Json& stacks = member(json, "stacks");
    profile.complete = unsigned_or(member(stacks, "complete"), 0);
    profile.scanned = unsigned_or(member(stacks, "scanned"), 0);
    profile.truncated = unsigned_or(member(stacks, "truncated"), 0);
    profile.outside = unsigned_or(member(json, "outside"), 0);
    profile.dropped = unsigned_or(member(json, "dropped"), 0);
    profile.batches_ns = number_or(member(json, "batches_ns"), 0);
    profile.warnings = texts_from_json(member(json, "warnings"));
    if (!read_functions(profile, json, tables) || !read_visits(profile, json))
        return core::fail(ErrorCode::kData,
                          fmt::format("the profile of '{}' refers to what is not there", profile.case_name));
    return profile;
}

}  // namespace

core::CaseProfile stored_part(core::CaseProfile profile) {
    std::erase_if(profile.functions, [&](const core::CaseProfileFunction& function) {
        return function.self.samples * kLeastStoredPart < profile.total.samples;
    });
    return profile;
}

StoredProfiles stored_profiles_to_json(std::span<const core::CaseProfile> profiles, std::span<const CaseTime> times) {
    ProfileWriter writer;
    Json list = Json::array();
    for (std::size_t i = 0; i < profiles.size(); ++i)
        list.push_back(writer.profile(profiles[i], times.size() == profiles.size() ? &times[i] : nullptr));
    return {writer.tables(), std::move(list)};
}

core::Expected<std::vector<core::CaseProfile>> stored_profiles_from_json(const Json& tables, const Json& profiles) {
    std::vector<core::CaseProfile> read;
    if (!profiles.is_array()) return read;
    for (const Json& json : profiles) {
        core::Expected<core::CaseProfile> profile = profile_from(json, tables);
        if (!profile) return tl::unexpected(profile.error());
        read.push_back(*std::move(profile));
    }
    return read;
}

Json profile_problem_to_json(const core::ProfileProblem& problem) {
    Json json = object_of({{"case", problem.case_name}});
    json["error"] = error_to_json(problem.error);
    return json;
}

core::Expected<core::ProfileProblem> profile_problem_from_json(const Json& json) {
    if (!member(json, "case").is_string()) return core::fail(ErrorCode::kData, "a profile's problem names no case");
    return core::ProfileProblem{text_or(member(json, "case"), ""), error_from_json(member(json, "error"))};
}

}  // namespace tare::record
