// The vectors in 32-byte registers.
// clang: -mavx2
#include "../vectors.c"
