/* Small systems of linear equations by LU factorisation with partial pivoting. */
#include "loop.h"
#include <math.h>

/* LU factorisation of M (n x n) with partial pivoting, in place; returns 0 if a pivot is zero. */
int factor(long n, double *M, long *pivot) {
    for (long k = 0; k < n; k++) {
        long best = k;
        for (long i = k + 1; i < n; i++)
            if (fabs(M[i + n * k]) > fabs(M[best + n * k]))
                best = i;
        pivot[k] = best;
        if (!(fabs(M[best + n * k]) > 0))
            return 0;
        if (best != k)
            for (long j = 0; j < n; j++) {
                const double kept = M[k + n * j];
                M[k + n * j] = M[best + n * j];
                M[best + n * j] = kept;
            }
        for (long i = k + 1; i < n; i++)
            M[i + n * k] /= M[k + n * k];
        for (long j = k + 1; j < n; j++)
            for (long i = k + 1; i < n; i++)
                M[i + n * j] -= M[i + n * k] * M[k + n * j];
    }
    return 1;
}

void substitute(long n, const double *M, const long *pivot, double *x) {
    for (long k = 0; k < n; k++) {
        const double kept = x[k];
        x[k] = x[pivot[k]];
        x[pivot[k]] = kept;
    }
    for (long k = 0; k < n; k++)
        for (long i = k + 1; i < n; i++)
            x[i] -= M[i + n * k] * x[k];
    for (long k = n - 1; k >= 0; k--) {
        x[k] /= M[k + n * k];
        for (long i = 0; i < k; i++)
            x[i] -= M[i + n * k] * x[k];
    }
}
