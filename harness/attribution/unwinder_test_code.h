// Functions in assembly, with and without unwind information, through which the tests of the unwinder are run; between
// test_code_start and test_code_end.
#pragma once

#include <cstdint>

extern "C" {
extern const char test_code_start[];
extern const char test_code_end[];

std::uint64_t bare_leaf(std::uint64_t);    ///< never moves the stack pointer
std::uint64_t bare_pushes(std::uint64_t);  ///< pushes, loops, calls bare_leaf and returns in two places
/// As OpenBLAS's kernel for dgemm on Haswell: saves registers with mov, moves the stack pointer by 28 KB and to a page,
/// uses RBP as data.
std::uint64_t bare_kernel(std::uint64_t);
/// Moves the stack pointer by its argument, of which no copy is kept on the stack: the code does not tell where the
/// caller's frame is.
std::uint64_t bare_moves_by(std::uint64_t);
std::uint64_t framed_calls_bare_moves_by(std::uint64_t);  ///< has unwind information; calls it directly
std::uint64_t framed_calls_other(std::uint64_t);          ///< the same, of another function
std::uint64_t framed_by_pointer(std::uint64_t);           ///< its frame hangs on RBP; calls its argument, a function
std::uint64_t framed_wrongly(std::uint64_t);              ///< its unwind information is that of a leaf, but it pushes
}

/// Without a symbol, without unwind information.
std::uint64_t (*nameless_code())(std::uint64_t);
