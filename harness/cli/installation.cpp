// /proc/self/exe tells where the program lies, links followed: a link to it in another folder finds the same home.
#include "harness/cli/installation.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "harness/cli/build_info.h"
#include "harness/measure/elf_build_id.h"
#include "harness/measure/subject.h"

namespace tare::cli {

namespace fs = std::filesystem;

namespace {

bool holds_package(const fs::path& home) {
    std::error_code failure;
    return fs::exists(home / "python" / "tare" / "_session.py", failure);
}

/// By the program's build-id: another build of it may speak otherwise with its workers.
fs::path built_workers(const fs::path& program) {
    const fs::path cache = measure::default_cache_dir();
    const auto build_id = measure::file_build_id(program);
    constexpr std::size_t kDigits = 16;
    if (cache.empty() || !build_id || build_id->empty()) return {};
    return cache / "workers" / build_id->substr(0, kDigits);
}

fs::path sources_in(const fs::path& home) {
    std::error_code failure;
    for (const fs::path& folder : {home / "sources", home})
        if (fs::exists(folder / "CMakeLists.txt", failure) && fs::exists(folder / "harness" / "worker", failure))
            return folder;
    return {};
}

}  // namespace

core::Expected<Installation> find_installation(const fs::path& program, const fs::path& home, const fs::path& sources) {
    const fs::path folder = program.parent_path();
    fs::path found = home;
    if (found.empty()) found = !program.empty() && holds_package(folder.parent_path()) ? folder.parent_path() : sources;
    if (!holds_package(found))
        return core::fail(core::ErrorCode::kEnvironment,
                          fmt::format("the Python package of tare is not in {}", (found / "python").string()),
                          "install tare anew, or set TARE_HOME to the folder that holds python/tare");
    const fs::path built = built_workers(program);
    std::vector<fs::path> worker_dirs;  // whoever builds one wants that
    if (!built.empty()) worker_dirs.push_back(built);
    worker_dirs.push_back(folder);
    return Installation{.worker_dirs = std::move(worker_dirs),
                        .built_dir = built,
                        .source_dir = sources_in(found),
                        .package_dir = found / "python",
                        .suite_dir = found / "benchmarks" / "numpy",
                        .commit = kCommit};
}

core::Expected<Installation> find_installation() {
    const char* home = std::getenv("TARE_HOME");
    std::error_code failure;
    const fs::path program = fs::read_symlink("/proc/self/exe", failure);
    return find_installation(program, home != nullptr ? home : "", kSourceDir);
}

}  // namespace tare::cli
