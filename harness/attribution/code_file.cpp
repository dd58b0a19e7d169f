// The order of sources: .symtab; where that is missing the separate debug file, else .gnu_debugdata, with .dynsym.
#include "harness/attribution/code_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tare::attribution {

namespace {

constexpr std::string_view kDeleted = " (deleted)";  // what the kernel appends to the path of a removed file

core::NameSource best_of(const std::vector<FunctionSymbol>& symbols, bool has_frames) {
    core::NameSource best = has_frames ? core::NameSource::kFrameEntry : core::NameSource::kNone;
    for (const FunctionSymbol& symbol : symbols) best = std::min(best, symbol.source);
    return best;
}

}  // namespace

CodeFile::CodeFile(const std::string& path, const std::string& build_id, std::uint64_t start, std::uint64_t end)
    : path_(path) {
    core::Expected<ElfFile> opened = ElfFile::open(path);
    if (!opened) {
        const bool is_removed = path.ends_with(kDeleted);
        problem_ = is_removed ? "the file was removed or replaced since it was loaded" : opened.error().what;
    } else if (opened->build_id() != build_id) {
        problem_ = fmt::format("the file was replaced since it was loaded: its build-id is {}, that in memory {}",
                               opened->build_id().empty() ? "missing" : opened->build_id(),
                               build_id.empty() ? "missing" : build_id);
    } else if (build_id.empty() && !opened->maps_as_code(start, end)) {
        problem_ = "the file has no build-id, and its segments are not those in memory";
    } else {
        elf_ = std::move(*opened);
    }
}

void CodeFile::read() {
    is_read_ = true;
    std::vector<FunctionSymbol> symbols = function_symbols(*elf_, SymbolTable::kFull);
    if (symbols.empty()) {
        debug_ = DebugSymbols::find(path_, *elf_);
        symbols = function_symbols(*elf_, SymbolTable::kDynamic);
        symbols.insert(symbols.end(), debug_.symbols().begin(), debug_.symbols().end());
    }
    std::vector<FrameEntry> frames;
    if (const ElfSection* section = elf_->section(".eh_frame"))
        frames = frame_entries(elf_->bytes(*section), section->address);
    // Linkers leave the entries of functions that they dropped, with addresses where no code is.
    const ElfSection* code = nullptr;
    std::erase_if(frames, [&](const FrameEntry& frame) {
        if (code == nullptr || !code->contains(frame.start)) code = elf_->code_at(frame.start);
        return code == nullptr || !code->contains(frame.end - 1);
    });
    best_source_ = best_of(symbols, !frames.empty());
    functions_ = FunctionTable(std::move(symbols), std::move(frames));
    relocations_ = plt_relocations(*elf_);
    stubs_ = plt_stubs(plt_sections(*elf_), relocations_);
}

std::optional<CodePlace> CodeFile::find(std::uint64_t address) {
    if (!elf_) return std::nullopt;
    if (!is_read_) read();
    const auto after = std::upper_bound(stubs_.begin(), stubs_.end(), address,
                                        [](std::uint64_t a, const PltStub& stub) { return a < stub.start; });
    if (after != stubs_.begin() && address < std::prev(after)->end) {
        const PltStub& stub = *std::prev(after);
        std::string symbol = symbol_of(stub);
        const auto source = symbol.empty() ? core::NameSource::kFrameEntry : core::NameSource::kStub;
        return CodePlace{stub.start, stub.end, std::move(symbol), source};
    }
    const std::optional<FunctionRange> range = functions_.find(address);
    if (!range) return std::nullopt;
    if (range->symbol == nullptr) return CodePlace{range->start, range->end, {}, core::NameSource::kFrameEntry};
    return CodePlace{range->start, range->end, std::string(range->symbol->name), range->symbol->source};
}

std::optional<std::uint64_t> CodeFile::address_of(std::string_view symbol) const {
    if (!elf_) return std::nullopt;
    const auto address = symbol_address(*elf_, SymbolTable::kFull, symbol);
    return address ? address : symbol_address(*elf_, SymbolTable::kDynamic, symbol);
}

std::string CodeFile::symbol_of(const PltStub& stub) const {
    if (stub.target == nullptr) return {};
    std::string_view name = stub.target->symbol;
    if (name.empty()) {
        // IRELATIVE: the file's own function, chosen when it is loaded; its name stands at the function that chooses.
        const FunctionSymbol* resolver = functions_.symbol_at(stub.target->resolver);
        if (resolver == nullptr) return {};
        name = resolver->name;
    }
    return fmt::format("{}@plt", name.substr(0, name.find('@')));
}

}  // namespace tare::attribution
