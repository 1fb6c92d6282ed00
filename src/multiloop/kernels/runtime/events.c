/* Event location: zeros of the event functions inside the last step.
 * Theory: docs/theory/07-time-integration.md, section 7.6. */
#include "loop.h"
#include <math.h>
#include <string.h>

enum { HALVINGS = 80 };

static int crosses(double before, double after, long direction) {
    const int rises = before < 0 && after >= 0, falls = before > 0 && after <= 0;
    return direction > 0 ? rises : direction < 0 ? falls : rises || falls;
}

static int evaluate_events_at(Loop *loop, double t0, double h, double t, double *y, double *values) {
    between(loop, t0, h, t, y);
    const int status = project(loop, t, y);
    if (status == UNFINISHED)
        evaluate_events(loop, t, y, values);
    return status;
}

/* Locates a zero of event function `which` in [low, high]: the interval is reduced by the secant rule, every third time
 * by bisection, until the time is known to round-off. */
static int locate(Loop *loop, long which, double t0, double h, double low, double at_low, double high, double at_high,
                  double *found, double *y) {
    double values[loop->event_count];
    for (int k = 0; k < HALVINGS && high - low > 1e-15 * fmax(fabs(high), h); k++) {
        double t = k % 3 == 2 ? 0.5 * (low + high) : low - at_low * (high - low) / (at_high - at_low);
        t = t > low && t < high ? t : 0.5 * (low + high);
        const int status = evaluate_events_at(loop, t0, h, t, y, values);
        if (status != UNFINISHED)
            return status;
        if (values[which] == 0) {
            *found = t;
            return UNFINISHED;
        }
        if ((values[which] < 0) == (at_low < 0)) {
            low = t, at_low = values[which], at_high *= k % 3 == 2 ? 1 : 0.5;
        } else {
            high = t, at_high = values[which], at_low *= k % 3 == 2 ? 1 : 0.5;
        }
    }
    *found = high;
    return evaluate_events_at(loop, t0, h, high, y, values);
}

static long log_event(Loop *loop, long which, double t, const double *y) {
    double *log = loop->event_log + loop->events_found++ * (size_of(loop) + 2);
    log[0] = t, log[1] = which;
    memcpy(log + 2, y, size_of(loop) * sizeof(double));
    return loop->event_stops[which];
}

/* Records the events whose values change sign at the current time, at which drives or a sampled control are
 * discontinuous; `after` is a time just after the current time. Returns STOPPED if one of these events is terminal. */
int find_jumps(Loop *loop, double after) {
    const long count = loop->event_count;
    double values[count];
    long stops = 0;
    evaluate_events(loop, after, loop->y, values);
    for (long e = 0; e < count; e++)
        if (crosses(loop->event_values[e], values[e], loop->event_direction[e]))
            stops += log_event(loop, e, loop->t, loop->y);
    memcpy(loop->event_values, values, count * sizeof(double));
    return stops ? STOPPED : UNFINISHED;
}

/* Records the events in the last step, one part of the step after another. A terminal event ends the step: *stop is
 * set to its time, and row MIDDLE to its state. */
int find_events(Loop *loop, double t0, double h, double *stop) {
    const long n = size_of(loop), count = loop->event_count;
    double before[count], after[count], y[n];
    *stop = INFINITY;
    memcpy(before, loop->event_values, count * sizeof(double));
    for (int part = 1; part <= PARTS && !isfinite(*stop); part++) {
        const double low = t0 + h * (part - 1) / PARTS, high = part == PARTS ? loop->t : t0 + h * part / PARTS;
        int status = evaluate_events_at(loop, t0, h, high, y, after);
        for (long e = 0; e < count && status == UNFINISHED; e++) {
            if (!crosses(before[e], after[e], loop->event_direction[e]))
                continue;
            double found;
            status = locate(loop, e, t0, h, low, before[e], high, after[e], &found, y);
            if (status != UNFINISHED || loop->events_found >= loop->event_room)
                break;
            if (log_event(loop, e, found, y) && found < *stop) {
                *stop = found;
                memcpy(row(loop, MIDDLE), y, n * sizeof(double));
            }
        }
        if (status != UNFINISHED)
            return status;
        memcpy(before, after, count * sizeof(double));
    }
    memcpy(loop->event_values, before, count * sizeof(double));
    return UNFINISHED;
}
