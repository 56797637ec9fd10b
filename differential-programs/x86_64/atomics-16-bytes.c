// Compare-and-exchange of 16 bytes: rax, rbx, rcx and rdx are all taken.
// clang: -mcx16
#include "../checksum.h"

typedef unsigned __int128 wide;

__attribute__((noinline)) static void work(int rounds) {
  static wide cell[2];
  uint64_t a = next(), b = next(), c = next(), d = next(), e = next(),
           f = next();
  for (int i = 0; i != rounds; ++i) {
    wide *p = &cell[i & 1];
    wide seen = __atomic_load_n(p, __ATOMIC_SEQ_CST), wanted;
    do
      wanted = seen * a + (((wide)b << 64) | c) - (d ^ e);
    while (!__atomic_compare_exchange_n(p, &seen, wanted, 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST));
    wide old = __atomic_exchange_n(p, wanted + f, __ATOMIC_SEQ_CST);
    a += (uint64_t)old | 1, b ^= (uint64_t)(old >> 64);
    wide sum = __atomic_fetch_add(p, ((wide)e << 64) | d, __ATOMIC_SEQ_CST);
    c += (uint64_t)(sum >> 64), d -= (uint64_t)sum;
    e += (uint64_t)__atomic_fetch_xor(p, sum >> 3, __ATOMIC_SEQ_CST);
    wide guess = i & 2 ? sum : *p;
    f += __atomic_compare_exchange_n(p, &guess, sum ^ a, 0, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
    f ^= (uint64_t)guess;
  }
  add(a), add(b), add(c), add(d), add(e), add(f);
  for (int i = 0; i != 2; ++i)
    add((uint64_t)cell[i]), add((uint64_t)(cell[i] >> 64));
}

int main(void) {
  work(300);
  show("atomics-16-bytes");
}
