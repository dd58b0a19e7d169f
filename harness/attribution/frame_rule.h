// Frame rule: how the caller is found from one place in the code, as values. The CFA (canonical frame address) is the
// caller's stack pointer after the call has returned; registers are numbered as in core::Registers.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "harness/core/stack_sample.h"

namespace tare::attribution {

inline constexpr std::size_t kRegisters = std::tuple_size_v<core::Registers>;

/// One operation of a DWARF expression: DW_OP_... and its operands.
struct Operation {
    std::uint8_t code = 0;
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    bool operator==(const Operation&) const = default;
    bool operator<(const Operation& other) const {
        return std::tie(code, first, second) < std::tie(other.code, other.first, other.second);
    }
};

using Expression = std::vector<Operation>;

/// Where the caller's value of one register is.
struct RegisterRule {
    enum class Kind : std::uint8_t {
        kUnknown,
        kSame,          ///< in the register still
        kSavedAt,       ///< in memory, at CFA + number
        kOffset,        ///< CFA + number itself
        kRegister,      ///< in register `number`
        kExpressionAt,  ///< in memory, where expressions[number] says
        kExpression,    ///< expressions[number] itself
    };
    Kind kind = Kind::kUnknown;
    std::int32_t number = 0;
    bool operator==(const RegisterRule&) const = default;
    bool operator<(const RegisterRule& other) const {
        return std::tie(kind, number) < std::tie(other.kind, other.number);
    }
};

struct FrameRule {
    std::int32_t cfa_register = -1;  ///< CFA = that register + cfa_offset; -1: as `cfa` says
    std::int64_t cfa_offset = 0;
    Expression cfa;                                    ///< empty: unknown
    std::array<RegisterRule, kRegisters> registers{};  ///< the instruction pointer unknown: nobody called
    std::vector<Expression> expressions;
    bool is_signal_frame = false;  ///< the caller was interrupted: its instruction pointer is no return address
    bool operator==(const FrameRule&) const = default;
    /// Any order: equal rules are kept once.
    bool operator<(const FrameRule& other) const {
        return std::tie(cfa_register, cfa_offset, is_signal_frame, registers, cfa, expressions) <
               std::tie(other.cfa_register, other.cfa_offset, other.is_signal_frame, other.registers, other.cfa,
                        other.expressions);
    }
};

}  // namespace tare::attribution
