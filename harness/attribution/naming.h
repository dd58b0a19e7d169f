// Naming: which function an address belongs to, and what it is called. Reads the ELF files of a worker's modules (their
// own symbols, separate debug files by build-id or debuginfod), Python's tables, JIT objects and perf maps. Never the
// nearest symbol beyond its size. Any one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/error.h"
#include "harness/core/ledger.h"
#include "harness/core/trace.h"

namespace tare::attribution {

struct Function {
    std::size_t module = 0;   ///< index into modules()
    std::uint64_t start = 0;  ///< in the worker's memory
    std::uint64_t end = 0;    ///< past it; start where nothing is known
    std::string name;   ///< as normalized_name says; `libc.so.6+0x9a2b0` (address in the file) where there is none,
                        ///< `[compiled]+0x7f...` in memory without a file
    std::string alias;  ///< what Python's tables call it, if it has another name too; may be empty
    core::NameSource source = core::NameSource::kNone;
    bool is_part = false;  ///< a part that the compiler split off (`foo.cold`): belongs to the function of that name
};

struct NamedModule {
    core::CodeModule module;
    core::NameSource symbols = core::NameSource::kNone;  ///< the best that its file offers; kNone before it is read
    std::string problem;  ///< why it has no names: "the file was replaced since"; "no ELF file"; may be empty
};

class Naming {
  public:
    /// Files are read when an address in them is first asked for. A file that is damaged, gone or of another build-id
    /// than in memory gives no names and a `problem`.
    Naming(const std::vector<core::CodeModule>& modules, const std::vector<core::PythonName>& python_names);
    ~Naming();
    Naming(Naming&&) noexcept;
    Naming& operator=(Naming&&) noexcept;

    /// Python's names and modules of a later trace of the same process.
    void add(const std::vector<core::CodeModule>& modules, const std::vector<core::PythonName>& python_names);
    /// The text of /tmp/perf-<pid>.map: lines `start size name`, hexadecimal. Bad lines are counted, not used.
    /// Returns how many lines were bad.
    std::size_t add_perf_map(std::string_view text);
    /// An ELF object as GDB's JIT interface registers it: section addresses are those in memory. Errors: kData.
    [[nodiscard]] core::Status add_jit_object(std::string_view bytes);

    /// Never fails: an address of no module belongs to the module of code compiled at run time.
    /// The reference stays valid as long as the Naming; a name that `add` tells later is filled in.
    [[nodiscard]] const Function& function_at(std::uint64_t address);
    [[nodiscard]] const std::vector<NamedModule>& modules() const;
    /// The address of a symbol in any module's .symtab or .dynsym, e.g. `__jit_debug_descriptor`.
    [[nodiscard]] std::optional<std::uint64_t> address_of(std::string_view symbol);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Without clone suffixes (.constprop.0, .isra.0, .part.0, .cold, .lto_priv.0, .llvm.123, .localalias) and symbol
/// version; C++ demangled, without argument list and template arguments: `np::sort::heapsort_`, `__main__::f`.
/// `foo@plt` keeps its ending.
[[nodiscard]] std::string normalized_name(std::string_view symbol);

}  // namespace tare::attribution
