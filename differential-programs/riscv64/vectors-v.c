// The vectors in the registers of the V extension.
// clang: -march=rv64gcv
// llc: -mattr=+v
#include "../vectors.c"
