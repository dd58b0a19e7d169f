// A folder of one test's own, removed with it, and the files that tests put there. For tests only.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace tare::measure {

class TemporaryFolder {
  public:
    TemporaryFolder() {
        // As maps of memory name it, links resolved.
        std::string name = std::filesystem::canonical(std::filesystem::temp_directory_path()) / "tare_test_XXXXXX";
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
