// /proc/self/exe tells where the program lies, links followed: a link to it in another folder finds the same home.
#include "harness/cli/installation.h"

#include <fmt/format.h>

#include <cstdlib>

#include "harness/cli/build_info.h"

namespace tare::cli {

namespace fs = std::filesystem;

namespace {

bool holds_package(const fs::path& home) {
    std::error_code failure;
    return fs::exists(home / "python" / "tare" / "_session.py", failure);
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
    return Installation{.worker_dir = folder,
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
