// Sections, lines, and exports of sampled time.
#include "harness/record/time_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/record/ledger_text.h"
#include "harness/record/markup.h"
#include "harness/record/profile_text.h"
#include "harness/record/shared_lines.h"
#include "harness/record/text_grid.h"

namespace tare::record {

namespace {

constexpr std::size_t kMostSections = 8;       // more fill more than a screen: a line each
constexpr std::size_t kMostFunctionCases = 3;  // that also list functions
constexpr std::size_t kMostFunctions = 8;
constexpr std::size_t kMostLayersInLine = 3;
constexpr double kLeastShownShare = 0.005;  // of time or instructions, for a layer to have a row

std::string layer_name(const LayerTime& layer) {
    return layer.unresolved && !layer.name.ends_with("(unresolved)") ? layer.name + " (unresolved)" : layer.name;
}

/// "\u00b1 0.8": percentage points.
std::string error_text(const LayerTime& layer, const TextStyle& style) {
    return fmt::format("{}{:.1f}", style.unicode ? "\u00b1" : "+-", 50 * (layer.share.high - layer.share.low));
}

bool is_light(const LayerTime& layer) {
    return layer.share_ratio < kLeastShownShare && layer.instructions_share_ratio.value_or(0) < kLeastShownShare;
}

std::string ratio_text(const LayerTime& layer) {
    const double instructions = layer.instructions_share_ratio.value_or(0);
    if (!layer.instructions_share_ratio) return {};
    const std::string text = instructions > 0 ? three_digits(layer.share_ratio / instructions) : "";
    return text + (layer.stands_out ? " ^" : "  ");
}

std::string cost_text(const CaseTime& time, const TextStyle& style) {
    if (!time.cost_ratio) return {};
    std::string text = fmt::format("{:+.1f} %", 100 * time.cost_ratio->value);
    if (const auto& interval = time.cost_ratio->interval)
        text += fmt::format(" {}{:.1f}", style.unicode ? "\u00b1" : "+-", 50 * (interval->high - interval->low));
    return text;
}

bool any_samples(std::span<const CaseTime> times) {
    return std::ranges::any_of(times, [](const CaseTime& time) { return time.samples > 0; });
}

class TimeSections {
  public:
    TimeSections(std::span<const core::CaseProfile> profiles, std::span<const CaseTime> times, std::size_t width,
                 const TextStyle& style)
        : profiles_(profiles), times_(times), width_(width), style_(style) {}

    std::string all() {
        add_head();
        if (any_samples(times_)) add_cases();
        add_notes();
        return std::move(text_);
    }

  private:
    void add_cases() {
        if (times_.size() > kMostSections)
            add_lines();
        else
            for (std::size_t i = 0; i < times_.size(); ++i) add_section(profiles_[i], times_[i]);
    }
    void add_line(const std::string& text, std::size_t indent) { text_ += wrapped(text, width_, indent, style_); }

    /// Costs of single cases vary by more than they are; the median of many does not.
    void add_head() {
        core::CaseProfile all;
        std::vector<double> costs;
        for (const core::CaseProfile& profile : profiles_) merge(all, profile);
        for (const CaseTime& time : times_)
            if (time.cost_ratio) costs.push_back(time.cost_ratio->value);
        core::ProfileSampling sampling;
        sampling.clock = all.way.clock;
        sampling.fallback_reason = all.way.fallback_reason;
        text_ += '\n';
        std::string text = fmt::format("sampled time: {} samples at up to {} Hz by {}, in batches of their own",
                                       count_text(all.total.samples),
                                       count_text(static_cast<std::uint64_t>(all.asked_hz)), clock_text(sampling));
        if (!costs.empty())
            text += fmt::format("; sampling cost {:+.1f} %{}", 100 * stats::median(costs),
                                costs.size() > 1 ? " (median of cases)" : "");
        if (all.total.samples == 0) text = no_samples_text(all, sampling);
        if (all.dropped > 0) text += fmt::format("; {} samples were dropped", count_text(all.dropped));
        add_line(text, 2);
        if (all.total.samples > 0) add_line("stacks: " + quality_text(all), 2);
    }
    static std::string no_samples_text(const core::CaseProfile& all, const core::ProfileSampling& sampling) {
        return fmt::format("sampled time: no samples were taken at up to {} Hz by {}; raise --rate or run longer",
                           count_text(static_cast<std::uint64_t>(all.asked_hz)), clock_text(sampling));
    }
    static std::string quality_text(const core::CaseProfile& all) {
        const std::uint64_t stacks = all.complete + all.scanned + all.truncated;
        const auto share = [&](std::uint64_t part) { return percent_text(share_of(part, stacks)); };
        return fmt::format(
            "{} complete, {} with frames found by scanning, {} truncated; {} of the time in functions "
            "with a name; {} samples of the harness are left out",
            share(all.complete), share(all.scanned), share(all.truncated),
            percent_text(share_of(all.named.samples, all.total.samples)), count_text(all.outside));
    }

    void add_section(const core::CaseProfile& profile, const CaseTime& time) {
        text_ += '\n';
        std::string head = fmt::format("{}: {} samples", time.case_name, count_text(time.samples));
        if (time.unsampled_time_ns > 0)
            head += fmt::format("; CPU time {} while sampled, {} beside that ({})",
                                plain_duration(time.sampled_time_ns, style_),
                                plain_duration(time.unsampled_time_ns, style_), cost_text(time, style_));
        if (time.loop_ratio >= kLeastShownShare)
            head += fmt::format("; {} of the samples are the loop's and subtracted", percent_text(time.loop_ratio));
        if (time.waiting_ratio)
            head += fmt::format(
                "; {} of the gross is waiting (or other programs), which is not sampled: times are CPU time",
                percent_text(*time.waiting_ratio));
        add_line(head, 2);
        if (time.samples == 0) return;
        add_layers(time);
        if (times_.size() <= kMostFunctionCases) add_functions(profile);
    }

    void add_layers(const CaseTime& time) {
        std::vector<GridRow> rows;
        std::size_t light = 0;
        double light_share = 0;
        for (const LayerTime& layer : time.layers) {
            if (is_light(layer)) {
                ++light;
                light_share += layer.share_ratio;
                continue;
            }
            rows.push_back({{layer_name(layer), percent_text(layer.share_ratio), error_text(layer, style_),
                             layer.time_ns ? duration_text(*layer.time_ns, style_) : "",
                             layer.instructions_share_ratio ? percent_text(*layer.instructions_share_ratio) : "",
                             ratio_text(layer)}});
            stands_out_ = stands_out_ || layer.stands_out;
        }
        if (light > 0) rows.push_back({{fmt::format("{} more", light), percent_text(light_share), "", "", "", ""}});
        text_ += print_grid({{"  layer", 0, true},
                             {"time share"},
                             {style_.unicode ? "\u00b1" : "+-", 2},
                             {"time", 3},
                             {"instructions"},
                             {"ratio  ", 1}},
                            indented(std::move(rows)), width_, style_);
    }
    static std::vector<GridRow> indented(std::vector<GridRow> rows) {
        for (GridRow& row : rows) row.cells.front().insert(0, "  ");
        return rows;
    }

    void add_functions(const core::CaseProfile& profile) {
        std::vector<GridRow> rows;
        for (const core::CaseProfileFunction& function : profile.functions) {
            if (rows.size() == kMostFunctions) break;
            const double share = profile.total.ns > 0 ? function.self.ns / profile.total.ns : 0;
            if (function.kind == core::FrameKind::kPython || share < kLeastShownShare) continue;
            rows.push_back({{function.name, percent_text(share), function.layer,
                             function.file.empty() ? "" : file_name_of(function.file)}});
        }
        if (rows.empty()) return;
        text_ += print_grid({{"  function", 0, true}, {"of samples"}, {"layer", 2, true}, {"where", 1, true}},
                            indented(std::move(rows)), width_, style_);
    }

    void add_lines() {
        std::vector<GridRow> rows;
        for (const CaseTime& time : times_) {
            std::string heaviest;
            for (std::size_t i = 0; i < std::min(time.layers.size(), kMostLayersInLine); ++i) {
                const LayerTime& layer = time.layers[i];
                heaviest += fmt::format("{}{} {}{}", i > 0 ? ", " : "", layer_name(layer),
                                        percent_text(layer.share_ratio), layer.stands_out ? " ^" : "");
                stands_out_ = stands_out_ || layer.stands_out;
            }
            rows.push_back({{time.case_name, count_text(time.samples), cost_text(time, style_), heaviest}});
        }
        text_ += '\n' +
                 print_grid({{"case", 0, true}, {"samples", 2}, {"cost of sampling", 1}, {"most of the time", 0, true}},
                            std::move(rows), width_, style_);
    }

    void add_notes() {
        if (stands_out_) {
            text_ += '\n';
            add_line("^ more of the time than of the instructions, by half a point more than sampling leaves open", 2);
        }
        Shared warnings;
        for (const core::CaseProfile& profile : profiles_) {
            for (const std::string& warning : profile.warnings) add(warnings, one_line(warning), profile.case_name);
            if (!profile.way.python_problem.empty())
                add(warnings, "no Python frames: " + one_line(profile.way.python_problem), profile.case_name);
            if (!profile.way.sees_kernel)
                add(warnings, "time in the kernel is in no sample: perf may not look there", profile.case_name);
        }
        text_ += section("warnings of sampling", warnings);
    }

    std::span<const core::CaseProfile> profiles_;
    std::span<const CaseTime> times_;
    std::size_t width_;
    TextStyle style_;
    bool stands_out_ = false;
    std::string text_;
};

/// Distinct names of layers, in order of appearance.
std::vector<std::string> layers_of(std::span<const CaseTime> times) {
    std::vector<std::string> names;
    for (const CaseTime& time : times)
        for (const LayerTime& layer : time.layers)
            if (std::find(names.begin(), names.end(), layer_name(layer)) == names.end())
                names.push_back(layer_name(layer));
    return names;
}

std::string number_text(std::optional<double> value) {
    return value ? fmt::format("{:.5g}", *value) : "";
}

}  // namespace

std::string print_case_times(std::span<const core::CaseProfile> profiles, std::span<const CaseTime> times,
                             std::size_t width, const TextStyle& style) {
    if (times.empty() || times.size() != profiles.size()) return {};
    return TimeSections(profiles, times, width, style).all();
}

std::string profile_problems_text(std::span<const core::ProfileProblem> problems) {
    Shared shared;
    for (const core::ProfileProblem& problem : problems) {
        std::string reason = one_line(problem.error.what);
        if (!problem.error.hint.empty()) reason += "; " + one_line(problem.error.hint);
        add(shared, reason, problem.case_name);
    }
    return section(fmt::format("{} case{} could not be sampled", problems.size(), problems.size() == 1 ? "" : "s"),
                   shared);
}

std::string case_times_markdown(std::span<const CaseTime> times, const TextStyle& style) {
    if (times.empty()) return {};
    if (!any_samples(times)) return "\nno samples were taken; raise --rate or run longer\n";
    std::string text = fmt::format(
        "\n| case | layer | time share | {} | time | instructions | ratio |\n|---|---|---:|---:|---:|---:|---:|\n",
        style.unicode ? "\u00b1" : "+-");
    for (const CaseTime& time : times)
        for (const LayerTime& layer : time.layers) {
            if (is_light(layer)) continue;
            text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", markdown_cell(time.case_name),
                                markdown_cell(layer_name(layer)), percent_text(layer.share_ratio),
                                error_text(layer, style), layer.time_ns ? duration_text(*layer.time_ns, style) : "",
                                layer.instructions_share_ratio ? percent_text(*layer.instructions_share_ratio) : "",
                                ratio_text(layer));
        }
    return text;
}

std::string case_times_csv_titles(std::span<const CaseTime> times) {
    if (times.empty()) return {};
    std::string text = ",samples,sampling_cost_ratio,sampled_time_ns,unsampled_time_ns";
    for (const std::string& name : layers_of(times))
        text += ',' + csv_text(name + "_time_share_ratio") + ',' + csv_text(name + "_time_share_low_ratio") + ',' +
                csv_text(name + "_time_share_high_ratio") + ',' + csv_text(name + "_time_ns");
    return text;
}

std::string case_times_csv_fields(std::span<const CaseTime> times, const std::string& case_name) {
    if (times.empty()) return {};
    const auto time =
        std::find_if(times.begin(), times.end(), [&](const CaseTime& each) { return each.case_name == case_name; });
    const std::vector<std::string> names = layers_of(times);
    if (time == times.end()) return ",,,," + std::string(4 * names.size(), ',');
    std::string text =
        fmt::format(",{},{},{},{}", time->samples,
                    number_text(time->cost_ratio ? std::optional(time->cost_ratio->value) : std::nullopt),
                    number_text(time->sampled_time_ns), number_text(time->unsampled_time_ns));
    for (const std::string& name : names) {
        const auto layer = std::find_if(time->layers.begin(), time->layers.end(),
                                        [&](const LayerTime& each) { return layer_name(each) == name; });
        if (layer == time->layers.end())
            text += ",,,,";
        else
            text += fmt::format(",{},{},{},{}", number_text(layer->share_ratio), number_text(layer->share.low),
                                number_text(layer->share.high), number_text(layer->time_ns));
    }
    return text;
}

}  // namespace tare::record
