// A shared library for the tests of names: functions as compilers and people leave them, with symbols and frame entries
// that agree, are missing, or contradict each other. Never run.
#include <cstdio>

namespace sample {

template <class T>
__attribute__((noinline)) T twice(T value) {
    std::puts("twice");  // a PLT stub
    return value + value;
}
template double twice<double>(double);

}  // namespace sample

extern "C" {
int sample_data = 1;
}

extern "C" int sample_exported(int value) {
    std::puts("exported");
    return value + sample_data;
}

asm(R"(
    .text
    # Local, with a frame entry: no name once stripped.
    .type sample_hidden, @function
sample_hidden:
    .cfi_startproc
    nop
    ret
    .cfi_endproc
    .size sample_hidden, .-sample_hidden

    # As OpenBLAS's kernels: exported, its size known, no frame entry.
    .globl sample_bare
    .type sample_bare, @function
sample_bare:
    nop
    ret
    .size sample_bare, .-sample_bare

    # No size, but a frame entry that starts there.
    .globl sample_sizeless
    .type sample_sizeless, @function
sample_sizeless:
    .cfi_startproc
    nop
    ret
    .cfi_endproc

    # Neither: nobody knows how far it goes.
    .globl sample_endless
    .type sample_endless, @function
sample_endless:
    nop
    ret

    # Untyped, with a size.
    .globl sample_untyped
sample_untyped:
    nop
    ret
    .size sample_untyped, .-sample_untyped

    # Its size reaches into the next function, which has a frame entry of its own.
    .globl sample_liar
    .type sample_liar, @function
sample_liar:
    .cfi_startproc
    nop
    ret
    .cfi_endproc
    .type sample_victim, @function
sample_victim:
    .cfi_startproc
    nop
    ret
    .cfi_endproc
    .size sample_victim, .-sample_victim
    .size sample_liar, .-sample_liar

    # Two functions below one frame entry, as a second entry point.
    .globl sample_entry1
    .type sample_entry1, @function
    .globl sample_entry2
    .type sample_entry2, @function
sample_entry1:
    .cfi_startproc
    nop
    .size sample_entry1, .-sample_entry1
sample_entry2:
    nop
    ret
    .cfi_endproc
    .size sample_entry2, .-sample_entry2

    # One function of two frame entries, as glibc's clone; both parts local.
    .type sample_pieces, @function
sample_pieces:
    .cfi_startproc
    nop
    .cfi_endproc
    .cfi_startproc
    ret
    .cfi_endproc
    .size sample_pieces, .-sample_pieces

    # Parts and clones.
    .type sample_exported.cold, @function
sample_exported.cold:
    .cfi_startproc
    nop
    ret
    .cfi_endproc
    .size sample_exported.cold, .-sample_exported.cold
    .type sample_exported.part.0, @function
sample_exported.part.0:
    .cfi_startproc
    nop
    ret
    .cfi_endproc
    .size sample_exported.part.0, .-sample_exported.part.0

    # Aliases: the one for people has no underscore, and is global.
    .type sample_al, @function
    .globl sample_alias
    .type sample_alias, @function
    .globl _sample_ali
    .type _sample_ali, @function
sample_al:
_sample_ali:
sample_alias:
    .cfi_startproc
    nop
    ret
    .cfi_endproc
    .size sample_al, .-sample_al
    .size _sample_ali, .-_sample_ali
    .size sample_alias, .-sample_alias
)");
