/* Weighted sums of stages, which are rows of the working memory, and error norms relative to tolerances.
 *
 * Rows consist of whole blocks, and several blocks are summed at a time in registers, so that consecutive operations do
 * not depend on each other. */
#include "loop.h"
#include <math.h>

typedef double Block __attribute__((vector_size(BLOCK * sizeof(double)), aligned(sizeof(double))));

#define INLINE static inline __attribute__((always_inline))

INLINE void some_blocks(const Loop *loop, double *y, const double *from, double h, const double *weights, long count,
                        long at, const int blocks) {
    const long n = padded(loop);
    const double *K = row(loop, STAGE) + at;
    Block sum[4] = {0};
    for (long j = 0; j < count; j++, K += n)
        if (weights[j] != 0)
#pragma GCC unroll 4
            for (int b = 0; b < blocks; b++)
                sum[b] += weights[j] * ((const Block *)K)[b];
#pragma GCC unroll 4
    for (int b = 0; b < blocks; b++)
        ((Block *)(y + at))[b] = ((const Block *)(from + at))[b] + h * sum[b];
}

/* y = from + h * sum weights[j] K[j], with K[j] the stages */
void combine(const Loop *loop, double *y, const double *from, double h, const double *weights, long count) {
    const long n = padded(loop);
    long at = 0;
    for (; at + 4 * BLOCK <= n; at += 4 * BLOCK)
        some_blocks(loop, y, from, h, weights, count, at, 4);
    switch ((n - at) / BLOCK) {
    case 3:
        return some_blocks(loop, y, from, h, weights, count, at, 3);
    case 2:
        return some_blocks(loop, y, from, h, weights, count, at, 2);
    case 1:
        return some_blocks(loop, y, from, h, weights, count, at, 1);
    }
}

/* Mean square of the error e relative to the tolerances. The tolerance of an entry follows from the larger of its
 * magnitudes in the states `old` and `new`. */
double squared_error(const Loop *loop, const double *e, const double *old, const double *new) {
    const double *atol = row(loop, TOLERANCE), rtol = loop->rtol;
    double total[BLOCK] = {0}, sum = 0;
    for (long i = 0; i < padded(loop); i += BLOCK)
        for (int b = 0; b < BLOCK; b++) {
            const double before = fabs(old[i + b]), after = fabs(new[i + b]);
            const double part = e[i + b] / (atol[i + b] + rtol * (before > after ? before : after));
            total[b] += part * part;
        }
    for (int b = 0; b < BLOCK; b++)
        sum += total[b];
    return sum / judged(loop);
}

int all_finite(const double *x, long n) {
    int unbounded = 0;
    for (long i = 0; i < n; i++)
        unbounded |= !(fabs(x[i]) <= DBL_MAX);
    return !unbounded;
}
