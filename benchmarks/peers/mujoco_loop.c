/* MuJoCo in a timed loop over many states; model and data are those of the Python package. */
#include <mujoco/mujoco.h>
#include <string.h>

/* A state is [qpos, qvel, tau, qacc]: the last is where the solver starts, or the motion that inverse dynamics is
   asked about. The sum of first entries keeps every evaluation needed. */
static const mjtNum *load(const mjModel *m, mjData *d, const mjtNum *state) {
  memcpy(d->qpos, state, sizeof(mjtNum) * m->nq);
  state += m->nq;
  memcpy(d->qvel, state, sizeof(mjtNum) * m->nv);
  return state + m->nv;
}

__attribute__((noinline)) static void forward(const mjModel *m, mjData *d) { mj_forward(m, d); }

__attribute__((noinline)) static void inverse(const mjModel *m, mjData *d) {
  mj_inverse(m, d);
  mj_rnePostConstraint(m, d);
}

double forward_loop(const mjModel *m, mjData *d, const mjtNum *states, int count, long repeats) {
  double sum = 0;
  const long size = m->nq + 3 * m->nv;
  for (long r = 0; r < repeats; r++)
    for (int k = 0; k < count; k++) {
      const mjtNum *rest = load(m, d, states + k * size);
      memcpy(d->qfrc_applied, rest, sizeof(mjtNum) * m->nv);
      memcpy(d->qacc_warmstart, rest + m->nv, sizeof(mjtNum) * m->nv);
      forward(m, d);
      sum += d->qacc[0];
    }
  return sum;
}

double inverse_loop(const mjModel *m, mjData *d, const mjtNum *states, int count, long repeats) {
  double sum = 0;
  const long size = m->nq + 3 * m->nv;
  for (long r = 0; r < repeats; r++)
    for (int k = 0; k < count; k++) {
      const mjtNum *rest = load(m, d, states + k * size);
      memcpy(d->qacc, rest + m->nv, sizeof(mjtNum) * m->nv);
      inverse(m, d);
      sum += d->qfrc_inverse[0] + d->cfrc_int[0];
    }
  return sum;
}
