// The rule of hosts and the names of the workers' files.
#include "harness/measure/worker_command.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gnu/libc-version.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace tare::measure {

using core::ErrorCode;
using core::Expected;
using core::fail;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kProgramPrefix = "bench-worker-";
constexpr std::string_view kModulePrefix = "tare_worker.";
constexpr std::string_view kModuleSuffix = ".so";

// What the subject's python runs in the executable host. `-c` puts '' before its search path; a user's script would
// not have it, and the working directory must not shadow a package.
constexpr const char* kBootstrap = R"PY(import sys
sys.path[:] = [p for p in sys.path if p]
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
path = sys.argv.pop(1)
spec = spec_from_file_location('tare_worker', path, loader=ExtensionFileLoader('tare_worker', path))
module = sys.modules['tare_worker'] = module_from_spec(spec)
spec.loader.exec_module(module)
sys.exit(module.main())
)PY";

std::string worker_file(Host host, const std::string& abi) {
    return host == Host::kEmbedded ? fmt::format("{}{}", kProgramPrefix, abi)
                                   : fmt::format("{}{}{}", kModulePrefix, abi, kModuleSuffix);
}

/// The ABIs of the workers of one host in the folders.
std::set<std::string> available(Host host, const std::vector<fs::path>& worker_dirs) {
    const std::string_view prefix = host == Host::kEmbedded ? kProgramPrefix : kModulePrefix;
    const std::string_view suffix = host == Host::kEmbedded ? std::string_view() : kModuleSuffix;
    std::set<std::string> abis;
    for (const fs::path& folder : worker_dirs) {
        std::error_code failure;
        for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
            const std::string name = entry->path().filename();
            if (name.size() > prefix.size() + suffix.size() && name.starts_with(prefix) && name.ends_with(suffix))
                abis.insert(name.substr(prefix.size(), name.size() - prefix.size() - suffix.size()));
        }
    }
    return abis;
}

/// Empty: none of the folders has it.
fs::path find_worker(Host host, const std::string& abi, const std::vector<fs::path>& worker_dirs) {
    for (const fs::path& folder : worker_dirs)
        if (const fs::path worker = fs::absolute(folder) / worker_file(host, abi);
            ::access(worker.c_str(), host == Host::kEmbedded ? X_OK : R_OK) == 0)
            return worker;
    return {};
}

/// Whether the dynamic linker looks for it there by itself: where the C library lies. Named once more, the folder would
/// come before those that the subject's own modules name.
bool is_found_anyway(const fs::path& library) {
    Dl_info c_library{};
    std::error_code none;
    return dladdr(reinterpret_cast<const void*>(&gnu_get_libc_version), &c_library) != 0 &&
           fs::equivalent(fs::path(c_library.dli_fname).parent_path(), library.parent_path(), none);
}

tl::unexpected<core::Error> no_worker(const Subject& subject, Host host, const std::vector<fs::path>& worker_dirs) {
    const std::set<std::string> abis = available(host, worker_dirs);
    const Host other = host == Host::kEmbedded ? Host::kExecutable : Host::kEmbedded;
    const std::string& buildable = subject.is_script ? subject.executable : subject.python;
    std::string hint = fmt::format("build it, once: bench worker build --python '{}'", buildable);
    if (available(other, worker_dirs).contains(subject.abi))
        hint += fmt::format(", or measure another way of running it: --host {}", name_of(other));
    return fail(
        ErrorCode::kEnvironment,
        fmt::format("no {} worker for '{}' ({}): {} is not in '{}', which has {}", name_of(host), subject.python,
                    subject.version, worker_file(host, subject.abi), worker_dirs.back().native(),
                    abis.empty() ? "none" : fmt::format("{}", fmt::join(abis, ", "))),
        hint);
}

std::string or_none(const std::string& build_id) {
    return build_id.empty() ? "none" : build_id;
}

}  // namespace

std::vector<AvailableWorker> available_workers(const std::vector<fs::path>& worker_dirs) {
    std::vector<AvailableWorker> workers;
    for (const Host host : {Host::kEmbedded, Host::kExecutable})
        for (const std::string& abi : available(host, worker_dirs))
            if (fs::path file = find_worker(host, abi, worker_dirs); !file.empty())
                workers.push_back({abi, host, std::move(file)});
    std::ranges::stable_sort(workers, {}, &AvailableWorker::abi);
    return workers;
}

Expected<WorkerCommand> choose_worker(const Subject& subject, std::optional<Host> override,
                                      const std::vector<fs::path>& worker_dirs, const fs::path& package_dir) {
    WorkerCommand command;
    command.host = override.value_or(subject.is_shared() ? Host::kEmbedded : Host::kExecutable);
    const bool embedded = command.host == Host::kEmbedded;
    const bool other_build = embedded && !subject.is_shared();
    if (other_build && subject.shared_libpython_candidate.empty())
        return fail(ErrorCode::kUsage,
                    fmt::format("--host embedded: '{}' is linked statically and no shared libpython of version {} was "
                                "found beside it",
                                subject.python, subject.version),
                    "leave --host out: the subject's own executable is what its users run");

    const fs::path worker = find_worker(command.host, subject.abi, worker_dirs);
    if (worker.empty()) return no_worker(subject, command.host, worker_dirs);

    const std::string& library = other_build ? subject.shared_libpython_candidate : subject.libpython_path;
    command.expected_version_text = subject.version_text;
    command.expected_build_id = subject.is_shared() ? subject.libpython_build_id : subject.executable_build_id;
    if (other_build) {
        command.expected_version_text = subject.version + ' ';  // the compiler and date in the text may differ
        command.expected_build_id = subject.shared_libpython_candidate_build_id;
        command.warnings.push_back(fmt::format(
            "--host embedded runs another build than '{}': '{}' (build-id {}) in place of '{}' (build-id {})",
            subject.python, library, or_none(command.expected_build_id), subject.real_executable,
            or_none(subject.executable_build_id)));
    }
    if (command.expected_build_id.empty())
        command.warnings.push_back(fmt::format("'{}' has no build-id: only its version is checked",
                                               library.empty() ? subject.real_executable : library));
    if (embedded && subject.is_script)
        command.warnings.push_back(
            fmt::format("'{}' is a script; what it sets does not reach an embedded worker, which runs as '{}'",
                        subject.python, subject.executable));

    command.argv = embedded ? std::vector<std::string>{worker}
                            : std::vector<std::string>{subject.python, "-c", kBootstrap, worker};
    command.environment = {{"TARE_SUBJECT", subject.executable},
                           {"TARE_EXPECT_VERSION", command.expected_version_text},
                           {"TARE_EXPECT_BUILD_ID", command.expected_build_id}};
    if (!package_dir.empty()) command.environment.emplace_back("TARE_PACKAGE", fs::absolute(package_dir));
    const char* inherited = std::getenv("LD_LIBRARY_PATH");
    if (embedded && (inherited != nullptr || !is_found_anyway(library))) {
        const std::string old = inherited == nullptr ? "" : inherited;
        const std::string own = fs::path(library).parent_path();
        command.environment.emplace_back("TARE_RESTORE_LD_LIBRARY_PATH", old);
        command.environment.emplace_back("LD_LIBRARY_PATH", old.empty() ? own : own + ":" + old);
    }
    return command;
}

}  // namespace tare::measure
