// The forms that GNU ld, gold, lld and mold write: [endbr64] [mov r11d, imm] [bnd] jmp *slot(%rip), and the lazy half
// of CET's pairs, endbr64; push index; jmp header.
#include "harness/attribution/plt_stubs.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "harness/attribution/byte_reader.h"
#include "harness/attribution/raw_symbols.h"

namespace tare::attribution {

namespace {

constexpr std::string_view kEndBranch = "\xf3\x0f\x1e\xfa";
constexpr std::string_view kMoveToR11 = "\x41\xbb";
constexpr std::string_view kJumpThroughSlot = "\xff\x25";
constexpr char kBound = '\xf2';
constexpr char kPush = '\x68';

struct DecodedStub {
    enum class Kind { kOther, kSlot, kIndex } kind = Kind::kOther;
    std::uint64_t value = 0;  ///< the slot's address, or the index into .rela.plt
};

DecodedStub decode_stub(std::string_view code, std::uint64_t address) {
    std::size_t at = code.starts_with(kEndBranch) ? kEndBranch.size() : 0;
    if (code.substr(at).starts_with(kMoveToR11)) at += kMoveToR11.size() + sizeof(std::uint32_t);
    if (at < code.size() && code[at] == kBound) ++at;
    if (at >= code.size()) return {};
    if (code.substr(at).starts_with(kJumpThroughSlot)) {
        ByteReader reader(code, at + kJumpThroughSlot.size());
        const std::int64_t displacement = reader.number<std::int32_t>();
        if (!reader.good()) return {};
        return {DecodedStub::Kind::kSlot, address + reader.position() + static_cast<std::uint64_t>(displacement)};
    }
    if (code[at] == kPush) {
        ByteReader reader(code, at + 1);
        const auto index = reader.number<std::uint32_t>();
        if (reader.good()) return {DecodedStub::Kind::kIndex, index};
    }
    return {};
}

}  // namespace

PltRelocations plt_relocations(const ElfFile& file) {
    const RawSymbols dynamic = RawSymbols::of(file, SHT_DYNSYM);
    const auto name = [&](std::size_t index) {
        return index < dynamic.count() ? dynamic.name(dynamic.symbol(index)) : std::string_view{};
    };
    PltRelocations found;
    for (const ElfSection& section : file.sections()) {
        if (section.type != SHT_RELA) continue;
        const bool is_lazy = section.name == ".rela.plt";
        const std::string_view bytes = file.bytes(section);
        for (std::size_t i = 0; i < bytes.size() / sizeof(Elf64_Rela); ++i) {
            Elf64_Rela entry;
            std::memcpy(&entry, bytes.data() + i * sizeof entry, sizeof entry);
            const auto type = ELF64_R_TYPE(entry.r_info);
            const bool is_chosen = type == R_X86_64_IRELATIVE;
            if (!is_lazy && type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT && !is_chosen) continue;
            (is_lazy ? found.lazy : found.eager)
                .push_back(SlotRelocation{entry.r_offset,
                                          is_chosen ? std::string_view{} : name(ELF64_R_SYM(entry.r_info)),
                                          is_chosen ? static_cast<std::uint64_t>(entry.r_addend) : 0});
        }
    }
    return found;
}

std::vector<PltSection> plt_sections(const ElfFile& file) {
    constexpr std::uint64_t kUsualEntryBytes = 16;
    constexpr std::uint64_t kShortEntryBytes = 8;  // .plt.got without CET: the jump alone, padded
    std::vector<PltSection> sections;
    for (const ElfSection& section : file.sections()) {
        if (!section.is_executable() || !(section.name.starts_with(".plt") || section.name == ".iplt")) continue;
        std::uint64_t entry_bytes = section.name == ".plt.got" ? kShortEntryBytes : kUsualEntryBytes;
        // Tables written as 8 hold 16 where CET doubles the entry; other sizes are the linker's word.
        if (section.entry_size >= kShortEntryBytes && section.entry_size <= 4 * kUsualEntryBytes)
            entry_bytes = section.entry_size;
        sections.push_back(PltSection{section.address, file.bytes(section), entry_bytes});
    }
    return sections;
}

std::vector<PltStub> plt_stubs(const std::vector<PltSection>& sections, const PltRelocations& relocations) {
    std::unordered_map<std::uint64_t, const SlotRelocation*> by_slot;
    for (const SlotRelocation& relocation : relocations.eager) by_slot[relocation.slot] = &relocation;
    for (const SlotRelocation& relocation : relocations.lazy) by_slot[relocation.slot] = &relocation;

    std::vector<PltStub> stubs;
    for (const PltSection& section : sections) {
        for (std::uint64_t at = 0; at < section.code.size(); at += section.entry_bytes) {
            const std::string_view code = section.code.substr(at, section.entry_bytes);
            PltStub stub{section.address + at, section.address + at + code.size(), nullptr};
            const DecodedStub decoded = decode_stub(code, stub.start);
            if (decoded.kind == DecodedStub::Kind::kSlot) {
                const auto found = by_slot.find(decoded.value);
                if (found != by_slot.end()) stub.target = found->second;
            } else if (decoded.kind == DecodedStub::Kind::kIndex && decoded.value < relocations.lazy.size()) {
                stub.target = &relocations.lazy[decoded.value];
            }
            stubs.push_back(stub);
        }
    }
    std::sort(stubs.begin(), stubs.end(), [](const PltStub& a, const PltStub& b) { return a.start < b.start; });
    return stubs;
}

}  // namespace tare::attribution
