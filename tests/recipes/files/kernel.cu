// With a function of another file where LTO links both.
#ifdef __CLANG_RDC__
__device__ float scaled(float value);
#else
__device__ float scaled(float value) { return value * 3; }
#endif

__global__ void scale(float *data) {
  data[threadIdx.x] = scaled(data[threadIdx.x]);
}

int main() {}
