// Code file: one file that was loaded as code, and everything it tells about the functions in it, read once.
// Addresses are those of the ELF file, without bias.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/attribution/debug_symbols.h"
#include "harness/attribution/elf_file.h"
#include "harness/attribution/function_table.h"
#include "harness/attribution/plt_stubs.h"
#include "harness/core/ledger.h"

namespace tare::attribution {

struct CodePlace {
    std::uint64_t start = 0;  ///< of the function
    std::uint64_t end = 0;    ///< past it
    std::string symbol;       ///< as the file has it: mangled, versioned; `malloc@plt` of a stub; empty: no name
    core::NameSource source = core::NameSource::kFrameEntry;
};

class CodeFile {
  public:
    /// Never fails: a file that is gone, damaged or of another build-id knows no places and has a problem.
    /// `start` and `end` are the executable range in memory without bias, by which a file without build-id is compared.
    CodeFile(const std::string& path, const std::string& build_id, std::uint64_t start, std::uint64_t end);

    [[nodiscard]] const std::string& problem() const { return problem_; }
    /// The best source of names that the file offers; kFrameEntry or kNone where it offers none, or before find.
    [[nodiscard]] core::NameSource best_source() const { return best_source_; }
    /// nullopt: the file does not tell where the function there starts. The first call reads the symbols.
    [[nodiscard]] std::optional<CodePlace> find(std::uint64_t address);
    /// Of a symbol of any type in .symtab or .dynsym.
    [[nodiscard]] std::optional<std::uint64_t> address_of(std::string_view symbol) const;

  private:
    void read();
    [[nodiscard]] std::string symbol_of(const PltStub& stub) const;

    std::string path_;
    std::string problem_;  // why there is no elf_; may be empty
    core::NameSource best_source_ = core::NameSource::kNone;
    std::optional<ElfFile> elf_;
    bool is_read_ = false;
    DebugSymbols debug_;  // owns names in functions_
    FunctionTable functions_;
    PltRelocations relocations_;  // stubs_ point into it
    std::vector<PltStub> stubs_;
};

}  // namespace tare::attribution
