// DEFINE: %{triple} =
// DEFINE: %{check} = %clang_stock --target=%{triple} -O2 -ffreestanding -S -emit-llvm %s -o - \
// DEFINE:   | %llc -O2 -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -o - | FileCheck %s
// REDEFINE: %{triple} = armv7-linux-gnueabihf
// RUN: %{check}
// REDEFINE: %{triple} = thumbv7-linux-gnueabihf
// RUN: %{check}
// REDEFINE: %{triple} = thumbv6m-none-eabi
// RUN: %{check}
// REDEFINE: %{triple} = aarch64_be-linux-gnu
// RUN: %{check}
// REDEFINE: %{triple} = i386-linux-gnu
// RUN: %{check}
// REDEFINE: %{triple} = x86_64-linux-gnux32
// RUN: %{check}
// REDEFINE: %{triple} = x86_64-windows-msvc
// RUN: %{check}
// REDEFINE: %{triple} = powerpc-linux-gnu
// RUN: %{check}
// REDEFINE: %{triple} = powerpc64le-linux-gnu
// RUN: %{check}
// REDEFINE: %{triple} = s390x-linux-gnu
// RUN: %{check}
// REDEFINE: %{triple} = mips-linux-gnu
// RUN: %{check}
// REDEFINE: %{triple} = mips64el-linux-gnuabi64
// RUN: %{check}
// REDEFINE: %{triple} = sparc-linux-gnu
// RUN: %{check}
// REDEFINE: %{triple} = sparcv9-linux-gnu
// RUN: %{check}
// REDEFINE: %{triple} = riscv32-linux-gnu
// RUN: %{check}
// REDEFINE: %{triple} = loongarch64-linux-gnu
// RUN: %{check}

// Nothing in the allocator is for one target. Here are calls, more values than any of these has
// registers, pairs of registers, floating point, addresses that are taken, and a table of jumps.

// CHECK: mixed
// CHECK: polynomials
// CHECK: interpret

extern int external(int, int);
extern double external_double(double, double);

unsigned long long mixed(const unsigned *p, unsigned n, unsigned long long seed) {
  unsigned a = p[0], b = p[1], c = p[2], d = p[3], e = p[4], f = p[5], g = p[6], h = p[7];
  unsigned i = p[8], j = p[9], k = p[10], l = p[11];
  unsigned long long sum = seed;
  for (unsigned at = 0; at < n; ++at) {
    unsigned char byte = (unsigned char)(a >> 8) ^ (unsigned char)b;
    a += b ^ (c << 7 | c >> 25);
    b = (d & e) + f;
    c ^= g + byte;
    d = h * i + j;
    e -= k & l;
    f = a + d, g ^= b, h += c, i ^= e, j += f, k ^= g, l += h;
    sum = sum * 6364136223846793005ull + (unsigned long long)a * b;
    if ((sum >> 40) % 1024 == 0)
      sum += (unsigned)external((int)c, (int)d) + sum / (k | 1);
  }
  return sum ^ a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l;
}

double polynomials(const double *x, float *out, int n) {
  double s0 = 0, s1 = 1, s2 = 2, s3 = 3, s4 = 4, s5 = 5, s6 = 6, s7 = 7;
  for (int at = 0; at < n; ++at) {
    double v = x[at];
    s0 = s0 * v + s7, s1 = s1 * v + s0, s2 = s2 * v - s1, s3 = s3 * v + s2;
    s4 = s4 * v + s3, s5 = s5 * v - s4, s6 = s6 * v + s5, s7 = external_double(s6, v);
    out[at] = (float)(s3 - s7) + (float)(long long)v;
  }
  return s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7;
}

int interpret(const unsigned char *code, long long *stack) {
  long long *top = stack;
  int steps = 0;
  for (;; ++steps)
    switch (*code++) {
    case 0: return steps;
    case 1: *++top = *code++; break;
    case 2: --top; *top += top[1]; break;
    case 3: --top; *top *= top[1]; break;
    case 4: --top; *top = *top << (top[1] & 63); break;
    case 5: if (*top-- < 0) code += (signed char)*code; else ++code; break;
    case 6: *top = external((int)*top, steps); break;
    case 7: --top; *top ^= top[1] / (top[2] | 1); break;
    default: *top = -*top;
    }
}
