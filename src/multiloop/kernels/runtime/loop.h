/* The compiled time loop: integrates the equations of motion of one mechanism over time.
 *
 * The state is y = [q, v, x, w]: coordinates, rates, further states, and the work done by drives and efforts: first the
 * total work, then the energies of single loads, drives or bodies. The kernels are compiled functions of the mechanism.
 * All of them have the same inputs in the same order (t, q, v, x, u, z, basis, choice, c, p) and different outputs.
 * Python fills the struct Loop, calls `advance` repeatedly, and reads the outputs.
 *
 * The step function of each method (`embedded_step`, ...) returns a status, UNFINISHED if the step was taken, and sets
 * h to its length.
 */
#ifndef MULTILOOP_LOOP_H
#define MULTILOOP_LOOP_H
#include <float.h>
#include <math.h>

typedef void (*Kernel)(double **addresses);
typedef int (*Outside)(double t, const double *y, double *found);

#include "structs.h" /* written by structs.py: inputs, statuses, methods, and the struct Loop */

long room_needed(const Loop *loop);
int begin(Loop *loop);
int advance(Loop *loop, long steps);

/* tables.c */
double table_value(const Table *table, double t);
double table_slope(const Table *table, double t);

/* lu.c: small systems of linear equations; matrices are stored column by column */
int factor(long n, double *M, long *pivot);
void substitute(long n, const double *M, const long *pivot, double *x);

/* mechanism.c: evaluation of the kernels at a state */
int rate_at(Loop *loop, double t, const double *y, double *f);
int project(Loop *loop, double t, double *y);
int rechoose(Loop *loop, double t, const double *y);
void evaluate_events(Loop *loop, double t, const double *y, double *values);
void slope_at(Loop *loop, double t, const double *y, double *J, double *by_time);
void stiffness_at(Loop *loop, double t, const double *y, double *by_shape, double *by_rate);

/* error_norms.c: weighted sums of the rows of working memory, and error norms */
void combine(const Loop *loop, double *y, const double *from, double h, const double *weights, long count);
double squared_error(const Loop *loop, const double *e, const double *old, const double *new);
int all_finite(const double *x, long n);

double first_step(Loop *loop, double limit);

/* error_control_4_3.c: a step of order 4(3) with error control; `stages` computes all stages of the method and returns
 * a status */
typedef int (*Stages)(Loop *loop, double h, double inside);
int controlled_step(Loop *loop, double limit, Stages stages, long apart, double *taken);

/* dense_output.c: dense output inside the last step */
int prepare_between(Loop *loop, double t0, double h);
void between(Loop *loop, double t0, double h, double t, double *y);
double additive_between(const Loop *loop, double h, double x, long i);

/* events.c: number of parts of a step in which sign changes are searched */
enum { PARTS = 12 };
int find_events(Loop *loop, double t0, double h, double *stop);
int find_jumps(Loop *loop, double after);

/* Minimum of two numbers that are not NaN; faster than fmin, which is a library call because it handles NaN */
static inline double smaller(double a, double b) { return a < b ? a : b; }

/* Time difference from the limit of a step at which values just before and after the limit are evaluated; larger than
 * the round-off of time. */
static inline double beside(const Loop *loop, double t) {
    return 16 * DBL_EPSILON * fmax(loop->ends[loop->end_count - 1] - loop->begun, fabs(t));
}
static inline double just_before(const Loop *loop, double limit, double t) {
    return limit - fmin(beside(loop, limit), 0.5 * (limit - t));
}

/* offsets of the blocks of the state */
static inline long at_v(const Loop *loop) { return loop->nq; }
static inline long at_x(const Loop *loop) { return at_v(loop) + loop->nv; }
static inline long at_work(const Loop *loop) { return at_x(loop) + loop->nx; }
static inline long size_of(const Loop *loop) { return at_work(loop) + loop->nw; }
/* number of state entries used for error control: all but the energies of single loads, drives or bodies at the end */
static inline long judged(const Loop *loop) { return at_work(loop) + 1; }

/* working memory: rows of the size of the state, then matrices. Row ZERO contains zeros, TOLERANCE the absolute
 * tolerances, STAGE and the following rows the stages, and LAST the rate at the end of the step. */
enum Row { ZERO, TOLERANCE, OLD, NEW, TRY, PROBE, MIDDLE, CURVE, STAGE = CURVE + 8, LAST = STAGE + 18, ROWS };
enum { BLOCK = 8 }; /* rows are padded to whole blocks, so that loops over them have no remainder */
static inline long padded(const Loop *loop) { return (size_of(loop) + BLOCK - 1) / BLOCK * BLOCK; }
static inline double *row(const Loop *loop, long k) { return loop->room + k * padded(loop); }
static inline double *matrices(const Loop *loop) { return row(loop, ROWS); }

#endif
