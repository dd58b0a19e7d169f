// Markdown shows the heaviest, CSV all.
#include "harness/record/profile_exports.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "harness/record/ledger_text.h"
#include "harness/record/markup.h"
#include "harness/record/shared_lines.h"

namespace tare::record {

namespace {

class Markdown {
  public:
    Markdown(const core::Profile& profile, const ProfileTableOptions& options) : profile_(profile), options_(options) {}

    std::string all() {
        text_ = fmt::format("### `{}`\n\n{}\n", one_line(profile_.program), sampling_text(profile_, options_.style));
        if (profile_.total.samples > 0) add_tables();
        std::vector<std::string> remarks = quality_texts(profile_);
        for (const std::string& warning : profile_.warnings) remarks.push_back("warning: " + one_line(warning));
        for (std::size_t i = 0; i < remarks.size(); ++i)
            text_ += fmt::format("{}- {}\n", i == 0 ? "\n" : "", remarks[i]);
        return std::move(text_);
    }

  private:
    void add_tables() {
        text_ += "\n| layer | share | ± | time |\n|---|---:|---:|---:|\n";
        for (const core::ProfileLayer& layer : profile_.layers)
            if (layer.self.samples > 0)
                text_ += fmt::format("| {} | {} | {} | {} |\n", markdown_cell(layer.name), share(layer.self),
                                     share_error_text(layer.self, profile_, options_.style), time(layer.self));
        add_functions("BLAS", blas_functions(profile_));
        if (options_.native) add_functions("function", heaviest(profile_, false, options_.order));
        if (options_.python) add_functions("Python function", heaviest(profile_, true, options_.order));
        if (options_.python) add_lines();
        add_modules();
    }
    [[nodiscard]] std::string share(const core::SampledTime& of) const { return percent_text(share_of(of, profile_)); }
    [[nodiscard]] std::string time(const core::SampledTime& of) const { return time_cell(of, options_.style); }

    void add_functions(const char* title, const std::vector<std::size_t>& all) {
        if (all.empty()) return;
        text_ += fmt::format("\n| {} | self | cumulative | time | where |\n|---|---:|---:|---:|---|\n", title);
        for (const std::size_t i : std::span(all).first(std::min(all.size(), options_.most_functions))) {
            const core::ProfileFunction& function = profile_.functions[i];
            text_ += fmt::format("| `{}` | {} | {} | {} | {} |\n", markdown_cell(function.name), share(function.self),
                                 share(function.inclusive), time(function.self),
                                 markdown_cell(place_text(profile_, function)));
        }
    }

    void add_lines() {
        if (profile_.lines.empty()) return;
        text_ += "\n| Python line | self | cumulative | time | in |\n|---|---:|---:|---:|---|\n";
        const std::vector<std::size_t> all = heaviest_lines(profile_, options_.order);
        for (const std::size_t i : std::span(all).first(std::min(all.size(), options_.most_lines))) {
            const core::ProfileLine& line = profile_.lines[i];
            const core::ProfileFunction& function = profile_.functions[line.function];
            text_ +=
                fmt::format("| {} | {} | {} | {} | `{}` |\n", markdown_cell(place_text(function, line.line)),
                            share(line.self), share(line.inclusive), time(line.self), markdown_cell(function.name));
        }
    }

    void add_modules() {
        if (profile_.modules.empty()) return;
        text_ += "\n| module | share | named | names from |\n|---|---:|---:|---|\n";
        for (const core::ProfileModule& module : profile_.modules) {
            if (module.self.samples == 0) continue;
            text_ += fmt::format("| {} | {} | {} | {} |\n", markdown_cell(file_name_of(module.path)),
                                 share(module.self), percent_text(module.named.ns / std::max(module.self.ns, 1.0)),
                                 core::name_of(module.symbols));
        }
    }

    const core::Profile& profile_;
    const ProfileTableOptions& options_;
    std::string text_;
};

class Csv {
  public:
    explicit Csv(const core::Profile& profile) : profile_(profile) {}

    void line(std::string_view kind, const std::string& name, const std::string& place, const core::SampledTime& self,
              const core::SampledTime* inclusive = nullptr) {
        text_ += fmt::format("{},{},{},{:.0f},{},{:.7g},{:.5g},", kind, csv_text(name), csv_text(place), self.ns,
                             self.samples, share_of(self, profile_), share_error(self, profile_));
        text_ += inclusive == nullptr ? ",,\r\n"
                                      : fmt::format("{:.0f},{},{:.7g}\r\n", inclusive->ns, inclusive->samples,
                                                    share_of(*inclusive, profile_));
    }
    [[nodiscard]] std::string take() { return std::move(text_); }

  private:
    const core::Profile& profile_;
    std::string text_ =
        "kind,name,place,self_ns,self_samples,self_ratio,error_ratio,inclusive_ns,inclusive_samples,"
        "inclusive_ratio\r\n";
};

}  // namespace

std::string profile_markdown(const core::Profile& profile, const ProfileTableOptions& options) {
    return Markdown(profile, options).all();
}

std::string profile_csv(const core::Profile& profile) {
    Csv csv(profile);
    csv.line("total", "", "", profile.total);
    for (const core::ProfileLayer& layer : profile.layers) csv.line("layer", layer.name, "", layer.self);
    for (const core::ProfileFunction& function : profile.functions)
        csv.line(core::name_of(function.kind), function.name, place_text(profile, function), function.self,
                 &function.inclusive);
    for (const core::ProfileLine& line : profile.lines) {
        const core::ProfileFunction& function = profile.functions[line.function];
        csv.line("line", function.name, place_text(function, line.line), line.self, &line.inclusive);
    }
    for (const core::ProfileThread& thread : profile.threads)
        csv.line("thread", fmt::to_string(thread.thread), fmt::to_string(thread.process), thread.time);
    for (const core::ProfileModule& module : profile.modules)
        csv.line("module", file_name_of(module.path), module.path, module.self);
    return csv.take();
}

}  // namespace tare::record
