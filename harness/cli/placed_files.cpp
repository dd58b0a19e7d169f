// Asks the worker, and evicts.
#include "harness/cli/placed_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>

#include "harness/measure/page_cache.h"

namespace tare::cli {

namespace {

constexpr std::chrono::seconds kFilesLimit{60};

std::vector<std::string> paths_in(const core::Value& list) {
    std::vector<std::string> paths;
    for (const core::Value& path : list.as_list()) paths.push_back(path.as_text());
    return paths;
}

void note_kept(const std::string& path, const std::string& why, record::PageCacheRedraw& redraw) {
    if (std::ranges::find(redraw.kept, path) == redraw.kept.end()) redraw.kept.push_back(path);
    if (redraw.refused.empty()) redraw.refused = why;
}

/// Any program of the same interpreter maps some of these, an editor or a notebook: what is kept of them proves nothing
/// of other code.
bool is_of_standard_library(const std::string& path) {
    return path.find("/lib-dynload/") != std::string::npos;
}

/// The next worker reads the file from disk again: 1.5 GB of it (a library for GPUs) would take seconds a round.
constexpr std::uintmax_t kMostBytes = std::uintmax_t{256} << 20;

}  // namespace

core::Expected<WorkerFiles> files_of(measure::WorkerLink& worker) {
    const core::Expected<core::Value> files = worker.request(core::Map{{"op", "files"}}, kFilesLimit);
    if (!files) return tl::unexpected<core::Error>(files.error());
    return WorkerFiles{paths_in((*files)["mapped"]), paths_in((*files)["code"]), paths_in((*files)["read"])};
}

bool placement_matters(const std::string& path) {
    const std::string name = path.substr(path.rfind('/') + 1);
    const bool is_system = path.starts_with("/usr/lib/") || path.starts_with("/lib") || path.starts_with("/usr/lib64/");
    const bool is_package = path.find("-packages/") != std::string::npos;
    if (!is_system || is_package || name.starts_with("libpython")) return true;
    constexpr std::array kKernels = {"blas", "lapack", "blis", "mkl", "atlas", "flame"};
    return std::ranges::any_of(kKernels, [&](const char* kernel) { return name.find(kernel) != std::string::npos; });
}

void redraw_placement(record::PageCacheRedraw& redraw) {
    if (redraw.files.empty()) return;
    ++redraw.rounds;
    bool all = true;
    for (const measure::EvictedFile& file : measure::evict(redraw.files)) {
        if (!file.error || is_of_standard_library(file.path)) continue;
        all = false;
        const core::Error& error = *file.error;
        note_kept(file.path, error.hint.empty() ? error.what : fmt::format("{}; {}", error.what, error.hint), redraw);
    }
    if (all) ++redraw.rounds_redrawn;
}

core::Status PlacedFiles::learn(measure::WorkerLink& worker) {
    if (asked_) return {};
    asked_ = true;
    core::Expected<WorkerFiles> files = files_of(worker);
    if (!files && files.error().code == core::ErrorCode::kInterrupted)
        return tl::unexpected<core::Error>(files.error());
    if (!files) {
        redraw_.refused = files.error().what;  // what was measured stands
        return {};
    }
    for (const std::string& path : files->code) {
        if (!placement_matters(path)) continue;
        std::error_code failure;
        const std::uintmax_t bytes = std::filesystem::file_size(path, failure);
        if (!failure && bytes > kMostBytes)
            note_kept(path,
                      fmt::format("{} is left where it lies: {} MB take too long to read again", path, bytes >> 20),
                      redraw_);
        else
            redraw_.files.push_back(path);
    }
    return {};
}

bool PlacedFiles::round_starts(int round) {
    if (round == latest_round_) return false;
    latest_round_ = round;
    redraw_placement(redraw_);
    return true;
}

}  // namespace tare::cli
