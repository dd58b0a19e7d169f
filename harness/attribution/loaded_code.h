// Loaded code: which file an address of the process belongs to. Files are shared by the modules that are ranges of them
// and stay known when modules are told anew.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/attribution/unwind_file.h"
#include "harness/core/trace.h"

namespace tare::attribution {

struct CodeAddress {
    bool is_code = false;        ///< in an executable range
    UnwindFile* file = nullptr;  ///< null: memory without a file, or no code
    std::uint64_t bias = 0;
    std::uint64_t address = 0;  ///< in the file
};

class LoadedCode {
  public:
    void set(const std::vector<core::CodeModule>& modules);
    /// Code that a compiler of the process has written, as JitList tells it, listed among the modules or not yet; takes
    /// the place of what it overlaps.
    void add_compiled(std::string object);

    [[nodiscard]] CodeAddress find(std::uint64_t address) const;
    /// Whether `find` is worth its time.
    [[nodiscard]] bool may_hold(std::uint64_t address) const { return address - lowest_ < highest_ - lowest_; }
    /// Of memory that files give and the process cannot write.
    [[nodiscard]] std::optional<std::uint64_t> constant_at(std::uint64_t address) const;

    [[nodiscard]] const auto& files() const { return files_; }  ///< by path and build-id

  private:
    struct Range {
        std::uint64_t start = 0;
        std::uint64_t end = 0;
        std::uint64_t bias = 0;
        UnwindFile* file = nullptr;
    };
    void widen(const Range& range);

    std::map<std::pair<std::string, std::string>, std::unique_ptr<UnwindFile>> files_;
    std::vector<Range> ranges_;  // by start
    std::vector<std::unique_ptr<UnwindFile>> compiled_files_;
    std::map<std::uint64_t, Range> compiled_;  // by start, none overlaps another
    std::uint64_t lowest_ = 0;
    std::uint64_t highest_ = 0;
};

}  // namespace tare::attribution
