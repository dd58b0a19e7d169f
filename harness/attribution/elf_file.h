// One x86-64 ELF file as libelf reads it: its sections, their bytes, its build-id. Bytes are valid as long as the
// ElfFile. Nothing is mapped: a file that shrinks while it is read gives an error, not a signal.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/error.h"

struct Elf;  // libelf's

namespace tare::attribution {

struct ElfSection {
    std::size_t index = 0;  ///< in the file's section table
    std::string name;
    std::uint32_t type = 0;     ///< SHT_...
    std::uint64_t flags = 0;    ///< SHF_...
    std::uint64_t address = 0;  ///< of the ELF file, without bias
    std::uint64_t size = 0;     ///< bytes in memory
    std::uint64_t entry_size = 0;
    std::uint32_t link = 0;  ///< of a symbol table: its string table

    [[nodiscard]] bool is_executable() const;
    [[nodiscard]] bool contains(std::uint64_t other) const { return other >= address && other - address < size; }
};

class ElfFile {
  public:
    /// Errors: kEnvironment where there is no such regular file, kData where it is no ELF file of x86-64.
    [[nodiscard]] static core::Expected<ElfFile> open(const std::string& path);
    [[nodiscard]] static core::Expected<ElfFile> from_memory(std::string bytes);
    ~ElfFile();
    ElfFile(ElfFile&&) noexcept;
    ElfFile& operator=(ElfFile&&) noexcept;

    [[nodiscard]] const std::string& build_id() const { return build_id_; }  ///< hex; empty if it has none
    [[nodiscard]] bool is_relocatable() const { return is_relocatable_; }    ///< ET_REL
    [[nodiscard]] std::uint64_t entry() const { return entry_; }             ///< where the program begins; 0: none
    [[nodiscard]] const std::vector<ElfSection>& sections() const { return sections_; }
    /// Null where there is none.
    [[nodiscard]] const ElfSection* section(std::string_view name) const;
    /// The executable section that holds an address; null where there is none.
    [[nodiscard]] const ElfSection* code_at(std::uint64_t address) const;
    /// Empty for sections without bytes in the file, compressed ones, and those that reach beyond its end.
    [[nodiscard]] std::string_view bytes(const ElfSection& section) const;
    /// Whether a segment that is mapped executable covers these addresses, rounded to pages.
    [[nodiscard]] bool maps_as_code(std::uint64_t start, std::uint64_t end) const;
    /// Bytes from the file's begin to what is loaded at an address; none where no segment of the file is.
    [[nodiscard]] std::optional<std::uint64_t> offset_of(std::uint64_t address) const;
    /// From memory that the process cannot write, read from the file each time; fewer where that ends, 64 KB at most.
    [[nodiscard]] std::string bytes_at(std::uint64_t address, std::size_t size) const;
    /// libelf's, for libdw; valid as long as this object.
    [[nodiscard]] ::Elf* elf() const;

  private:
    struct Handle;
    struct Constant {
        std::uint64_t address = 0;
        std::uint64_t offset = 0;  ///< in the file
        std::uint64_t size = 0;    ///< bytes in the file
    };
    ElfFile();
    [[nodiscard]] static core::Expected<ElfFile> read(ElfFile file, const std::string& what);

    std::unique_ptr<Handle> handle_;
    std::string build_id_;
    bool is_relocatable_ = false;
    std::uint64_t entry_ = 0;
    std::vector<Constant> constants_;  // segments that are not writable
    std::vector<ElfSection> sections_;
};

}  // namespace tare::attribution
