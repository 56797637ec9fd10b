// The first numbers, for every processor.
        .section .rodata
        .globl first
        .balign 4
first:  .long 1, 2, 3, 4
        .section .note.GNU-stack,"",%progbits
