// Creating, locking and appending.
#include "harness/record/journal_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tare::record {

core::Error journal_error(std::string_view action, const std::filesystem::path& path, int error_number) {
    return {core::ErrorCode::kEnvironment,
            fmt::format("cannot {} journal '{}': {}", action, path.string(), std::strerror(error_number)),
            "free some space, or give another folder with --store"};
}

core::Expected<JournalFile> JournalFile::create(const std::filesystem::path& folder, std::string_view name,
                                                std::string_view beginning) {
    const std::filesystem::path path = folder / fmt::format("{}{}", name, kJournalSuffix);
    // It gets its name only when it is locked and begun, so that a bench that recovers never sees a blank one.
    const std::filesystem::path unborn = path.string() + fmt::format(".{}.new", ::getpid());
    Descriptor descriptor(::open(unborn.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666));
    if (!descriptor.is_open()) return tl::unexpected(journal_error("create", path, errno));
    if (::flock(descriptor.number(), LOCK_EX | LOCK_NB) != 0) return tl::unexpected(journal_error("lock", path, errno));
    JournalFile file(path, std::move(descriptor));
    core::Status status = file.append(beginning);
    if (status && std::rename(unborn.c_str(), path.c_str()) != 0)
        status = tl::unexpected(journal_error("create", path, errno));
    if (!status) {
        ::unlink(unborn.c_str());
        return tl::unexpected(status.error());
    }
    return file;
}

core::Status JournalFile::append(std::string_view lines) {
    struct stat before {};
    if (::fstat(descriptor_.number(), &before) != 0) return tl::unexpected(journal_error("write", path_, errno));
    int error_number = write_all(descriptor_, lines);
    if (error_number == 0 && ::fdatasync(descriptor_.number()) != 0) error_number = errno;
    if (error_number == 0) return {};
    core::Error error = journal_error("write", path_, error_number);
    if (::ftruncate(descriptor_.number(), before.st_size) != 0) error.what += "; its last line is torn";
    error.hint += "; what it holds so far is recovered by the next command";
    return tl::unexpected(std::move(error));
}

core::Status JournalFile::remove() {
    if (::unlink(path_.c_str()) != 0 && errno != ENOENT) return tl::unexpected(journal_error("remove", path_, errno));
    descriptor_.close();
    return {};
}

}  // namespace tare::record
