// A folder of one test's own, removed with it, and the files that tests put there. For tests only.
#pragma once

#include <stdlib.h>
#include <sys/statvfs.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace tare::measure {

class TemporaryFolder {
    /// As maps of memory name it, links resolved. Tests start programs that they write: where that folder allows none,
    /// beside the build.
    static std::filesystem::path parent() {
        const std::filesystem::path usual = std::filesystem::canonical(std::filesystem::temp_directory_path());
        struct statvfs system {};
        const bool runs = ::statvfs(usual.c_str(), &system) != 0 || (system.f_flag & ST_NOEXEC) == 0;
        return runs ? usual : std::filesystem::current_path();
    }

  public:
    TemporaryFolder() {
        std::string name = parent() / "tare_test_XXXXXX";
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder: " + name);
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    std::string write(const std::string& name, const std::string& text, bool executable = false) const {
        const std::filesystem::path file = path_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
        if (executable) std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        return file.native();
    }
    /// An executable shell script.
    std::string script(const std::string& name, const std::string& body) const {
        return write(name, "#!/bin/sh\n" + body + "\n", true);
    }

  private:
    std::filesystem::path path_;
};

}  // namespace tare::measure
