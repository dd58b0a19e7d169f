// A file that appears whole or not at all: written under a temporary name in the same folder, synced, renamed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/core/error.h"
#include "harness/record/descriptor.h"

namespace tare::record {

class AtomicFile {
  public:
    /// A path that exists and is no regular file (a pipe, /dev/stdout) is written to directly.
    [[nodiscard]] static core::Expected<AtomicFile> create(const std::filesystem::path& path);
    ~AtomicFile();
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&&) = delete;

    [[nodiscard]] core::Status write(std::string_view text);
    /// Makes the file visible under its name. Without it the destructor removes what was written.
    [[nodiscard]] core::Status commit();

  private:
    AtomicFile(std::filesystem::path path, std::filesystem::path temporary, Descriptor descriptor)
        : path_(std::move(path)), temporary_(std::move(temporary)), descriptor_(std::move(descriptor)) {}
    [[nodiscard]] core::Status flush();
    [[nodiscard]] core::Status failed(int error_number) const;

    std::filesystem::path path_;
    std::filesystem::path temporary_;  ///< empty once committed, or if written directly
    Descriptor descriptor_;
    std::string buffer_;
};

}  // namespace tare::record
