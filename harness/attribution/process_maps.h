// ProcessMaps: the code of a process, from the text of its /proc/PID/maps and the files that it names. Each file is
// read once. Any one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/trace.h"

namespace tare::attribution {

class ProcessMaps {
  public:
    /// All executable mappings, by start: of files, of the [vdso], and (with an empty path) of memory without a file.
    /// A file that is gone, or is no ELF file, has the bias of one that nobody has relocated, and no build-id.
    [[nodiscard]] std::vector<core::CodeModule> modules(std::string_view maps);

  private:
    struct CodeSection {
        std::uint64_t address = 0;
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
    };
    struct File {
        std::string build_id;
        std::vector<CodeSection> code;
    };
    [[nodiscard]] const File& file(const std::string& path);

    std::map<std::string, File> files_;
};

}  // namespace tare::attribution
