// Which calls ask for memory, and for how much: the allocation functions of C, CPython and NumPy. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace tare::attribution {

/// True for a function that a ledger lists as an allocation.
[[nodiscard]] bool is_allocation(std::string_view function);

/// The bytes asked for, from the call's first two integer arguments; 0 for a function that is none.
[[nodiscard]] std::uint64_t allocated_bytes(std::string_view function, std::uint64_t argument1,
                                            std::uint64_t argument2);

/// The public function that an internal one does the work of, where both may show: `_PyObject_Malloc` below
/// `PyObject_Malloc` is the same request. Empty for others.
[[nodiscard]] std::string_view front_of_allocation(std::string_view function);

}  // namespace tare::attribution
