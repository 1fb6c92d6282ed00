/* An implicit step without iteration: the Rosenbrock method RODAS of order 4(3), L-stable and stiffly accurate.
 *
 *     (1/(gamma h) - J) U_i = f(t + c_i h, y + sum a_ij U_j) + sum (c_ij / h) U_j + d_i h f_t
 *
 * J is the exact derivative of the rate f with respect to the state y, f_t the derivative with respect to time.
 *
 * Source: Hairer, Wanner, Solving Ordinary Differential Equations II, ch. IV.10; coefficients of their RODAS.
 * Theory: docs/theory/07-time-integration.md, eq. (7.3).
 */
#include "loop.h"
#include <math.h>
#include <string.h>

enum { STAGES = 6 };
static const double GAMMA = 0.25;
static const double C[STAGES] = {0, 0.386, 0.21, 0.63, 1, 1};
static const double D[STAGES] = {0.25, -0.1043, 0.1035, -0.03620000000000023, 0, 0};
static const double A[STAGES][STAGES] = {
    {0},
    {1.544},
    {0.9466785280815826, 0.2557011698983284},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1},
};
static const double G[STAGES][STAGES] = {
    {0},
    {-5.6688},
    {-2.430093356833875, -0.2063599157091915},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054},
};

/* Computes all stages with one factorised matrix. Entries are scaled by their tolerances, so that the choice of pivots
 * does not depend on units. Stores the new state in row NEW and its difference from the embedded method in row
 * STAGE + 5. */
static int stages(Loop *loop, double h, double inside) {
    const long n = size_of(loop), m = at_work(loop); /* the columns of J for the work are zero */
    const double *J = matrices(loop), *by_time = row(loop, TRY);
    double *M = matrices(loop) + n * n, *old = row(loop, OLD), *new = row(loop, NEW);
    double unit[n];
    long pivot[n];
    for (long i = 0; i < n; i++) /* energies of single parts use the tolerance of the total work */
        unit[i] = row(loop, TOLERANCE)[i < judged(loop) ? i : at_work(loop)];
    for (long i = 0; i < n * n; i++)
        M[i] = i % (n + 1) == 0 ? 1 / (GAMMA * h) : 0;
    for (long j = 0; j < m; j++)
        for (long i = 0; i < n; i++)
            M[i + n * j] -= J[i + n * j] * (unit[j] / unit[i]);
    if (!factor(n, M, pivot))
        return NOT_FINITE;
    for (int s = 0; s < STAGES; s++) {
        double *U = row(loop, STAGE + s);
        memcpy(new, old, n * sizeof(double));
        for (int j = 0; j < s; j++)
            for (long i = 0; i < n; i++)
                new[i] += A[s][j] * row(loop, STAGE + j)[i];
        if (s == 0)
            memcpy(U, loop->f, n * sizeof(double));
        else {
            const int status = rate_at(loop, fmin(loop->t + C[s] * h, inside), new, U);
            if (status != UNFINISHED)
                return status;
        }
        for (long i = 0; i < n; i++) {
            U[i] += D[s] * h * by_time[i];
            for (int j = 0; j < s; j++)
                U[i] += G[s][j] / h * row(loop, STAGE + j)[i];
            U[i] /= unit[i];
        }
        substitute(n, M, pivot, U);
        for (long i = 0; i < n; i++)
            U[i] *= unit[i];
    }
    for (long i = 0; i < n; i++)
        new[i] += row(loop, STAGE + STAGES - 1)[i];
    return UNFINISHED;
}

int rosenbrock_step(Loop *loop, double limit, double *taken) {
    const double inside = just_before(loop, limit, loop->t);
    memcpy(row(loop, OLD), loop->y, size_of(loop) * sizeof(double));
    slope_at(loop, fmin(loop->t + beside(loop, loop->t), inside), loop->y, matrices(loop), row(loop, TRY));
    return controlled_step(loop, limit, stages, STAGE + STAGES - 1, taken);
}
