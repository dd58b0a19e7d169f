// Numbers of fields are those of profile.proto; protozero knows the encoding.
#include "harness/attribution/pprof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <protozero/pbf_builder.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/attribution/escaped_text.h"
#include "harness/attribution/gzip.h"

namespace tare::attribution {

namespace {

enum class ProfileField : protozero::pbf_tag_type {
    kSampleType = 1,
    kSample = 2,
    kMapping = 3,
    kLocation = 4,
    kFunction = 5,
    kText = 6,
    kDurationNanos = 10,
    kPeriodType = 11,
    kPeriod = 12,
    kComment = 13,
    kDefaultSampleType = 14,
};
enum class ValueTypeField : protozero::pbf_tag_type { kType = 1, kUnit = 2 };
enum class SampleField : protozero::pbf_tag_type { kLocation = 1, kValue = 2, kLabel = 3 };
enum class LabelField : protozero::pbf_tag_type { kKey = 1, kText = 2 };
enum class MappingField : protozero::pbf_tag_type {
    kId = 1,
    kStart = 2,
    kLimit = 3,
    kOffset = 4,
    kFile = 5,
    kBuildId = 6,
    kHasFunctions = 7,
    kHasFiles = 8,
    kHasLines = 9,
};
enum class LocationField : protozero::pbf_tag_type { kId = 1, kMapping = 2, kAddress = 3, kLine = 4 };
enum class LineField : protozero::pbf_tag_type { kFunction = 1, kLine = 2 };
enum class FunctionField : protozero::pbf_tag_type { kId = 1, kName = 2, kSystemName = 3, kFile = 4, kStartLine = 5 };

template <class Field>
using MessageBuilder = protozero::pbf_builder<Field>;

/// Ids are numbers from 1 on: 0 is none.
constexpr std::uint64_t id_of(std::size_t index) {
    return index + 1;
}

class Message {
  public:
    explicit Message(const core::Profile& profile) : profile_(profile), builder_(bytes_) {
        number_of("");  // the first text must be empty
    }

    std::string take() {
        const std::int64_t time = number_of(profile_.sampling.clock == core::SampleClock::kTimer ? "wall" : "cpu");
        const std::int64_t nanoseconds = number_of("nanoseconds");
        add_value_type(ProfileField::kSampleType, number_of("samples"), number_of("count"));
        add_value_type(ProfileField::kSampleType, time, nanoseconds);
        add_mappings();
        for (std::size_t i = 0; i < profile_.functions.size(); ++i) add_function(i);
        for (std::size_t i = 0; i < profile_.nodes.size(); ++i) add_sample(i);
        add_value_type(ProfileField::kPeriodType, time, nanoseconds);
        if (profile_.sampling.asked_hz > 0)
            builder_.add_int64(ProfileField::kPeriod, std::llround(1e9 / profile_.sampling.asked_hz));
        builder_.add_int64(ProfileField::kDurationNanos, std::llround(profile_.sampling.wall_ns));
        builder_.add_int64(ProfileField::kDefaultSampleType, time);
        add_comments();
        for (const std::string& text : texts_) builder_.add_string(ProfileField::kText, utf8_text(text));
        return std::move(bytes_);
    }

  private:
    std::int64_t number_of(const std::string& text) {
        const auto [place, is_new] = text_numbers_.try_emplace(text, static_cast<std::int64_t>(texts_.size()));
        if (is_new) texts_.push_back(text);
        return place->second;
    }

    void add_value_type(ProfileField field, std::int64_t type, std::int64_t unit) {
        MessageBuilder<ValueTypeField> value(builder_, field);
        value.add_int64(ValueTypeField::kType, type);
        value.add_int64(ValueTypeField::kUnit, unit);
    }

    /// The first mapping is taken for the program's own file: that of the outermost frames.
    void add_mappings() {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < profile_.modules.size(); ++i)
            if (!profile_.modules[i].path.empty()) order.push_back(i);
        const auto root = std::ranges::find_if(profile_.nodes, [&](const core::ProfileNode& node) {
            return profile_.functions[node.function].kind == core::FrameKind::kNative;
        });
        if (root != profile_.nodes.end()) {
            const std::size_t main = profile_.functions[root->function].module;
            std::stable_partition(order.begin(), order.end(), [main](std::size_t i) { return i == main; });
        }
        for (const std::size_t i : order) add_mapping(i);
    }

    void add_mapping(std::size_t index) {
        const core::ProfileModule& module = profile_.modules[index];
        MessageBuilder<MappingField> mapping(builder_, ProfileField::kMapping);
        mapping.add_uint64(MappingField::kId, id_of(index));
        mapping.add_uint64(MappingField::kStart, module.code_start);
        mapping.add_uint64(MappingField::kLimit, module.code_end);
        mapping.add_uint64(MappingField::kOffset, module.code_offset);
        mapping.add_int64(MappingField::kFile, number_of(module.path));
        mapping.add_int64(MappingField::kBuildId, number_of(module.build_id));
        // Where one of these is missing, pprof would ask addr2line, which knows less than we do.
        mapping.add_bool(MappingField::kHasFunctions, true);
        mapping.add_bool(MappingField::kHasFiles, true);
        mapping.add_bool(MappingField::kHasLines, true);
    }

    void add_function(std::size_t index) {
        const core::ProfileFunction& its = profile_.functions[index];
        const bool is_native = its.kind == core::FrameKind::kNative;
        MessageBuilder<FunctionField> function(builder_, ProfileField::kFunction);
        function.add_uint64(FunctionField::kId, id_of(index));
        function.add_int64(FunctionField::kName, number_of(its.name));
        function.add_int64(FunctionField::kSystemName, number_of(its.name));
        function.add_int64(FunctionField::kFile, number_of(is_native ? profile_.modules[its.module].path : its.file));
        function.add_int64(FunctionField::kStartLine, its.first_line);
    }

    std::uint64_t location_of(const core::ProfileNode& node) {
        const auto [place, is_new] = locations_.try_emplace({node.function, node.line}, id_of(locations_.size()));
        if (!is_new) return place->second;
        const core::ProfileFunction& function = profile_.functions[node.function];
        MessageBuilder<LocationField> location(builder_, ProfileField::kLocation);
        location.add_uint64(LocationField::kId, place->second);
        if (function.kind == core::FrameKind::kNative && !profile_.modules[function.module].path.empty()) {
            location.add_uint64(LocationField::kMapping, id_of(function.module));
            location.add_uint64(LocationField::kAddress, function.address);
        }
        MessageBuilder<LineField> line(location, LocationField::kLine);
        line.add_uint64(LineField::kFunction, id_of(node.function));
        line.add_int64(LineField::kLine, node.line);
        return place->second;
    }

    void add_sample(std::size_t index) {
        const core::ProfileNode& leaf = profile_.nodes[index];
        if (leaf.self.samples == 0) return;
        std::vector<std::uint64_t> path;  // innermost first
        for (auto at = static_cast<std::int64_t>(index); at >= 0;) {
            const core::ProfileNode& node = profile_.nodes[static_cast<std::size_t>(at)];
            path.push_back(location_of(node));
            at = node.parent;
        }
        const std::int64_t values[] = {static_cast<std::int64_t>(leaf.self.samples), std::llround(leaf.self.ns)};
        MessageBuilder<SampleField> sample(builder_, ProfileField::kSample);
        sample.add_packed_uint64(SampleField::kLocation, path.begin(), path.end());
        sample.add_packed_int64(SampleField::kValue, std::begin(values), std::end(values));
        MessageBuilder<LabelField> label(sample, SampleField::kLabel);
        label.add_int64(LabelField::kKey, number_of("layer"));
        label.add_int64(LabelField::kText, number_of(profile_.layers[leaf.layer].name));
    }

    void add_comments() {
        const core::ProfileSampling& sampling = profile_.sampling;
        const core::ProfileQuality& quality = profile_.quality;
        std::vector<std::int64_t> comments{
            number_of(profile_.program),
            number_of(
                fmt::format("sampled by tare at {:.0f} Hz, asked for {:.0f}; {} dropped; sampling took {:.2f} % of "
                            "the CPU time",
                            sampling.achieved_hz, sampling.asked_hz, sampling.dropped, 100 * sampling.cost_ratio())),
            number_of(fmt::format("stacks: {} complete, {} with frames found by scanning, {} truncated",
                                  quality.complete, quality.scanned, quality.truncated))};
        if (!sampling.fallback_reason.empty()) comments.push_back(number_of(sampling.fallback_reason));
        for (const std::string& warning : profile_.warnings) comments.push_back(number_of(warning));
        builder_.add_packed_int64(ProfileField::kComment, comments.begin(), comments.end());
    }

    const core::Profile& profile_;
    std::string bytes_;
    MessageBuilder<ProfileField> builder_;
    std::vector<std::string> texts_;
    std::map<std::string, std::int64_t> text_numbers_;
    std::map<std::pair<std::uint32_t, int>, std::uint64_t> locations_;
};

}  // namespace

std::string pprof_message(const core::Profile& profile) {
    return Message(profile).take();
}

std::string pprof(const core::Profile& profile) {
    return gzipped(pprof_message(profile));
}

}  // namespace tare::attribution
