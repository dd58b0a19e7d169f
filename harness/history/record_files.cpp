// readdir and fstatat: a path object per file would take longer than both.
#include "harness/history/record_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

namespace tare::history {

namespace {

struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

bool is_record_name(std::string_view name) {
    return !name.starts_with('.') && name.ends_with(".json");
}

core::Error unreadable(std::string_view what, const std::filesystem::path& path, std::string_view why) {
    return {core::ErrorCode::kEnvironment, fmt::format("cannot read {} '{}': {}", what, path.string(), why), ""};
}

/// Why a name in the folder has no file; none where it was removed meanwhile.
std::optional<std::string> why_out_of_reach(int folder, const char* name, int failure) {
    if (failure != ENOENT) return std::strerror(failure);
    struct stat facts {};
    if (::fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
    return "the link leads nowhere";
}

}  // namespace

core::Expected<RecordListing> list_record_files(const std::filesystem::path& folder) {
    RecordListing listing;
    std::vector<RecordFile>& files = listing.files;
    const std::unique_ptr<DIR, CloseFolder> opened(::opendir(folder.c_str()));
    if (!opened && errno == ENOENT) return listing;
    if (!opened) return tl::unexpected(unreadable("the folder of records", folder, std::strerror(errno)));
    for (;;) {
        errno = 0;
        const dirent* entry = ::readdir(opened.get());
        if (entry == nullptr && errno != 0)
            return tl::unexpected(unreadable("the folder of records", folder, std::strerror(errno)));
        if (entry == nullptr) break;
        if (!is_record_name(entry->d_name)) continue;
        struct stat facts {};
        if (::fstatat(::dirfd(opened.get()), entry->d_name, &facts, 0) != 0) {
            if (const auto why = why_out_of_reach(::dirfd(opened.get()), entry->d_name, errno))
                listing.unreachable.push_back({entry->d_name, unreadable("record", folder / entry->d_name, *why)});
            continue;
        }
        files.push_back(
            {entry->d_name, facts.st_size, std::int64_t{facts.st_mtim.tv_sec} * 1'000'000'000 + facts.st_mtim.tv_nsec});
    }
    std::sort(files.begin(), files.end(), [](const RecordFile& a, const RecordFile& b) { return a.name < b.name; });
    return listing;
}

bool is_missing(const std::filesystem::path& path) {
    struct stat facts {};
    return ::stat(path.c_str(), &facts) != 0 && errno == ENOENT;
}

}  // namespace tare::history
