// Plain instructions: what a compiler makes of C++ has unwind information and other registers each time.
#include "harness/attribution/unwinder_test_code.h"

asm(R"(
    .pushsection .text
    .p2align 4
    .globl test_code_start
test_code_start:
    nop

    .macro begin name
    .p2align 4
    .globl \name
    .type \name, @function
\name:
    .endm
    .macro finish name
    .size \name, .-\name
    .endm

    begin bare_leaf
    lea 1(%rdi), %rax
    xor %ecx, %ecx
    ret
    finish bare_leaf

    begin bare_pushes
    push %rbp
    push %r12
    push %rbx
    mov %rdi, %rbx
    xor %ebp, %ebp
1:  mov %rbp, %rdi
    sub $32, %rsp
    mov %rbx, 8(%rsp)
    call bare_leaf
    add $32, %rsp
    inc %rbp
    cmp $3, %rbp
    jne 1b
    test $1, %rbx
    jz 2f
    pop %rbx
    pop %r12
    pop %rbp
    ret
2:  mov $5, %eax
    pop %rbx
    pop %r12
    pop %rbp
    ret
    finish bare_pushes

    begin bare_kernel
    sub $96, %rsp
    mov %rbx, (%rsp)
    mov %rbp, 8(%rsp)
    mov %r12, 16(%rsp)
    mov %r13, 24(%rsp)
    mov %r14, 32(%rsp)
    mov %r15, 40(%rsp)
    mov %rsp, %rbx
    sub $28800, %rsp
    and $-4096, %rsp
    test %rdi, %rdi
    jz 2f
    mov %rdi, 40(%rsp)
    lea 128(%rsp), %rbp
    xor %r15d, %r15d
    xor %r14d, %r14d
1:  mov %r15, (%rbp)
    add $64, %rbp
    inc %r15
    cmp $4, %r15
    jne 1b
2:  mov %rbx, %rsp
    mov (%rsp), %rbx
    mov 8(%rsp), %rbp
    mov 16(%rsp), %r12
    mov 24(%rsp), %r13
    mov 32(%rsp), %r14
    mov 40(%rsp), %r15
    add $96, %rsp
    ret
    finish bare_kernel

    begin bare_moves_by
    sub %rdi, %rsp
    mov %rdi, (%rsp)
    xor %eax, %eax
    add (%rsp), %rsp
    ret
    finish bare_moves_by

    begin framed_calls_bare_moves_by
    .cfi_startproc
    sub $24, %rsp
    .cfi_adjust_cfa_offset 24
    call bare_moves_by
    add $24, %rsp
    .cfi_adjust_cfa_offset -24
    ret
    .cfi_endproc
    finish framed_calls_bare_moves_by

    begin framed_calls_other
    .cfi_startproc
    sub $24, %rsp
    .cfi_adjust_cfa_offset 24
    call bare_leaf
    add $24, %rsp
    .cfi_adjust_cfa_offset -24
    ret
    .cfi_endproc
    finish framed_calls_other

    begin framed_by_pointer
    .cfi_startproc
    push %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_offset %rbp, -16
    mov %rsp, %rbp
    .cfi_def_cfa_register %rbp
    call *%rdi
    pop %rbp
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    finish framed_by_pointer

    begin framed_wrongly
    .cfi_startproc
    push %rbx
    sub $16, %rsp
    movq $4096, (%rsp)
    movq $0, 8(%rsp)
    add $16, %rsp
    pop %rbx
    ret
    .cfi_endproc
    finish framed_wrongly

    .p2align 4
.Lnameless:
    push %rbp
    sub $16384, %rsp
    xor %ebp, %ebp
    add $16384, %rsp
    pop %rbp
    ret

    .globl test_code_end
test_code_end:
    nop
    .popsection
)");

std::uint64_t (*nameless_code())(std::uint64_t) {
    std::uint64_t (*code)(std::uint64_t) = nullptr;
    asm("lea .Lnameless(%%rip), %0" : "=r"(code));
    return code;
}
