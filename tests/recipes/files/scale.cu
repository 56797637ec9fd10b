// What kernel.cu calls.
__device__ float scaled(float value) { return value * 3; }
