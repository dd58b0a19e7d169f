// The slots of a type object: where CPython keeps the functions of operators and protocols.
#pragma once

#include <string_view>

#include "python/py.h"

namespace tare::python {

/// A member of PyTypeObject, or of one of the structs that it points to, that holds a function.
struct TypeSlot {
    enum class Part { kType, kNumber, kSequence, kMapping, kAsync, kBuffer };
    Part part = Part::kType;
    std::size_t offset_bytes = 0;  ///< in that struct
    const char* name = "";         ///< nb_add
    const char* method = "";       ///< __add__: what a class defines to have CPython fill it; empty: nothing does
};

struct TypeSlots {
    const TypeSlot* first = nullptr;
    const TypeSlot* last = nullptr;
    [[nodiscard]] const TypeSlot* begin() const { return first; }
    [[nodiscard]] const TypeSlot* end() const { return last; }
};

[[nodiscard]] TypeSlots type_slots();

/// What `type` holds there; null for nothing.
[[nodiscard]] const void* function_in(const PyTypeObject& type, const TypeSlot& slot);

}  // namespace tare::python
