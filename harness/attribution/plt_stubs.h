// PLT stubs: the jumps through the global offset table by which a file calls others' functions, each named by the
// relocation of the slot it jumps through. Reads the code of the stubs, so that the linker's layout does not matter.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/attribution/elf_file.h"

namespace tare::attribution {

/// What the dynamic linker stores into a slot of the global offset table.
struct SlotRelocation {
    std::uint64_t slot = 0;      ///< address in the ELF file
    std::string_view symbol;     ///< valid as long as the file; empty for IRELATIVE
    std::uint64_t resolver = 0;  ///< of IRELATIVE: the function that chooses
};

struct PltSection {
    std::uint64_t address = 0;
    std::string_view code;
    std::uint64_t entry_bytes = 16;
};

struct PltStub {
    std::uint64_t start = 0;  ///< address in the ELF file
    std::uint64_t end = 0;
    const SlotRelocation* target = nullptr;  ///< null for the header of .plt and for code that is not understood
};

struct PltRelocations {
    std::vector<SlotRelocation> lazy;   ///< of .rela.plt, in its order: lazy entries push their index
    std::vector<SlotRelocation> eager;  ///< JUMP_SLOT, GLOB_DAT and IRELATIVE elsewhere
};

[[nodiscard]] PltRelocations plt_relocations(const ElfFile& file);
[[nodiscard]] std::vector<PltSection> plt_sections(const ElfFile& file);

/// All entries of the sections, by start. `target` points into `relocations`.
[[nodiscard]] std::vector<PltStub> plt_stubs(const std::vector<PltSection>& sections,
                                             const PltRelocations& relocations);

}  // namespace tare::attribution
