// <filesystem> without exceptions; folders are not followed into links' loops, for there is only one level.
#include "harness/history/foreign_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "harness/history/foreign_json.h"
#include "harness/history/gunzip.h"

namespace tare::history {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFileBytes = std::size_t{1} << 30;
constexpr const char* kBenchmarks = "benchmarks.json";
constexpr const char* kMachine = "machine.json";
constexpr int kFoldersAbove = 3;  // PROJECT/.asv/results/MACHINE/FILE

bool is_result(const fs::path& path) {
    const std::string name = path.filename().string();
    return !name.starts_with('.') && name != kBenchmarks && name != kMachine && name != "asv.conf.json" &&
           (name.ends_with(".json") || name.ends_with(".json.gz"));
}

void collect(const fs::path& folder, bool deeper, std::vector<fs::path>& files) {
    std::error_code failure;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
        std::error_code ignored;
        if (entry->is_regular_file(ignored)) {
            if (is_result(entry->path())) files.push_back(entry->path());
        } else if (deeper && entry->is_directory(ignored) && !entry->path().filename().string().starts_with('.')) {
            collect(entry->path(), false, files);
        }
    }
}

core::Expected<AsvSurroundings> read_surroundings(const fs::path& folder) {
    AsvSurroundings surroundings;
    std::error_code ignored;
    if (fs::exists(folder / kMachine, ignored))
        if (const auto text = read_foreign_file(folder / kMachine)) surroundings.machine = parse_asv_machine(*text);
    for (const fs::path& path : {folder / kBenchmarks, folder.parent_path() / kBenchmarks}) {
        if (!fs::exists(path, ignored)) continue;
        const auto text = read_foreign_file(path);
        if (!text) return tl::unexpected(text.error());
        auto benchmarks = parse_asv_benchmarks(*text, path.string());
        if (!benchmarks) return tl::unexpected(benchmarks.error());
        surroundings.benchmarks = *std::move(benchmarks);
        break;
    }
    return surroundings;
}

std::string read_project(fs::path folder) {
    std::error_code ignored;
    for (int i = 0; i < kFoldersAbove && !folder.empty(); ++i) {
        for (const char* file : {"asv.conf.json", "index.json"}) {
            if (!fs::exists(folder / file, ignored)) continue;
            if (const auto text = read_foreign_file(folder / file))
                if (std::string project = parse_asv_project(*text); !project.empty()) return project;
        }
        if (folder == folder.root_path()) break;
        folder = folder.parent_path();
    }
    return {};
}

fs::path folder_of(const fs::path& file) {
    std::error_code failure;
    const fs::path absolute = fs::absolute(file, failure);
    return (failure ? file : absolute).lexically_normal().parent_path();
}

}  // namespace

core::Expected<std::vector<fs::path>> files_of(const fs::path& path) {
    std::error_code failure;
    const fs::file_status status = fs::status(path, failure);
    if (!fs::exists(status))
        return core::fail(
            core::ErrorCode::kUsage,
            fmt::format("cannot read '{}': {}", path.string(), std::strerror(failure ? failure.value() : ENOENT)),
            "name a file or folder of results");
    if (!fs::is_directory(status)) return std::vector<fs::path>{path};
    std::vector<fs::path> files;
    collect(path, true, files);
    std::ranges::sort(files);
    if (files.empty())
        return core::fail(core::ErrorCode::kUsage,
                          fmt::format("'{}' and the folders in it hold no results (.json, .json.gz)", path.string()),
                          "of asv, name the folder that holds benchmarks.json (results_dir of asv.conf.json)");
    return files;
}

core::Expected<std::string> read_foreign_file(const fs::path& path) {
    std::error_code failure;
    const std::uintmax_t size_bytes = fs::file_size(path, failure);
    std::string text;
    if (!failure && size_bytes > kMostFileBytes)
        return tl::unexpected(damaged_file(path.string(), fmt::format("it has more than {} bytes", kMostFileBytes)));
    if (!failure) {
        text.resize(size_bytes);
        errno = 0;
        if (!std::ifstream(path, std::ios::binary).read(text.data(), static_cast<std::streamsize>(size_bytes)))
            failure = std::error_code(errno != 0 ? errno : EIO, std::generic_category());
    }
    if (failure)
        return core::fail(core::ErrorCode::kEnvironment,
                          fmt::format("cannot read '{}': {}", path.string(), failure.message()));
    if (text.empty()) return tl::unexpected(damaged_file(path.string(), "it is empty"));
    if (!is_gzip(text)) return text;
    return gunzip(text, path.string(), kMostFileBytes);
}

const core::Expected<AsvSurroundings>& AsvFolders::around(const fs::path& file) {
    const fs::path folder = folder_of(file);
    const auto found = surroundings_.find(folder);
    return found != surroundings_.end() ? found->second
                                        : surroundings_.emplace(folder, read_surroundings(folder)).first->second;
}

const std::string& AsvFolders::project_of(const fs::path& file) {
    const fs::path folder = folder_of(file);
    const auto found = projects_.find(folder);
    return found != projects_.end() ? found->second : projects_.emplace(folder, read_project(folder)).first->second;
}

}  // namespace tare::history
