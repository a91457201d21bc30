/* NCCL in a world of one: what a rank sends, it receives. Larger worlds are refused. */
#include <stddef.h>
#include <string.h>
enum { NCCL_INVALID_USAGE = 5 };
struct id { char bytes[128]; };
static int communicator(void **result, int ranks) {
    static char one[4096];
    *result = one;
    return ranks == 1 ? 0 : NCCL_INVALID_USAGE;
}
int ncclGetVersion(int *version) { *version = 22809; return 0; }
int ncclGetUniqueId(struct id *id) { memset(id, 1, sizeof *id); return 0; }
int ncclCommGetUniqueId(void *comm, struct id *id) { return ncclGetUniqueId(id); }
int ncclCommInitRank(void **comm, int ranks, struct id id, int rank) { return communicator(comm, ranks); }
int ncclCommInitRankConfig(void **comm, int ranks, struct id id, int rank, void *config) { return communicator(comm, ranks); }
int ncclCommInitRankScalable(void **comm, int ranks, int rank, int ids, void *id, void *config) { return communicator(comm, ranks); }
int ncclCommInitAll(void **comms, int devices, const int *list) { return communicator(comms, devices); }
int ncclCommSplit(void *comm, int color, int key, void **made, void *config) { return communicator(made, 1); }
int ncclCommCount(void *comm, int *count) { *count = 1; return 0; }
int ncclCommUserRank(void *comm, int *rank) { *rank = 0; return 0; }
int ncclCommCuDevice(void *comm, int *device) { *device = 0; return 0; }
int ncclCommGetAsyncError(void *comm, int *error) { *error = 0; return 0; }
int ncclRedOpCreatePreMulSum(int *operation) { *operation = 0; return 0; }
const char *ncclGetErrorString(int error) { return error == NCCL_INVALID_USAGE ? "the emulated device is a world of one" : "no error"; }
const char *ncclGetLastError(void *comm) { return "the emulated device is a world of one"; }
static int pass(const void *from, void *to, size_t count, int type) {
    static const int sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
    if (from != to) memmove(to, from, count * sizes[type]);
    return 0;
}
int ncclAllReduce(const void *from, void *to, size_t count, int type, int operation) { return pass(from, to, count, type); }
int ncclReduce(const void *from, void *to, size_t count, int type, int operation) { return pass(from, to, count, type); }
int ncclReduceScatter(const void *from, void *to, size_t count, int type, int operation) { return pass(from, to, count, type); }
int ncclBroadcast(const void *from, void *to, size_t count, int type, int root) { return pass(from, to, count, type); }
int ncclAllGather(const void *from, void *to, size_t count, int type) { return pass(from, to, count, type); }
int ncclGather(const void *from, void *to, size_t count, int type) { return pass(from, to, count, type); }
int ncclScatter(const void *from, void *to, size_t count, int type) { return pass(from, to, count, type); }
int ncclAlltoAll(const void *from, void *to, size_t count, int type) { return pass(from, to, count, type); }
