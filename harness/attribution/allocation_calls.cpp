// Signatures: C11; CPython's Include/objimpl.h, pymem.h and Objects/obmalloc.c (internal ones take a context first);
// NumPy's numpy/core/src/multiarray/alloc.h.
#include "harness/attribution/allocation_calls.h"

#include <array>

namespace tare::attribution {

namespace {

enum class Size { kFirst, kSecond, kProduct };

struct Allocation {
    std::string_view function;
    Size size;
    std::string_view front;
};

constexpr std::array kAllocations = {
    Allocation{"malloc", Size::kFirst, ""},
    Allocation{"__libc_malloc", Size::kFirst, "malloc"},
    Allocation{"calloc", Size::kProduct, ""},
    Allocation{"__libc_calloc", Size::kProduct, "calloc"},
    Allocation{"realloc", Size::kSecond, ""},
    Allocation{"__libc_realloc", Size::kSecond, "realloc"},
    Allocation{"aligned_alloc", Size::kSecond, ""},
    Allocation{"mmap", Size::kSecond, ""},
    Allocation{"PyObject_Malloc", Size::kFirst, ""},
    Allocation{"_PyObject_Malloc", Size::kSecond, "PyObject_Malloc"},
    Allocation{"PyObject_Calloc", Size::kProduct, ""},
    Allocation{"PyObject_Realloc", Size::kSecond, ""},
    Allocation{"PyMem_Malloc", Size::kFirst, ""},
    Allocation{"PyMem_Calloc", Size::kProduct, ""},
    Allocation{"PyMem_Realloc", Size::kSecond, ""},
    Allocation{"PyMem_RawMalloc", Size::kFirst, ""},
    Allocation{"PyMem_RawCalloc", Size::kProduct, ""},
    Allocation{"PyDataMem_NEW", Size::kFirst, ""},
    Allocation{"PyDataMem_NEW_ZEROED", Size::kProduct, ""},
    Allocation{"PyDataMem_UserNEW", Size::kFirst, ""},
    Allocation{"PyDataMem_UserNEW_ZEROED", Size::kProduct, ""},
    Allocation{"PyDataMem_RENEW", Size::kSecond, ""},
    Allocation{"PyDataMem_UserRENEW", Size::kSecond, ""},
};

const Allocation* find(std::string_view function) {
    for (const Allocation& allocation : kAllocations)
        if (allocation.function == function) return &allocation;
    return nullptr;
}

}  // namespace

bool is_allocation(std::string_view function) {
    return find(function) != nullptr;
}

std::uint64_t allocated_bytes(std::string_view function, std::uint64_t argument1, std::uint64_t argument2) {
    const Allocation* allocation = find(function);
    if (allocation == nullptr) return 0;
    switch (allocation->size) {
        case Size::kFirst:
            return argument1;
        case Size::kSecond:
            return argument2;
        case Size::kProduct:
            return argument1 * argument2;
    }
    return 0;
}

std::string_view front_of_allocation(std::string_view function) {
    const Allocation* allocation = find(function);
    return allocation != nullptr ? allocation->front : std::string_view();
}

}  // namespace tare::attribution
