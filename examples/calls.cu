// Evaluates a postfix expression at many points with a stack indexed at run
// time, and integrates it by adaptive Simpson; the functions are real calls.
#include <cuda_runtime.h>

enum Op { PUSH, VAR, ADD, SUB, MUL, DIV, NEG, SIN, EXP, POW, SELECT };

struct Code {
  int op;
  float value;
};

static __device__ __noinline__ float power(float base, float exponent) {
  return powf(fabsf(base), exponent);
}

static __device__ __noinline__ float wave(float x, float phase, float &cosine) {
  float s;
  sincosf(x + phase, &s, &cosine);
  return s;
}

static __device__ __noinline__ float eval(const Code *code, int n, float x) {
  float stack[24];
  int top = 0;
  for (int i = 0; i < n; ++i) {
    Code c = code[i];
    float b = top > 0 ? stack[top - 1] : 0, a = top > 1 ? stack[top - 2] : 0;
    switch (c.op) {
    case PUSH:
      stack[top++ % 24] = c.value;
      break;
    case VAR:
      stack[top++ % 24] = x;
      break;
    case ADD:
      stack[--top - 1] = a + b;
      break;
    case SUB:
      stack[--top - 1] = a - b;
      break;
    case MUL:
      stack[--top - 1] = a * b;
      break;
    case DIV:
      stack[--top - 1] = a / b;
      break;
    case NEG:
      stack[top - 1] = -b;
      break;
    case SIN: {
      float cosine;
      float s = wave(b, c.value, cosine);
      stack[top - 1] = s + c.value * cosine;
      break;
    }
    case EXP:
      stack[top - 1] = expf(b);
      break;
    case POW:
      stack[--top - 1] = power(a, b);
      break;
    case SELECT:
      stack[top - 1] = b > c.value ? x : b;
      break;
    }
  }
  return stack[0];
}

struct Span {
  float a, fa, m, fm, b, fb, whole, tol;
};

static __device__ __noinline__ float simpson(float fa, float fm, float fb,
                                             float h) {
  return h / 6 * (fa + 4 * fm + fb);
}

extern "C" __global__ void integrate(const Code *code, int n,
                                     const float2 *ends, float *result,
                                     int count, float tol) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count)
    return;
  float a = ends[t].x, b = ends[t].y, m = (a + b) / 2;
  float fa = eval(code, n, a), fm = eval(code, n, m), fb = eval(code, n, b);
  Span todo[16];
  int top = 0;
  todo[top++] = {a, fa, m, fm, b, fb, simpson(fa, fm, fb, b - a), tol};
  float sum = 0;
  while (top > 0) {
    Span s = todo[--top];
    float l = (s.a + s.m) / 2, r = (s.m + s.b) / 2;
    float fl = eval(code, n, l), fr = eval(code, n, r);
    float left = simpson(s.fa, fl, s.fm, s.m - s.a);
    float right = simpson(s.fm, fr, s.fb, s.b - s.m);
    float error = left + right - s.whole;
    if (fabsf(error) <= 15 * s.tol || top >= 15) {
      sum += left + right + error / 15;
    } else {
      todo[top++] = {s.a, s.fa, l, fl, s.m, s.fm, left, s.tol / 2};
      todo[top++] = {s.m, s.fm, r, fr, s.b, s.fb, right, s.tol / 2};
    }
  }
  result[t] = sum;
}
