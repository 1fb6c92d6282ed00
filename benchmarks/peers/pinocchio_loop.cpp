// Pinocchio behind a C door: one evaluation, a timed loop over many states, and motions by explicit Runge-Kutta.
//
// Everything is compiled from the headers for this processor; nothing is taken from the wheel's libraries.
#include "pinocchio/multibody.hpp"
#include "pinocchio/multibody/joint.hpp"
#include "pinocchio/algorithm/aba.hpp"
#include "pinocchio/algorithm/constrained-dynamics.hpp"
#include "pinocchio/algorithm/loop-constrained-aba.hpp"
#include "pinocchio/algorithm/rnea.hpp"
#include "pinocchio/constraints.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace pin = pinocchio;
using Eigen::Map;
using Eigen::VectorXd;

namespace {

enum Kind { RX, RY, RZ, PX, PY, PZ, BALL, FREE };
enum Method { CONSTRAINT_DYNAMICS, LCABA, ABA, RNEA };

struct Peer {
  pin::Model model;
  std::unique_ptr<pin::Data> data;
  std::vector<pin::JointIndex> joints;
  PINOCCHIO_STD_VECTOR_WITH_EIGEN_ALLOCATOR(pin::RigidConstraintModel) cuts;
  PINOCCHIO_STD_VECTOR_WITH_EIGEN_ALLOCATOR(pin::RigidConstraintData) cut_data;
  pin::ProximalSettings settings{1e-12, 1e-8, 20};
  Method method = ABA;
  VectorXd q, v, tau;
};

pin::JointIndex joint_of(pin::Model &model, int kind, pin::JointIndex parent, const pin::SE3 &place, int number) {
  const std::string name = "j" + std::to_string(number);
  switch (kind) {
    case RX: return model.addJoint(parent, pin::JointModelRX(), place, name);
    case RY: return model.addJoint(parent, pin::JointModelRY(), place, name);
    case RZ: return model.addJoint(parent, pin::JointModelRZ(), place, name);
    case PX: return model.addJoint(parent, pin::JointModelPX(), place, name);
    case PY: return model.addJoint(parent, pin::JointModelPY(), place, name);
    case PZ: return model.addJoint(parent, pin::JointModelPZ(), place, name);
    case BALL: return model.addJoint(parent, pin::JointModelSpherical(), place, name);
    default: return model.addJoint(parent, pin::JointModelFreeFlyer(), place, name);
  }
}

__attribute__((noinline)) const VectorXd &evaluate(Peer &p) {
  switch (p.method) {
    case CONSTRAINT_DYNAMICS:
      return pin::constraintDynamics(p.model, *p.data, p.q, p.v, p.tau, p.cuts, p.cut_data, p.settings);
    case LCABA:
      return pin::lcaba(p.model, *p.data, p.q, p.v, p.tau, p.cuts, p.cut_data, p.settings);
    case ABA:
      return pin::aba(p.model, *p.data, p.q, p.v, p.tau);
    default:
      return pin::rnea(p.model, *p.data, p.q, p.v, p.tau);
  }
}

void load(Peer &p, const double *state) {
  const int nq = p.model.nq, nv = p.model.nv;
  p.q = Map<const VectorXd>(state, nq);
  p.v = Map<const VectorXd>(state + nq, nv);
  p.tau = Map<const VectorXd>(state + nq + nv, nv);
}

}  // namespace

#define DOOR extern "C" __attribute__((visibility("default")))

// Joints parent before child: `place` has R by rows and then p, `body` has mass, mass centre and the six entries
// xx xy yy xz yz zz of the inertia about it; without mass there is no body. A cut joins two points.
DOOR Peer *peer_new(int joints, const int *parent, const int *kind, const double *place, const double *body,
               const double *gravity, int cuts, const int *ends, const double *points) {
  auto *p = new Peer;
  p->model.gravity.linear() = Map<const Eigen::Vector3d>(gravity);
  for (int k = 0; k < joints; k++, place += 12, body += 10) {
    const pin::SE3 at(Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(place),
                      Map<const Eigen::Vector3d>(place + 9));
    const pin::JointIndex j = joint_of(p->model, kind[k], parent[k] < 0 ? 0 : p->joints[parent[k]], at, k);
    p->joints.push_back(j);
    if (body[0] > 0) {
      Eigen::Matrix3d I;
      I << body[4], body[5], body[7], body[5], body[6], body[8], body[7], body[8], body[9];
      p->model.appendBodyToJoint(j, pin::Inertia(body[0], Map<const Eigen::Vector3d>(body + 1), I),
                                 pin::SE3::Identity());
    }
  }
  for (int k = 0; k < cuts; k++) {
    pin::JointIndex end[2];
    pin::SE3 at[2];
    for (int side = 0; side < 2; side++) {
      end[side] = ends[2 * k + side] < 0 ? 0 : p->joints[ends[2 * k + side]];
      at[side] = pin::SE3(Eigen::Matrix3d::Identity(), Map<const Eigen::Vector3d>(points + 3 * (2 * k + side)));
    }
    p->cuts.emplace_back(pin::CONTACT_3D, p->model, end[0], at[0], end[1], at[1], pin::LOCAL);
    p->cut_data.emplace_back(p->cuts.back());
  }
  p->data = std::make_unique<pin::Data>(p->model);
  p->q.setZero(p->model.nq);
  p->v.setZero(p->model.nv);
  p->tau.setZero(p->model.nv);
  return p;
}

DOOR void peer_free(Peer *p) { delete p; }

// Gains are Baumgarte's of position and rate: a correction kp * gap + kd * rate of the gap.
DOOR void peer_set(Peer *p, int method, double mu, double accuracy, int iterations, double kp, double kd) {
  p->method = Method(method);
  p->settings = pin::ProximalSettings(accuracy, mu, iterations);
  for (auto &cut : p->cuts) {
    cut.baumgarte_corrector_parameters().Kp = kp;
    cut.baumgarte_corrector_parameters().Kd = kd;
  }
  if (p->method == CONSTRAINT_DYNAMICS) pin::initConstraintDynamics(p->model, *p->data, p->cuts, p->cut_data);
  if (p->method == LCABA) pin::computeJointMinimalOrdering(p->model, *p->data, p->cuts);
}

// One evaluation at a state [q, v, tau]; the answer is the acceleration (for RNEA: tau stands for it, answers efforts).
DOOR void peer_evaluate(Peer *p, const double *state, double *answer) {
  load(*p, state);
  Map<VectorXd>(answer, p->model.nv) = evaluate(*p);
}

// `repeats` times through `count` states; the sum of first entries keeps every evaluation needed.
DOOR double peer_loop(Peer *p, const double *states, int count, long repeats) {
  const int size = p->model.nq + 2 * p->model.nv;
  double sum = 0;
  for (long r = 0; r < repeats; r++)
    for (int k = 0; k < count; k++) {
      load(*p, states + long(k) * size);
      sum += evaluate(*p)[0];
    }
  return sum;
}

// An explicit Runge-Kutta method of `stages` stages on y = [q, v] with q' = v; the last stage is the new slope.
// A has `stages` rows, E5 and E3 estimate the error as in Hairer, Norsett, Wanner (E3 null: E5 alone, order 4).
// rtol = 0: fixed steps dt. Returns the number of evaluations, negative when a step became too short.
DOOR long peer_motion(Peer *p, double *y0, double until, double dt, double rtol, double atol, int stages, int order,
                 const double *A, const double *b, const double *E5, const double *E3) {
  const int n = p->model.nv;
  long count = 0;
  VectorXd y = Map<VectorXd>(y0, 2 * n), moved(2 * n), e5(2 * n), e3(2 * n);
  Eigen::MatrixXd K(2 * n, stages + 1);
  auto slope = [&](const VectorXd &at, int column) {
    p->q = at.head(n);
    p->v = at.tail(n);
    K.col(column).head(n) = p->v;
    K.col(column).tail(n) = evaluate(*p);
    count++;
  };
  slope(y, 0);
  double t = 0, h = dt;
  const bool adaptive = rtol > 0;
  bool rejected = false;
  while (t < until - 1e-12 * until) {
    h = std::min(h, until - t);
    for (int s = 1; s < stages; s++) {
      moved = y;
      for (int j = 0; j < s; j++)
        if (A[s * stages + j] != 0) moved.noalias() += (h * A[s * stages + j]) * K.col(j);
      slope(moved, s);
    }
    moved = y;
    for (int j = 0; j < stages; j++)
      if (b[j] != 0) moved.noalias() += (h * b[j]) * K.col(j);
    slope(moved, stages);
    if (adaptive) {
      e5.setZero();
      e3.setZero();
      for (int j = 0; j <= stages; j++) {
        if (E5[j] != 0) e5.noalias() += E5[j] * K.col(j);
        if (E3 && E3[j] != 0) e3.noalias() += E3[j] * K.col(j);
      }
      const VectorXd scale = (atol + rtol * y.cwiseAbs().cwiseMax(moved.cwiseAbs()).array()).matrix();
      const double s5 = e5.cwiseQuotient(scale).squaredNorm(), s3 = e3.cwiseQuotient(scale).squaredNorm();
      const double error = E3 ? (s5 + s3 > 0 ? h * s5 / std::sqrt((s5 + 0.01 * s3) * 2 * n) : 0.0)
                              : h * std::sqrt(s5 / (2 * n));
      if (!(error < 1)) {
        h *= std::max(0.2, 0.9 * std::pow(error, -1.0 / order));
        rejected = true;
        if (!(h > 1e-12 * until)) return -count;
        continue;
      }
      t += h;
      const double most = rejected ? 1.0 : 10.0;
      h *= error == 0 ? most : std::min(most, 0.9 * std::pow(error, -1.0 / order));
      rejected = false;
    } else {
      t += h;
      h = dt;
    }
    y = moved;
    K.col(0) = K.col(stages);
  }
  Map<VectorXd>(y0, 2 * n) = y;
  return count;
}

DOOR int peer_sizes(const Peer *p, int *nv) {
  *nv = p->model.nv;
  return p->model.nq;
}
