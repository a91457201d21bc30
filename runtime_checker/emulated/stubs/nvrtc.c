/* NVRTC: programs that are compiled to nothing. */
#include <stddef.h>
int nvrtcVersion(int *major, int *minor) { *major = CUDA; *minor = 0; return 0; }
int nvrtcGetPTXSize(void *program, size_t *size) { *size = 16; return 0; }
int nvrtcGetCUBINSize(void *program, size_t *size) { *size = 16; return 0; }
int nvrtcGetProgramLogSize(void *program, size_t *size) { *size = 1; return 0; }
int nvrtcGetLoweredName(void *program, const char *expression, const char **name) { *name = "kernel"; return 0; }
