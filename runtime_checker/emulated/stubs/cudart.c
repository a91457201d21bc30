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

enum { SUCCESS = 0, OUT_OF_MEMORY = 2, ILLEGAL_STATE = 401, NOT_SUPPORTED = 801, CAPTURE_UNSUPPORTED = 900,
       CAPTURE_INVALIDATED = 901, CAPTURE_MERGE = 902, CAPTURE_UNMATCHED = 903, CAPTURE_UNJOINED = 904,
       CAPTURED_EVENT = 907, CAPTURE_WRONG_THREAD = 908 };
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
    case CAPTURE_UNSUPPORTED: return "operation not permitted when stream is capturing";
    case CAPTURE_INVALIDATED: return "operation failed due to a previous error during capture";
    case CAPTURE_UNJOINED: return "capturing stream has unjoined work";
    case CAPTURE_UNMATCHED: return "capture was not ended in the same stream as it began";
    case CAPTURED_EVENT: return "operation not permitted on an event last recorded in a capturing stream";
    case CAPTURE_WRONG_THREAD: return "attempt to terminate a thread-local capture sequence from another thread";
    case ILLEGAL_STATE: return "the operation cannot be performed in the present state";
    default: return "error of the emulated device";
    }
}


/* CUDA graphs: which streams are being captured, by whom, and what forbids it. What is captured is only counted here: who
 * computes the values records it, and is told of each launch. */

enum { GLOBAL = 0, THREAD_LOCAL = 1, RELAXED = 2 };
struct capture { unsigned long long id; int mode, invalid, open; pthread_t thread; void *origin; size_t nodes; int joined; struct capture *next; };
struct stream { struct capture *capture; int forked; };
static struct capture *captures;
static unsigned long long last_capture;
static __thread int thread_mode = GLOBAL;
enum { ENDED = 0, LAUNCHED = 1, DESTROYED = 2 };
static void (*teller)(unsigned long long id, int event);

static struct capture *capture_of(void *stream) {
    struct capture *found = (size_t)stream > 2 ? ((struct stream *)stream)->capture : NULL;
    return found && found->open ? found : NULL;
}
/* Whoever wants to hear of all that a capture forbids is told, and the program goes on. */
static void (*forgiver)(const char *error);
void synclint_forgive(void (*function)(const char *)) { forgiver = function; }
static int refuse(struct capture *capture, int error) {
    if (forgiver) { forgiver(cudaGetErrorString(error)); return SUCCESS; }
    capture->invalid = 1;
    return failed(error);
}

/* A call that a capture cannot see, and that may be unsafe: which threads are refused it is up to the modes. */
static int unsafe(void) {
    if (thread_mode == RELAXED) return SUCCESS;
    for (struct capture *each = captures; each; each = each->next) {
        if (!each->open || each->mode == RELAXED) continue;
        if (pthread_equal(each->thread, pthread_self()) || (thread_mode == GLOBAL && each->mode == GLOBAL))
            return refuse(each, CAPTURE_UNSUPPORTED);
    }
    return SUCCESS;
}
static int forbidden(void *stream) {
    struct capture *capture = capture_of(stream);
    return capture ? refuse(capture, CAPTURE_UNSUPPORTED) : unsafe();
}
/* Work on a stream: 0 it is to be done now, 1 it is captured, above it fails. */
static int captured(void *stream, int *error) {
    struct capture *capture = capture_of(stream);
    *error = SUCCESS;
    if (!capture) return 0;
    if (capture->invalid) *error = failed(CAPTURE_INVALIDATED); else capture->nodes++;
    return 1;
}
void synclint_on_graph(void (*function)(unsigned long long, int)) { teller = function; }
unsigned long long synclint_capturing(void) {
    for (struct capture *each = captures; each; each = each->next) if (each->open && !each->invalid) return each->id;
    return 0;
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

int cudaMalloc(void **p, size_t n) { int error = unsafe(); return error ? error : take(p, n, DEVICE); }
int cudaMallocAsync(void **p, size_t n, void *stream) { return take(p, n, DEVICE); }
int cudaMallocManaged(void **p, size_t n, unsigned flags) { int error = unsafe(); return error ? error : take(p, n, MANAGED); }
int cudaMallocHost(void **p, size_t n) { int error = unsafe(); return error ? error : take(p, n, HOST); }
int cudaHostAlloc(void **p, size_t n, unsigned flags) { int error = unsafe(); return error ? error : take(p, n, HOST); }
int cudaFree(void *p) { int error = unsafe(); return error ? error : give(p); }
int cudaFreeAsync(void *p, void *stream) { return give(p); }
int cudaFreeHost(void *p) { int error = unsafe(); return error ? error : give(p); }
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
int cudaMemcpy(void *d, const void *s, size_t n, int kind) { int error = unsafe(); return error ? error : copy(d, s, n, kind); }
int cudaMemcpyAsync(void *d, const void *s, size_t n, int kind, void *stream) {
    int error;
    if (forgiver && kind == TO_HOST) return copy(d, s, n, kind);
    return captured(stream, &error) ? error : copy(d, s, n, kind);
}
int cudaMemcpyPeerAsync(void *d, int to, const void *s, int from, size_t n, void *stream) { return copy(d, s, n, 3); }
int cudaMemcpy2DAsync(char *d, size_t dp, const char *s, size_t sp, size_t w, size_t h, int kind, void *stream) {
    int error;
    if (captured(stream, &error)) return error;
    for (size_t row = 0; row < h; row++) memmove(d + row * dp, s + row * sp, w);
    return SUCCESS;
}
int cudaMemset(void *d, int v, size_t n) { memset(d, v, n); return SUCCESS; }
int cudaMemsetAsync(void *d, int v, size_t n, void *stream) {
    int error;
    if (captured(stream, &error)) return error;
    memset(d, v, n);
    return SUCCESS;
}

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
static int waits(const char *call, int error) {
    if (!is_told && listener) listener(call);
    is_told = 0;
    return error;
}
struct event { struct timespec at; struct capture *capture; };
static struct capture *event_capture(struct event *event) {
    return event && event->capture && event->capture->open ? event->capture : NULL;
}
static int event_forbidden(void *event) {
    struct capture *capture = event_capture(event);
    return capture ? refuse(capture, CAPTURED_EVENT) : unsafe();
}
static int device_forbidden(void) {
    for (struct capture *each = captures; each; each = each->next)
        if (each->open) return refuse(each, CAPTURE_UNSUPPORTED);
    return SUCCESS;
}
int cudaStreamSynchronize(void *stream) { return waits("cudaStreamSynchronize", forbidden(stream)); }
int cudaDeviceSynchronize(void) { return waits("cudaDeviceSynchronize", device_forbidden()); }
int cudaEventSynchronize(void *event) { return waits("cudaEventSynchronize", event_forbidden(event)); }
int cudaStreamQuery(void *stream) { return forbidden(stream); }
int cudaEventQuery(void *event) { return event_forbidden(event); }

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
int cudaEventRecord(struct event *event, void *stream) {
    event->capture = capture_of(stream);
    if (event->capture && (size_t)stream > 2) ((struct stream *)stream)->forked = 0; /* joined, if it is waited for */
    clock_gettime(CLOCK_MONOTONIC, &event->at);
    return SUCCESS;
}
int cudaStreamWaitEvent(void *stream, struct event *event, unsigned flags) {
    struct capture *capture = event_capture(event);
    if (capture && (size_t)stream > 2 && !capture_of(stream)) {
        ((struct stream *)stream)->capture = capture;
        ((struct stream *)stream)->forked = 1;
        capture->joined++;
    }
    return SUCCESS;
}
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

/* The life of a capture and of its graph. A graph is the capture. */

int cudaStreamBeginCapture(void *stream, int mode) {
    if ((size_t)stream <= 2) return failed(CAPTURE_UNSUPPORTED);
    if (capture_of(stream)) return failed(ILLEGAL_STATE);
    struct capture *capture = calloc(1, sizeof *capture);
    *capture = (struct capture){++last_capture, mode, 0, 1, pthread_self(), stream, 0, 0, captures};
    captures = capture;
    ((struct stream *)stream)->capture = capture;
    return SUCCESS;
}
int cudaStreamBeginCaptureToGraph(void) { return failed(NOT_SUPPORTED); }
int cudaStreamEndCapture(void *stream, void **graph) {
    struct capture *capture = capture_of(stream);
    *graph = NULL;
    if (!capture) return failed(ILLEGAL_STATE);
    if (capture->origin != stream) return refuse(capture, CAPTURE_UNMATCHED);
    if (capture->mode != RELAXED && !pthread_equal(capture->thread, pthread_self())) return refuse(capture, CAPTURE_WRONG_THREAD);
    capture->open = 0;
    if (teller) teller(capture->id, ENDED);
    if (capture->invalid) return failed(CAPTURE_INVALIDATED);
    *graph = capture;
    return SUCCESS;
}
static int info(void *stream, int *status, unsigned long long *id, void **graph, void **nodes, void **edges, size_t *count) {
    struct capture *capture = capture_of(stream);
    *status = !capture ? 0 : capture->invalid ? 2 : 1;
    if (id) *id = capture ? capture->id : 0;
    if (graph) *graph = capture;
    if (nodes) *nodes = NULL;
    if (edges) *edges = NULL;
    if (count) *count = 0;
    return SUCCESS;
}
int cudaStreamIsCapturing(void *stream, int *status) { return info(stream, status, NULL, NULL, NULL, NULL, NULL); }
#if CUDA >= 13
int cudaStreamGetCaptureInfo(void *stream, int *status, unsigned long long *id, void **graph, void **nodes, void **edges, size_t *count) {
    return info(stream, status, id, graph, nodes, edges, count);
}
#else
int cudaStreamGetCaptureInfo(void *stream, int *status, unsigned long long *id) { return info(stream, status, id, NULL, NULL, NULL, NULL); }
int cudaStreamGetCaptureInfo_v2(void *stream, int *status, unsigned long long *id, void **graph, void **nodes, size_t *count) {
    return info(stream, status, id, graph, nodes, NULL, count);
}
int cudaStreamGetCaptureInfo_v3(void *stream, int *status, unsigned long long *id, void **graph, void **nodes, void **edges, size_t *count) {
    return info(stream, status, id, graph, nodes, edges, count);
}
#endif
int cudaThreadExchangeStreamCaptureMode(int *mode) { int before = thread_mode; thread_mode = *mode; *mode = before; return SUCCESS; }
int cudaGraphGetNodes(struct capture *graph, void **nodes, size_t *count) { if (count && !nodes) *count = graph->nodes; return SUCCESS; }
int cudaGraphInstantiate(void **exec, void *graph) { *exec = graph; return SUCCESS; }
int cudaGraphInstantiateWithFlags(void **exec, void *graph, unsigned long long flags) { *exec = graph; return SUCCESS; }
int cudaGraphLaunch(struct capture *exec, void *stream) {
    if (capture_of(stream)) return refuse(capture_of(stream), CAPTURE_UNSUPPORTED);
    if (teller) teller(exec->id, LAUNCHED);
    return SUCCESS;
}
int cudaGraphExecDestroy(struct capture *exec) { if (teller) teller(exec->id, DESTROYED); return SUCCESS; }
int cudaIpcGetMemHandle(void) { return failed(NOT_SUPPORTED); }
int cudaIpcGetEventHandle(void) { return failed(NOT_SUPPORTED); }

/* Kernels. A configuration that is refused keeps the compiler's wrapper from launching anything. */

struct dim3 { unsigned x, y, z; };
unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared, void *stream) {
    int error;
    captured(stream, &error);
    return 1;
}
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
