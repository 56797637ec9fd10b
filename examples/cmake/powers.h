#ifdef __cplusplus
extern "C"
#endif
    long sum_of_powers(int count, int exponent);
