// What all programs share: a generator of numbers and a checksum to print.
#pragma once
#include <stdint.h>
#include <stdio.h>

static uint64_t state = 88172645463325252u;

// A number that the compiler cannot foresee (xorshift).
__attribute__((noinline, unused)) static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

// A finite number between 0 and 2.
__attribute__((unused)) static double fraction(void) {
  return (double)(next() >> 12) / (double)(1ull << 51);
}

static uint64_t sum = 14695981039346656037u;

__attribute__((noinline, unused)) static void add(uint64_t value) {
  sum = (sum ^ value) * 1099511628211u;
}

__attribute__((noinline, unused)) static void add_double(double value) {
  union {
    double value;
    uint64_t bits;
  } u = {value};
  add(u.bits);
}

// Prints the checksum of what came before.
__attribute__((noinline, unused)) static void show(const char *what) {
  printf("%s %016llx\n", what, (unsigned long long)sum);
}
