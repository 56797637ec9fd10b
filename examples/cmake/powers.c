/* Sums of powers, of the numbers that first.S has. */
#include "powers.h"

extern const int first[];

long sum_of_powers(int count, int exponent) {
  long sum = 0;
  for (int i = 0; i < count; ++i) {
    long power = 1;
    for (int j = 0; j < exponent; ++j)
      power *= first[i];
    sum += power;
  }
  return sum;
}
