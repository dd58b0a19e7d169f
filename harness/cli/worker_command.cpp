// A worker that was built counts once it has said hello.
#include "harness/cli/worker_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/cli/message.h"
#include "harness/cli/workbench.h"
#include "harness/cli/worker_builder.h"
#include "harness/core/clock.h"

namespace tare::cli {

using core::Error;
using core::Expected;
using core::Status;

namespace {

/// Starts one and lets it load a statement: it is of the subject's build, and understands us.
Expected<measure::WorkerCommand> tried(const Options& options) {
    SubjectOptions statement = options.subject;
    statement.expression = "x + x";
    statement.setup = "x = 1.5";
    const Expected<Workbench> bench = Workbench::open(statement);
    if (!bench) return tl::unexpected<Error>(bench.error());
    const auto worker = bench->spawn({}, {});
    if (!worker) return tl::unexpected<Error>(worker.error());
    return bench->command();
}

std::string file_of(const measure::WorkerCommand& command) {
    return command.host == measure::Host::kEmbedded ? command.argv.front() : command.argv.back();
}

/// What samples programs of this ABI; on machines that do not sample there is none.
bool has_profile_library(const Installation& installation, const measure::Subject& subject) {
#ifdef __x86_64__
    return std::ranges::any_of(installation.worker_dirs, [&](const std::filesystem::path& folder) {
        std::error_code failure;
        return std::filesystem::exists(folder / fmt::format("libtare_profile.{}.so", subject.abi), failure);
    });
#else
    (void)installation, (void)subject;
    return true;
#endif
}

Status build(const Options& options, const Streams& streams) {
    const Expected<Installation> installation = find_installation();
    if (!installation) return tl::unexpected<Error>(installation.error());
    const auto subject = measure::probe_subject(chosen_python(options.subject), measure::default_cache_dir());
    if (!subject) return tl::unexpected<Error>(subject.error());
    const auto is_there = [&] {
        return !options.worker.anew &&
               measure::choose_worker(*subject, options.subject.host, installation->worker_dirs).has_value() &&
               has_profile_library(*installation, *subject);
    };
    const std::int64_t started_ns = core::wall_clock_ns();
    if (!is_there()) {
        const auto files = build_workers(*installation, *subject, streams, is_there);
        if (!files) return tl::unexpected<Error>(files.error());
    } else {
        const auto there = measure::choose_worker(*subject, options.subject.host, installation->worker_dirs);
        streams.out << fmt::format("there is one for CPython {} already: {}\nbuild it anew: --anew\n", subject->version,
                                   file_of(*there));
        return {};
    }
    const double built_s = static_cast<double>(core::wall_clock_ns() - started_ns) * 1e-9;
    const Expected<measure::WorkerCommand> works = tried(options);
    if (!works) return tl::unexpected<Error>(works.error());
    streams.out << fmt::format("built in {:.0f} s, and it answers: {}\n", built_s, file_of(*works));
    return {};
}

/// A line each: ABI, host, file.
Status list(const Streams& streams) {
    const Expected<Installation> installation = find_installation();
    if (!installation) return tl::unexpected<Error>(installation.error());
    for (const measure::AvailableWorker& worker : measure::available_workers(installation->worker_dirs))
        streams.out << fmt::format("{}  {:10}  {}\n", worker.abi, name_of(worker.host), worker.file.native());
    return {};
}

}  // namespace

ExitCode worker_command(const Options& options, const Streams& streams) {
    const Status done = options.worker.action == WorkerAction::kBuild ? build(options, streams) : list(streams);
    streams.out.flush();
    if (done) return ExitCode::kDone;
    print_error(streams, done.error());
    return exit_code_of(done.error());
}

}  // namespace tare::cli
