/* cuSOLVER: how much room its routines want, which torch asks for before it calls them.
 *
 * Arguments are read by position, as integers and pointers alike lie in slots of 8 bytes on 64-bit Linux. */
#define ARGUMENTS long a1, long a2, long a3, long a4, long a5, long a6, long a7, long a8, long a9, long a10, long a11, \
                  long a12, long a13, long a14, long a15, long a16, long a17, long a18, long a19
#define ROOM(name, at) int name(ARGUMENTS) { *(int *)at = 64; return 0; }
#define ROOMS(name, device, host) int name(ARGUMENTS) { *(unsigned long *)device = *(unsigned long *)host = 64; return 0; }
#define EACH(routine, at) ROOM(cusolverDnS##routine##_bufferSize, at) ROOM(cusolverDnD##routine##_bufferSize, at) \
                          ROOM(cusolverDnC##routine##_bufferSize, at) ROOM(cusolverDnZ##routine##_bufferSize, at)
EACH(gesvd, a4)
EACH(sytrf, a5)
EACH(geqrf, a6)
EACH(getrf, a6)
EACH(potrf, a6)
EACH(orgqr, a8)
EACH(ungqr, a8)
EACH(syevd, a8)
EACH(heevd, a8)
EACH(syevj, a8)
EACH(heevj, a8)
EACH(syevjBatched, a8)
EACH(heevjBatched, a8)
EACH(ormqr, a12)
EACH(unmqr, a12)
EACH(gesvdjBatched, a12)
EACH(gesvdj, a13)
EACH(gesvdaStridedBatched, a17)
ROOMS(cusolverDnXpotrf_bufferSize, a9, a10)
ROOMS(cusolverDnXgeqrf_bufferSize, a11, a12)
ROOMS(cusolverDnXsyevd_bufferSize, a12, a13)
ROOMS(cusolverDnXsyevBatched_bufferSize, a12, a13)
ROOMS(cusolverDnXsytrs_bufferSize, a12, a13)
ROOMS(cusolverDnXgeev_bufferSize, a18, a19)
