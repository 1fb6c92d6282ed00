/* A step of a method of order 4(3) with error control: a step is repeated with a shorter length while its error is too
 * large. */
#include "loop.h"

/* The function `stages` stores the state at the end of the step in row NEW, and its difference from the embedded method
 * in row `apart`. */
int controlled_step(Loop *loop, double limit, Stages stages, long apart, double *taken) {
    const double inside = just_before(loop, limit, loop->t);
    double h = loop->h;
    for (int rejections = 0;; rejections++) {
        h = fmin(h, limit - loop->t);
        if ((h < 4e-16 * fabs(loop->t) && h < limit - loop->t) || rejections > 60)
            return STUCK;
        const int status = stages(loop, h, inside);
        if (status != UNFINISHED)
            return status;
        const double error = sqrt(squared_error(loop, row(loop, apart), row(loop, OLD), row(loop, NEW)));
        const double change = isfinite(error) ? fmin(6, fmax(0.2, 0.9 * pow(fmax(error, 1e-12), -0.25))) : 0.2;
        if (error < 1) {
            loop->h = h * (rejections ? fmin(1, change) : change);
            *taken = h;
            return UNFINISHED;
        }
        loop->rejected++;
        h *= fmin(change, 0.9);
    }
}
