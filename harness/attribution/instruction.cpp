// Zydis decodes; x86-64.
#include "harness/attribution/instruction.h"

#include <Zydis/Zydis.h>

#include <algorithm>

namespace tare::attribution {

namespace {

Flow flow_of(const ZydisDecodedInstruction& decoded) {
    switch (decoded.meta.category) {
        case ZYDIS_CATEGORY_CALL:
            return Flow::kCall;
        case ZYDIS_CATEGORY_RET:
            return Flow::kReturn;
        case ZYDIS_CATEGORY_UNCOND_BR:
        case ZYDIS_CATEGORY_COND_BR:
            return Flow::kJump;
        case ZYDIS_CATEGORY_SYSCALL:
            return Flow::kSystemCall;
        default:
            return Flow::kNext;
    }
}

}  // namespace

Instructions decode(const std::vector<core::CodeBytes>& code) {
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    Instructions instructions;
    instructions.reserve(code.size());
    for (const core::CodeBytes& bytes : code) {
        Instruction instruction;
        ZydisDecodedInstruction decoded;
        if (ZYAN_SUCCESS(
                ZydisDecoderDecodeInstruction(&decoder, nullptr, bytes.bytes.data(), bytes.length, &decoded))) {
            instruction.length = decoded.length;
            instruction.flow = flow_of(decoded);
            constexpr ZydisInstructionAttributes kRepeated =
                ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;
            instruction.repeats = (decoded.attributes & kRepeated) != 0;
        } else {
            instruction.length = std::max<std::uint8_t>(bytes.length, 1);
        }
        instructions.emplace(bytes.address, instruction);
    }
    return instructions;
}

}  // namespace tare::attribution
