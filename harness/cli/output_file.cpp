// access(2) says what open would.
#include "harness/cli/output_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "harness/record/atomic_file.h"

namespace tare::cli {

core::Status check_output(std::string_view option, const std::string& path) {
    if (path.empty()) return {};
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return core::fail(core::ErrorCode::kUsage, fmt::format("{} {}: that is a folder", option, path),
                          "name a file in it");
    const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
    if (access(folder.c_str(), W_OK) != 0)
        return core::fail(
            core::ErrorCode::kUsage,
            fmt::format("{} {}: cannot write to {}: {}", option, path, folder.string(), std::strerror(errno)),
            "create that folder, or name a file in another one");
    return {};
}

core::Status write_file(const std::string& path, std::string_view text) {
    auto file = record::AtomicFile::create(path);
    if (!file) return tl::unexpected<core::Error>(file.error());
    if (core::Status s = file->write(text); !s) return s;
    return file->commit();
}

}  // namespace tare::cli
