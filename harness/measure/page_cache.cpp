// posix_fadvise(POSIX_FADV_DONTNEED), and mincore to see whether the kernel did it: the advice never says no.
#include "harness/measure/page_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include "harness/measure/descriptor.h"

namespace tare::measure {

using core::Error;
using core::ErrorCode;
using core::Expected;
using core::Status;

namespace {

tl::unexpected<Error> refused(const std::string& path, const std::string& why, const std::string& hint = {}) {
    return core::fail(ErrorCode::kEnvironment, fmt::format("cannot evict {} from the page cache: {}", path, why), hint);
}

/// mincore tells the truth only to those who may write the file or own it (Linux 5.2); to others every page is
/// resident.
bool may_know_residence(int descriptor, const std::string& path) {
    struct stat facts {};
    return fstat(descriptor, &facts) == 0 && (facts.st_uid == geteuid() || eaccess(path.c_str(), W_OK) == 0);
}

Expected<std::uint64_t> count_resident(int descriptor, std::size_t size_bytes, std::uint64_t pages,
                                       const std::string& path) {
    void* const start = mmap(nullptr, size_bytes, PROT_READ, MAP_SHARED, descriptor, 0);
    if (start == MAP_FAILED) return refused(path, fmt::format("cannot map it: {}", std::strerror(errno)));
    std::vector<unsigned char> states(pages);
    const int failed = mincore(start, size_bytes, states.data());
    const int reason = errno;
    munmap(start, size_bytes);
    if (failed != 0) return refused(path, fmt::format("mincore: {}", std::strerror(reason)));
    return static_cast<std::uint64_t>(std::count_if(states.begin(), states.end(), [](auto s) { return (s & 1) != 0; }));
}

Error reason_kept(int descriptor, const EvictedFile& file) {
    struct statfs system {};
    if (fstatfs(descriptor, &system) == 0 && (system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC))
        return refused(file.path, "its file system keeps files in memory only (tmpfs)", "put the environment on a disk")
            .value();
    return refused(file.path,
                   fmt::format("{} of its {} pages stayed, as they do while another process maps the file",
                               file.resident_pages, file.pages),
                   "stop the programs that use this environment (fuser names them)")
        .value();
}

Status evict_one(EvictedFile& file) {
    const Descriptor descriptor(open(file.path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!descriptor.is_open()) return refused(file.path, std::strerror(errno));
    struct stat facts {};
    if (fstat(descriptor.get(), &facts) != 0) return refused(file.path, std::strerror(errno));
    if (!S_ISREG(facts.st_mode)) return refused(file.path, "it is no regular file");
    const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const auto size_bytes = static_cast<std::uint64_t>(facts.st_size);
    file.pages = (size_bytes + page_bytes - 1) / page_bytes;
    if (file.pages == 0) return {};
    // Dirty pages stay: those of an environment that was installed a moment ago. A file system that is read-only, or
    // has no notion of syncing, holds none.
    if (fdatasync(descriptor.get()) != 0 && errno != EROFS && errno != EINVAL)
        return refused(file.path, fmt::format("cannot write it to disk first: {}", std::strerror(errno)));
    if (const int refusal = posix_fadvise(descriptor.get(), 0, 0, POSIX_FADV_DONTNEED); refusal != 0)
        return refused(file.path, fmt::format("posix_fadvise: {}", std::strerror(refusal)));
    const Expected<std::uint64_t> resident = count_resident(descriptor.get(), size_bytes, file.pages, file.path);
    if (!resident) return tl::unexpected<Error>(resident.error());
    file.resident_pages = *resident;
    if (file.resident_pages == 0) return {};
    if (!may_know_residence(descriptor.get(), file.path))
        return refused(file.path, "whether it was evicted is told only to its owner and to those who may write it",
                       "measure as that user, or copy the environment");
    return tl::unexpected<Error>(reason_kept(descriptor.get(), file));
}

using Inode = std::pair<dev_t, ino_t>;

std::optional<Inode> inode_of(const std::string& path) {
    struct stat facts {};
    if (stat(path.c_str(), &facts) != 0) return std::nullopt;
    return Inode{facts.st_dev, facts.st_ino};
}

void add_missing_from(const std::vector<std::string>& others, const std::vector<std::string>& files,
                      std::vector<std::string>& found) {
    std::set<Inode> known;
    for (const std::string& path : others)
        if (const auto inode = inode_of(path)) known.insert(*inode);
    for (const std::string& path : files) {
        const auto inode = inode_of(path);
        if (!inode || known.insert(*inode).second) found.push_back(path);  // a second name of a file is no second file
    }
}

}  // namespace

std::vector<EvictedFile> evict(const std::vector<std::string>& paths) {
    std::vector<EvictedFile> files;
    for (const std::string& path : paths) {
        EvictedFile file;
        file.path = path;
        if (const Status done = evict_one(file); !done) file.error = done.error();
        files.push_back(std::move(file));
    }
    return files;
}

std::vector<std::string> mapped_by_one_side(const std::vector<std::string>& files_a,
                                            const std::vector<std::string>& files_b) {
    std::vector<std::string> found;
    add_missing_from(files_b, files_a, found);
    add_missing_from(files_a, files_b, found);
    return found;
}

}  // namespace tare::measure
