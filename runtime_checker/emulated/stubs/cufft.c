/* cuFFT: plans that need no memory of their own. Its transforms are computed elsewhere, whole. */
#include <stddef.h>
int cufftXtMakePlanMany(int plan, int rank, long long *n, long long *inembed, long long istride, long long idist,
                        int input, long long *onembed, long long ostride, long long odist, int output,
                        long long batch, size_t *size, int execution) { *size = 0; return 0; }
