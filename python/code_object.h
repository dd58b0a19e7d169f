// A code object that a frame names, read in a signal handler without the GIL: every pointer is checked, and so is the
// type that it leads to. Nothing is allocated.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/core/code_area.h"
#include "python/readable_memory.h"
#include "python/running_interpreter.h"

namespace tare::python {

struct CodeObject {
    core::CodeKey key;
    std::uint64_t file_address = 0;  ///< of the object co_filename
    std::uint64_t bytecode = 0;      ///< address of the first instruction
    std::uint64_t bytecode_bytes = 0;
};

/// None: no code object is there.
[[nodiscard]] std::optional<CodeObject> read_code_object(ReadableMemory& memory, const RunningInterpreter& interpreter,
                                                         std::uint64_t address) noexcept;

/// Its number in the area, where it is described if it is new; CodeArea::kFull as there.
[[nodiscard]] std::uint32_t number_of(core::CodeArea& area, ReadableMemory& memory,
                                      const RunningInterpreter& interpreter, const CodeObject& code) noexcept;

}  // namespace tare::python
