// Sections of a profile. Shares are of all sampled time; ± is the 95 % interval's half width that sampling alone
// causes.
#include "harness/record/profile_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "harness/record/ledger_text.h"
#include "harness/record/shared_lines.h"
#include "harness/record/text_grid.h"

namespace tare::record {

namespace {

class ProfileSections {
  public:
    ProfileSections(const core::Profile& profile, const ProfileTableOptions& options)
        : profile_(profile), options_(options), layers_(main_layers(profile)) {}

    std::string all() {
        add_line(one_line(profile_.program) + ": " + sampling_text(profile_, options_.style), 2);
        if (profile_.total.samples > 0) add_sections();
        add_warnings();
        return std::move(text_);
    }

  private:
    void add_sections() {
        add_layers();
        add_blas();
        if (options_.native) add_functions("function", heaviest(profile_, false, options_.order));
        if (options_.python) add_functions("Python function", heaviest(profile_, true, options_.order));
        if (options_.python) add_lines();
        add_threads();
        add_quality();
    }
    [[nodiscard]] std::string share(const core::SampledTime& time) const {
        return percent_text(share_of(time, profile_));
    }
    [[nodiscard]] std::string error(const core::SampledTime& time) const {
        return share_error_text(time, profile_, options_.style);
    }
    [[nodiscard]] std::string time_text(const core::SampledTime& time) const { return time_cell(time, options_.style); }
    [[nodiscard]] std::string sign() const { return options_.style.unicode ? "\u00b1" : "+-"; }

    void add_line(const std::string& line, std::size_t indent) {
        text_ += wrapped(line, options_.width, indent, options_.style);
    }
    void add_grid(std::vector<Column> columns, std::vector<GridRow> rows) {
        if (rows.empty()) return;
        text_ += '\n' + print_grid(std::move(columns), std::move(rows), options_.width, options_.style);
    }
    void add_layers() {
        std::vector<GridRow> rows;
        for (const core::ProfileLayer& layer : profile_.layers)
            if (layer.self.samples > 0)
                rows.push_back({{layer.name, share(layer.self), error(layer.self), time_text(layer.self),
                                 count_text(layer.self.samples)}});
        add_grid({{"layer", 0, true}, {"share"}, {sign(), 3}, {"time", 2}, {"samples", 1}}, std::move(rows));
    }

    void add_blas() {
        const std::vector<std::size_t> all = blas_functions(profile_);
        std::vector<GridRow> rows;
        for (const std::size_t i : std::span(all).first(std::min(all.size(), options_.most_functions))) {
            const core::ProfileFunction& function = profile_.functions[i];
            rows.push_back({{function.name, share(function.self), share(function.inclusive), time_text(function.self),
                             function.blas->role, place_text(profile_, function)}});
        }
        add_grid({{"BLAS", 0, true}, {"self"}, {"cumulative"}, {"time", 2}, {"role", 3, true}, {"file", 1, true}},
                 std::move(rows));
        text_ += more_text(all.size(), options_.most_functions, "BLAS function");
    }

    void add_functions(const char* title, const std::vector<std::size_t>& all) {
        std::vector<GridRow> rows;
        for (const std::size_t i : std::span(all).first(std::min(all.size(), options_.most_functions))) {
            const core::ProfileFunction& function = profile_.functions[i];
            const bool is_python = function.kind == core::FrameKind::kPython;
            rows.push_back(
                {{one_line(function.name), share(function.self), error(function.self), share(function.inclusive),
                  time_text(function.self), place_text(profile_, function), is_python ? std::string() : layers_[i]}});
        }
        add_grid({{title, 0, true},
                  {"self"},
                  {sign(), 2},
                  {"cumulative", 5},
                  {"time", 3},
                  {"where", 4, true},
                  {"layer", 1, true}},
                 std::move(rows));
        text_ += more_text(all.size(), options_.most_functions, title);
    }

    void add_lines() {
        std::vector<GridRow> rows;
        for (const std::size_t i : heaviest_lines(profile_, options_.order)) {
            if (rows.size() == options_.most_lines) break;
            const core::ProfileLine& line = profile_.lines[i];
            const core::ProfileFunction& function = profile_.functions[line.function];
            rows.push_back({{place_text(function, line.line), share(line.self), error(line.self), share(line.inclusive),
                             time_text(line.self), one_line(function.name)}});
        }
        add_grid({{"Python line", 0, true}, {"self"}, {sign(), 1}, {"cumulative", 4}, {"time", 2}, {"in", 3, true}},
                 std::move(rows));
        text_ += more_text(profile_.lines.size(), options_.most_lines, "line");
    }

    static std::string thread_text(const core::ProfileThread& thread) {
        const bool is_named = thread.thread != thread.process && !thread.name.empty();
        const std::string name = is_named ? fmt::format(" ({})", one_line(thread.name)) : "";
        return fmt::format("{}{} of process {}", thread.thread, name, thread.process);
    }

    void add_threads() {
        if (profile_.threads.size() < 2) return;
        const std::vector<std::string> works = work_of_threads(profile_);
        std::vector<GridRow> rows;
        for (std::size_t i = 0; i < profile_.threads.size(); ++i) {
            const core::ProfileThread& thread = profile_.threads[i];
            const std::string gil = thread.gil.samples > 0 ? percent_text(thread.gil.ns / thread.time.ns) : "";
            rows.push_back({{thread_text(thread), share(thread.time), time_text(thread.time),
                             thread.waiting.samples > 0 ? share(thread.waiting) : "", gil, works[i]}});
        }
        add_grid({{"thread", 0, true},
                  {"share"},
                  {"time", 3},
                  {"waiting", 2},
                  {"of it with the GIL", 1},
                  {"mostly in", 4, true}},
                 std::move(rows));
    }

    void add_quality() {
        const std::vector<std::string> texts = quality_texts(profile_);
        if (!texts.empty()) text_ += '\n';
        for (const std::string& text : texts) add_line(text, 2);
        std::vector<GridRow> rows;
        for (const core::ProfileModule& module : profile_.modules) {
            if (module.self.samples == 0) continue;
            const double named = module.self.ns > 0 ? module.named.ns / module.self.ns : 0;
            rows.push_back({{file_name_of(module.path), share(module.self), time_text(module.self), percent_text(named),
                             std::string(core::name_of(module.symbols))}});
        }
        add_grid({{"module", 0, true}, {"share"}, {"time", 1}, {"named"}, {"names from", 2, true}}, std::move(rows));
    }

    void add_warnings() {
        if (!profile_.warnings.empty()) text_ += '\n';
        for (const std::string& warning : profile_.warnings) add_line("warning: " + one_line(warning), 2);
    }

    const core::Profile& profile_;
    const ProfileTableOptions& options_;
    std::vector<std::string> layers_;
    std::string text_;
};

}  // namespace

std::string print_profile(const core::Profile& profile, const ProfileTableOptions& options) {
    return ProfileSections(profile, options).all();
}

}  // namespace tare::record
