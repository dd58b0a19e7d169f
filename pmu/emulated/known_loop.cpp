// The two functions in assembly, so that no compiler adds an instruction.
#include "pmu/emulated/known_loop.h"

#if defined(__aarch64__)
asm(R"(
    .text
    .balign 64
    .globl tare_known_loop
    .type tare_known_loop, %function
tare_known_loop:
    subs x0, x0, #1
    b.ne tare_known_loop
    ret
    .size tare_known_loop, . - tare_known_loop
    .globl tare_empty_call
    .type tare_empty_call, %function
tare_empty_call:
    ret
    .size tare_empty_call, . - tare_empty_call
)");
#elif defined(__x86_64__)
asm(R"(
    .text
    .balign 64
    .globl tare_known_loop
    .type tare_known_loop, @function
tare_known_loop:
    sub $1, %rdi
    jnz tare_known_loop
    ret
    .size tare_known_loop, . - tare_known_loop
    .globl tare_empty_call
    .type tare_empty_call, @function
tare_empty_call:
    ret
    .size tare_empty_call, . - tare_empty_call
)");
#else
#error "no known loop for this architecture"
#endif
