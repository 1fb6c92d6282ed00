/* The time loop: steps, projection onto the constraints, events, outputs, sampled control.
 * Theory: docs/theory/07-time-integration.md, sections 7.2, 7.4, 7.6. */
#include "loop.h"
#include <math.h>
#include <string.h>

enum { TOO_MANY_TINY = 200 };

long room_needed(const Loop *loop) {
    const long n = size_of(loop), v = loop->nv;
    const long choosing = 2 * loop->rows * v + v * v, implicit = 2 * n * n; /* enough for the additive method, too */
    return ROWS * padded(loop) + (choosing > implicit ? choosing : implicit) + 16;
}

static double next_limit(const Loop *loop) {
    const double end = loop->ends[loop->next_end], apart = 1e-12 * fmax(fabs(end), end - loop->begun);
    const double next = loop->next_sample * loop->sample;
    return loop->sample > 0 && next < end - apart ? next : end;
}

/* Passes a limit, a time at which a step had to end: updates the sampled control, and evaluates the rate just after
 * this time. */
static int pass_limit(Loop *loop) {
    while (loop->next_end < loop->end_count - 1 && loop->t >= loop->ends[loop->next_end])
        loop->next_end++;
    const double next = loop->next_sample * loop->sample;
    if (loop->sample > 0 && loop->t >= next - 1e-12 * fmax(fabs(next), loop->sample)) {
        loop->next_sample++;
        if (loop->control && loop->control(loop->t, loop->y, loop->inputs[AT_U]))
            return CONTROL_FAILED;
    }
    const double after = loop->t + beside(loop, loop->t); /* drives may change their speed here */
    loop->at_once = 1;
    const int status = project(loop, after, loop->y);
    loop->at_once = 0;
    return status == UNFINISHED ? rate_at(loop, after, loop->y, loop->f) : status;
}

/* Stores the state if its distance from singularity is the smallest so far. */
static void remember_nearest(Loop *loop, double t, const double *y) {
    if (loop->singularity_distance < loop->least) {
        loop->least = loop->singularity_distance, loop->least_at = t;
        memcpy(loop->least_y, y, size_of(loop) * sizeof(double));
    }
}

static int record(Loop *loop, double t0, double h, double reached) {
    const long n = size_of(loop);
    while (loop->next_output < loop->output_count) {
        const double t = loop->times[loop->next_output];
        if (t > reached)
            break;
        double *y = loop->outputs + loop->next_output * n;
        if (t == loop->t)
            memcpy(y, loop->y, n * sizeof(double));
        else {
            between(loop, t0, h, t, y);
            const int status = project(loop, t, y);
            if (status != UNFINISHED) {
                loop->t = t;
                return status;
            }
            remember_nearest(loop, t, y);
        }
        if (loop->nu) { /* the sampled control, or the continuous control evaluated at t */
            double *u = loop->controls + loop->next_output * loop->nu;
            memcpy(u, loop->inputs[AT_U], loop->nu * sizeof(double));
            if (loop->sample == 0 && loop->control(t, y, u))
                return CONTROL_FAILED;
        }
        loop->next_output++;
    }
    return UNFINISHED;
}

static int finished(const Loop *loop) { return loop->t >= loop->ends[loop->end_count - 1]; }

/* Projects the initial state onto the constraints, selects independent coordinates, and evaluates the first rate;
 * called once, before the tolerances are known. */
int begin(Loop *loop) {
    int status = project(loop, loop->t, loop->y);
    if (status == UNFINISHED)
        status = rechoose(loop, loop->t, loop->y);
    if (status == UNFINISHED)
        status = pass_limit(loop);
    if (status != UNFINISHED)
        return status;
    if (!all_finite(loop->f, size_of(loop)))
        return NOT_FINITE;
    if (loop->event_count)
        evaluate_events(loop, loop->t, loop->y, loop->event_values);
    status = record(loop, loop->t, 1, loop->t);
    if (status != UNFINISHED)
        return status;
    return finished(loop) ? FINISHED : UNFINISHED;
}

/* If the characteristic rate of the run has increased, increases the tolerances that depend on it: those of rates,
 * energies and elastic coordinates of high frequency. */
static void keep_pace(Loop *loop) {
    double fastest = 0;
    for (long i = at_v(loop); i < at_x(loop); i++)
        if (loop->rate_units[i] > 0) {
            loop->peaks[i] = fmax(loop->peaks[i], fabs(loop->y[i]) / loop->rate_units[i]);
            fastest = fmax(fastest, loop->peaks[i]);
        }
    if (!(fastest > loop->pace))
        return;
    const double ratio = fastest / loop->pace;
    for (long i = 0; i < size_of(loop); i++)
        for (long k = 0; k < loop->growth[i]; k++)
            row(loop, TOLERANCE)[i] *= ratio;
    loop->pace = fastest;
}

/* Copies the absolute tolerances, which Python has computed from the initial state and its rate, to the working memory,
 * and computes the initial step size. */
static void prepare_steps(Loop *loop) {
    for (long i = 0; i < padded(loop); i++)
        row(loop, TOLERANCE)[i] = i < size_of(loop) ? loop->atol[i] : 1;
    loop->h = first_step(loop, next_limit(loop));
}

static int (*const steps_of[])(Loop *, double, double *) = STEPS;

static int one_step(Loop *loop) {
    const long n = size_of(loop);
    const double t0 = loop->t, limit = next_limit(loop);
    double h, stop = INFINITY;
    loop->h = fmin(loop->h, loop->longest);
    int status = steps_of[loop->method](loop, limit, &h);
    if (status != UNFINISHED)
        return status;
    const int landed = t0 + h >= limit || h == limit - t0;
    const double t = landed ? limit : t0 + h, inside = landed ? nextafter(t, t0) : t;
    loop->tiny = loop->method != CLASSICAL && h < 1e-9 * (t - loop->begun) && !landed ? loop->tiny + 1 : 0;
    if (loop->tiny > TOO_MANY_TINY)
        return STUCK;
    memcpy(loop->y, row(loop, NEW), n * sizeof(double));
    const double here = landed ? just_before(loop, t, t0) : t;
    status = project(loop, here, loop->y);
    if (status == UNFINISHED)
        status = rechoose(loop, here, loop->y);
    if (status == UNFINISHED)
        status = rate_at(loop, here, loop->y, row(loop, LAST));
    if (status != UNFINISHED)
        return status;
    if (!all_finite(row(loop, LAST), n))
        return NOT_FINITE;
    loop->t = t;
    loop->steps++;
    remember_nearest(loop, t, loop->y);
    keep_pace(loop);
    if (loop->event_count || (loop->next_output < loop->output_count && loop->times[loop->next_output] < t))
        status = prepare_between(loop, t0, h);
    if (status == UNFINISHED && loop->event_count)
        status = find_events(loop, t0, h, &stop);
    if (status == UNFINISHED)
        status = record(loop, t0, h, fmin(inside, stop));
    if (status != UNFINISHED)
        return status;
    if (isfinite(stop)) {
        loop->t = stop;
        memcpy(loop->y, row(loop, MIDDLE), n * sizeof(double));
        return STOPPED;
    }
    memcpy(loop->f, row(loop, LAST), n * sizeof(double));
    if (landed)
        status = pass_limit(loop);
    if (landed && status == UNFINISHED && loop->event_count)
        status = find_jumps(loop, t + beside(loop, t));
    return status == UNFINISHED ? record(loop, t0, h, t) : status; /* outputs at a limit: state just after it */
}

int advance(Loop *loop, long steps) {
    if (loop->h == 0 && !finished(loop))
        prepare_steps(loop);
    while (steps-- > 0) {
        if (finished(loop))
            return FINISHED;
        if (loop->event_count && loop->events_found + (PARTS + 1) * loop->event_count > loop->event_room)
            return UNFINISHED;
        const int status = one_step(loop);
        if (status != UNFINISHED)
            return status;
    }
    return finished(loop) ? FINISHED : UNFINISHED;
}
