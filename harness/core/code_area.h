// CodeArea: what Python's code objects are called, copied by a signal handler from the frames that run them, into
// memory that `bench` shares. Append-only, bounded, lock-free; several threads and forked children write, one process
// reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tare::core {

/// Of a longer table the rest is not kept: a module of thousands of lines, of which those behind have no line.
inline constexpr std::size_t kMostLineTableBytes = 65'536;

/// How a code object's table says which line an instruction is of.
enum class LineFormat : std::uint8_t {
    kLocations,  ///< co_linetable of CPython 3.11 and later (Objects/locations.md)
    kRanges,     ///< co_linetable of 3.10 (PEP 626; Objects/lnotab_notes.txt)
    kSteps,      ///< co_lnotab of 3.9 (likewise)
};

/// What tells code objects apart although one may be freed and its address reused.
struct CodeKey {
    std::uint64_t address = 0;
    std::uint64_t name_address = 0;   ///< of the object co_qualname, or co_name
    std::uint64_t table_address = 0;  ///< of the object co_linetable, or co_lnotab
    std::uint64_t first_line = 0;
    std::uint64_t version = 0;  ///< what else differs: CPython's own number of it (3.12 on), or a hash of its names
    bool operator==(const CodeKey&) const = default;
};

/// Text and tables as they lie in the object; views are valid while the frame runs.
struct CodeText {
    std::string_view file;  ///< UTF-8; a name that is not compact ASCII comes as what could be copied of it
    std::string_view name;  ///< qualified, `Foo.bar.<locals>.baz`, where the object has that (3.11 on)
    std::string_view line_table;
    LineFormat line_format = LineFormat::kLocations;
};

/// A code object, read back.
struct PythonCode {
    std::string file;
    std::string name;
    int first_line = 0;
    std::string line_table;
    LineFormat line_format = LineFormat::kLocations;
    bool operator==(const PythonCode&) const = default;

    /// The source line of the instruction at a byte offset of the bytecode; of -1, before the first, the line where the
    /// definition begins. None: the table has none for it, or is damaged.
    [[nodiscard]] std::optional<int> line_at(std::int32_t offset) const;
};

class CodeArea {
  public:
    /// Over shared memory, zeroed by whoever made it. Both sides use the same bytes.
    explicit CodeArea(std::span<std::byte> memory);

    static constexpr std::uint32_t kFull = UINT32_MAX;

    /// The number of a code object, describing it where it is new. kFull: no room, or another thread is writing the
    /// same one just now. Async-signal-safe: no allocation, no lock, bounded.
    [[nodiscard]] std::uint32_t describe(const CodeKey& key, const CodeText& text) noexcept;
    /// The number of one already described; kFull where it is not. Async-signal-safe.
    [[nodiscard]] std::uint32_t find(const CodeKey& key) const noexcept;
    /// None for a number that was never given, or whose writer died. Everything read is checked against the bounds.
    [[nodiscard]] std::optional<PythonCode> read(std::uint32_t number) const;
    [[nodiscard]] std::size_t described() const;
    [[nodiscard]] std::size_t refused() const;  ///< descriptions, because it was full

  private:
    std::span<std::byte> memory_;
};

}  // namespace tare::core
