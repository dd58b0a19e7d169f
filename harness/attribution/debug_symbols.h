// Debug symbols: function symbols that a stripped file has elsewhere: in a separate debug file (by build-id or debug
// link below /usr/lib/debug, or by debuginfod where DEBUGINFOD_URLS is set) or compressed in its .gnu_debugdata.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/attribution/elf_symbols.h"

namespace tare::attribution {

class DebugSymbols {
  public:
    /// No symbols where there is neither. libdwfl finds the file and compares its build-id or checksum.
    [[nodiscard]] static DebugSymbols find(const std::string& path, const ElfFile& file);
    DebugSymbols();
    ~DebugSymbols();
    DebugSymbols(DebugSymbols&&) noexcept;
    DebugSymbols& operator=(DebugSymbols&&) noexcept;

    /// Of one source, kDebugFile or kMiniDebug; names are valid as long as this object.
    [[nodiscard]] const std::vector<FunctionSymbol>& symbols() const { return symbols_; }

  private:
    struct Session;
    std::unique_ptr<Session> session_;
    std::vector<FunctionSymbol> symbols_;
};

}  // namespace tare::attribution
