"""A user-defined body, known to this file only: a whip of point masses with three modes, in a loop, in every method.

The package uses the reduced form of the body and nothing else.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import casadi as ca
import numpy as np
import pytest
from unit.kernels.cuda_stand_in import COMPILER, stand_in
from zoo.four_bars import four_bar

import multiloop as ml
from multiloop.dynamics.forward import METHODS
from multiloop.kernels.cuda.device import missing_gpu_reason
from multiloop.model import Modes
from multiloop.model.marker_poses import marker_pose, rigid_body
from multiloop.model.serialise.kinds import PARTS

POINTS = 25
"""Point masses along the whip."""


@dataclass(frozen=True)
class Whip(ml.Body):
    """A straight link of equal point masses on a massless beam, pinned at both ends, with three sine modes."""

    EI: float = field(default=1.0, kw_only=True)

    @property
    def elastic(self) -> int:
        return 3

    def reduced(self, handle, resolve, planar, share=1.0) -> ml.ReducedBody:
        rigid = rigid_body(self, handle, resolve, planar, share)
        frame = marker_pose(self.marker(handle), resolve, planar)
        return ml.ReducedBody(
            rigid.mass, rigid.com, rigid.inertia, rigid.markers, self._modes(resolve).seen_from(frame)
        )

    def _modes(self, resolve) -> Modes:
        """Integrals as sums over the points; symbols where the mass or the stiffness is a parameter."""
        L, m = self._length, resolve(self.mass) / POINTS
        x = (np.arange(POINTS) + 0.5) * L / POINTS
        k = np.pi * np.arange(1, 4) / L
        phi = np.sin(np.outer(x, k))
        across = np.zeros((3, 3))
        across[1, 1] = 1.0
        lever = np.zeros((3, 3))
        lever[0, 1] = 1.0
        shapes = {name: self._shape(self.marker(name).point[0], k) for name in self.marker_names}
        shapes |= {"origin": ca.DM(6, 3), "com": ca.DM(6, 3)}
        return Modes(
            shapes=shapes,
            momentum=m * ca.sparsify(ca.DM(np.vstack([np.zeros(3), phi.sum(axis=0), np.zeros(3)]))),
            moments=tuple(m * float(x @ phi[:, i]) * ca.sparsify(ca.DM(lever)) for i in range(3)),
            products=tuple(
                tuple(m * float(phi[:, i] @ phi[:, j]) * ca.sparsify(ca.DM(across)) for j in range(3))
                for i in range(3)
            ),
            stiffness=resolve(self.EI) * ca.diag(ca.DM(k**4 * L / 2)),
            damping=ca.DM(3, 3),
        )

    @property
    def _length(self) -> float:
        return float(self.marker("b").point[0])

    @staticmethod
    def _shape(x: float, k: np.ndarray) -> ca.DM:
        shape = np.zeros((6, 3))
        shape[2], shape[4] = k * np.cos(k * x), np.round(np.sin(k * x), 15)
        return ca.sparsify(ca.DM(shape))


def whip(name, length, mass, EI):
    """Its mass centre and inertia are those of the points."""
    x = (np.arange(POINTS) + 0.5) * length / POINTS
    inertia = mass * float(np.mean((x - length / 2) ** 2))
    markers = {"a": (0.0, 0.0), "b": (length, 0.0)}
    return Whip(
        name, mass=mass, com=(length / 2, 0.0), inertia=inertia, markers=markers, outline=("a", "b"), EI=EI
    )


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    """The type is registered, so that descriptions have a text and a fingerprint."""
    PARTS["Whip"] = Whip
    yield
    del PARTS["Whip"]


def crank_and_whip(EI=4.0):
    """A four-bar whose coupler is a whip."""
    rigid = four_bar()
    bodies = tuple(whip("coupler", 0.9, 2.0, EI) if body.name == "coupler" else body for body in rigid.bodies)
    return replace(rigid, name="crank and whip", bodies=bodies, drives=())


WHERE = {"coupler.b": (0.8, 0.7)}
START = {"A": 1.0, "coupler.eta": (0.05, -0.01, 0.003)}
RATES = {"A": 2.0, "coupler.eta": (0.2, 0.1, -0.3)}


def test_all_methods_agree_on_it_wherever_the_loop_is_cut():
    """To 1e-9 of the largest acceleration: a flexible coupler between rigid links."""
    found = [
        ml.forward(crank_and_whip(), START, rates=RATES, guess=WHERE, method=method, cuts=[cut])
        for method in METHODS
        for cut in "ABCD"
    ]
    size = max(np.abs(joint.acceleration).max() for joint in found[0].joints.values())
    bent = np.abs(found[0].link("coupler").eta_acceleration).max()
    for other in found[1:]:
        for name in found[0]:
            assert other[name].acceleration == pytest.approx(found[0][name].acceleration, abs=1e-9 * size)
        assert other.link("coupler").eta_acceleration == pytest.approx(
            found[0].link("coupler").eta_acceleration, abs=1e-9 * bent
        )


def test_a_driven_joint_on_it_follows_its_motion_in_every_method():
    """The rocker turns freely on the deformed end of the whip: its rate is relative to that end."""
    held = crank_and_whip()
    angle = ml.assemble(held, START, guess=WHERE)["C"].position
    driven = held.replace(drives=[ml.Motion("C", angle + 0.7 * ml.time + 1.5 * ml.time**2)])
    start, rates = {"coupler.eta": START["coupler.eta"]}, {"coupler.eta": RATES["coupler.eta"]}
    found = [
        ml.forward(driven, start, rates=rates, guess=WHERE, method=method, cuts=[cut])
        for method in METHODS
        for cut in "ABD"
    ]
    effort = found[0]["C"].effort[0]
    for other in found:
        assert other["C"].acceleration == pytest.approx(3.0, abs=1e-8)
        assert other["C"].effort == pytest.approx(effort, rel=1e-7)  # by penalties to 1e-8
        assert other["A"].acceleration == pytest.approx(found[0]["A"].acceleration, rel=1e-9)


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_it_keeps_its_energy(target):
    run = ml.simulate(
        crank_and_whip(), until=0.3, start=START, rates=RATES, guess=WHERE, rtol=1e-11, target=target
    )
    assert run.energy_drift < 1e-9
    assert run.link("coupler").eta.shape[1] == 3
    assert run.marker("coupler.b") == pytest.approx(run.marker("rocker.b"), abs=1e-12)


def test_its_first_mode_is_that_of_a_uniform_beam():
    """(π)² √(EI / m L³) for point masses in the middles of equal parts: their sums of sines are exact."""
    mechanism = crank_and_whip()
    reduced = mechanism.body("coupler").reduced("origin", lambda value: value, True)
    assert reduced.modes is not None
    stiffness, mass = ca.DM(reduced.modes.stiffness).full(), ca.DM(reduced.modes.mass).full()
    omega = np.sqrt(np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real.min())
    assert omega == pytest.approx(np.pi**2 * np.sqrt(4.0 / (2.0 * 0.9**3)), rel=1e-12)


def test_its_description_is_text_and_comes_back():
    mechanism = crank_and_whip()
    assert ml.from_text(ml.to_text(mechanism)) == mechanism
    assert crank_and_whip(5.0) != mechanism


@pytest.mark.skipif(COMPILER is None, reason="the stand-in for a GPU compiles its kernels")
def test_it_runs_on_many_lanes(monkeypatch):
    """The CUDA text of its forward dynamics, compiled for this machine's processor."""
    monkeypatch.setitem(sys.modules, "cupy", stand_in())
    missing_gpu_reason.cache_clear()
    mechanism = crank_and_whip()
    kernels, plain = (ml.compile(mechanism, target=t, guess=WHERE) for t in ("cuda", "interpreter"))
    n = kernels.equations.skeleton.rates
    q = kernels.q[:, None] + 0.01 * np.random.default_rng(1).normal(size=(n, 5))
    v, tau = np.full((n, 5), 0.3), np.zeros(n)
    expected = plain.forward.batch(q, v, tau)
    np.testing.assert_allclose(
        kernels.forward.batch(q, v, tau), expected, rtol=1e-10, atol=1e-10 * np.abs(expected).max()
    )
    missing_gpu_reason.cache_clear()
