/* The driver, and the libraries whose symbols have no version: NCCL in a world of one. */
#include <string.h>
#include "nccl.c"
static char something[64];
int cuCtxGetCurrent(void **context) { *context = something; return 0; }
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = something; return 0; }
int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) { *flags = 0; *active = 1; return 0; }
int cuModuleLoad(void **module, const char *name) { *module = something; return 0; }
int cuModuleLoadData(void **module, const void *image) { *module = something; return 0; }
int cuModuleLoadDataEx(void **module, const void *image) { *module = something; return 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) { *function = something; return 0; }
int cuGetErrorString(int error, const char **text) { *text = "error of the emulated device"; return 0; }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *count) { *count = 2; return 0; }
