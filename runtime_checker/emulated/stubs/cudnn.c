/* cuDNN: only its version. Its operators are computed elsewhere, whole. */
#include <stddef.h>
size_t cudnnGetVersion(void) { return 91900; }
size_t cudnnGetCudartVersion(void) { return CUDA_VERSION; }
const char *cudnnGetErrorString(int status) { return "cuDNN does nothing on the emulated device"; }
