/* cuDNN: only its version, newer than any that torch was built for. Its operators are computed elsewhere, whole. */
#include <stddef.h>
size_t cudnnGetVersion(void) { return 99900; }
int cudnnGetProperty(int part, int *number) { *number = part == 0 ? 9 : part == 1 ? 99 : 0; return 0; }
size_t cudnnGetCudartVersion(void) { return CUDA_VERSION; }
const char *cudnnGetErrorString(int status) { return "cuDNN does nothing on the emulated device"; }
int cudnnGetRNNWeightSpaceSize(void *handle, void *layer, size_t *size) { *size = 0; return 0; }
