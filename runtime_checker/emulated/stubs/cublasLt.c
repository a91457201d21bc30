/* cuBLASLt: one algorithm for every product. */
int cublasLtMatmulAlgoGetHeuristic(void *handle, void *operation, void *a, void *b, void *c, void *d, void *preference,
                                   int wanted, void *results, int *found) {
    *found = 1;
    return 0;
}
