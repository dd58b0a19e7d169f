// Texts from harness/record, files from harness/attribution.
#include "harness/cli/profile_output.h"

#include <string>
#include <utility>
#include <vector>

#include "harness/attribution/pprof.h"
#include "harness/attribution/profile_comparison.h"
#include "harness/attribution/profile_formats.h"
#include "harness/cli/output_file.h"
#include "harness/record/profile_difference_table.h"
#include "harness/record/profile_exports.h"
#include "harness/record/profile_json.h"
#include "harness/record/profile_table.h"

namespace tare::cli {

namespace {

std::string profile_text(const Options& options, const core::Profile& profile,
                         const record::ProfileTableOptions& look) {
    switch (options.format) {
        case Format::kTable:
            return record::print_profile(profile, look);
        case Format::kJson:
            return record::profile_json(profile);
        case Format::kCsv:
            return record::profile_csv(profile);
        case Format::kMarkdown:
            return record::profile_markdown(profile, look);
    }
    return {};
}

std::string difference_text(const Options& options, const core::ProfileDifference& difference,
                            const record::ProfileTableOptions& look) {
    switch (options.format) {
        case Format::kTable:
            return record::print_profile_difference(difference, look);
        case Format::kJson:
            return record::profile_difference_json(difference);
        case Format::kCsv:
            return record::profile_difference_csv(difference);
        case Format::kMarkdown:
            return record::profile_difference_markdown(difference, look);
    }
    return {};
}

}  // namespace

core::Status check_profile_files(const Options& options) {
    const ProfileOptions& own = options.profile;
    const std::vector<std::pair<const char*, const std::string*>> files = {{"--out", &options.out},
                                                                           {"--flamegraph", &own.flame_graph},
                                                                           {"--speedscope", &own.speedscope},
                                                                           {"--folded", &own.folded},
                                                                           {"--pprof", &own.pprof}};
    for (const auto& [option, path] : files)
        if (core::Status checked = check_output(option, *path); !checked) return checked;
    return {};
}

void print_profile(const Options& options, const Streams& streams, const core::Profile& profile,
                   const core::Profile* before) {
    record::ProfileTableOptions look;
    look.width = streams.width;
    look.style = {.color = streams.color, .unicode = true};
    if (options.profile.top) look.most_functions = look.most_lines = static_cast<std::size_t>(*options.profile.top);
    look.order = options.profile.order;
    look.native = options.profile.frames != FramesShown::kPython;
    look.python = options.profile.frames != FramesShown::kNative;
    if (before == nullptr)
        streams.out << profile_text(options, profile, look);
    else
        streams.out << difference_text(
            options, attribution::compare_profiles(*before, profile, options.profile.against, "this run"), look);
}

core::Status write_profile_files(const Options& options, const core::Profile& profile) {
    const ProfileOptions& own = options.profile;
    core::Status first;
    const auto write = [&](const std::string& path, const auto& make) {
        if (path.empty()) return;
        if (core::Status written = write_file(path, make()); !written && first) first = written;
    };
    write(options.out, [&] { return record::profile_json(profile); });
    write(own.flame_graph, [&] { return attribution::flame_graph(profile, profile.program); });
    write(own.speedscope, [&] { return attribution::speedscope(profile); });
    write(own.folded, [&] { return attribution::folded(profile); });
    write(own.pprof, [&] { return attribution::pprof(profile); });
    return first;
}

}  // namespace tare::cli
