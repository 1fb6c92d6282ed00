"""User-defined constraints: defined and registered here, and tested by the laws of all others.

A point on a plane curve is a pair of two markers; a rope over two fixed rollers acts on several bodies and has separate
rows.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import casadi as ca
import numpy as np
import pytest
from laws.agreement import Tally, judge_forward, judge_inverse, judge_round_trips
from laws.formulation_cases import SINGULAR, Case, case_at, efforts_for, known_motion
from scipy.integrate import solve_ivp
from unit.kernels.cuda_stand_in import COMPILER, stand_in

import multiloop as ml
from multiloop.dynamics.forward import METHODS
from multiloop.extension import Constraint, End, Row, WrenchInteraction, end_poses
from multiloop.kernels.cuda.device import missing_gpu_reason
from multiloop.kinematics import equations_of
from multiloop.model import Scalar
from multiloop.model.markers import scalar
from multiloop.spatial import zeros

GRAVITY = 9.81


@ml.register
@dataclass(frozen=True)
class PointOnParabola(ml.Pair):
    """The origin of the second marker stays on y = c x² of the first.

    Φ = y − c x²,      W = [0; −2 c x, 1, 0]
    """

    c: Scalar = 1.0

    def __post_init__(self):
        object.__setattr__(self, "c", scalar(self.c))

    def degrees_of_freedom(self, planar):
        return 2 if planar else 5

    def wrench_names(self, planar):
        return ("force across the curve",)

    def wrenches(self, pose, planar):
        return ca.vertcat(zeros(3), -2 * self.c * pose.p[0], 1, 0)

    def closure(self, pose, planar):
        return pose.p[1] - self.c * pose.p[0] ** 2


@dataclass(frozen=True)
class Tether(ml.Coupling):
    """A taut rope from one marker over two fixed points to another: the sum of both free lengths is constant."""

    first: str
    over: tuple[str, str]
    second: str
    tied: tuple[str, str]
    length: Scalar

    @property
    def joints(self):
        return self.tied


@dataclass(frozen=True)
class RopeRow(Constraint):
    """Φ = |r₁| + |r₂| − l,      W₁ = [0; r₁/|r₁|],   W₂ = [0; r₂/|r₂|]"""

    rope: Tether
    skeleton: object

    @property
    def name(self):
        return self.rope.name

    @property
    def rows(self):
        return (Row("pull", is_length=True),)

    @property
    def links(self):
        return tuple(
            sorted({self.skeleton.index[self.skeleton.link_of_joint[joint].body] for joint in self.rope.tied})
        )

    def _legs(self, at):
        """For each end: the fixed point, the end, and the vector from one to the other."""
        for fixed, end in zip(self.rope.over, (self.rope.first, self.rope.second), strict=True):
            ends = [
                End(-1 if body == "ground" else self.skeleton.index[body], marker)
                for body, marker in (reference.split(".") for reference in (fixed, end))
            ]
            placed = end_poses(at, *ends)
            yield *ends, placed.S.p - placed.F.p

    def position_residual(self, at, s):
        return sum(ca.norm_2(r) for _, _, r in self._legs(at)) - self.rope.length

    def interactions(self, at):
        return tuple(
            WrenchInteraction(first, second, ca.vertcat(zeros(3), r / ca.norm_2(r)))
            for first, second, r in self._legs(at)
        )


ml.register(Tether, constraint=RopeRow)


def bead(**changes):
    """A bead on a parabolic wire; its rotation is free."""
    given = {
        "planar": True,
        "bodies": [ml.ground(wire=(0.2, -0.1)), ml.Body("bead", mass=0.7, inertia=0.01)],
        "pairs": [PointOnParabola("wire", "ground.wire", "bead.origin", c=0.8)],
    }
    return ml.Mechanism("bead", **(given | changes))


def guided_crank():
    """A crank and a rod whose tip runs along a tilted parabola."""
    return ml.Mechanism(
        "guided crank",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), wire=ml.Marker((0.2, -0.3), angle=0.4)),
            ml.rod("crank", length=0.3, mass=1.0),
            ml.rod("rod", length=0.5, mass=1.5),
        ],
        joints=[ml.Revolute("A", "ground.A", "crank.a"), ml.Revolute("B", "crank.b", "rod.a")],
        pairs=[PointOnParabola("wire", "ground.wire", "rod.b", c=0.6)],
        guess={"A": 0.5, "B": -0.9},
    )


def hoist():
    """Two arms of different length that a rope holds up over two rollers."""
    return ml.Mechanism(
        "hoist",
        planar=True,
        bodies=[
            ml.ground(A=(-0.6, 0), B=(0.6, 0), left=(-0.2, 0.7), right=(0.2, 0.7)),
            ml.rod("left arm", length=0.4, mass=2.0),
            ml.rod("right arm", length=0.5, mass=1.1),
        ],
        joints=[ml.Revolute("A", "ground.A", "left arm.a"), ml.Revolute("B", "ground.B", "right arm.a")],
        pairs=[
            Tether("rope", "left arm.b", ("ground.left", "ground.right"), "right arm.b", ("A", "B"), 1.35)
        ],
        guess={"A": 0.3, "B": 2.8},
    )


MECHANISMS = {"bead": bead, "guided crank": guided_crank, "hoist": hoist}


@pytest.fixture(params=MECHANISMS)
def mechanism(request):
    return MECHANISMS[request.param]()


def a_case(mechanism) -> Case:
    plain = ml.from_text(ml.to_text(mechanism))  # it goes to text and back as well
    assert plain == mechanism
    plan = ml.analyse(mechanism, guess=dict(mechanism.guess) or BEAD)
    equations = equations_of(plan.mechanism, plan.tree)
    return case_at(equations, plan.assembly.coordinates_on(equations), 7, plan)


BEAD = {"bead": (0.7, 0.1, 0.3)}


def test_the_jacobian_is_that_of_the_rows_and_gamma_its_rate(mechanism):
    """By central differences along a motion that keeps the rows, with a step of 1e-5: to 1e-8 of their size."""
    case, h = a_case(mechanism), 1e-5
    equations, q, v, p = case.equations, case.q, case.v, case.skeleton.parameter_values
    J = equations.geometric_jacobian(q, p)
    assert pytest.approx(equations.jacobian(q, np.zeros(0), p), abs=1e-12) == J
    rates = [equations.geometric_jacobian(equations.chart.apply_step(q, s * h * v), p) @ v for s in (1, -1)]
    assert case.gamma == pytest.approx((rates[1] - rates[0]) / (2 * h), abs=1e-8)


def test_all_methods_agree(mechanism):
    case = a_case(mechanism)
    assert case.condition < SINGULAR
    judge_forward(case, Tally())
    judge_inverse(known_motion(case, efforts_for(case)), Tally())
    judge_round_trips(case, efforts_for(case), Tally())


def started(mechanism):
    """A start, and rates."""
    if mechanism.name == "bead":
        return {"start": {"bead floats": (0.8, None, 0.3)}, "rates": {"bead floats": (None, None, 1.0)}}
    return {"start": {"A": 0.5}, "rates": {"A": 0.4}}


@pytest.mark.parametrize("method", [method for method in METHODS if method != "sslm"])
def test_forward_inverse_and_simulate_agree_for_every_method(mechanism, method):
    start, rates = started(mechanism).values()
    one, other = (ml.forward(mechanism, start, rates=rates, method=name) for name in ("sslm", method))
    for joint in one:
        assert other[joint].acceleration == pytest.approx(one[joint].acceleration, rel=1e-9, abs=1e-9)
        assert other[joint].force == pytest.approx(one[joint].force, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_a_run_keeps_energy_and_constraint(mechanism, target):
    run = ml.simulate(mechanism, until=1.0, samples=11, rtol=1e-10, target=target, **started(mechanism))
    assert run.status == "ok"
    assert run.energy_drift < 1e-9
    assert run.constraint_violation.max() < 1e-12


def test_the_inverse_methods_agree_in_inverse():
    driven = guided_crank().replace(drives=[ml.Motion("A", 0.5 + 0.3 * ml.expr.sin(2 * ml.time))])
    first, *others = (
        ml.inverse(driven, t=[0.0, 0.4], method=method)
        for method in ("subsystem", "system", "virtual_work", "traditional")
    )
    for other in others:
        assert other["A"].effort == pytest.approx(first["A"].effort, rel=1e-10)
        assert other["wire"].force == pytest.approx(first["wire"].force, rel=1e-10)


@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler to run CUDA text with")
def test_cuda_source_gives_the_same_result(mechanism, monkeypatch):
    missing_gpu_reason.cache_clear()
    monkeypatch.setitem(sys.modules, "cupy", stand_in())
    guess = dict(mechanism.guess) or BEAD
    kernels, plain = (ml.compile(mechanism.replace(guess=guess), target=t) for t in ("cuda", "interpreter"))
    n = len(kernels.q)
    q = kernels.q[:, None] + np.random.default_rng(1).normal(size=(n, 5)) * 0.05
    v, tau = np.full((n, 1), 0.3) * np.arange(5), np.full(n, 0.1)
    np.testing.assert_allclose(
        kernels.forward.batch(q, v, tau), plain.forward.batch(q, v, tau), rtol=1e-11, atol=1e-11
    )
    begun = kernels.steps.project(np.repeat(kernels.q[:, None], 2, axis=1), np.full((n, 2), 0.2))
    ended = kernels.steps.advance(begun.q, begun.v, step=1e-3, steps=50)
    assert np.abs(plain.closure.batch(ended.q)).max() < 1e-12
    missing_gpu_reason.cache_clear()


def test_a_bead_slides_along_its_wire_as_by_lagrange():
    """(1 + 4 c² x²) ẍ + 4 c² x ẋ² + 2 g c x = 0; at the bottom the wire bears m (g + 2 c v²)."""
    c, x0 = 0.8, 0.6
    run = ml.simulate(bead(), until=2.0, start={"bead floats": (0.2 + x0, None, 0.0)}, samples=21, rtol=1e-11)

    def rate(_, y):
        x, u = y
        return u, -(4 * c**2 * x * u**2 + 2 * GRAVITY * c * x) / (1 + 4 * c**2 * x**2)

    known = solve_ivp(rate, (0, 2.0), (x0, 0.0), method="DOP853", t_eval=run.time, rtol=1e-12, atol=1e-12)
    assert run["bead floats"].position[:, 0] - 0.2 == pytest.approx(known.y[0], abs=1e-8)
    wire = PointOnParabola("wire", "ground.wire", "bead.origin", c=ml.Parameter("c", c))
    bottom = ml.forward(
        bead(pairs=[wire]), {"bead floats": (0.2, None, 0.0)}, rates={"bead floats": (3.0, None, None)}
    )
    assert bottom["wire"].force[0] == pytest.approx([0, 0.7 * (GRAVITY + 2 * c * 3.0**2)], abs=1e-10)


def test_a_rope_pulls_both_arms_alike():
    """At rest: moments about both bearings balance with one and the same pull in the rope."""
    still = ml.forward(hoist(), {"A": 0.5})
    pulls = []
    for arm, joint, roller in (("left arm", "A", (-0.2, 0.7)), ("right arm", "B", (0.2, 0.7))):
        pose = still.body(arm)[0]
        tip, com = still.marker(f"{arm}.b")[0], still.marker(f"{arm}.com")[0]
        mass, length = (2.0, 0.4) if arm == "left arm" else (1.1, 0.5)
        r = np.subtract(roller, tip)
        arm_of_pull = np.cross(tip - pose[:2, 3], r / np.linalg.norm(r))
        inertia = mass * length**2 / 3
        weight = -mass * GRAVITY * (com - pose[:2, 3])[0]
        pulls.append((inertia * still[joint].acceleration[0] - weight) / arm_of_pull)
    assert pulls[0] == pytest.approx(pulls[1], rel=1e-12)
    assert pulls[0] > 0


def test_an_unregistered_type_is_reported_with_the_remedy(texts):
    @dataclass(frozen=True)
    class Unknown(PointOnParabola):
        pass

    with pytest.raises(ml.ModelError) as caught:
        _ = bead(pairs=[Unknown("wire", "ground.wire", "bead.origin")]).fingerprint
    texts.fault(caught.value, "M90", "`multiloop.register(Unknown)`")


def test_a_name_that_is_taken_is_refused(texts):
    class Revolute(PointOnParabola):
        pass

    with pytest.raises(ml.ModelError) as caught:
        ml.register(Revolute)
    texts.fault(caught.value, "M01", "'Revolute'")


def curve(power):
    """A pair on y = c xⁿ, registered under one name for every power."""

    @ml.register
    @dataclass(frozen=True)
    class PointOnPower(PointOnParabola):
        def wrenches(self, pose, planar):
            return ca.vertcat(zeros(3), -power * self.c * pose.p[0] ** (power - 1), 1, 0)

        def closure(self, pose, planar):
            return pose.p[1] - self.c * pose.p[0] ** power

    return PointOnPower


def test_a_redefined_type_is_evaluated_anew():
    """As in a notebook: the same name, another curve. ẍ = −g y′ / (1 + y′²) from rest."""
    bodies = [ml.ground(wire=(0, 0)), ml.Body("bead", mass=0.7, inertia=0.01)]
    start = {"bead": (0.6, None, 0.0)}
    for power in (2, 4):
        pair = curve(power)("wire", "ground.wire", "bead.origin", c=0.8)
        curved, slope = bead(bodies=bodies, pairs=[pair]), power * 0.8 * 0.6 ** (power - 1)
        at = ml.assemble(curved, start).marker("bead.origin")
        assert at[1] == pytest.approx(0.8 * 0.6**power, abs=1e-12)
        found = ml.forward(curved, start)["bead floats"].acceleration[0][0]
        assert found == pytest.approx(-GRAVITY * slope / (1 + slope**2), rel=1e-9)
        end = ml.simulate(curved, until=0.3, start=start, samples=3).marker("bead.origin")[-1]
        assert end[1] == pytest.approx(0.8 * end[0] ** power, abs=1e-9)
