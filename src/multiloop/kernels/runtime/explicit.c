/* Explicit Runge-Kutta steps: embedded methods with error control, and the classical method with fixed steps.
 * Theory: docs/theory/07-time-integration.md, eq. (7.2). */
#include "loop.h"
#include <math.h>
#include <string.h>

static const double SAFETY = 0.8, SMALLEST = 0.2, LARGEST = 10.0, NEGLIGIBLE = 1e-4;

static double error_norm(const Loop *loop, double h) {
    const Tableau *T = loop->tableau;
    const double *old = row(loop, OLD), *new = row(loop, NEW), *zero = row(loop, ZERO);
    double *e = row(loop, PROBE);
    combine(loop, e, zero, 1, T->error3, T->stages + 1);
    const double third = squared_error(loop, e, old, new);
    if (!T->error5)
        return h * sqrt(third);
    combine(loop, e, zero, 1, T->error5, T->stages + 1);
    const double fifth = squared_error(loop, e, old, new);
    return fifth == 0 && third == 0 ? 0 : h * fifth / sqrt(fifth + 0.01 * third);
}

/* Predictive step-size control: factor for the length of the next step, from the error of this step and from the
 * change of the error over the last step, which is extrapolated (K. Gustafsson, ACM TOMS 20 (1994) 496-517). A step
 * that was shortened by a limit, or whose error is negligible, is not used for the extrapolation. */
static double growth(Loop *loop, double h, double error, int cut) {
    const double shrink = pow(error, loop->tableau->exponent), before = loop->shrink_before;
    const int informative = !cut && error > NEGLIGIBLE;
    double factor = error == 0 ? LARGEST : smaller(LARGEST, SAFETY / shrink);
    if (informative && before > 0)
        factor *= smaller(1, h / loop->h_before * before / shrink);
    loop->h_before = h;
    loop->shrink_before = informative ? shrink : 0;
    return factor;
}

int embedded_step(Loop *loop, double limit, double *taken) {
    const Tableau *T = loop->tableau;
    const long n = size_of(loop);
    const double t = loop->t, inside = just_before(loop, limit, t); /* last time before a discontinuity at the limit */
    double *old = row(loop, OLD), *new = row(loop, NEW), *try = row(loop, TRY), h = loop->h;
    const double wanted = h;
    memcpy(old, loop->y, n * sizeof(double));
    memcpy(row(loop, STAGE), loop->f, n * sizeof(double));
    for (int rejections = 0;; rejections++) {
        h = smaller(h, limit - t);
        if ((h < 4e-16 * fabs(t) && h < limit - t) || rejections > 60)
            return STUCK;
        int status = UNFINISHED;
        for (long s = 1; s < T->stages && status == UNFINISHED; s++) {
            combine(loop, try, old, h, T->A + s * T->stages, s);
            status = rate_at(loop, smaller(t + T->C[s] * h, inside), try, row(loop, STAGE + s));
        }
        combine(loop, new, old, h, T->B, T->stages);
        if (T->uses_last && status == UNFINISHED)
            status = rate_at(loop, smaller(t + h, inside), new, row(loop, STAGE + T->stages));
        if (status != UNFINISHED)
            return status;
        const double error = error_norm(loop, h);
        if (error < 1) {
            const double factor = growth(loop, h, error, h == limit - t);
            loop->h = h * (rejections ? fmin(1, factor) : factor);
            if (!rejections && h < wanted) /* shortened by the limit: continue with the previous length */
                loop->h = fmax(loop->h, wanted);
            *taken = h;
            return UNFINISHED;
        }
        loop->rejected++; /* also if the error is not finite */
        h *= isfinite(error) ? fmax(SMALLEST, SAFETY * pow(error, -T->exponent)) : SMALLEST;
    }
}

int classical_step(Loop *loop, double limit, double *taken) {
    const long n = size_of(loop);
    const double t = loop->t, inside = just_before(loop, limit, t), left = limit - t;
    const double h = left < loop->fixed_step * (1 + 1e-9) ? left : loop->fixed_step;
    const double half[] = {0.5}, second[] = {0, 0.5}, third[] = {0, 0, 1};
    const double whole[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double *old = row(loop, OLD), *try = row(loop, TRY);
    memcpy(old, loop->y, n * sizeof(double));
    memcpy(row(loop, STAGE), loop->f, n * sizeof(double));
    combine(loop, try, old, h, half, 1);
    int status = rate_at(loop, t + h / 2, try, row(loop, STAGE + 1));
    combine(loop, try, old, h, second, 2);
    if (status == UNFINISHED)
        status = rate_at(loop, t + h / 2, try, row(loop, STAGE + 2));
    combine(loop, try, old, h, third, 3);
    if (status == UNFINISHED)
        status = rate_at(loop, smaller(t + h, inside), try, row(loop, STAGE + 3));
    combine(loop, row(loop, NEW), old, h, whole, 4);
    *taken = h;
    return status;
}

/* Initial step size from the size of the rate and of its change (Hairer, Norsett, Wanner, II.4). Times are multiplied
 * by the characteristic rate of the run, so that the absolute constants are dimensionless. */
double first_step(Loop *loop, double limit) {
    const long n = size_of(loop);
    double *try = row(loop, TRY), *rate = row(loop, PROBE), size = 0, slope = 0, bend = 0;
    const double pace = loop->pace;
    for (long i = 0; i < n; i++) {
        const double scale = loop->atol[i] + loop->rtol * fabs(loop->y[i]);
        size += pow(loop->y[i] / scale, 2);
        slope += pow(loop->f[i] / scale / pace, 2);
    }
    size = sqrt(size / n), slope = sqrt(slope / n);
    double h = size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope;
    h = fmin(h / pace, limit - loop->t);
    for (long i = 0; i < n; i++)
        try[i] = loop->y[i] + h * loop->f[i];
    if (rate_at(loop, loop->t + h, try, rate) != UNFINISHED || !all_finite(rate, n))
        return h;
    for (long i = 0; i < n; i++)
        bend += pow((rate[i] - loop->f[i]) / (loop->atol[i] + loop->rtol * fabs(loop->y[i])), 2);
    bend = sqrt(bend / n) / (h * pace) / pace;
    const double order = loop->method == EMBEDDED ? loop->tableau->exponent : 0.25;
    const double most = fmax(slope, bend);
    const double found = most <= 1e-15 ? fmax(1e-6, h * pace * 1e-3) : pow(0.01 / most, order);
    return fmin(fmin(100 * h, found / pace), limit - loop->t);
}
