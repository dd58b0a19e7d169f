// Hands over by exec: nothing of ours is left to forward signals or an exit status.
#include "harness/cli/export_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "harness/cli/installation.h"
#include "harness/cli/message.h"
#include "harness/cli/workbench.h"

namespace tare::cli {

namespace {

core::Error handed_over(const Options& options) {
    const core::Expected<Installation> installation = find_installation();
    if (!installation) return installation.error();
    const core::Expected<measure::Subject> subject =
        measure::probe_subject(chosen_python(options.subject), measure::default_cache_dir());
    if (!subject) return subject.error();
    // The package comes by its own path, in place of the current folder, and not by PYTHONPATH, which is the user's.
    const std::string start = fmt::format(
        "import sys; sys.path[0] = sys.argv.pop(1); from tare.api.export import main; "
        "sys.exit(main(sys.argv[1:]))");
    std::vector<std::string> words{subject->python, "-B", "-c", start, installation->package_dir.string()};
    for (const auto& [option, value] : {std::pair{"--to", options.exported.format}, std::pair{"--out", options.out},
                                        std::pair{"--commit", options.exported.commit}})
        if (!value.empty()) words.push_back(fmt::format("{}={}", option, value));
    words.insert(words.end(), {"--", options.exported.record});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execv(arguments.front(), arguments.data());
    return {core::ErrorCode::kEnvironment, fmt::format("cannot start {}: {}", subject->python, std::strerror(errno)),
            ""};
}

}  // namespace

ExitCode export_command(const Options& options, const Streams& streams) {
    const core::Error error = handed_over(options);
    print_error(streams, error);
    return exit_code_of(error);
}

}  // namespace tare::cli
