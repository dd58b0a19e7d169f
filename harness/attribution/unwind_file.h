// Unwind file: what one file that was loaded as code tells the unwinder: frame rules, call sites, where functions
// start. Read when first asked. Addresses are those of the ELF file, without bias.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/attribution/call_site.h"
#include "harness/attribution/code_rules.h"
#include "harness/attribution/elf_file.h"
#include "harness/attribution/frame_rules.h"
#include "harness/attribution/function_table.h"
#include "harness/attribution/plt_stubs.h"
#include "harness/core/trace.h"

namespace tare::attribution {

class UnwindFile {
  public:
    /// Never fails: a file that is gone, damaged or of another build-id knows nothing.
    explicit UnwindFile(const core::CodeModule& module);
    /// One that a compiler has put into memory, as JitList tells it: its addresses are those of the process.
    explicit UnwindFile(std::string object);

    [[nodiscard]] bool is_readable() const { return elf_.has_value(); }
    [[nodiscard]] std::vector<ElfSection> code_sections() const;
    /// By unwind information; null where there is none. Rules are valid as long as this object.
    [[nodiscard]] const FrameRule* rule_at(std::uint64_t address);
    /// By the code of the function around `address`, at the instruction there; with `after_call`, where `address` is a
    /// return address less 1, at the instruction behind it. Null where the code does not tell.
    [[nodiscard]] const FrameRule* rule_from_code(std::uint64_t address, bool after_call);
    /// What a return address follows. A call of a PLT entry is one of the file's own function of that name; where it
    /// has none, an indirect call.
    [[nodiscard]] CallSite call_before(std::uint64_t return_address);
    /// Of the function or PLT entry around it; nullopt where neither a frame entry nor a symbol reaches there.
    [[nodiscard]] std::optional<std::uint64_t> function_start(std::uint64_t address);
    /// Whether the program or a thread begins in the function around it: for C libraries that do not say so by an
    /// undefined return address.
    [[nodiscard]] bool is_entry(std::uint64_t address);
    /// Of memory that the process cannot write.
    [[nodiscard]] std::optional<std::uint64_t> word_at(std::uint64_t address) const;

    [[nodiscard]] std::uint64_t rules_read() const { return rules_ ? rules_->rules_read() : 0; }
    [[nodiscard]] std::size_t bytes() const;

  private:
    [[nodiscard]] FrameRules& rules();
    [[nodiscard]] std::optional<FunctionRange> function_around(std::uint64_t address);
    /// The PLT entry around it; null where there is none.
    [[nodiscard]] const PltStub* stub_around(std::uint64_t address);
    [[nodiscard]] CallSite call_of_stub(std::uint64_t stub);

    std::optional<ElfFile> elf_;
    std::optional<FrameRules> rules_;
    std::optional<FunctionTable> functions_;
    CodeRules code_rules_;
    std::optional<PltRelocations> relocations_;  // stubs_ point into it
    std::vector<PltStub> stubs_;
    std::unordered_map<std::uint64_t, CallSite> stub_calls_;  // by start
    std::unordered_map<std::uint64_t, CallSite> call_sites_;  // by return address
};

}  // namespace tare::attribution
