"""`equilibrium`: where all forces balance, from a guess and along a parameter, against closed forms."""

from __future__ import annotations

from math import acos, cos, pi, sin, sqrt, tan

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from steady_mechanisms import G, damped_four_bar, governor, leaning_disc, toggle
from texts import Texts
from zoo.plain import clamped_body, pinned_body

import multiloop as ml


def pendulum() -> ml.Mechanism:
    return pinned_body(ml.rod("bar", length=1.0, mass=2.0), name="pendulum", gravity=(0, -G))


@pytest.mark.parametrize(("start", "found", "stable"), [(-1.0, -pi / 2, True), (1.3, pi / 2, False)])
def test_a_pendulum_hangs_or_stands(start: float, found: float, stable: bool) -> None:
    answer = ml.equilibrium(pendulum(), start={"A": start})
    assert answer["A"].position == pytest.approx(found, abs=1e-14)
    assert answer.stable is stable
    assert answer.smallest == pytest.approx(2.0 * G * 0.5 * (1 if stable else -1), rel=1e-13)
    assert answer.eigenvalues[0] == pytest.approx(sqrt(1.5 * G) * (1j if stable else 1), rel=1e-13)
    assert answer.result["A"].force[0, 1] == pytest.approx(2.0 * G, rel=1e-13)
    assert answer.residual < 1e-15


def test_a_four_bar_balances_as_forward_has_it() -> None:
    bar = damped_four_bar()
    answer = ml.equilibrium(bar)
    there = ml.forward(bar, answer.state)
    for joint in "ABCD":
        assert abs(there[joint].acceleration[0]) < 1e-11  # rad/s², compared with some 30
        np.testing.assert_allclose(answer.result[joint].force, there[joint].force, rtol=1e-10, atol=1e-11)
    assert answer.stable
    assert (answer.eigenvalues.real < 0).all()
    assert answer.result.loads["spring"].length[0] == pytest.approx(
        there.loads["spring"].length[0], rel=1e-12
    )


def test_a_toggle_without_masses_balances() -> None:
    answer = ml.equilibrium(toggle(load=10.0))
    angle = answer["A"].position
    assert 2 * tan(angle) * 1000.0 * (cos(angle) - cos(0.3)) == pytest.approx(10.0, rel=1e-12)
    assert len(answer.eigenvalues) == 0  # no body has mass
    assert answer.stable
    # both bars transmit half of the load
    assert answer.result["A"].force[0, 1] == pytest.approx(5.0, rel=1e-12)


def test_the_fold_of_a_toggle(texts: Texts) -> None:
    """P = 4 k l sin³θ*, cos³θ* = cos θ₀."""
    branch = ml.equilibrium(toggle(), along={"P": (0.0, 500.0)})
    angle = acos(cos(0.3) ** (1 / 3))
    (fold,) = branch.folds
    assert branch.value(fold) == pytest.approx(4 * 1000.0 * 0.5 * sin(angle) ** 3, rel=1e-12)
    assert fold["A"].position == pytest.approx(angle, rel=1e-6)
    assert abs(fold.smallest) < 1e-6
    assert branch.branchings == ()
    rising = branch.position("A") > angle * (1 + 1e-6)
    np.testing.assert_array_equal(branch.stable[rising], True)
    np.testing.assert_array_equal(branch.stable[branch.position("A") < angle * (1 - 1e-6)], False)
    exact = 2000.0 * (np.sin(branch.position("A")) - np.tan(branch.position("A")) * cos(0.3))
    np.testing.assert_allclose(branch.values, exact, atol=1e-9)
    assert branch.values[0] == 0.0
    assert branch.values[-1] == pytest.approx(0.0, abs=1e-12)
    texts(repr(branch), "10.3932607")
    table = branch.to_table()
    assert list(table.columns) == ["P", "A", "knee", "C", "guide", "smallest", "stable"]
    assert len(table) == len(branch)


def test_a_governor_turns_steadily() -> None:
    """cos φ = (m + M) g / (m Ω² l), ω² = Ω² sin²φ / (1 + 2 (M/m) sin²φ)."""
    speed, arm, ball, sleeve = 18.0, 0.3, 1.0, 5.0
    answer = ml.equilibrium(governor(speed=speed))
    angle = acos((ball + sleeve) * G / (ball * speed**2 * arm))
    assert pi / 2 - answer["A1"].position == pytest.approx(angle, rel=1e-13)
    assert answer["A2"].position == pytest.approx(answer["A1"].position, rel=1e-13)
    assert answer["spin"].rate == speed
    swing = speed * sin(angle) / sqrt(1 + 2 * sleeve / ball * sin(angle) ** 2)
    np.testing.assert_allclose(np.sort(answer.eigenvalues.imag), [-swing, swing], rtol=1e-12)
    assert answer.stable
    assert answer.result["spin"].effort[0] == pytest.approx(0.0, abs=1e-11)


def test_a_governor_followed_over_its_speed() -> None:
    branch = ml.equilibrium(governor(), along={"Omega": (18.0, 15.0)})
    np.testing.assert_allclose(np.sin(branch.position("A1")), 6 * G / (0.3 * branch.values**2), rtol=1e-11)
    assert branch.folds == ()
    assert branch.values[-1] == 15.0
    assert branch.stable.all()


def test_drives_held_where_they_are() -> None:
    crank = ml.examples.slider_crank()
    answer = ml.equilibrium(crank, held=True, t=0.01)
    assert not any(map(any, answer.state.rates.values()))
    there = ml.inverse(crank.replace(drives=[ml.Motion("O", answer["O"].position + 0.0 * ml.time)]), t=[0.0])
    assert answer.result["O"].effort[0] == pytest.approx(there["O"].effort[0], rel=1e-10)


@pytest.mark.parametrize(("turning", "rolling"), [(2.0, 8.0), (-1.5, 6.0)])
def test_a_disc_goes_round_in_circles(turning: float, rolling: float) -> None:
    """(C + m R²) ω₃ Ω cos α = A Ω² sin α cos α − m g R sin α; the rates are given, the lean is found."""
    radius = 0.3
    across, about = radius**2 / 4, radius**2 / 2
    start = {"lean": 0.2, "road": (0, 0, 0), "spin": 0.0}
    answer = ml.equilibrium(
        leaning_disc(), start=start, rates={"road": (None, None, turning), "spin": rolling}
    )
    lean = answer["lean"].position
    whole = rolling + turning * sin(lean)
    left = (about + radius**2) * whole * turning * cos(lean)
    assert left == pytest.approx(
        across * turning**2 * sin(lean) * cos(lean) - G * radius * sin(lean), rel=1e-11
    )
    assert answer.pencil.states == ("lean", "road.angle rate", "lean rate", "spin rate")
    assert answer.stable


def test_a_bistable_toggle_settles_from_far_away() -> None:
    """Newton's steps from the unstable equilibrium diverge; a strongly damped motion converges to the stable one."""
    answer = ml.equilibrium(toggle(load=30.0), start={"A": 0.25})
    angle = answer["A"].position
    assert 2000.0 * (sin(angle) - tan(angle) * cos(0.3)) == pytest.approx(30.0, rel=1e-11)
    assert angle < 0
    assert answer.stable


def test_a_cantilever_deflects_under_its_weight() -> None:
    """w = μ g L⁴ / 8 E I, and it vibrates with 1.8751² √(E I / μ L⁴): elastic coordinates belong to the equilibrium."""
    weight, stiffness = 1.5, 300.0
    beam = ml.uniform_beam("beam", length=1.0, mass=weight, EI=stiffness, modes=6, frame="a", damping=0.01)
    held = clamped_body(beam, joint="A", gravity=(0, -G))
    answer = ml.equilibrium(held)
    assert answer.state.marker("beam.b")[1] == pytest.approx(-weight * G / (8 * stiffness), rel=1e-9)
    assert answer.result["A"].moment[0] == pytest.approx(weight * G / 2, rel=1e-9)
    first = ml.eigenmodes(held, answer)
    assert first.frequencies[0] == pytest.approx(1.875104068712**2 * sqrt(stiffness / weight), rel=1e-6)
    assert first.damping[0] == pytest.approx(0.01, rel=1e-6)


def test_efforts_elsewhere_hold_a_platform() -> None:
    """The legs of a hexapod hold its platform as they do along a path on which it is at rest."""
    pod = ml.examples.hexapod()
    (path,) = pod.drives
    still = ml.Motion(path.of, x=0.08, y=0.0, z=0.62, orientation=(1.0, 0.0, 0.0, 0.0))
    answer = ml.equilibrium(pod, held=True)
    there = ml.inverse(pod.replace(drives=[still]), t=[0.0])
    for leg in range(1, 7):
        assert answer.result[f"P{leg}"].effort[0] == pytest.approx(there[f"P{leg}"].effort[0], rel=1e-9)


def test_the_fold_of_a_single_arm() -> None:
    """A flap on a gas strut of constant force P: P(H) = m g l cos H / 2 arm(H) is largest at the fold.

    No loop transmits forces there, and a small motion changes no moment: only the parameter does.
    """
    foot, reach = np.array([0.15, -0.45]), 0.35

    def balancing(H: float) -> float:
        head = reach * np.array([np.cos(H), np.sin(H)])
        along = (head - foot) / np.linalg.norm(head - foot)
        return 14.0 * 9.81 * 0.5 * np.cos(H) / (head[0] * along[1] - head[1] * along[0])

    best = minimize_scalar(
        lambda H: -balancing(H), bounds=(-0.5, 1.5), method="bounded", options={"xatol": 1e-10}
    )
    door = pinned_body(
        ml.rod("door", length=1.0, mass=14.0, markers={"head": reach}),
        "door",
        joint="H",
        ground=ml.ground(foot=tuple(foot)),
        loads=[ml.Spring("gas", "ground.foot", "door.head", preload=-ml.Parameter("P", 200.0))],
    )
    branch = ml.equilibrium(door, along={"P": (200.0, 900.0)}, guess={"H": 1.1})
    (fold,) = branch.folds
    assert branch.value(fold) == pytest.approx(-best.fun, rel=1e-10)
    assert fold["H"].position == pytest.approx(best.x, abs=1e-5)
    assert not branch.branchings


def test_a_branch_ends_where_a_link_would_be_bent_by_its_whole_length(texts):
    """The small-deflection theory of beams ends beyond buckling: at Euler's load the deflection of a cantilever is
    unbounded."""
    push = ml.Parameter("P", 1.0)
    strip = {"E": 70e9, "density": 2700.0, "section": ml.rectangle(0.02, 0.004)}
    column = clamped_body(
        ml.beam("b", length=0.8, modes=3, frame="a", elements=4, **strip),
        "column",
        joint="F",
        gravity=(0, 0),
        loads=[ml.Force("f", "b.b", (-push, 0.001 * push))],
    )
    branch = ml.equilibrium(column, along={"P": (1.0, 40.0)})
    euler = np.pi**2 * 70e9 * 0.02 * 0.004**3 / 12 / (4 * 0.8**2)
    assert 0.9 * euler < branch.values[-1] < 1.01 * euler
    texts(branch.ended, "'b'")
    texts(repr(branch[-1]), "0.1", hide=[r"(?<=eta \().*?(?=\))"])
    texts(repr(branch[0]))
