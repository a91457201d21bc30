/* A CUDA runtime without a device: its memory is memory of the host, kernels do nothing, streams are always idle.
 *
 * Only what torch looks at is written here; every other function is a weak stub that returns 0. No header of NVIDIA's
 * is needed: the few structures are written at the offsets of CUDA 12's and 13's headers (cuda_runtime_api.h). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { SUCCESS = 0, OUT_OF_MEMORY = 2, NOT_SUPPORTED = 801, CAPTURE_UNSUPPORTED = 900 };
enum { HOST = 1, DEVICE = 2, MANAGED = 3, TO_HOST = 2, BY_ADDRESS = 4 };

static const size_t CAPACITY = 16ull << 30;
static const size_t PAGE = 4096;
static __thread int last_error = SUCCESS;

static int failed(int error) { return last_error = error; }
int cudaGetLastError(void) { int error = last_error; last_error = SUCCESS; return error; }
int cudaPeekAtLastError(void) { return last_error; }
const char *cudaGetErrorName(int error) { return error == OUT_OF_MEMORY ? "cudaErrorMemoryAllocation" : "cudaErrorEmulated"; }
const char *cudaGetErrorString(int error) {
    switch (error) {
    case SUCCESS: return "no error";
    case OUT_OF_MEMORY: return "out of memory";
    case NOT_SUPPORTED: return "operation not supported by the emulated device";
    case CAPTURE_UNSUPPORTED: return "the emulated device cannot capture CUDA graphs";
    default: return "error of the emulated device";
    }
}

/* Memory: sorted blocks, so that any address inside of one is recognised. */

struct block { char *start; size_t size; int kind; int mapped; };
static struct block *blocks;
static size_t block_count, block_room, in_use;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static size_t first_after(const char *address) {
    size_t low = 0, high = block_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (blocks[middle].start <= address) low = middle + 1; else high = middle;
    }
    return low;
}

static int insert(struct block block) {
    if (block_count == block_room) {
        size_t room = block_room ? block_room * 2 : 256;
        struct block *grown = realloc(blocks, room * sizeof *blocks);
        if (!grown) return 0;
        blocks = grown;
        block_room = room;
    }
    size_t at = first_after(block.start);
    memmove(blocks + at + 1, blocks + at, (block_count - at) * sizeof *blocks);
    blocks[at] = block;
    block_count++;
    return 1;
}

static int kind_of(const void *address) {
    pthread_mutex_lock(&guard);
    size_t at = first_after(address);
    int kind = at && (const char *)address < blocks[at - 1].start + blocks[at - 1].size ? blocks[at - 1].kind : 0;
    pthread_mutex_unlock(&guard);
    return kind;
}

static int take(void **result, size_t wanted, int kind) {
    size_t size = (wanted + PAGE) / PAGE * PAGE;
    *result = NULL;
    pthread_mutex_lock(&guard);
    /* Sizes that a kernel would have computed may be anything here. */
    int fits = wanted <= CAPACITY && (kind == HOST || size <= CAPACITY - in_use);
    void *start = fits ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) : MAP_FAILED;
    if (start != MAP_FAILED && !insert((struct block){start, size, kind, 1})) { munmap(start, size); start = MAP_FAILED; }
    if (start != MAP_FAILED) {
        if (kind != HOST) in_use += size;
        *result = start;
    }
    pthread_mutex_unlock(&guard);
    return start == MAP_FAILED ? failed(OUT_OF_MEMORY) : SUCCESS;
}

static int give(void *start) {
    pthread_mutex_lock(&guard);
    size_t at = start ? first_after(start) : 0;
    if (at && blocks[at - 1].start == (char *)start) {
        struct block block = blocks[at - 1];
        memmove(blocks + at - 1, blocks + at, (block_count - at) * sizeof *blocks);
        block_count--;
        if (block.mapped) munmap(block.start, block.size);
        if (block.mapped && block.kind != HOST) in_use -= block.size;
    }
    pthread_mutex_unlock(&guard);
    return SUCCESS;
}

int cudaMalloc(void **p, size_t n) { return take(p, n, DEVICE); }
int cudaMallocAsync(void **p, size_t n, void *stream) { return take(p, n, DEVICE); }
int cudaMallocManaged(void **p, size_t n, unsigned flags) { return take(p, n, MANAGED); }
int cudaMallocHost(void **p, size_t n) { return take(p, n, HOST); }
int cudaHostAlloc(void **p, size_t n, unsigned flags) { return take(p, n, HOST); }
int cudaFree(void *p) { return give(p); }
int cudaFreeAsync(void *p, void *stream) { return give(p); }
int cudaFreeHost(void *p) { return give(p); }
int cudaHostRegister(void *p, size_t n, unsigned flags) {
    pthread_mutex_lock(&guard);
    int done = insert((struct block){p, n, HOST, 0});
    pthread_mutex_unlock(&guard);
    return done ? SUCCESS : failed(OUT_OF_MEMORY);
}
int cudaHostUnregister(void *p) { return give(p); }
int cudaMemGetInfo(size_t *available, size_t *total) {
    *available = CAPACITY - in_use;
    *total = CAPACITY;
    return SUCCESS;
}

/* cudaPointerAttributes: type, device, devicePointer, hostPointer; CUDA 13 has 64 reserved bytes behind them. */
int cudaPointerGetAttributes(char *attributes, const void *p) {
    memset(attributes, 0, CUDA >= 13 ? 88 : 24);
    *(int *)attributes = kind_of(p);
    *(const void **)(attributes + 8) = *(const void **)(attributes + 16) = p;
    return SUCCESS;
}

/* Copies. Where a kernel would have counted something, the caller may say what the host is to read. */

static __thread long long answer = -1;
void synclint_answer(long long count) { answer = count; }

static int copy(void *to, const void *from, size_t n, int kind) {
    if (answer >= 0 && (kind == TO_HOST || kind == BY_ADDRESS) && (n == 4 || n == 8)) memcpy(to, &answer, n);
    else memmove(to, from, n);
    return SUCCESS;
}
int cudaMemcpy(void *d, const void *s, size_t n, int kind) { return copy(d, s, n, kind); }
int cudaMemcpyAsync(void *d, const void *s, size_t n, int kind, void *stream) { return copy(d, s, n, kind); }
int cudaMemcpyPeerAsync(void *d, int to, const void *s, int from, size_t n, void *stream) { return copy(d, s, n, 3); }
int cudaMemcpy2DAsync(char *d, size_t dp, const char *s, size_t sp, size_t w, size_t h, int kind, void *stream) {
    for (size_t row = 0; row < h; row++) memmove(d + row * dp, s + row * sp, w);
    return SUCCESS;
}
int cudaMemset(void *d, int v, size_t n) { memset(d, v, n); return SUCCESS; }
int cudaMemsetAsync(void *d, int v, size_t n, void *stream) { memset(d, v, n); return SUCCESS; }

/* Waiting. torch says so itself where it asks for a wait, by the function that warns; what waits within libraries, such as
 * thrust, is told to whoever listens, and so is what warns past Python, by torch's own handler of warnings: functions that
 * pybind11 binds, such as those of process groups, install no other. Nobody has to wait here. */

static void (*listener)(const char *call);
static void *past_python;
static __thread int is_told;

/* c10::WarningUtils::get_warning_handler(), that of this thread; nothing before torch is loaded. */
static void *handler_of_warnings(void) {
    static void *(*find)(void);
    void *library = find ? NULL : dlopen("libc10.so", RTLD_NOW | RTLD_NOLOAD);
    if (library) find = (void *(*)(void))dlsym(library, "_ZN3c1012WarningUtils19get_warning_handlerEv");
    return find ? find() : NULL;
}
void synclint_listen(void (*function)(const char *)) {
    past_python = handler_of_warnings();
    listener = function;
}

/* c10::cuda::warn_or_error_on_sync(), which the linker finds here first. */
void _ZN3c104cuda21warn_or_error_on_syncEv(void) {
    static void (*real)(void);
    if (!real) real = (void (*)(void))dlsym(dlopen("libc10_cuda.so", RTLD_NOW | RTLD_NOLOAD), "_ZN3c104cuda21warn_or_error_on_syncEv");
    is_told = !past_python || handler_of_warnings() != past_python;
    if (real) real();
}
static int waits(const char *call) {
    if (!is_told && listener) listener(call);
    is_told = 0;
    return SUCCESS;
}
int cudaStreamSynchronize(void *stream) { return waits("cudaStreamSynchronize"); }
int cudaDeviceSynchronize(void) { return waits("cudaDeviceSynchronize"); }
int cudaEventSynchronize(void *event) { return waits("cudaEventSynchronize"); }

/* The device: one of compute capability 9.0. */

int cudaGetDeviceCount(int *count) { *count = 1; return SUCCESS; }
int cudaGetDevice(int *device) { *device = 0; return SUCCESS; }
int cudaDriverGetVersion(int *version) { *version = CUDA_VERSION; return SUCCESS; }
int cudaRuntimeGetVersion(int *version) { *version = CUDA_VERSION; return SUCCESS; }
int cudaDeviceGetPCIBusId(char *text, int size, int device) { snprintf(text, size, "0000:00:00.0"); return SUCCESS; }
int cudaDeviceCanAccessPeer(int *can, int device, int peer) { *can = 0; return SUCCESS; }
int cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return SUCCESS;
}

int cudaDeviceGetAttribute(int *value, int attribute, int device) {
    switch (attribute) {
    case 1: case 2: case 3: *value = 1024; break;       /* MaxThreadsPerBlock, MaxBlockDimX, MaxBlockDimY */
    case 4: *value = 64; break;                         /* MaxBlockDimZ */
    case 5: *value = 2147483647; break;                 /* MaxGridDimX */
    case 6: case 7: *value = 65535; break;              /* MaxGridDimY, MaxGridDimZ */
    case 8: *value = 49152; break;                      /* MaxSharedMemoryPerBlock */
    case 10: *value = 32; break;                        /* WarpSize */
    case 12: case 82: *value = 65536; break;            /* MaxRegistersPerBlock, …PerMultiprocessor */
    case 16: *value = 132; break;                       /* MultiProcessorCount */
    case 38: *value = 52428800; break;                  /* L2CacheSize */
    case 39: *value = 2048; break;                      /* MaxThreadsPerMultiProcessor */
    case 41: case 95: *value = 1; break;                /* UnifiedAddressing, CooperativeLaunch */
    case 75: *value = 9; break;                         /* ComputeCapabilityMajor */
    case 81: *value = 233472; break;                    /* MaxSharedMemoryPerMultiprocessor */
    case 97: *value = 232448; break;                    /* MaxSharedMemoryPerBlockOptin */
    case 106: *value = 32; break;                       /* MaxBlocksPerMultiprocessor */
    default: *value = 0;
    }
    return SUCCESS;
}

#define AT(type, offset) (*(type *)(properties + (offset)))
#define BY_VERSION(twelve, thirteen) (CUDA >= 13 ? (thirteen) : (twelve))
static int describe(char *properties) {
    memset(properties, 0, BY_VERSION(1032, 1008));
    strcpy(properties, "Emulated CUDA device");
    AT(size_t, 288) = CAPACITY;                                     /* totalGlobalMem */
    AT(size_t, 296) = 49152;                                        /* sharedMemPerBlock */
    AT(int, 304) = 65536;                                           /* regsPerBlock */
    AT(int, 308) = 32;                                              /* warpSize */
    AT(size_t, 312) = 2147483647;                                   /* memPitch */
    AT(int, 320) = 1024;                                            /* maxThreadsPerBlock */
    AT(int, 324) = AT(int, 328) = 1024, AT(int, 332) = 64;          /* maxThreadsDim */
    AT(int, 336) = 2147483647, AT(int, 340) = AT(int, 344) = 65535; /* maxGridSize */
    AT(size_t, 352) = 65536;                                        /* totalConstMem */
    AT(int, 360) = 9;                                               /* major */
    AT(size_t, 368) = 512;                                          /* textureAlignment */
    AT(int, BY_VERSION(388, 384)) = 132;                            /* multiProcessorCount */
    AT(int, BY_VERSION(400, 392)) = 1;                              /* canMapHostMemory */
    AT(int, BY_VERSION(576, 560)) = 1;                              /* concurrentKernels */
    AT(int, BY_VERSION(600, 584)) = 3;                              /* asyncEngineCount */
    AT(int, BY_VERSION(604, 588)) = 1;                              /* unifiedAddressing */
    AT(int, BY_VERSION(612, 592)) = 5120;                           /* memoryBusWidth */
    AT(int, BY_VERSION(616, 596)) = 52428800;                       /* l2CacheSize */
    AT(int, BY_VERSION(624, 604)) = 2048;                           /* maxThreadsPerMultiProcessor */
    AT(size_t, BY_VERSION(640, 624)) = 233472;                      /* sharedMemPerMultiprocessor */
    AT(int, BY_VERSION(648, 632)) = 65536;                          /* regsPerMultiprocessor */
    AT(int, BY_VERSION(688, 668)) = 1;                              /* cooperativeLaunch */
    AT(size_t, BY_VERSION(696, 672)) = 232448;                      /* sharedMemPerBlockOptin */
    AT(int, BY_VERSION(712, 688)) = 32;                             /* maxBlocksPerMultiProcessor */
    return SUCCESS;
}
int cudaGetDeviceProperties(char *properties, int device) { return describe(properties); }
int cudaGetDeviceProperties_v2(char *properties, int device) { return describe(properties); }

/* Streams and events: a stream is always idle, an event knows when it was recorded. */

struct event { struct timespec at; };

static int handle(void **result) {
    *result = calloc(1, 64);
    return *result ? SUCCESS : failed(OUT_OF_MEMORY);
}
static int forget(void *handle) { free(handle); return SUCCESS; }
int cudaStreamCreate(void **stream) { return handle(stream); }
int cudaStreamCreateWithFlags(void **stream, unsigned flags) { return handle(stream); }
int cudaStreamCreateWithPriority(void **stream, unsigned flags, int priority) { return handle(stream); }
int cudaStreamDestroy(void *stream) { return forget(stream); }
int cudaStreamGetPriority(void *stream, int *priority) { *priority = 0; return SUCCESS; }
int cudaEventCreate(void **event) { return handle(event); }
int cudaEventCreateWithFlags(void **event, unsigned flags) { return handle(event); }
int cudaEventDestroy(void *event) { return forget(event); }
int cudaEventRecord(struct event *event, void *stream) { clock_gettime(CLOCK_MONOTONIC, &event->at); return SUCCESS; }
int cudaEventRecordWithFlags(struct event *event, void *stream, unsigned flags) { return cudaEventRecord(event, stream); }
int cudaEventElapsedTime(float *ms, struct event *first, struct event *second) {
    *ms = (second->at.tv_sec - first->at.tv_sec) * 1e3f + (second->at.tv_nsec - first->at.tv_nsec) / 1e6f;
    return SUCCESS;
}
int cudaEventElapsedTime_v2(float *ms, struct event *first, struct event *second) {
    return cudaEventElapsedTime(ms, first, second);
}
int cudaLaunchHostFunc(void *stream, void (*function)(void *), void *data) { function(data); return SUCCESS; }
int cudaStreamAddCallback(void *stream, void (*function)(void *, int, void *), void *data, unsigned flags) {
    function(stream, SUCCESS, data);
    return SUCCESS;
}

/* CUDA graphs replay kernels, and there are none. */

int cudaStreamIsCapturing(void *stream, int *status) { *status = 0; return SUCCESS; }
static int not_capturing(int *status, unsigned long long *id, size_t *count) {
    *status = 0;
    if (id) *id = 0;
    if (count) *count = 0;
    return SUCCESS;
}
#if CUDA >= 13
int cudaStreamGetCaptureInfo(void *stream, int *status, unsigned long long *id, void *graph, void *nodes, void *edges, size_t *count) {
    return not_capturing(status, id, count);
}
#else
int cudaStreamGetCaptureInfo(void *stream, int *status, unsigned long long *id) { return not_capturing(status, id, NULL); }
int cudaStreamGetCaptureInfo_v2(void *stream, int *status, unsigned long long *id, void *graph, void *nodes, size_t *count) {
    return not_capturing(status, id, count);
}
int cudaStreamGetCaptureInfo_v3(void *stream, int *status, unsigned long long *id, void *graph, void *nodes, void *edges, size_t *count) {
    return not_capturing(status, id, count);
}
#endif
int cudaStreamBeginCapture(void *stream, int mode) { return failed(CAPTURE_UNSUPPORTED); }
int cudaStreamBeginCaptureToGraph(void) { return failed(CAPTURE_UNSUPPORTED); }
int cudaIpcGetMemHandle(void) { return failed(NOT_SUPPORTED); }
int cudaIpcGetEventHandle(void) { return failed(NOT_SUPPORTED); }

/* Kernels. A configuration that is refused keeps the compiler's wrapper from launching anything. */

unsigned __cudaPushCallConfiguration(void) { return 1; }
void **__cudaRegisterFatBinary(void *image) { static void *handle[1]; return handle; }
int cudaFuncGetAttributes(char *attributes, const void *function) {
    memset(attributes, 0, 144);
    *(int *)(attributes + 24) = 1024;                                /* maxThreadsPerBlock */
    *(int *)(attributes + 28) = 32;                                  /* numRegs */
    *(int *)(attributes + 32) = *(int *)(attributes + 36) = 90;      /* ptxVersion, binaryVersion */
    *(int *)(attributes + 44) = 49152;                               /* maxDynamicSharedSizeBytes */
    return SUCCESS;
}
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *count) { *count = 2; return SUCCESS; }
int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *count) { *count = 2; return SUCCESS; }
int cudaGetSymbolAddress(void **address, const void *symbol) { static char zeros[1 << 16]; *address = zeros; return SUCCESS; }
int cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags, int *status) {
    *function = NULL;
    if (status) *status = 1;
    return SUCCESS;
}
int cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version, unsigned long long flags, int *status) {
    return cudaGetDriverEntryPoint(name, function, flags, status);
}
