// Temporary file, fsync, rename, fsync of the folder.
#include "harness/record/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tare::record {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

core::Error write_error(const std::filesystem::path& path, int error_number) {
    std::string hint = "name another path";
    if (error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG)
        hint = "free some space, or name a path elsewhere";
    return {core::ErrorCode::kEnvironment,
            fmt::format("cannot write '{}': {}", path.string(), std::strerror(error_number)), hint};
}

}  // namespace

core::Expected<AtomicFile> AtomicFile::create(const std::filesystem::path& path) {
    std::error_code ignored;
    std::filesystem::path target = path;
    const auto status = std::filesystem::status(path, ignored);
    if (std::filesystem::is_directory(status)) return tl::unexpected(write_error(path, EISDIR));
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        Descriptor direct(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
        if (!direct.is_open()) return tl::unexpected(write_error(path, errno));
        return AtomicFile(path, {}, std::move(direct));
    }
    if (std::filesystem::exists(status)) target = std::filesystem::canonical(path, ignored);  // keep a symbolic link
    const std::filesystem::path temporary =
        target.parent_path() / fmt::format(".{}.{}.tmp", target.filename().string(), ::getpid());
    Descriptor descriptor(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (!descriptor.is_open()) return tl::unexpected(write_error(path, errno));
    return AtomicFile(target, temporary, std::move(descriptor));
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::move(other.descriptor_)),
      buffer_(std::move(other.buffer_)) {}

AtomicFile::~AtomicFile() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

core::Status AtomicFile::failed(int error_number) const {
    return tl::unexpected(write_error(path_, error_number));
}

core::Status AtomicFile::flush() {
    const int error_number = write_all(descriptor_, buffer_);
    buffer_.clear();
    return error_number == 0 ? core::Status() : failed(error_number);
}

core::Status AtomicFile::write(std::string_view text) {
    buffer_ += text;
    return buffer_.size() < kBufferBytes ? core::Status() : flush();
}

core::Status AtomicFile::commit() {
    if (core::Status status = flush(); !status) return status;
    if (temporary_.empty()) return {};
    if (::fsync(descriptor_.number()) != 0) return failed(errno);
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) return failed(errno);
    temporary_.clear();
    const std::filesystem::path folder = path_.has_parent_path() ? path_.parent_path() : ".";
    const Descriptor parent(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!parent.is_open() || ::fsync(parent.number()) != 0)
        return failed(errno);  // else the name may not outlive a crash
    return {};
}

}  // namespace tare::record
