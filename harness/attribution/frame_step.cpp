// DWARF 5, sections 2.5 (expressions) and 6.4 (call frames). Expressions are those of linkers and C libraries: PLT
// entries, realigned stacks, signal frames. They do without control flow.
#include "harness/attribution/frame_step.h"

#include <dwarf.h>

#include <array>
#include <optional>

namespace tare::attribution {

namespace {

using Kind = RegisterRule::Kind;

/// The stack of a DWARF expression; a read below it makes it bad.
class Evaluation {
  public:
    [[nodiscard]] bool good() const { return good_; }
    void fail() { good_ = false; }
    void push(std::uint64_t value) {
        if (size_ == values_.size()) return fail();
        values_[size_++] = value;
    }
    std::uint64_t pop() {
        if (size_ == 0) {
            fail();
            return 0;
        }
        return values_[--size_];
    }
    std::uint64_t pick(std::uint64_t depth) {
        if (depth >= size_) {
            fail();
            return 0;
        }
        return values_[size_ - 1 - depth];
    }

  private:
    std::array<std::uint64_t, 32> values_{};
    std::size_t size_ = 0;
    bool good_ = true;
};

std::optional<std::uint64_t> binary(std::uint8_t code, std::uint64_t a, std::uint64_t b) {
    const auto signed_a = static_cast<std::int64_t>(a);
    const auto signed_b = static_cast<std::int64_t>(b);
    switch (code) {
        case DW_OP_and:
            return a & b;
        case DW_OP_or:
            return a | b;
        case DW_OP_xor:
            return a ^ b;
        case DW_OP_plus:
            return a + b;
        case DW_OP_minus:
            return a - b;
        case DW_OP_mul:
            return a * b;
        case DW_OP_shl:
            return b < 64 ? a << b : 0;
        case DW_OP_shr:
            return b < 64 ? a >> b : 0;
        case DW_OP_eq:
            return a == b ? 1 : 0;
        case DW_OP_ne:
            return a != b ? 1 : 0;
        case DW_OP_ge:
            return signed_a >= signed_b ? 1 : 0;
        case DW_OP_gt:
            return signed_a > signed_b ? 1 : 0;
        case DW_OP_le:
            return signed_a <= signed_b ? 1 : 0;
        case DW_OP_lt:
            return signed_a < signed_b ? 1 : 0;
        default:
            return std::nullopt;
    }
}

void push_register(Evaluation& stack, const FrameRegisters& frame, std::uint64_t number, std::uint64_t offset) {
    if (number >= kRegisters || !frame.knows(number)) return stack.fail();
    stack.push(frame.values[number] + offset);
}

/// nullopt: an operation or a value that is not known; `missing` is the address that could not be read.
std::optional<std::uint64_t> evaluate(const Expression& expression, const FrameRegisters& frame, std::uint64_t cfa,
                                      const StackMemory& memory, std::optional<std::uint64_t>& missing) {
    Evaluation stack;
    for (const Operation& op : expression) {
        if (op.code >= DW_OP_lit0 && op.code <= DW_OP_lit31) {
            stack.push(op.code - std::uint64_t{DW_OP_lit0});
        } else if (op.code >= DW_OP_breg0 && op.code <= DW_OP_breg31) {
            push_register(stack, frame, op.code - std::uint64_t{DW_OP_breg0}, op.first);
        } else if (op.code == DW_OP_bregx) {
            push_register(stack, frame, op.first, op.second);
        } else if (op.code == DW_OP_call_frame_cfa) {
            stack.push(cfa);
        } else if ((op.code >= DW_OP_const1u && op.code <= DW_OP_consts) || op.code == DW_OP_addr) {
            stack.push(op.first);
        } else if (op.code == DW_OP_plus_uconst) {
            stack.push(stack.pop() + op.first);
        } else if (op.code == DW_OP_dup || op.code == DW_OP_over || op.code == DW_OP_pick) {
            stack.push(stack.pick(op.code == DW_OP_dup ? 0 : op.code == DW_OP_over ? 1 : op.first));
        } else if (op.code == DW_OP_drop) {
            stack.pop();
        } else if (op.code == DW_OP_neg) {
            stack.push(-stack.pop());
        } else if (op.code == DW_OP_not) {
            stack.push(~stack.pop());
        } else if (op.code == DW_OP_deref) {
            const std::uint64_t address = stack.pop();
            const auto word = memory.word(address);
            if (!word) missing = address;
            if (!word) return std::nullopt;
            stack.push(*word);
        } else {
            const std::uint64_t b = stack.pop();
            const std::uint64_t a = stack.pop();
            const auto result = binary(op.code, a, b);
            if (!result) return std::nullopt;
            stack.push(*result);
        }
        if (!stack.good()) return std::nullopt;
    }
    const std::uint64_t result = stack.pop();
    return stack.good() ? std::optional(result) : std::nullopt;
}

/// The caller's value of a register; nullopt: unknown, and `missing` is set where memory was the reason.
std::optional<std::uint64_t> value_of(std::size_t number, const FrameRule& rule, const FrameRegisters& frame,
                                      std::uint64_t cfa, const StackMemory& memory,
                                      std::optional<std::uint64_t>& missing) {
    const RegisterRule& where = rule.registers[number];
    const auto offset = static_cast<std::uint64_t>(std::int64_t{where.number});
    std::uint64_t address = 0;
    switch (where.kind) {
        case Kind::kUnknown:
            return std::nullopt;
        case Kind::kSame:
            return frame.knows(number) ? std::optional(frame.values[number]) : std::nullopt;
        case Kind::kRegister:
            return frame.knows(offset) ? std::optional(frame.values[offset]) : std::nullopt;
        case Kind::kOffset:
            return cfa + offset;
        case Kind::kSavedAt:
            address = cfa + offset;
            break;
        case Kind::kExpression:
            return evaluate(rule.expressions[offset], frame, cfa, memory, missing);
        case Kind::kExpressionAt: {
            const auto found = evaluate(rule.expressions[offset], frame, cfa, memory, missing);
            if (!found) return std::nullopt;
            address = *found;
        }
    }
    const auto word = memory.word(address);
    if (!word) missing = address;
    return word;
}

}  // namespace

StepEnd step(const FrameRule& rule, const FrameRegisters& frame, const StackMemory& memory, FrameRegisters& caller) {
    if (rule.registers[core::kInstructionPointer].kind == Kind::kUnknown) return StepEnd::kEntry;
    std::optional<std::uint64_t> missing;
    std::optional<std::uint64_t> cfa;
    const auto base = static_cast<std::size_t>(rule.cfa_register);
    if (rule.cfa_register < 0)
        cfa = evaluate(rule.cfa, frame, 0, memory, missing);
    else if (frame.knows(base))
        cfa = frame.values[base] + static_cast<std::uint64_t>(rule.cfa_offset);
    if (!cfa) return missing && memory.is_cut_off(*missing) ? StepEnd::kCut : StepEnd::kLost;

    caller.known = 0;
    caller.after_call = !rule.is_signal_frame;
    for (std::size_t number = 0; number < kRegisters; ++number) {
        std::optional<std::uint64_t> unread;
        const auto value = value_of(number, rule, frame, *cfa, memory, unread);
        if (value)
            caller.set(number, *value);
        else if (number == core::kInstructionPointer)
            missing = unread;
    }
    if (!caller.knows(core::kStackPointer)) caller.set(core::kStackPointer, *cfa);
    if (!caller.knows(core::kInstructionPointer))
        return missing && memory.is_cut_off(*missing) ? StepEnd::kCut : StepEnd::kLost;
    // A signal may have been handled on a stack of its own; else the stack shrinks with every return, by whole words: a
    // call pushes its return address into an aligned slot (System V ABI for x86-64, 3.2.2).
    const bool is_whole_words = caller.stack_pointer() % sizeof(std::uint64_t) == 0;
    if (!rule.is_signal_frame && (caller.stack_pointer() <= frame.stack_pointer() || !is_whole_words))
        return StepEnd::kLost;
    return StepEnd::kCaller;
}

}  // namespace tare::attribution
