// readdir and fstatat: a path object per file would take longer than both.
#include "harness/history/record_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>

namespace tare::history {

namespace {

struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

bool is_record_name(std::string_view name) {
    return !name.starts_with('.') && name.ends_with(".json");
}

}  // namespace

std::vector<RecordFile> list_record_files(const std::filesystem::path& folder) {
    std::vector<RecordFile> files;
    const std::unique_ptr<DIR, CloseFolder> opened(::opendir(folder.c_str()));
    if (!opened) return files;
    while (const dirent* entry = ::readdir(opened.get())) {
        if (!is_record_name(entry->d_name)) continue;
        struct stat facts {};
        if (::fstatat(::dirfd(opened.get()), entry->d_name, &facts, 0) != 0) continue;  // removed meanwhile
        files.push_back(
            {entry->d_name, facts.st_size, std::int64_t{facts.st_mtim.tv_sec} * 1'000'000'000 + facts.st_mtim.tv_nsec});
    }
    std::sort(files.begin(), files.end(), [](const RecordFile& a, const RecordFile& b) { return a.name < b.name; });
    return files;
}

bool is_missing(const std::filesystem::path& path) {
    struct stat facts {};
    return ::stat(path.c_str(), &facts) != 0 && errno == ENOENT;
}

}  // namespace tare::history
