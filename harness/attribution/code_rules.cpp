// Forward data flow over the function's instructions, which Zydis decodes: what each register is worth in terms of the
// CFA, and where entry values were saved. Two paths that meet keep what they agree on.
#include "harness/attribution/code_rules.h"

#include <Zydis/Zydis.h>

#include <optional>
#include <utility>
#include <vector>

namespace tare::attribution {

namespace {

constexpr int kMostSweeps = 32;  // over a function; each loop nested in another may need one more
constexpr std::size_t kGeneral = 16;
constexpr std::size_t kPushedBytes = 8;
constexpr std::uint32_t kKeptByCalls = 1U << 3 | 1U << 6 | 1U << 7 | 0xf000;  // rbx, rbp, rsp, r12 to r15

using Kind = RegisterRule::Kind;

/// What a register holds: CFA + offset, the caller's value of a register, or something else.
struct Worth {
    enum class Kind : std::uint8_t { kOther, kOffset, kEntry };
    Kind kind = Kind::kOther;
    std::int64_t number = 0;
    bool operator==(const Worth&) const = default;
};

struct FlowState {
    std::array<Worth, kGeneral> registers{};
    std::map<std::int64_t, std::int64_t> saved;  ///< by offset from the CFA: whose entry value lies there
    bool operator==(const FlowState&) const = default;
};

struct Decoded {
    ZydisDecodedInstruction instruction;
    std::vector<ZydisDecodedOperand> operands;
    std::uint64_t address = 0;
};

/// In DWARF's order.
std::optional<std::size_t> general_register(ZydisRegister name) {
    if (name == ZYDIS_REGISTER_NONE) return std::nullopt;
    const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
    if (ZydisRegisterGetClass(whole) != ZYDIS_REGCLASS_GPR64) return std::nullopt;
    constexpr std::array<std::size_t, kGeneral> kDwarf = {0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15};
    return kDwarf[static_cast<std::uint8_t>(ZydisRegisterGetId(whole))];
}

bool is_whole(ZydisRegister name) {
    return ZydisRegisterGetClass(name) == ZYDIS_REGCLASS_GPR64;
}

/// CFA + offset of a memory operand, where it is known.
std::optional<std::int64_t> place_of(const ZydisDecodedOperand& operand, const FlowState& state) {
    if (operand.mem.index != ZYDIS_REGISTER_NONE) return std::nullopt;
    const auto base = general_register(operand.mem.base);
    if (!base || state.registers[*base].kind != Worth::Kind::kOffset) return std::nullopt;
    return state.registers[*base].number + operand.mem.disp.value;
}

void forget(FlowState& state, std::int64_t place, std::int64_t bytes) {
    std::erase_if(state.saved, [&](const auto& slot) {
        return slot.first < place + bytes && place < slot.first + std::int64_t{kPushedBytes};
    });
}

Worth loaded(const FlowState& state, std::optional<std::int64_t> place) {
    const auto slot = place ? state.saved.find(*place) : state.saved.end();
    return slot == state.saved.end() ? Worth{} : Worth{Worth::Kind::kEntry, slot->second};
}

Worth moved(Worth worth, std::int64_t by) {
    if (worth.kind != Worth::Kind::kOffset) return {};
    return {Worth::Kind::kOffset, worth.number + by};
}

/// What the destination of mov, lea, add, sub is worth afterwards.
Worth result_of(const Decoded& decoded, const FlowState& state) {
    const ZydisDecodedOperand& to = decoded.operands[0];
    const ZydisDecodedOperand& from = decoded.operands[1];
    const auto source = from.type == ZYDIS_OPERAND_TYPE_REGISTER && is_whole(from.reg.value)
                            ? general_register(from.reg.value)
                            : std::nullopt;
    switch (decoded.instruction.mnemonic) {
        case ZYDIS_MNEMONIC_MOV:
            if (source) return state.registers[*source];
            if (from.type == ZYDIS_OPERAND_TYPE_MEMORY) return loaded(state, place_of(from, state));
            return {};
        case ZYDIS_MNEMONIC_LEA: {
            const auto place = place_of(from, state);
            return place ? Worth{Worth::Kind::kOffset, *place} : Worth{};
        }
        case ZYDIS_MNEMONIC_ADD:
        case ZYDIS_MNEMONIC_SUB: {
            if (from.type != ZYDIS_OPERAND_TYPE_IMMEDIATE) return {};
            const std::int64_t by = from.imm.value.s;
            const Worth before = state.registers[*general_register(to.reg.value)];
            return moved(before, decoded.instruction.mnemonic == ZYDIS_MNEMONIC_ADD ? by : -by);
        }
        default:
            return {};
    }
}

void push(FlowState& state, const ZydisDecodedOperand& operand) {
    Worth& top = state.registers[core::kStackPointer];
    const auto source =
        operand.type == ZYDIS_OPERAND_TYPE_REGISTER ? general_register(operand.reg.value) : std::nullopt;
    const Worth value = source ? state.registers[*source] : Worth{};
    top = moved(top, -std::int64_t{kPushedBytes});
    if (top.kind != Worth::Kind::kOffset) return;
    forget(state, top.number, kPushedBytes);
    if (value.kind == Worth::Kind::kEntry) state.saved[top.number] = value.number;
}

Worth popped(FlowState& state) {
    Worth& top = state.registers[core::kStackPointer];
    const Worth value = top.kind == Worth::Kind::kOffset ? loaded(state, std::optional(top.number)) : Worth{};
    top = moved(top, kPushedBytes);
    return value;
}

/// The state behind an instruction.
FlowState after(const Decoded& decoded, FlowState state) {
    const ZydisDecodedInstruction& instruction = decoded.instruction;
    if (instruction.meta.category == ZYDIS_CATEGORY_CALL) {
        for (std::size_t i = 0; i < kGeneral; ++i)
            if ((kKeptByCalls >> i & 1) == 0) state.registers[i] = {};
        const Worth top = state.registers[core::kStackPointer];
        if (top.kind == Worth::Kind::kOffset)
            std::erase_if(state.saved, [&](const auto& slot) { return slot.first < top.number; });
        return state;
    }
    const bool has_word = instruction.operand_width == 64;
    if (instruction.mnemonic == ZYDIS_MNEMONIC_PUSH && has_word) {
        push(state, decoded.operands[0]);
        return state;
    }
    if (instruction.mnemonic == ZYDIS_MNEMONIC_POP && has_word &&
        decoded.operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER) {
        const Worth value = popped(state);
        if (const auto to = general_register(decoded.operands[0].reg.value)) state.registers[*to] = value;
        return state;
    }
    if (instruction.mnemonic == ZYDIS_MNEMONIC_LEAVE) {
        state.registers[core::kStackPointer] = state.registers[6];
        state.registers[6] = popped(state);
        return state;
    }

    std::optional<std::size_t> whole;  // written as a whole, by one of the instructions that are understood
    Worth worth;
    if (instruction.operand_count_visible == 2 && decoded.operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
        is_whole(decoded.operands[0].reg.value)) {
        whole = general_register(decoded.operands[0].reg.value);
        worth = result_of(decoded, state);
    }
    const FlowState before = state;
    for (const ZydisDecodedOperand& operand : decoded.operands) {
        if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0) continue;
        if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) {
            if (const auto to = general_register(operand.reg.value)) state.registers[*to] = {};
        } else if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) {
            if (const auto place = place_of(operand, before)) forget(state, *place, operand.size / 8);
        }
    }
    if (whole && (decoded.operands[0].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0) state.registers[*whole] = worth;
    if (instruction.mnemonic == ZYDIS_MNEMONIC_MOV && decoded.operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
        decoded.operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER && is_whole(decoded.operands[1].reg.value)) {
        const auto place = place_of(decoded.operands[0], before);
        const auto from = general_register(decoded.operands[1].reg.value);
        if (place && from && before.registers[*from].kind == Worth::Kind::kEntry)
            state.saved[*place] = before.registers[*from].number;
    }
    return state;
}

/// Keeps in `state` what `other` says too. Returns whether something was lost.
bool meet(FlowState& state, const FlowState& other) {
    const FlowState before = state;
    for (std::size_t i = 0; i < kGeneral; ++i)
        if (state.registers[i] != other.registers[i]) state.registers[i] = {};
    std::erase_if(state.saved, [&](const auto& slot) {
        const auto same = other.saved.find(slot.first);
        return same == other.saved.end() || same->second != slot.second;
    });
    return state != before;
}

std::optional<FrameRule> rule_of(const FlowState& state) {
    FrameRule rule;
    const auto names_frame = [&](std::size_t i) { return state.registers[i].kind == Worth::Kind::kOffset; };
    if (names_frame(core::kStackPointer)) rule.cfa_register = static_cast<std::int32_t>(core::kStackPointer);
    for (std::size_t i = 0; i < kGeneral && rule.cfa_register < 0; ++i)
        if (names_frame(i)) rule.cfa_register = static_cast<std::int32_t>(i);
    if (rule.cfa_register < 0) return std::nullopt;
    rule.cfa_offset = -state.registers[static_cast<std::size_t>(rule.cfa_register)].number;
    for (const auto& [place, whose] : state.saved)
        rule.registers[static_cast<std::size_t>(whose)] = {Kind::kSavedAt, static_cast<std::int32_t>(place)};
    for (std::size_t i = 0; i < kGeneral; ++i)
        if (state.registers[i] == Worth{Worth::Kind::kEntry, static_cast<std::int64_t>(i)})
            rule.registers[i] = {Kind::kSame, 0};
    rule.registers[core::kStackPointer] = {Kind::kOffset, 0};
    rule.registers[core::kInstructionPointer] = {Kind::kSavedAt, -std::int32_t{kPushedBytes}};
    return rule;
}

std::vector<Decoded> decoded_code(std::string_view code, std::uint64_t start) {
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    std::vector<Decoded> all;
    for (std::size_t position = 0; position < code.size();) {
        Decoded decoded;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code.data() + position, code.size() - position,
                                                 &decoded.instruction, operands)))
            break;  // data among the code: what lies behind is not understood
        decoded.operands.assign(operands, operands + decoded.instruction.operand_count);
        decoded.address = start + position;
        position += decoded.instruction.length;
        all.push_back(std::move(decoded));
    }
    return all;
}

/// Where a jump inside the function leads; nullopt: elsewhere, or only known at run time.
std::optional<std::uint64_t> jump_target(const Decoded& decoded) {
    const auto category = decoded.instruction.meta.category;
    if (category != ZYDIS_CATEGORY_UNCOND_BR && category != ZYDIS_CATEGORY_COND_BR) return std::nullopt;
    ZyanU64 target = 0;
    if (decoded.operands.empty() || decoded.operands[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE ||
        !ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&decoded.instruction, &decoded.operands[0], decoded.address, &target)))
        return std::nullopt;
    return target;
}

bool flows_on(const Decoded& decoded) {
    const auto category = decoded.instruction.meta.category;
    return category != ZYDIS_CATEGORY_UNCOND_BR && category != ZYDIS_CATEGORY_RET;
}

}  // namespace

std::map<std::uint64_t, FrameRule> rules_of_code(std::string_view code, std::uint64_t start) {
    const std::vector<Decoded> all = decoded_code(code, start);
    std::unordered_map<std::uint64_t, std::size_t> indices;
    for (std::size_t i = 0; i < all.size(); ++i) indices.emplace(all[i].address, i);

    std::vector<std::optional<FlowState>> states(all.size());
    const auto reach = [&](std::size_t index, const FlowState& state) {
        if (index >= states.size()) return false;
        if (states[index]) return meet(*states[index], state);
        states[index] = state;
        return true;
    };
    FlowState first;
    for (std::size_t i = 0; i < kGeneral; ++i) first.registers[i] = {Worth::Kind::kEntry, static_cast<std::int64_t>(i)};
    first.registers[core::kStackPointer] = {Worth::Kind::kOffset, -std::int64_t{kPushedBytes}};
    reach(0, first);

    std::vector<bool> is_due(all.size(), true);
    bool is_settled = false;
    for (int sweep = 0; sweep < kMostSweeps && !is_settled; ++sweep) {
        is_settled = true;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!is_due[i] || !states[i]) continue;
            is_due[i] = false;
            const FlowState state = after(all[i], *states[i]);
            if (flows_on(all[i]) && reach(i + 1, state)) is_due[i + 1] = true;
            const auto target = jump_target(all[i]);
            const auto index = target ? indices.find(*target) : indices.end();
            if (index == indices.end() || !reach(index->second, state)) continue;
            is_due[index->second] = true;
            is_settled = is_settled && index->second > i;
        }
    }
    std::map<std::uint64_t, FrameRule> rules;
    if (!is_settled) return rules;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (const auto rule = states[i] ? rule_of(*states[i]) : std::nullopt) rules.emplace(all[i].address, *rule);
    return rules;
}

void CodeRules::add(Rules& rules, std::string_view code, std::uint64_t start) {
    for (auto& [address, rule] : rules_of_code(code, start))
        rules.emplace(address, &*rules_.insert(std::move(rule)).first);
}

std::size_t CodeRules::bytes() const {
    constexpr std::size_t kHashNode = 16;  // of libstdc++, without what it holds
    std::size_t total = rules_.size() * (2 * kHashNode + sizeof(FrameRule));
    for (const auto& [start, rules] : functions_) total += rules.size() * (kHashNode + sizeof(Rules::value_type));
    return total;
}

}  // namespace tare::attribution
