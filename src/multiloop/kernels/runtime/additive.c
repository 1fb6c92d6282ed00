/* A step that is implicit in the stiffness of flexible bodies and explicit in all other terms: the additive
 * Runge-Kutta pair ARK4(3)6L[2]SA of order 4(3).
 *
 *     f = g + L (y - y0),   (1 - gamma h L) Z_i = h sum_{j<i} (a_ij g_j + A_ij L Z_j),   Y_i = y0 + Z_i
 *
 * f is the rate of the state y. The matrix L is evaluated at the beginning of the step. It contains q' = v for all
 * coordinates whose time derivative is a rate itself, and dv'/d eta, dv'/d eta' due to the stiffness and damping of
 * flexible bodies, with eta the elastic coordinates. All other terms are part of g, so that the order of the method
 * holds for any L. Linear equations are solved for elastic rates only, without iteration. The implicit part is
 * L-stable: frequencies far above 1/h are damped, not resolved, and the error estimate, filtered with the same matrix,
 * does not require them to be resolved.
 *
 * Source: C. A. Kennedy, M. H. Carpenter, Applied Numerical Mathematics 44 (2003) 139-181.
 * Theory: docs/theory/07-time-integration.md, eqs. (7.4), (7.5).
 * Differs: the linear part is constant over a step, so that no iteration is needed.
 */
#include "loop.h"
#include <math.h>
#include <string.h>

enum { STAGES = 6, G = STAGE, LZ = STAGE + STAGES };
static const double GAMMA = 0.25;
static const double C[STAGES] = {0, 0.5, 83.0 / 250, 31.0 / 50, 17.0 / 20, 1};
static const double EXPLICIT[STAGES][STAGES] = {
    {0},
    {0.5},
    {13861.0 / 62500, 6889.0 / 62500},
    {-116923316275.0 / 2393684061468, -2731218467317.0 / 15368042101831, 9408046702089.0 / 11113171139209},
    {-451086348788.0 / 2902428689909, -2682348792572.0 / 7519795681897, 12662868775082.0 / 11960479115383,
     3355817975965.0 / 11060851509271},
    {647845179188.0 / 3216320057751, 73281519250.0 / 8382639484533, 552539513391.0 / 3454668386233,
     3354512671639.0 / 8306763924573, 4040.0 / 17871},
};
static const double IMPLICIT[STAGES][STAGES] = {
    {0},
    {0.25},
    {8611.0 / 62500, -1743.0 / 31250},
    {5012029.0 / 34652500, -654441.0 / 2922500, 174375.0 / 388108},
    {15267082809.0 / 155376265600, -71443401.0 / 120774400, 730878875.0 / 902184768, 2285395.0 / 8070912},
    {82889.0 / 524892, 0, 15625.0 / 83664, 69875.0 / 102672, -2260.0 / 8211},
};
static const double B[STAGES] = {82889.0 / 524892, 0, 15625.0 / 83664, 69875.0 / 102672, -2260.0 / 8211, 0.25};
static const double B_BESIDE[STAGES] = {4586570599.0 / 29645900160, 0, 178811875.0 / 945068544,
                                        814220225.0 / 1159782912, -3700637.0 / 11593932, 61727.0 / 225920};

/* Weights of the stages in the dense output of order 3, for the first, second and third power of the elapsed fraction
 * of the step. */
static const double CURVES[3][STAGES] = {
    {6943876665148.0 / 7220017795957, 0, 7640104374378.0 / 9702883013639, -20649996744609.0 / 7521556579894,
     8854892464581.0 / 2390941311638, -11397109935349.0 / 6675773540249},
    {-54480133.0 / 30881146, 0, -11436875.0 / 14766696, 174696575.0 / 18121608, -12120380.0 / 966161, 3843.0 / 706},
    {6818779379841.0 / 7100303317025, 0, 2173542590792.0 / 12501825683035, -31592104683404.0 / 5083833661969,
     61146701046299.0 / 7138195549469, -17219254887155.0 / 4939391667607},
};

/* The matrices dv'/d eta and dv'/d eta' of L due to flexible bodies (nv x stiff each), and the factorised matrix. */
static double *by_shape(const Loop *loop) { return matrices(loop); }
static double *by_rate(const Loop *loop) { return by_shape(loop) + loop->nv * loop->stiff; }
static double *solved_with(const Loop *loop) { return by_rate(loop) + loop->nv * loop->stiff; }

/* Factorises 1 - d D - d^2 S for the elastic rates in place, with d = gamma h, S = dv'/d eta and D = dv'/d eta'. */
static int prepare(Loop *loop, double d, long *pivot) {
    const long e = loop->stiff, n = loop->nv;
    const double *S = by_shape(loop), *D = by_rate(loop);
    double *M = solved_with(loop);
    for (long j = 0; j < e; j++)
        for (long i = 0; i < e; i++) {
            const long at = loop->stiff_v[i] + n * j;
            M[i + e * j] = (i == j) - d * D[at] - d * d * S[at];
        }
    return factor(e, M, pivot);
}

/* Replaces z by (1 - d L)^-1 z: elastic rates first, then all other rates, then the coordinates. */
static void solve(const Loop *loop, double d, const long *pivot, double *z) {
    const long e = loop->stiff, n = loop->nv;
    const double *S = by_shape(loop), *D = by_rate(loop);
    double *v = z + at_v(loop), shape[e + 1], rate[e + 1];
    for (long i = 0; i < e; i++) {
        rate[i] = v[loop->stiff_v[i]];
        for (long j = 0; j < e; j++)
            rate[i] += d * S[loop->stiff_v[i] + n * j] * z[loop->stiff_q[j]];
    }
    substitute(e, solved_with(loop), pivot, rate);
    for (long j = 0; j < e; j++)
        shape[j] = z[loop->stiff_q[j]] + d * rate[j];
    for (long j = 0; j < e; j++)
        for (long i = 0; i < n; i++)
            v[i] += d * (S[i + n * j] * shape[j] + D[i + n * j] * rate[j]);
    for (long k = 0; k < loop->plain; k++)
        z[loop->plain_q[k]] += d * v[loop->plain_v[k]];
}

/* Computes all stages; stores the new state in row NEW and its difference from the embedded method in row TRY. */
static int stages(Loop *loop, double h, double inside) {
    const long n = size_of(loop);
    const double d = GAMMA * h;
    double *old = row(loop, OLD), *new = row(loop, NEW), *apart = row(loop, TRY), z[n];
    long pivot[loop->stiff + 1];
    if (!prepare(loop, d, pivot))
        return NOT_FINITE;
    for (int s = 0; s < STAGES; s++) {
        double *g = row(loop, G + s), *Lz = row(loop, LZ + s);
        memset(z, 0, sizeof z);
        for (int j = 0; j < s; j++)
            for (long i = 0; i < n; i++)
                z[i] += h * (EXPLICIT[s][j] * row(loop, G + j)[i] + IMPLICIT[s][j] * row(loop, LZ + j)[i]);
        if (s == 0) {
            memcpy(g, loop->f, n * sizeof(double));
            memset(Lz, 0, n * sizeof(double));
            continue;
        }
        memcpy(Lz, z, n * sizeof(double));
        solve(loop, d, pivot, z);
        for (long i = 0; i < n; i++) {
            Lz[i] = (z[i] - Lz[i]) / d;
            new[i] = old[i] + z[i];
        }
        const int status = rate_at(loop, fmin(loop->t + C[s] * h, inside), new, g);
        if (status != UNFINISHED)
            return status;
        for (long i = 0; i < n; i++)
            g[i] -= Lz[i];
    }
    for (long i = 0; i < n; i++) {
        double sum = 0, other = 0;
        for (int s = 0; s < STAGES; s++) {
            const double f = row(loop, G + s)[i] + row(loop, LZ + s)[i];
            sum += B[s] * f;
            other += (B[s] - B_BESIDE[s]) * f;
        }
        new[i] = old[i] + h * sum;
        apart[i] = h * other;
    }
    solve(loop, d, pivot, apart);
    return UNFINISHED;
}

int additive_step(Loop *loop, double limit, double *taken) {
    const double inside = just_before(loop, limit, loop->t);
    memcpy(row(loop, OLD), loop->y, size_of(loop) * sizeof(double));
    if (loop->stiff)
        stiffness_at(loop, fmin(loop->t + beside(loop, loop->t), inside), loop->y, by_shape(loop), by_rate(loop));
    return controlled_step(loop, limit, stages, TRY, taken);
}

/* Dense output: change of state entry i from the beginning of the step to its fraction x. Damped frequencies do not
 * overshoot. */
double additive_between(const Loop *loop, double h, double x, long i) {
    double value = 0;
    for (int s = 0; s < STAGES; s++) {
        const double weight = x * (CURVES[0][s] + x * (CURVES[1][s] + x * CURVES[2][s]));
        value += weight * (row(loop, G + s)[i] + row(loop, LZ + s)[i]);
    }
    return h * value;
}
