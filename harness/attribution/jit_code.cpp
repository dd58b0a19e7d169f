// The perf map's format: tools/perf/Documentation/jit-interface.txt of Linux. The object's: "JIT Compilation Interface"
// of GDB's manual; LLVM registers ET_REL with sh_addr set.
#include "harness/attribution/jit_code.h"

#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

#include "harness/attribution/elf_file.h"
#include "harness/attribution/elf_symbols.h"
#include "harness/attribution/frame_entries.h"
#include "harness/attribution/function_table.h"
#include "harness/attribution/naming.h"

namespace tare::attribution {

namespace {

/// A hexadecimal number, with or without 0x, and the one space after it, taken off the line.
std::optional<std::uint64_t> take_number(std::string_view& line) {
    if (line.starts_with("0x")) line.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [past, error] = std::from_chars(line.data(), line.data() + line.size(), value, 16);
    if (error != std::errc{}) return std::nullopt;
    line.remove_prefix(static_cast<std::size_t>(past - line.data()));
    if (!line.starts_with(' ')) return std::nullopt;
    line.remove_prefix(1);
    return value;
}

}  // namespace

void JitCode::add(std::uint64_t start, std::uint64_t end, std::string name) {
    auto first = ranges_.lower_bound(start);
    if (first != ranges_.begin() && std::prev(first)->second.end > start) --first;
    ranges_.erase(first, ranges_.lower_bound(end));
    ranges_.emplace(start, Range{end, std::move(name)});
}

std::size_t JitCode::add_perf_map(std::string_view text) {
    std::size_t bad = 0;
    while (!text.empty()) {
        const std::size_t length = text.find('\n');
        if (length == std::string_view::npos) return bad + 1;
        std::string_view line = text.substr(0, length);
        text.remove_prefix(length + 1);
        const auto start = take_number(line);
        const auto size = start ? take_number(line) : std::nullopt;
        if (!size || *size == 0 || *start + *size < *start || line.empty()) {
            ++bad;
            continue;
        }
        // A perf map holds names for people, which may contain anything: only mangled ones are touched.
        const bool is_mangled = line.starts_with("_Z") || line.find("._Z") != std::string_view::npos;
        add(*start, *start + *size, is_mangled ? normalized_name(line) : std::string(line));
    }
    return bad;
}

core::Status JitCode::add_object(std::string_view bytes) {
    const core::Expected<ElfFile> object = ElfFile::from_memory(std::string(bytes));
    if (!object) return tl::unexpected(object.error());
    // The table chooses among aliases. No frame entries: in a relocatable object they are not relocated.
    const std::vector<FunctionSymbol> symbols = function_symbols(*object, SymbolTable::kFull);
    const FunctionTable functions(symbols, {});
    for (const FunctionSymbol& symbol : symbols) {
        const auto range = functions.find(symbol.start);
        if (range && range->start == symbol.start && range->symbol != nullptr)
            add(range->start, range->end, normalized_name(range->symbol->name));
    }
    return {};
}

JitCode::Iterator JitCode::find(std::uint64_t address) const {
    const auto after = ranges_.upper_bound(address);
    if (after == ranges_.begin() || std::prev(after)->second.end <= address) return ranges_.end();
    return std::prev(after);
}

}  // namespace tare::attribution
