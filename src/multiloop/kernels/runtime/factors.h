/* Small systems of linear equations; matrices are stored column by column. */
#ifndef MULTILOOP_FACTORS_H
#define MULTILOOP_FACTORS_H

int factor(long n, double *M, long *pivot);
void substitute(long n, const double *M, const long *pivot, double *x);

#endif
