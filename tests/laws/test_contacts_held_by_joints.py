"""Contacts, ropes and friction along directions that joints or drives constrain: forces that are not determined.

A joint that keeps the gap of a contact at zero shares the normal force with it. The motion does not depend on the
share, so that the normal force is undetermined with the range of a linear program, alone or beside other bodies.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog
from texts import Texts
from zoo.plain import crank_slider, pinned_body, sliding_body

import multiloop as ml

MASS, WEIGHT, MU = 2.0, 2.0 * 9.81, 0.4
BESIDE = [False, True]


def guided(mu: float, beside: bool, push: float = 0.0, **more: Any) -> ml.Mechanism:
    """A slide in a horizontal guide that touches the floor too; another block rests on the floor beside it."""
    bodies = [ml.ground(g=(0.0, 0.1)), ml.Body("slide", mass=MASS, inertia=0.1, markers={"f": (0.0, -0.1)})]
    joints: list[Any] = [ml.Prismatic("P", "ground.g", "slide.origin")]
    loads: list[Any] = [ml.Contact("floor", "slide.f", "ground.origin", coefficient=mu)]
    if push:
        loads.append(ml.Force("push", "slide.origin", (push, 0.0)))
    if beside:
        bodies.append(ml.Body("other", mass=1.0, inertia=0.1, markers={"l": (-0.1, -0.1), "r": (0.1, -0.1)}))
        joints.append(ml.Free("free", "ground.origin", "other.origin"))
        loads += [ml.Contact(f"foot {k}", f"other.{k}", "ground.origin", coefficient=0.4) for k in "lr"]
    return ml.Mechanism("guided", planar=True, bodies=bodies, joints=joints, loads=loads, **more)


def at(beside: bool, rate: float = 0.0) -> tuple[dict[str, Any], dict[str, Any]]:
    """The initial position and its rates."""
    start, rates = {"P": 0.0}, {"P": rate}
    if not beside:
        return start, rates
    return start | {"free": (10.0, 0.1, 0.0)}, rates | {"free": (0.0, 0.0, 0.0)}


def by_linear_program(least: bool) -> float:
    """The least or largest N with G + N = W, G of the guide of either sign and N ≥ 0; infinite where unbounded."""
    found = linprog(
        [1.0 if least else -1.0, 0.0], A_eq=[[1.0, 1.0]], b_eq=[WEIGHT], bounds=[(0, None), (None, None)]
    )
    return float(found.x[0]) if found.status == 0 else np.inf


@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_a_guide_and_the_floor_share_a_weight(rate: float, beside: bool) -> None:
    """By minimum norm each bears half of the weight; the range of N is that of a linear program."""
    start, rates = at(beside, rate)
    found = ml.forward(guided(0.0, beside), start, rates=rates)
    floor, guide = found["floor"], found["P"]
    assert not floor.determined
    assert "normal" in floor.undetermined
    assert "force along y" in guide.undetermined
    expected = [by_linear_program(True), by_linear_program(False)]
    np.testing.assert_allclose(floor.range("normal")[0], expected, atol=1e-12 * WEIGHT)
    np.testing.assert_allclose(guide.range("force")[0, 1], [-np.inf, WEIGHT - expected[0]], rtol=1e-12)
    np.testing.assert_allclose(floor.normal[0], WEIGHT / 2, rtol=1e-12)
    np.testing.assert_allclose(guide.force[0], [0.0, WEIGHT / 2], rtol=1e-12, atol=1e-12 * WEIGHT)
    assert found.status == "ok"


@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize("rate", [1.0, pytest.param(-1.0, marks=pytest.mark.slow)])
def test_friction_of_a_shared_normal_force_leaves_the_motion_open(
    rate: float, beside: bool, texts: Texts
) -> None:
    """It slides with any deceleration μ N/m: the forces of the reported motion are in balance with it."""
    start, rates = at(beside, rate)
    found = ml.forward(guided(MU, beside), start, rates=rates)
    floor = found["floor"]
    along = floor.force[0, 0]
    assert along == pytest.approx(-np.sign(rate) * MU * floor.normal[0], abs=1e-12)
    assert MASS * found["P"].acceleration[0] == pytest.approx(along, abs=1e-12)
    np.testing.assert_allclose(floor.range("normal"), [[0.0, np.inf]])
    ends = (-np.inf, 0.0) if rate > 0 else (0.0, np.inf)
    np.testing.assert_allclose(floor.range("force")[0, 0], ends)
    texts.warnings(found, ("W78", "floor"))
    run = ml.simulate(guided(MU, beside), start=start, rates=rates, until=1.0, samples=11)
    assert run["P"].position[-1] == pytest.approx(rate, rel=1e-9)
    texts.warnings(run, ("W78", "floor"))


@pytest.mark.parametrize("beside", BESIDE)
def test_a_push_may_be_held_by_a_shared_normal_force(beside: bool, texts: Texts) -> None:
    """Any N ≥ F/μ holds the slide; with N = 0 it accelerates by F/m: the motion is one of several."""
    push = 3.0
    start, rates = at(beside)
    found = ml.forward(guided(MU, beside, push), start, rates=rates)
    assert MASS * found["P"].acceleration[0] == pytest.approx(push + found["floor"].force[0, 0], rel=1e-12)
    texts.warnings(found, ("W78", "floor"))
    at_rest = ml.forward(guided(MU, beside), start, rates=rates)
    assert at_rest["P"].acceleration[0] == 0.0
    assert at_rest.status == "ok"
    np.testing.assert_allclose(at_rest["floor"].range("normal"), [[0.0, np.inf]])


def test_a_rope_at_a_dead_point_shares_with_the_pin() -> None:
    """A rod that hangs from a pin and from a taut vertical rope: T + A = W, T ≥ 0."""
    rod = pinned_body(
        ml.rod("rod", length=1.0, mass=MASS),
        name="dead point",
        ground=ml.ground(up=(0.0, 1.0)),
        loads=[ml.Rope("rope", "ground.up", "rod.b", length=2.0)],
    )
    found = ml.forward(rod, {"A": -np.pi / 2})
    assert not found["rope"].determined
    np.testing.assert_allclose(found["rope"].range("force"), [[0.0, np.inf]], atol=1e-12 * WEIGHT)
    np.testing.assert_allclose(found["A"].range("force")[0, 1], [-np.inf, WEIGHT], rtol=1e-12)
    np.testing.assert_allclose(found["A"].range("force")[0, 0], [0.0, 0.0], atol=1e-12 * WEIGHT)


def driven(friction: float, load: float) -> ml.Mechanism:
    """A block that a drive moves by 1 m in 1 s, and then holds against a load."""
    return sliding_body(
        ml.Body("block", mass=MASS),
        "driven",
        joint="P",
        drives=[ml.Motion("P", ml.motion_laws.cycloidal(0, 1.0, duration=1.0))],
        loads=[
            ml.Friction("wear", "P", coefficient=friction, stiction="exact"),
            ml.Force("load", "block.origin", (-load, 0.0)),
        ],
    )


@pytest.mark.parametrize(
    "load", [3.0, pytest.param(0.0, marks=pytest.mark.slow), pytest.param(50.0, marks=pytest.mark.slow)]
)
def test_friction_of_a_joint_that_a_drive_holds_at_rest(load: float) -> None:
    """Friction within ±μ W may bear any part of the load; `forward`, `simulate` and `inverse` report the same."""
    mechanism, limit = driven(0.3, load), 0.3 * WEIGHT
    forward = ml.forward(mechanism, t=1.5)
    run = ml.simulate(mechanism, until=2.0, samples=[0.0, 0.5, 1.5])
    inverse = ml.inverse(mechanism, t=[1.5])
    for found in (forward, run, inverse):
        joint = found["P"]
        assert joint.effort[-1] == pytest.approx(load, abs=1e-9)
        np.testing.assert_allclose(joint.range("effort")[-1], [load - limit, load + limit], rtol=1e-9)
        np.testing.assert_allclose(joint.effort_range[-1], [load - limit, load + limit], rtol=1e-9)
    for found in (forward, run):
        assert "effort" in found["P"].undetermined
        assert not found["P"].determined
        assert not found["wear"].determined
        np.testing.assert_allclose(found["wear"].range("effort")[-1], [-limit, limit], rtol=1e-9)
        assert found["wear"].effort[-1] == 0.0
        assert found.status == "ok"
    np.testing.assert_allclose(*run["P"].range("effort")[1], rtol=1e-9)  # it slides


def test_a_stop_beside_friction_that_a_drive_holds_at_rest() -> None:
    """Effort − friction − stop = 0 with |friction| ≤ μ W and stop ≥ 0; the stop alone makes the effort unbounded."""
    mechanism, limit = driven(0.3, 0.0), 0.3 * WEIGHT
    stopped = mechanism.replace(loads=[*mechanism.loads, ml.Stop("end", "P", high=1.0, restitution=0.0)])
    found = ml.forward(stopped, t=1.5)
    np.testing.assert_allclose(found["P"].range("effort"), [[-limit, np.inf]], rtol=1e-9)
    np.testing.assert_allclose(found["wear"].range("effort"), [[-limit, limit]], rtol=1e-9)
    np.testing.assert_allclose(found["end"].range("effort"), [[-np.inf, 0.0]], atol=1e-9)


@pytest.mark.parametrize("angle", [0.0, 0.3, 1.0, np.pi / 2, 2.0])
def test_prestress_along_a_guide_does_not_press_on_it(angle: float) -> None:
    """Two ropes pull against each other along a guide at any angle: the force of the guide is zero, which is
    determined."""
    c, s = np.cos(angle), np.sin(angle)
    turned = ml.marker((0, 0), angle=angle)
    mechanism = ml.Mechanism(
        "two ropes",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(l=(-c, -s), r=(c, s), g=turned),
            ml.Body("block", mass=1.0, inertia=0.1, markers={"g": turned}),
        ],
        joints=[ml.Prismatic("P", "ground.g", "block.g")],
        loads=[
            ml.Rope("l", "ground.l", "block.origin", length=1.0),
            ml.Rope("r", "block.origin", "ground.r", length=1.0),
            ml.Force("F", "block.origin", (3.0 * c, 3.0 * s)),
        ],
    )
    found = ml.forward(mechanism, {"P": 0.0})
    np.testing.assert_allclose(found["l"].range("force"), [[3.0, np.inf]], rtol=1e-12)
    np.testing.assert_allclose(found["P"].range("force")[0], np.zeros((2, 2)), atol=1e-14)
    np.testing.assert_allclose(found["P"].range("moment")[0], [0.0, 0.0], atol=1e-14)
    assert found["P"].undetermined == ()


def test_prestress_of_a_stretched_slider_crank_has_no_part_across_it() -> None:
    """A stop at the outer dead centre: prestress along x alone, independent of round-off in the directions of the
    rods."""
    mechanism = crank_slider(
        ml.rod("crank", length=0.1, mass=1.0),
        ml.rod("coupler", length=0.3, mass=1.0),
        ml.Body("slider", mass=1.0),
        "stretched",
        pins=("O", "B", "C", "S"),
        gravity=(0, 0),
        loads=[ml.Stop("end", "S", high=0.4, restitution=0.0), ml.Force("F", "slider.origin", (50.0, 0))],
        guess={"O": 0.0, "S": 0.4},
    )
    found = ml.forward(mechanism, {"O": 0.0})
    for joint in "OBC":
        np.testing.assert_allclose(found[joint].range("force")[0, 0], [-50.0, np.inf], rtol=1e-12)
        np.testing.assert_allclose(found[joint].range("force")[0, 1], [0.0, 0.0], atol=1e-12)
        assert found[joint].undetermined == ("force along x",)
    np.testing.assert_allclose(found["S"].range("force")[0, 1], [0.0, 0.0], atol=1e-12)


def in_space(along: tuple[float, float, float], push: tuple[float, float, float]) -> ml.Mechanism:
    """A slide in a guide along an axis, that touches a rough floor too."""
    return ml.Mechanism(
        "guided in space",
        bodies=[
            ml.ground(g=ml.marker((0, 0, 0.1), z=along)),
            ml.Body(
                "slide",
                mass=MASS,
                inertia=(0.1,) * 3,
                markers={"f": (0, 0, -0.1), "g": ml.marker((0, 0, 0), z=along)},
            ),
        ],
        joints=[ml.Prismatic("P", "ground.g", "slide.g")],
        loads=[
            ml.Contact("floor", "slide.f", "ground.origin", coefficient=MU),
            ml.Force("push", "slide.origin", push),
        ],
    )


def test_a_vertical_guide_shares_a_push_with_friction_in_space() -> None:
    """N = W is determined; friction, |T| ≤ μ W, bears any part of a push, the rest of which is reported at the
    guide."""
    push = 3.0
    found = ml.forward(in_space((0, 0, 1), (push, 0, 0)), {"P": 0.0})
    limit = MU * WEIGHT
    np.testing.assert_allclose(found["floor"].range("normal"), [[WEIGHT, WEIGHT]], rtol=1e-9)
    np.testing.assert_allclose(found["P"].force[0], [-push, 0.0, 0.0], atol=1e-12)
    expected = [[-push - limit, -push + limit], [-limit, limit], [0.0, 0.0]]
    np.testing.assert_allclose(found["P"].range("force")[0], expected, rtol=1e-9, atol=1e-12)
    assert not found["P"].determined
    assert found["P"].acceleration[0] == 0.0


def test_a_horizontal_guide_shares_the_weight_and_friction_across_it_in_space() -> None:
    """N ≥ 0 and |T_y| ≤ μ N have no upper end; along the guide nothing pushes, and T_x = 0 is determined."""
    found = ml.forward(in_space((1, 0, 0), (0, 0, 0)), {"P": 0.0})
    open_ends = [-np.inf, np.inf]
    np.testing.assert_allclose(found["floor"].range("normal"), [[0.0, np.inf]], atol=1e-9)
    expected = [[0.0, 0.0], open_ends, [0.0, np.inf]]
    np.testing.assert_allclose(found["floor"].range("force")[0], expected, atol=1e-9)
    np.testing.assert_allclose(found["P"].range("force")[0, 1:], [open_ends, [-np.inf, WEIGHT]], atol=1e-9)
    assert found.status == "ok"
