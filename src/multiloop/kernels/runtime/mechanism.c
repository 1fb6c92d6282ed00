/* The mechanism at one state: time derivative of the state, projection onto the constraints, and selection of
 * independent coordinates.
 * Theory: docs/theory/07-time-integration.md, eqs. (7.7)-(7.9);
 * docs/theory/08-singular-configurations.md, eq. (8.2). */
#include "loop.h"
#include <math.h>
#include <string.h>

/* Calls a kernel at a state with its outputs at given addresses; inlined, because it is part of every evaluation. */
static inline __attribute__((always_inline)) void call(Loop *loop, Kernel kernel, double *t, const double *y,
                                                       double *one, double *two, double *three, double *four) {
    double **at = loop->inputs;
    at[AT_T] = t;
    at[AT_Q] = (double *)y;
    at[AT_V] = (double *)y + at_v(loop);
    at[AT_X] = (double *)y + at_x(loop);
    at[INPUTS] = one;
    at[INPUTS + 1] = two;
    at[INPUTS + 2] = three;
    at[INPUTS + 3] = four;
    kernel(at);
}

static void read_tables(Loop *loop, double t) {
    for (long k = 0; k < loop->table_count; k++)
        loop->inputs[AT_Z][k] = table_value(&loop->tables[k], t);
}

int rate_at(Loop *loop, double t, const double *y, double *f) {
    read_tables(loop, t);
    if (loop->control && loop->sample == 0)
        if (loop->control(t, y, loop->inputs[AT_U]))
            return CONTROL_FAILED;
    call(loop, loop->rate, &t, y, f, f + at_v(loop), f + at_x(loop), f + at_work(loop));
    loop->evaluations++;
    return UNFINISHED;
}

/* Pivot of a constraint row relative to the largest squared size of the row so far, a measure of the distance from a
 * singular configuration (conditioning.py). */
static double beside_the_largest(Loop *loop, long row, double pivot, double size) {
    loop->sizes[row] = fmax(loop->sizes[row], size);
    return loop->sizes[row] > 0 ? pivot / loop->sizes[row] : pivot;
}

/* Projects the state onto the constraints by a Python callback. */
static int project_outside(Loop *loop, double t, double *y) {
    const long n = size_of(loop);
    double found[n + 1];
    if (loop->projector(t, y, found))
        return CONTROL_FAILED;
    if (!all_finite(found, n + 1))
        return NOT_FINITE;
    memcpy(y, found, n * sizeof(double));
    loop->gap = found[n];
    return loop->gap > loop->open ? OPEN : UNFINISHED;
}

/* Projects positions onto the constraints by Newton's method, with a new Jacobian at each step, and then the rates. */
int project(Loop *loop, double t, double *y) {
    double q[loop->nq + 1], v[loop->nv + 1], last = INFINITY;
    if (loop->projector)
        return project_outside(loop, t, y);
    read_tables(loop, t);
    for (int round = 0; round < ROUNDS; round++) {
        double gap = 0;
        call(loop, loop->project_positions, &t, y, q, &gap, 0, 0);
        if (!isfinite(gap) || !all_finite(q, loop->nq))
            return NOT_FINITE;
        loop->gap = gap;
        if (gap >= last && last < CLOSED)
            break;
        memcpy(y, q, loop->nq * sizeof(double));
        if (gap < CLOSE) { /* after this step the residual is about the square of the gap */
            loop->gap = gap * gap;
            break;
        }
        last = gap;
    }
    if (loop->gap > loop->open)
        return OPEN;
    double rows[2 * loop->rows + 2], pushed = 0, least = 1;
    call(loop, loop->project_velocities, &t, y, v, rows, &pushed, 0);
    y[at_work(loop)] += pushed;
    if (!all_finite(v, loop->nv))
        return NOT_FINITE;
    if (loop->rank == loop->rows) { /* otherwise `rechoose` computes the distance from singularity */
        for (long k = 0; k < loop->rows; k++)
            least = smaller(least, beside_the_largest(loop, k, 1 / rows[2 * k], rows[2 * k + 1]));
        loop->singularity_distance = sqrt(fmax(least, 0));
    }
    memcpy(y + at_v(loop), v, loop->nv * sizeof(double));
    return loop->singularity_distance < loop->singular ? SINGULAR : UNFINISHED;
}

/* Householder QR of the columns of X (n x m) with pivoting within groups, one group after another; accumulates the full
 * Q and returns the distance of the rows from singularity. */
static double reflect(Loop *loop, double *X, double *Q, long *order) {
    const long n = loop->nv, m = loop->rows, rank = loop->rank;
    long group = 0;
    double least = 1, size[m + 1];
    for (long j = 0; j < m; j++) {
        size[j] = 0;
        for (long i = 0; i < n; i++)
            size[j] += X[i + n * j] * X[i + n * j];
    }
    for (long i = 0; i < n * n; i++)
        Q[i] = i % (n + 1) == 0;
    for (long j = 0; j < m; j++)
        order[j] = j;
    for (long k = 0; k < rank; k++) {
        long best = k;
        double largest = -1;
        while (k >= loop->group_end[group])
            group++;
        for (long j = k; j < m; j++) {
            if (loop->group[order[j]] != group)
                continue;
            double sum = 0;
            for (long i = k; i < n; i++)
                sum += X[i + n * j] * X[i + n * j];
            if (sum > largest) {
                largest = sum;
                best = j;
            }
        }
        for (long i = 0; i < n; i++) {
            const double kept = X[i + n * k];
            X[i + n * k] = X[i + n * best];
            X[i + n * best] = kept;
        }
        const long kept = order[k];
        order[k] = order[best];
        order[best] = kept;
        const double length = sqrt(largest);
        if (rank < m) /* otherwise the projection has computed the distance from singularity */
            least = smaller(least, beside_the_largest(loop, order[k], largest, size[order[k]]));
        if (length == 0)
            return 0;
        double v[n];
        for (long i = 0; i < n; i++)
            v[i] = i < k ? 0 : X[i + n * k];
        v[k] += copysign(length, v[k]);
        double square = 0;
        for (long i = k; i < n; i++)
            square += v[i] * v[i];
        for (long j = k; j < m; j++) {
            double along = 0;
            for (long i = k; i < n; i++)
                along += v[i] * X[i + n * j];
            for (long i = k; i < n; i++)
                X[i + n * j] -= 2 * along / square * v[i];
        }
        for (long r = 0; r < n; r++) {
            double along = 0;
            for (long i = k; i < n; i++)
                along += Q[r + n * i] * v[i];
            for (long i = k; i < n; i++)
                Q[r + n * i] -= 2 * along / square * v[i];
        }
    }
    return sqrt(least);
}

/* Selects independent constraint rows and independent rates at the current state, by pivoted QR factorisation of the
 * transposed constraint Jacobian. */
int rechoose(Loop *loop, double t, const double *y) {
    if (loop->chooser)
        return loop->chooser(t, y, &loop->singularity_distance) ? CONTROL_FAILED : UNFINISHED;
    if (!loop->rechoose)
        return UNFINISHED;
    const long n = loop->nv, m = loop->rows, rank = loop->rank, solved = loop->solved;
    double *J = matrices(loop), *X = J + m * n, *Q = X + m * n;
    long order[m + 1];
    call(loop, loop->matrix, &t, y, J, 0, 0, 0);
    for (long i = 0; i < m; i++)
        for (long k = 0; k < n; k++)
            X[k + n * i] = J[i + m * k] / loop->rate_weights[k];
    const double distance = reflect(loop, X, Q, order);
    if (rank < m)
        loop->singularity_distance = distance;
    if (loop->singularity_distance < loop->singular)
        return SINGULAR;
    if (rank < m) {
        double *basis = loop->inputs[AT_BASIS]; /* rank x rows, column by column */
        memset(basis, 0, rank * m * sizeof(double));
        for (long k = 0; k < rank; k++)
            basis[k + rank * order[k]] = loop->row_scale[order[k]];
    }
    if (loop->choices)
        for (long k = solved; k < n; k++)
            for (long i = 0; i < n; i++)
                loop->inputs[AT_CHOICE][(k - solved) + (n - solved) * i] = Q[i + n * k] * loop->rate_weights[i];
    return UNFINISHED;
}

void evaluate_events(Loop *loop, double t, const double *y, double *values) {
    read_tables(loop, t);
    call(loop, loop->events, &t, y, values, 0, 0, 0);
}

void slope_at(Loop *loop, double t, const double *y, double *J, double *by_time) {
    const long n = size_of(loop);
    double by_table[n * loop->table_count + 1];
    read_tables(loop, t);
    call(loop, loop->slope, &t, y, J, by_time, by_table, 0);
    for (long k = 0; k < loop->table_count; k++) {
        const double slope = table_slope(&loop->tables[k], t);
        for (long i = 0; i < n; i++)
            by_time[i] += slope * by_table[i + n * k];
    }
}

void stiffness_at(Loop *loop, double t, const double *y, double *by_shape, double *by_rate) {
    read_tables(loop, t);
    call(loop, loop->stiffness, &t, y, by_shape, by_rate, 0, 0);
}
