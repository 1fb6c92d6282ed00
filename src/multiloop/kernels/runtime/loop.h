/* The compiled time loop: one mechanism's kernels carried through time.
 *
 * The state y = [q, v, x, w]: coordinates, their rates, further states, and the work done by drives and efforts, all
 * together and then item by item. All
 * kernels take the same inputs in the same order (t, q, v, x, u, z, basis, choice, c, p) and differ in what they give.
 * Python fills the struct, calls `advance` again and again, and reads the outputs.
 *
 * One step of each method (`embedded_step`, ...) returns a status, UNFINISHED when the step was taken; h becomes the
 * step taken.
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

/* mechanism.c: the kernels at a state */
int rate_at(Loop *loop, double t, const double *y, double *f);
int project(Loop *loop, double t, double *y);
int rechoose(Loop *loop, double t, const double *y);
void watch_at(Loop *loop, double t, const double *y, double *values);
void slope_at(Loop *loop, double t, const double *y, double *J, double *by_time);
void stiffness_at(Loop *loop, double t, const double *y, double *by_shape, double *by_rate);

/* sums.c: over the rows of the state */
void combine(const Loop *loop, double *y, const double *from, double h, const double *weights, long count);
double squared_error(const Loop *loop, const double *e, const double *old, const double *new);
int all_finite(const double *x, long n);

double first_step(Loop *loop, double limit);

/* controlled.c: a step of a method with stages, which answer a status */
typedef int (*Stages)(Loop *loop, double h, double inside);
int controlled_step(Loop *loop, double limit, Stages stages, long apart, double *taken);

/* between.c: the state inside the step just taken */
int prepare_between(Loop *loop, double t0, double h);
void between(Loop *loop, double t0, double h, double t, double *y);
double additive_between(const Loop *loop, double h, double x, long i);

/* events.c: a step is looked at in so many parts */
enum { PARTS = 12 };
int find_events(Loop *loop, double t0, double h, double *stop);

/* fmin is a call into a library, which must look after numbers that are none */
static inline double smaller(double a, double b) { return a < b ? a : b; }

/* How far beside a limit what holds before and after it is asked for: more than its own round-off. */
static inline double beside(const Loop *loop, double t) {
    return 16 * DBL_EPSILON * fmax(loop->ends[loop->end_count - 1] - loop->begun, fabs(t));
}
static inline double just_before(const Loop *loop, double limit, double t) {
    return limit - fmin(beside(loop, limit), 0.5 * (limit - t));
}

/* where the blocks of the state begin */
static inline long at_v(const Loop *loop) { return loop->nq; }
static inline long at_x(const Loop *loop) { return at_v(loop) + loop->nv; }
static inline long at_work(const Loop *loop) { return at_x(loop) + loop->nx; }
static inline long size_of(const Loop *loop) { return at_work(loop) + loop->nw; }
/* entries that decide on the steps: the energies of single items, behind all work together, do not */
static inline long judged(const Loop *loop) { return at_work(loop) + 1; }

/* working memory: rows of the state's size (ZERO stays so, TOLERANCE is atol, stages from STAGE on, the rate at the
 * end of the step at LAST), then matrices */
enum Row { ZERO, TOLERANCE, OLD, NEW, TRY, PROBE, MIDDLE, CURVE, STAGE = CURVE + 8, LAST = STAGE + 18, ROWS };
enum { BLOCK = 8 }; /* rows are whole blocks, so that loops over them have no remainder */
static inline long padded(const Loop *loop) { return (size_of(loop) + BLOCK - 1) / BLOCK * BLOCK; }
static inline double *row(const Loop *loop, long k) { return loop->room + k * padded(loop); }
static inline double *matrices(const Loop *loop) { return row(loop, ROWS); }

#endif
