// Each table is made when a sample first needs it: most files of a process are never met.
#include "harness/attribution/unwind_file.h"

#include <elf.h>
#include <sys/auxv.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

namespace tare::attribution {

namespace {

constexpr std::size_t kMostCallSites = 1U << 20;  // 50 MB; words of damaged stacks may be anything
constexpr std::size_t kLongestFunction = 65536;   // OpenBLAS's longest kernel for x86-64 has 45 KB
constexpr std::uint64_t kEntryBytes = 64;         // of a `_start` without symbol: glibc's has 34

/// The kernel gives every process the same vdso: ours is read. Its section table lies at its end.
core::Expected<ElfFile> own_vdso() {
    const auto* image = reinterpret_cast<const char*>(::getauxval(AT_SYSINFO_EHDR));
    if (image == nullptr) return core::fail(core::ErrorCode::kEnvironment, "there is no [vdso]");
    Elf64_Ehdr header;
    std::memcpy(&header, image, sizeof header);
    return ElfFile::from_memory(std::string(image, header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize));
}

bool is_as_loaded(const ElfFile& file, const core::CodeModule& module) {
    if (file.build_id() != module.build_id) return false;
    return !module.build_id.empty() || file.maps_as_code(module.start - module.bias, module.end - module.bias);
}

}  // namespace

UnwindFile::UnwindFile(const core::CodeModule& module) {
    if (module.path.empty()) return;
    core::Expected<ElfFile> file = module.path == "[vdso]" ? own_vdso() : ElfFile::open(module.path);
    if (file && is_as_loaded(*file, module)) elf_ = std::move(*file);
}

UnwindFile::UnwindFile(std::string object) {
    core::Expected<ElfFile> file = ElfFile::from_memory(std::move(object));
    if (file && file->is_relocatable()) elf_ = std::move(*file);
}

std::vector<ElfSection> UnwindFile::code_sections() const {
    std::vector<ElfSection> found;
    if (elf_) std::ranges::copy_if(elf_->sections(), std::back_inserter(found), &ElfSection::is_executable);
    return found;
}

FrameRules& UnwindFile::rules() {
    if (!rules_) rules_.emplace(*elf_);
    return *rules_;
}

const FrameRule* UnwindFile::rule_at(std::uint64_t address) {
    return elf_ ? rules().find(address) : nullptr;
}

const FrameRule* UnwindFile::rule_from_code(std::uint64_t address, bool after_call) {
    const auto function = elf_ ? function_around(address) : std::nullopt;
    if (!function || function->end - function->start > kLongestFunction) return nullptr;
    return code_rules_.find(function->start, address + (after_call ? 1 : 0),
                            [&] { return elf_->bytes_at(function->start, function->end - function->start); });
}

CallSite UnwindFile::call_before(std::uint64_t return_address) {
    if (!elf_) return {};
    if (const auto known = call_sites_.find(return_address); known != call_sites_.end()) return known->second;
    if (call_sites_.size() >= kMostCallSites) call_sites_.clear();
    const std::string before = elf_->bytes_at(return_address - kLongestCall, kLongestCall);
    CallSite site;
    if (before.size() == kLongestCall) site = attribution::call_before(before, return_address);
    if (site.kind == CallSite::Kind::kDirect) {
        const ElfSection* section = elf_->code_at(site.target);
        if (section == nullptr)
            site = {};
        else if (section->name.starts_with(".plt"))
            site = call_of_stub(site.target);
    }
    return call_sites_.emplace(return_address, site).first->second;
}

const PltStub* UnwindFile::stub_around(std::uint64_t address) {
    if (!relocations_) {
        relocations_ = plt_relocations(*elf_);
        stubs_ = plt_stubs(plt_sections(*elf_), *relocations_);
    }
    const auto after = std::upper_bound(stubs_.begin(), stubs_.end(), address,
                                        [](std::uint64_t a, const PltStub& stub) { return a < stub.start; });
    return after != stubs_.begin() && address < std::prev(after)->end ? &*std::prev(after) : nullptr;
}

CallSite UnwindFile::call_of_stub(std::uint64_t stub) {
    const auto [known, is_new] = stub_calls_.try_emplace(stub, CallSite{CallSite::Kind::kIndirect, 0});
    if (!is_new) return known->second;
    const PltStub* found = stub_around(stub);
    if (found == nullptr || found->start != stub || found->target == nullptr) return known->second;
    const std::string_view name = found->target->symbol;
    const auto target = symbol_address(*elf_, SymbolTable::kDynamic, name.substr(0, name.find('@')));
    if (target) known->second = {CallSite::Kind::kDirect, *target};
    return known->second;
}

std::optional<std::uint64_t> UnwindFile::function_start(std::uint64_t address) {
    if (!elf_) return std::nullopt;
    if (const FrameEntry* entry = rules().entry_around(address)) return entry->start;
    const auto function = function_around(address);
    return function ? std::optional(function->start) : std::nullopt;
}

bool UnwindFile::is_entry(std::uint64_t address) {
    if (!elf_) return false;
    const auto function = function_around(address);
    if (elf_->entry() != 0 && function && function->start == elf_->entry()) return true;
    if (!function) return elf_->entry() != 0 && address - elf_->entry() < kEntryBytes;
    // glibc's clone ends its frame entry before the part that the new thread runs.
    constexpr std::array<std::string_view, 5> kEntries = {"_start", "clone", "__clone", "clone3", "__clone3"};
    if (function->symbol == nullptr) return false;
    const std::string_view name = function->symbol->name;
    return std::find(kEntries.begin(), kEntries.end(), name.substr(0, name.find('@'))) != kEntries.end();
}

std::optional<std::uint64_t> UnwindFile::word_at(std::uint64_t address) const {
    std::uint64_t word = 0;
    const std::string bytes = elf_ ? elf_->bytes_at(address, sizeof word) : std::string();
    if (bytes.size() < sizeof word) return std::nullopt;
    std::memcpy(&word, bytes.data(), sizeof word);
    return word;
}

std::optional<FunctionRange> UnwindFile::function_around(std::uint64_t address) {
    if (!functions_) {
        std::vector<FunctionSymbol> symbols = function_symbols(*elf_, SymbolTable::kFull);
        if (symbols.empty()) symbols = function_symbols(*elf_, SymbolTable::kDynamic);
        functions_.emplace(std::move(symbols), rules().entries());
    }
    const auto function = functions_->find(address);
    const PltStub* stub = function ? nullptr : stub_around(address);  // lld writes no unwind information for them
    return stub == nullptr ? function : FunctionRange{stub->start, stub->end, nullptr};
}

std::size_t UnwindFile::bytes() const {
    constexpr std::size_t kHashNode = 16;  // of libstdc++, without what it holds
    return (rules_ ? rules_->bytes() : 0) + code_rules_.bytes() +
           call_sites_.size() * (kHashNode + sizeof(decltype(call_sites_)::value_type));
}

}  // namespace tare::attribution
