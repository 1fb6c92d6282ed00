"""Flexible bodies: energy and momentum balance, and the natural frequencies of known beams."""

from dataclasses import replace
from functools import cache

import casadi as ca
import numpy as np
import pytest
from laws.elastic_loops import WHERE, four_bar
from zoo.four_bars import four_bar as rigid_four_bar
from zoo.plain import clamped_body

import multiloop as ml
from multiloop.dynamics.forward import METHODS
from multiloop.dynamics.outputs.energy import momentum
from multiloop.kinematics import equations_of
from multiloop.topology import tree_of

SLOPE = 0.2
"""Of the rocker's ends at the start, in radians: η₁ π/L."""


@cache
def run(target, frame="chord", damping=0.0):
    """Half a second from a deformed initial state."""
    start = {"A": 1.0, "rocker.eta": (SLOPE * 0.8 / np.pi, 0.0)}
    return ml.simulate(
        four_bar(frame, damping=damping), until=0.5, start=start, guess=WHERE, rtol=1e-11, target=target
    )


@pytest.mark.parametrize("frame", ["a", "chord"])
def test_energy_is_kept_with_large_slopes(frame):
    """Up to the error of an adaptive run of eighth order at rtol 1e-11."""
    result = run("c", frame)
    assert result.energy_drift < 1e-9
    bent = np.pi / 0.8 * np.abs(result.link("rocker").eta[:, 0]).max()
    assert frame == "a" or bent > 0.99 * SLOPE


def test_the_energy_balance_contains_the_damping_loss():
    result = run("c", damping=0.02)
    assert result.energy_drift < 1e-9
    assert result.work[-1] < -0.1 * result.kinetic_energy.max()


def test_the_interpreter_runs_as_machine_code_does():
    """Up to the tolerance of the runs."""
    one, other = run("c"), run("interpreter")
    for name in one:
        assert other[name].position == pytest.approx(one[name].position, abs=1e-8), name
    assert other.link("rocker").eta == pytest.approx(one.link("rocker").eta, abs=1e-8)


def test_a_run_resumes_from_a_state():
    whole = run("c")
    middle = whole.at(0.25)
    assert middle["rocker.eta"].position == pytest.approx(whole.link("rocker").eta[250])
    rest = ml.simulate(four_bar(), until=0.5, start=middle, rtol=1e-11, samples=[0.5])
    assert rest["A"].position[-1] == pytest.approx(whole["A"].position[-1], abs=1e-9)
    assert rest.link("coupler").eta[-1] == pytest.approx(whole.link("coupler").eta[-1], abs=1e-9)


def test_markers_are_at_the_deformed_ends_of_the_links():
    """Both markers of the joint between coupler and rocker, from two poses and two deflections."""
    result = run("c")
    assert result.marker("coupler.b") == pytest.approx(result.marker("rocker.b"), abs=1e-12)
    state = result.at(0.1)
    assert state.marker("coupler.b") == pytest.approx(state.marker("rocker.b"), abs=1e-12)


def test_reactions_and_weight_are_the_rate_of_momentum():
    """d/dt [L; p] = moments and forces of the ground and of the weight, at every instant, exactly."""
    result, mechanism = run("c"), four_bar()
    eq = equations_of(mechanism, tree_of(mechanism, list(result.plan.cuts)))
    h = momentum(eq)
    rate = ca.jtimes(h, eq.q, eq.q_rate) + ca.jtimes(h, eq.v, eq.a)
    function = ca.Function("rate", [eq.q, eq.v, eq.a], [rate, _weight(eq)])
    for k in (0, 137, 400):
        q, v, a = (np.zeros(eq.skeleton.rates) for _ in range(3))
        for link in eq.skeleton.links:
            joint, bend = result[link.joint.name], result.link(link.body)
            q[link.v], v[link.v], a[link.v] = joint.position[k], joint.rate[k], joint.acceleration[k]
            q[link.eta], v[link.eta_rate], a[link.eta_rate] = (
                bend.eta[k],
                bend.eta_rate[k],
                bend.eta_acceleration[k],
            )
        found, expected = (ca.DM(x).full()[:, 0] for x in function(q, v, a))
        for joint, point in (("A", (0.0, 0.0)), ("D", (1.0, 0.0))):
            f = result[joint].force[k]
            expected = expected + np.array([0, 0, point[0] * f[1] - point[1] * f[0], *f, 0])
        assert found == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())


def _weight(eq):
    """Moment of the weight about the inertial origin, and the weight."""
    total = ca.SX(6, 1)
    for link, place in zip(eq.skeleton.links, eq.placements, strict=True):
        g, body = eq.skeleton.gravity, link.reduced
        centre = body.mass * place.pose.p + place.pose.R @ body.moment_at(place.eta)
        total = total + ca.vertcat(ca.cross(centre, g), body.mass * g)
    return total


def test_a_free_flexible_body_keeps_its_momentum():
    """Spinning and vibrating in space without weight, for 0.1 s, which are some dozen periods."""
    beam = ml.uniform_beam(
        "whip", length=1.0, mass=2.0, EI=50.0, across=("y", "z"), frame="a", inertia=(0.02, 1 / 6, 1 / 6)
    )
    mechanism = ml.Mechanism(
        "free whip",
        gravity=(0, 0, 0),
        bodies=[ml.ground(), beam],
        joints=[ml.Free("F", "ground.origin", "whip.a")],
    )
    rates = {"F": (0.1, -0.2, 0.3, 3.0, 5.0, -4.0), "whip.eta": (0.5, 0.2, -0.3, 0.4)}
    start = {"F": (0, 0, 0, 1, 0, 0, 0), "whip.eta": (0.1, 0.0, -0.05, 0.02)}
    result = ml.simulate(mechanism, until=0.1, start=start, rates=rates, rtol=1e-11)
    size = np.abs(result.momentum[0]).max()
    assert np.abs(result.momentum - result.momentum[0]).max() < 1e-9 * size
    assert result.energy_drift < 1e-9


# closed forms ------------------------------------------------------------------------------------------


def frequencies(mechanism):
    """Of small vibrations about the undeformed rest, from the slopes of the accelerations."""
    kernels = ml.compile(mechanism, target="interpreter")
    n = kernels.equations.skeleton.rates
    slope = kernels.derivative("forward", "a", "q")(kernels.q, np.zeros(n), np.zeros(n))
    return np.sort(np.sqrt(np.maximum(-np.linalg.eigvals(np.asarray(slope).reshape(n, n)).real, 0.0)))


def test_a_cantilever_vibrates_with_its_natural_frequency():
    """ω = (1.87510407)² √(EI / m L³), by four powers of x, which are too stiff by less than 1e-5."""
    beam = ml.uniform_beam("beam", length=0.7, mass=1.3, EI=40.0, modes=4, frame="a")
    mechanism = clamped_body(beam, joint="clamp", gravity=(0, 0))
    expected = 1.87510406871**2 * np.sqrt(40.0 / (1.3 * 0.7**3))
    assert frequencies(mechanism)[0] == pytest.approx(expected, rel=1e-5)


def test_a_beam_on_two_pins_vibrates_in_sines():
    """ωₖ = (k π)² √(EI / m L³), exactly: the mode shapes are the natural modes; the far pin slides along the beam."""
    beam = ml.uniform_beam("beam", length=0.7, mass=1.3, EI=40.0, modes=3, frame="chord")
    mechanism = ml.Mechanism(
        "bridge",
        planar=True,
        gravity=(0, 0),
        bodies=[ml.ground(L=(0, 0), R=(0.7, 0)), beam, ml.Body("shoe", mass=1e-3, inertia=1e-6)],
        joints=[
            ml.Revolute("L", "ground.L", "beam.a"),
            ml.Prismatic("slide", "ground.R", "shoe.origin"),
            ml.Revolute("R", "shoe.origin", "beam.b"),
        ],
    )
    expected = (np.pi * np.array([1, 2, 3])) ** 2 * np.sqrt(40.0 / (1.3 * 0.7**3))
    assert frequencies(mechanism)[-3:] == pytest.approx(expected, rel=1e-9)


def test_stiff_links_move_as_rigid_ones():
    """With the deflection of a rigid motion the difference falls as 1/EI: here the driven efforts, at rest."""
    rigid = replace(rigid_four_bar(), drives=())
    expected = ml.simulate(rigid, until=0.2, start={"A": 1.0}, guess=WHERE, samples=[0.2])["A"].position[-1]
    errors = []
    for EI in (2e3, 2e4):
        stiff = four_bar("chord", EI=EI, damping=0.5, modes=1)
        found = ml.simulate(stiff, until=0.2, start={"A": 1.0}, guess=WHERE, samples=[0.2], rtol=1e-9)
        errors.append(abs(found["A"].position[-1] - expected))
    assert errors[1] < 0.2 * errors[0] < 1e-2


# a mode and the joint that moves likewise --------------------------------------------------------------


def sliding_mass(elastic):
    """A rod on a pivot with a mass that moves across its end, by a mode or on a slide, and that carries a second
    rod."""
    m, L, own = 0.6, 0.7, 1.1
    tip = ml.marker((L, 0), angle=np.pi / 2)
    rod = ml.rod("first", length=L, mass=own, markers={"slot": tip})
    hung = ml.rod("second", length=0.5, mass=0.9)
    if not elastic:
        carriage = ml.Body("carriage", mass=m, markers={"b": ml.marker((0, 0), angle=-np.pi / 2)})
        bodies = [rod, carriage, hung]
        joints = [
            ml.Prismatic("slide", "first.slot", "carriage.origin"),
            ml.Revolute("B", "carriage.b", "second.a"),
        ]
    else:
        centre = (own * L / 2 + m * L) / (own + m)
        about = own * L**2 / 12 + own * (centre - L / 2) ** 2 + m * (L - centre) ** 2
        still = np.zeros((6, 1))
        up = np.array([[0.0], [0], [0], [0], [1], [0]])
        whole = ml.ModalBody(
            "first",
            mass=own + m,
            com=(centre, 0),
            inertia=about,
            markers={"a": (0, 0), "b": (L, 0)},
            shapes={"a": still, "b": up},
            momentum=m * np.array([[0], [1], [0]]),
            moments=[m * L * np.outer([1, 0, 0], [0, 1, 0])],
            products=[[m * np.outer([0, 1, 0], [0, 1, 0])]],
            stiffness=[[0.0]],
        )
        bodies, joints = [whole, hung], [ml.Revolute("B", "first.b", "second.a")]
    return ml.Mechanism(
        "sliding mass",
        planar=True,
        bodies=[ml.ground(O=(0.2, -0.1)), *bodies],
        joints=[ml.Revolute("A", "ground.O", "first.a"), *joints],
    )


@pytest.mark.parametrize("method", METHODS)
def test_a_mode_with_mass_is_a_slide_with_a_point_mass(method):
    """Accelerations, reactions, energy and momentum; ∫ΦΦᵀ dm is the sliding mass."""
    start, rates = {"A": 0.6, "B": -1.1}, {"A": 1.7, "B": 2.3}
    modal = ml.forward(
        sliding_mass(True), start | {"first.eta": 0.13}, rates=rates | {"first.eta": -0.4}, method=method
    )
    slide = ml.forward(
        sliding_mass(False), start | {"slide": 0.13}, rates=rates | {"slide": -0.4}, method=method
    )
    assert modal.link("first").eta_acceleration[0] == pytest.approx(slide["slide"].acceleration, abs=1e-11)
    for name in "AB":
        assert modal[name].acceleration == pytest.approx(slide[name].acceleration, abs=1e-11)
        assert modal[name].force == pytest.approx(slide[name].force, abs=1e-11)
    assert modal.kinetic_energy == pytest.approx(slide.kinetic_energy, rel=1e-13)
    assert modal.potential_energy == pytest.approx(slide.potential_energy, rel=1e-13)
    assert modal.momentum == pytest.approx(slide.momentum, rel=1e-13)


# files and parameters ----------------------------------------------------------------------------------


def test_an_elastic_mechanism_is_read_back_from_its_file(tmp_path):
    mechanism = four_bar(damping=0.01)
    for ending in ("yaml", "json"):
        assert ml.load(ml.save(mechanism, tmp_path / f"four-bar.{ending}")) == mechanism


def test_integrals_may_hold_parameters():
    """The same motion as with the numbers themselves; and a value given later is used."""
    k = ml.Parameter("k", 7.0)
    soft = sliding_mass(True)
    body = soft.body("first")
    with_k, with_number = (
        soft.replace(bodies=[soft.bodies[0], _stiffened(body, value), soft.bodies[2]]) for value in (k, 7.0)
    )
    state = {"A": 0.6, "B": -1.1, "first.eta": 0.13}
    one, other = (ml.forward(mechanism, state) for mechanism in (with_k, with_number))
    assert one["A"].acceleration == pytest.approx(other["A"].acceleration, rel=1e-13)
    harder = ml.forward(with_k.with_parameters(k=70.0), state)
    assert abs(harder.link("first").eta_acceleration[0, 0] - one.link("first").eta_acceleration[0, 0]) > 1.0


def _stiffened(body, k):
    from dataclasses import replace

    return replace(body, stiffness=((k,),))
