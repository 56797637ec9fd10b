// Prints sums of powers.
#include "powers.h"
#include <iostream>

int main() {
  for (int exponent = 1; exponent <= 4; ++exponent)
    std::cout << exponent << ": " << sum_of_powers(4, exponent) << "\n";
}
