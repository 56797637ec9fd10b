/* Calls a function of llvm-stress and prints a checksum of the memory it wrote.
 */
#include <stdint.h>
#include <stdio.h>

enum { size = 4096 };
static _Alignas(256) unsigned char memory[3][size];

void function(void *, void *, void *, int, long, char);

int main(void) {
  for (int round = 0; round != 3; ++round) {
    for (int i = 0; i != 3 * size; ++i)
      memory[i / size][i % size] =
          (unsigned char)((i + round) * 2654435761u >> 13);
    function(memory[0], memory[1], memory[2], 1234567 * round,
             -98765432101 * round, (char)(77 * round));
    uint64_t sum = 14695981039346656037u;
    for (int i = 0; i != 3 * size; ++i)
      sum = (sum ^ memory[i / size][i % size]) * 1099511628211u;
    printf("%016llx\n", (unsigned long long)sum);
  }
}
