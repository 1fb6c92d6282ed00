/* Dense output: the state at times inside the last step, interpolated from the states at its beginning and end (rows
 * OLD and NEW), its stages and the rate at its end (row LAST). */
#include "loop.h"
#include <string.h>

/* The 8(5,3) method of Dormand and Prince needs three more stages for its dense output of order 7
 * (Hairer, Norsett, Wanner, II.6). */
int prepare_between(Loop *loop, double t0, double h) {
    const Tableau *T = loop->tableau;
    const long n = size_of(loop);
    const double *old = row(loop, OLD), *new = row(loop, NEW);
    if (loop->method != EMBEDDED || !T->extra)
        return UNFINISHED;
    memcpy(row(loop, STAGE + T->stages), row(loop, LAST), n * sizeof(double));
    const long all = T->stages + 1 + T->extra;
    for (long e = 0; e < T->extra; e++) {
        double *try = row(loop, TRY);
        combine(loop, try, old, h, T->A_extra + e * all, T->stages + 1 + e);
        const int status = rate_at(loop, t0 + T->C_extra[e] * h, try, row(loop, STAGE + T->stages + 1 + e));
        if (status != UNFINISHED)
            return status;
    }
    const double *first = row(loop, STAGE), *last = row(loop, LAST);
    for (long i = 0; i < n; i++) {
        const double change = new[i] - old[i];
        row(loop, CURVE)[i] = change;
        row(loop, CURVE + 1)[i] = h * first[i] - change;
        row(loop, CURVE + 2)[i] = 2 * change - h * (last[i] + first[i]);
    }
    for (long c = 0; c < T->powers - 3; c++)
        combine(loop, row(loop, CURVE + 3 + c), row(loop, ZERO), h, T->D + c * all, all);
    return UNFINISHED;
}

void between(Loop *loop, double t0, double h, double t, double *y) {
    const Tableau *T = loop->tableau;
    const long n = size_of(loop);
    const double x = (t - t0) / h, *old = row(loop, OLD), *new = row(loop, NEW);
    for (long i = 0; i < n; i++) {
        double value = 0;
        if (loop->method == EMBEDDED && T->extra) {
            for (long c = T->powers - 1, k = 0; c >= 0; c--, k++)
                value = (value + row(loop, CURVE + c)[i]) * (k % 2 ? 1 - x : x);
        } else if (loop->method == EMBEDDED) {
            for (long j = 0; j <= T->stages; j++) {
                double weight = 0;
                for (long c = T->powers - 1; c >= 0; c--)
                    weight = (weight + T->D[j * T->powers + c]) * x;
                value += h * weight * row(loop, STAGE + j)[i];
            }
        } else if (loop->method == ADDITIVE) {
            value = additive_between(loop, h, x, i);
        } else { /* cubic Hermite interpolation; the rate at the beginning is still in f */
            const double first = h * loop->f[i], last = h * row(loop, LAST)[i], change = new[i] - old[i];
            value = x * (first + x * (3 * change - 2 * first - last + x * (first + last - 2 * change)));
        }
        y[i] = old[i] + value;
    }
}
