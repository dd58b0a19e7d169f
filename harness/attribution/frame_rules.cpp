// libdw reads .eh_frame and .debug_frame and runs their programs; what it says of a place becomes a value here.
#include "harness/attribution/frame_rules.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <span>
#include <string_view>

namespace tare::attribution {

namespace {

constexpr std::size_t kMostRows = 1U << 20;  // 100 MB; beyond, all are read anew

using Kind = RegisterRule::Kind;

bool fits(std::uint64_t number) {
    const auto value = static_cast<std::int64_t>(number);
    return value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
}

Expression expression_of(std::span<const Dwarf_Op> operations) {
    Expression expression;
    for (const Dwarf_Op& op : operations) expression.push_back({op.atom, op.number, op.number2});
    return expression;
}

/// libdw writes every rule as a location: nothing (`is_same` or undefined), a register, or an address, with
/// DW_OP_stack_value at the end where it is the value itself.
RegisterRule rule_of(std::span<const Dwarf_Op> operations, bool is_same, std::vector<Expression>& expressions) {
    if (operations.empty()) return {is_same ? Kind::kSame : Kind::kUnknown};
    const Dwarf_Op& first = operations.front();
    if (operations.size() == 1 && first.atom == DW_OP_regx)
        return first.number < kRegisters ? RegisterRule{Kind::kRegister, static_cast<std::int32_t>(first.number)}
                                         : RegisterRule{};
    const bool is_value = operations.back().atom == DW_OP_stack_value;
    if (is_value) operations = operations.first(operations.size() - 1);
    if (!operations.empty() && first.atom == DW_OP_call_frame_cfa) {
        const Kind kind = is_value ? Kind::kOffset : Kind::kSavedAt;
        if (operations.size() == 1) return {kind, 0};
        if (operations.size() == 2 && operations[1].atom == DW_OP_plus_uconst && fits(operations[1].number))
            return {kind, static_cast<std::int32_t>(operations[1].number)};
    }
    expressions.push_back(expression_of(operations));
    return {is_value ? Kind::kExpression : Kind::kExpressionAt, static_cast<std::int32_t>(expressions.size() - 1)};
}

FrameRule rule_of(Dwarf_Frame* frame) {
    FrameRule rule;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_frame_cfa(frame, &operations, &count) == 0 && count > 0) {
        if (count == 1 && operations->atom == DW_OP_bregx && operations->number < kRegisters) {
            rule.cfa_register = static_cast<std::int32_t>(operations->number);
            rule.cfa_offset = static_cast<std::int64_t>(operations->number2);
        } else {
            rule.cfa = expression_of({operations, count});
        }
    }
    for (std::size_t number = 0; number < kRegisters; ++number) {
        Dwarf_Op memory[3];
        if (dwarf_frame_register(frame, static_cast<int>(number), memory, &operations, &count) != 0) continue;
        rule.registers[number] = rule_of({operations, count}, operations == nullptr, rule.expressions);
    }
    // Of registers that the information does not mention libdw says what the calling convention says, but takes RAX for
    // RBX (elfutils 0.188, x86_64_abi_cfi): the dynamic linker's resolver keeps its frame in RBX.
    constexpr std::size_t kRax = 0;
    constexpr std::size_t kRbx = 3;
    if (rule.registers[kRbx].kind == Kind::kUnknown) rule.registers[kRbx].kind = Kind::kSame;
    if (rule.registers[kRax].kind == Kind::kSame) rule.registers[kRax].kind = Kind::kUnknown;
    return rule;
}

}  // namespace

struct FrameRules::Source {
    Dwarf_CFI* exceptions = nullptr;  // .eh_frame
    Dwarf* debug = nullptr;
    Dwarf_CFI* debug_frame = nullptr;  // owned by `debug`

    explicit Source(const ElfFile& file) : exceptions(dwarf_getcfi_elf(file.elf())) {
        if (file.section(".debug_frame") == nullptr && file.section(".zdebug_frame") == nullptr) return;
        debug = dwarf_begin_elf(file.elf(), DWARF_C_READ, nullptr);
        if (debug != nullptr) debug_frame = dwarf_getcfi(debug);
    }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    ~Source() {
        if (exceptions != nullptr) dwarf_cfi_end(exceptions);
        if (debug != nullptr) dwarf_end(debug);
    }
};

FrameRules::FrameRules(const ElfFile& file) : source_(std::make_unique<Source>(file)) {
    const ElfSection* section = file.section(".eh_frame");
    if (section != nullptr) entries_ = frame_entries(file.bytes(*section), section->address);
}

FrameRules::~FrameRules() = default;
FrameRules::FrameRules(FrameRules&&) noexcept = default;
FrameRules& FrameRules::operator=(FrameRules&&) noexcept = default;

const FrameEntry* FrameRules::entry_around(std::uint64_t address) const {
    const auto after = std::upper_bound(entries_.begin(), entries_.end(), address,
                                        [](std::uint64_t a, const FrameEntry& entry) { return a < entry.start; });
    return after != entries_.begin() && address < std::prev(after)->end ? &*std::prev(after) : nullptr;
}

const FrameRule* FrameRules::find(std::uint64_t address) {
    auto row = rows_.upper_bound(address);
    if (row != rows_.begin() && address < std::prev(row)->second.end) return std::prev(row)->second.rule;
    if (source_->debug_frame == nullptr && entry_around(address) == nullptr) return nullptr;
    if (rows_.size() >= kMostRows) rows_.clear();
    const Row read_row = read(address);
    row = rows_.lower_bound(address);
    while (row != rows_.end() && row->second.end == read_row.end) row = rows_.erase(row);  // later parts of the same
    return rows_.insert_or_assign(row, address, read_row)->second.rule;
}

FrameRules::Row FrameRules::read(std::uint64_t address) {
    ++rules_read_;
    for (Dwarf_CFI* source : {source_->exceptions, source_->debug_frame}) {
        Dwarf_Frame* frame = nullptr;
        if (source == nullptr || dwarf_cfi_addrframe(source, address, &frame) != 0) continue;
        FrameRule rule = rule_of(frame);
        Dwarf_Addr first = 0;
        Dwarf_Addr end = 0;
        bool is_signal_frame = false;
        const bool has_range = dwarf_frame_info(frame, &first, &end, &is_signal_frame) >= 0;
        std::free(frame);
        rule.is_signal_frame = is_signal_frame;
        // Only the end can be trusted: DW_CFA_restore_state gives the row the start of the one that was remembered.
        const bool holds = has_range && address < end;
        return {holds ? end : address + 1, &*rules_.insert(std::move(rule)).first};
    }
    return {address + 1, nullptr};
}

std::size_t FrameRules::bytes() const {
    constexpr std::size_t kTreeNode = 32;  // of libstdc++, without what it holds
    return entries_.capacity() * sizeof(FrameEntry) + rows_.size() * (kTreeNode + sizeof(decltype(rows_)::value_type)) +
           rules_.size() * (kTreeNode + sizeof(FrameRule));
}

}  // namespace tare::attribution
