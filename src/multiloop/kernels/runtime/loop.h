/* The compiled time loop: one mechanism's kernels carried through time.
 *
 * The state y = [q, v, w]: coordinates, their rates, and the work done by drives and efforts. All kernels take
 * the same inputs in the same order (t, q, v, u, z, basis, choice, c, p) and differ in what they give. Python
 * fills the struct (structs.py mirrors it field by field), calls `advance` again and again, and reads the outputs.
 */
#ifndef MULTILOOP_LOOP_H
#define MULTILOOP_LOOP_H
#include <float.h>
#include <math.h>

typedef void (*Kernel)(double **addresses);
typedef int (*Control)(double t, const double *q, const double *v, double *u);

enum { INPUTS = 9 };
enum Input { AT_T, AT_Q, AT_V, AT_U, AT_Z, AT_BASIS, AT_CHOICE, AT_C, AT_P };

enum Method { EMBEDDED, CLASSICAL, ROSENBROCK };

enum Status { FINISHED, UNFINISHED, SINGULAR, OPEN, STUCK, NOT_FINITE, STOPPED, CONTROL_FAILED };

/* Piecewise polynomials of time: piece k holds from breaks[k] on, highest power first. */
typedef struct {
    long pieces, degree, periodic;
    const double *breaks, *coefficients;
} Table;

/* An explicit Runge-Kutta method with an error estimate of one or two parts (error5 may be null). */
typedef struct {
    long stages, extra, powers, uses_last;
    double exponent; /* of the step size in the error */
    const double *A, *B, *C, *error3, *error5, *A_extra, *C_extra, *D;
} Tableau;

typedef struct {
    /* sizes */
    long nq, nv, nu, rows, rank, rechoose, choices;
    /* kernels: rate -> q', v', power; close -> q, gap; straighten -> v, [closeness, size], work; matrix -> scaled J;
     * slope -> df/d[q, v], df/dt, df/dz; watch -> values whose zeros are events */
    Kernel rate, close, straighten, matrix, slope, watch;
    double **inputs; /* the shared inputs; t, q, v are set at every call */
    double *row_scale;
    Table *tables;
    long table_count;
    /* control from outside: at every evaluation (sample 0), or held over samples */
    Control control;
    double sample;
    /* how to integrate */
    long method;
    Tableau *tableau;
    double rtol, fixed_step, longest, singular, open;
    const double *atol;
    /* where steps must end, where outputs are wanted */
    const double *ends, *times;
    long end_count, output_count;
    /* events: direction (-1, 0, 1) and whether the run stops there */
    long event_count, event_room;
    const long *event_direction, *event_stops;
    /* state */
    double t, begun, h, closeness, gap, least, least_at; /* `least`: the smallest closeness so far */
    double size;                                         /* of the rows, the largest so far */
    double h_before, shrink_before; /* of the last step: its length, and h / (the length of unit error), 0 unknown */
    double *y, *f, *least_y; /* the last: y where closeness was least */
    long next_end, next_output, next_sample, steps, rejected, evaluations, tiny;
    /* outputs: rows of y, and of the u in force; events: time and number, then rows of y */
    double *outputs, *controls, *event_log;
    long events_found;
    double *watched; /* values of the events at t */
    double *room;    /* working memory, `room_needed` doubles */
} Loop;

long room_needed(const Loop *loop);
long struct_size(void);
int begin(Loop *loop);
int advance(Loop *loop, long steps);

/* tables.c */
double table_value(const Table *table, double t);
double table_slope(const Table *table, double t);

/* system.c: the kernels at a state */
int rate_at(Loop *loop, double t, const double *y, double *f);
int project(Loop *loop, double t, double *y);
int rechoose(Loop *loop, double t, const double *y);
void watch_at(Loop *loop, double t, const double *y, double *values);
void slope_at(Loop *loop, double t, const double *y, double *J, double *by_time);

/* sums.c: over the rows of the state */
void combine(const Loop *loop, double *y, const double *from, double h, const double *weights, long count);
double squared_error(const Loop *loop, const double *e, const double *old, const double *new);
int all_finite(const double *x, long n);

/* one step of each method: returns a status, UNFINISHED when the step was taken; h becomes the step taken */
int explicit_step(Loop *loop, double limit, double *h);
int rk4_step(Loop *loop, double limit, double *h);
int rosenbrock_step(Loop *loop, double limit, double *h);
double first_step(Loop *loop, double limit);

/* between.c: the state inside the step just taken */
int prepare_between(Loop *loop, double t0, double h);
void between(Loop *loop, double t0, double h, double t, double *y);

/* events.c: a step is looked at in so many parts */
enum { PARTS = 12 };
int find_events(Loop *loop, double t0, double h, double *stop);

/* fmin is a call into a library, which must look after numbers that are none */
static inline double smaller(double a, double b) { return a < b ? a : b; }

/* How far beside a limit what holds before and after it is asked for: more than its own round-off. */
static inline double beside(double t) { return 16 * DBL_EPSILON * fmax(1, fabs(t)); }
static inline double just_before(double limit, double t) { return limit - fmin(beside(limit), 0.5 * (limit - t)); }

static inline long size_of(const Loop *loop) { return loop->nq + loop->nv + 1; }

/* working memory: rows of the state's size (ZERO stays so, TOLERANCE is atol, stages from STAGE on, the rate at the
 * end of the step at LAST), then matrices */
enum Row { ZERO, TOLERANCE, OLD, NEW, TRY, PROBE, MIDDLE, CURVE, STAGE = CURVE + 8, LAST = STAGE + 18, ROWS };
enum { BLOCK = 8 }; /* rows are whole blocks, so that loops over them have no remainder */
static inline long padded(const Loop *loop) { return (size_of(loop) + BLOCK - 1) / BLOCK * BLOCK; }
static inline double *row(const Loop *loop, long k) { return loop->room + k * padded(loop); }
static inline double *matrices(const Loop *loop) { return row(loop, ROWS); }

#endif
