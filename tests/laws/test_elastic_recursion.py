"""Does the recursion contain elastic coordinates? A mode is compared with the joint that moves a marker equally."""

from dataclasses import replace

import casadi as ca
import numpy as np
import pytest

import multiloop as ml
from multiloop.kinematics import Equations
from multiloop.kinematics.tree.skeleton import build_skeleton
from multiloop.model import Modes
from multiloop.topology import tree_of

NONE = np.zeros(0)
ROUND_OFF = 1e-13
"""A dozen products of numbers of order one, in another order."""


def with_mode(skeleton, body, shapes):
    """The skeleton with one elastic coordinate on a body; mode shapes that are not given are zero."""
    links, q, v = [], 0, 0
    for link in skeleton.links:
        nq, nv = link.q.stop - link.q.start, link.v.stop - link.v.start
        elastic, reduced = 0, link.reduced
        if link.body == body:
            elastic = 1
            still = {marker: ca.DM(6, 1) for marker in reduced.markers}
            moved = {marker: ca.DM(shape) for marker, shape in shapes.items()}
            none = ca.DM(3, 3)
            modes = Modes(still | moved, ca.DM(3, 1), (none,), ((none,),), ca.DM(1, 1), ca.DM(1, 1))
            reduced = replace(reduced, modes=modes)
        links.append(
            replace(
                link,
                reduced=reduced,
                q=slice(q, q + nq),
                v=slice(v, v + nv),
                eta=slice(q + nq, q + nq + elastic),
                eta_rate=slice(v + nv, v + nv + elastic),
            )
        )
        q, v = q + nq + elastic, v + nv + elastic
    return replace(skeleton, links=tuple(links), positions=q, rates=v)


def chain(between):
    """A rod on a pivot and a second one on its end, in the plane; `between` are the bodies and joints there."""
    bodies, joints, seat = between
    return ml.Mechanism(
        "chain",
        planar=True,
        bodies=[
            ml.ground(O=(0.2, -0.1)),
            ml.rod("first", length=0.7, mass=1.0, markers={"slot": ml.marker((0.7, 0), angle=np.pi / 2)}),
            *bodies,
            ml.rod("second", length=0.5, mass=1.0),
        ],
        joints=[ml.Revolute("A", "ground.O", "first.a"), *joints, ml.Revolute("B", seat, "second.a")],
    )


def elastic_chain():
    """The end of the first rod is pushed along its y by one mode."""
    mechanism = chain(((), (), "first.b"))
    skeleton = build_skeleton(mechanism, tree_of(mechanism))
    return Equations(with_mode(skeleton, "first", {"b": [0, 0, 0, 0, 1, 0]}))


def sliding_chain():
    """The same by a carriage that slides along the rod's y."""
    carriage = ml.Body("carriage", markers={"b": ml.marker((0, 0), angle=-np.pi / 2)})
    slide = ml.Prismatic("slide", "first.slot", "carriage.origin")
    mechanism = chain(((carriage,), (slide,), "carriage.b"))
    return Equations(build_skeleton(mechanism, tree_of(mechanism)))


Q, V, A = np.array([0.6, 0.13, -1.1]), np.array([1.7, -0.4, 2.3]), np.array([-0.8, 1.9, 0.7])
"""Angle of the first rod, deflection or slide, angle of the second rod; rates and accelerations."""


def motion(equations, body, q=Q, v=V, a=A):
    """Pose, twist and twist rate of a body."""
    eq, k = equations, equations.skeleton.index[body]
    at = [ca.horzcat(eq.placements[k].pose.R, eq.placements[k].pose.p), eq.body_twists[k].column]
    outputs = [*at, eq.twist_rates(eq.a)[k].column]
    read = ca.Function(
        "read", [eq.q, eq.v, eq.a, eq.skeleton.parameter_symbols], [ca.densify(o) for o in outputs]
    )
    return [found.full() for found in read(q, v, a, NONE)]


def test_a_mode_that_shifts_a_marker_is_a_slide_there():
    """Pose, twist and twist rate of the body on the marker, exactly and at any deflection."""
    for found, expected in zip(
        motion(elastic_chain(), "second"), motion(sliding_chain(), "second"), strict=True
    ):
        assert found == pytest.approx(expected, abs=ROUND_OFF)


def test_the_mode_does_not_move_its_own_body():
    pairs = zip(motion(elastic_chain(), "first"), motion(sliding_chain(), "first"), strict=True)
    for found, expected in pairs:
        assert found == pytest.approx(expected, abs=ROUND_OFF)


def test_the_complement_has_a_column_for_the_mode():
    eq, other = elastic_chain(), sliding_chain()
    found, expected = (
        chain.tree_functions.twists(Q, NONE, np.eye(3))[chain.skeleton.index["second"]]
        for chain in (eq, other)
    )
    assert found == pytest.approx(expected, abs=ROUND_OFF)
    assert np.abs(found[:, 1]).max() > 0.5


def hinged_chain(elastic):
    """In space: at the rod's end a mode that turns the section about y, or a hinge about y."""
    across = ml.marker((0, 0, 0), z=(0, 1, 0), x=(1, 0, 0))
    tip = ml.marker((0.7, 0, 0), z=(0, 1, 0), x=(1, 0, 0))
    knuckle = [] if elastic else [ml.Body("knuckle", markers={"pin": across})]
    hinge = [] if elastic else [ml.Revolute("hinge", "first.tip", "knuckle.pin")]
    mechanism = ml.Mechanism(
        "hinged",
        bodies=[
            ml.ground(O=(0.2, -0.1, 0.3)),
            ml.rod("first", length=0.7, mass=1.0, markers={"tip": tip}),
            *knuckle,
            ml.rod("second", length=0.5, mass=1.0),
        ],
        joints=[
            ml.Revolute("A", "ground.O", "first.a"),
            *hinge,
            ml.Revolute("B", "first.b" if elastic else "knuckle.origin", "second.a"),
        ],
    )
    skeleton = build_skeleton(mechanism, tree_of(mechanism))
    return Equations(with_mode(skeleton, "first", {"b": [0, 1, 0, 0, 0, 0]}) if elastic else skeleton)


@pytest.mark.parametrize("turn", [0.0, 0.13, 2.9])
def test_a_mode_that_turns_a_marker_is_a_hinge_there(turn):
    """At any deflection, its rotation being exact."""
    q = np.array([Q[0], turn, Q[2]])
    pairs = zip(
        motion(hinged_chain(True), "second", q), motion(hinged_chain(False), "second", q), strict=True
    )
    for found, expected in pairs:
        assert found == pytest.approx(expected, abs=10 * ROUND_OFF)


# the same where a loop is closed on the marker -------------------------------------------------------


def looped(slides):
    """A four-bar whose rocker's end is displaced by a mode, or by a carriage; cut at that end."""
    carriage = [ml.Body("carriage", markers={"b": ml.marker((0, 0), angle=-np.pi / 2)})] if slides else []
    slide = [ml.Prismatic("slide", "rocker.slot", "carriage.origin")] if slides else []
    mechanism = ml.Mechanism(
        "four-bar",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), D=(1.0, 0)),
            ml.rod("crank", length=0.3, mass=1.0),
            ml.rod("coupler", length=0.9, mass=2.0),
            ml.rod("rocker", length=0.8, mass=1.5, markers={"slot": ml.marker((0.8, 0), angle=np.pi / 2)}),
            *carriage,
        ],
        joints=[
            ml.Revolute("A", "ground.A", "crank.a"),
            ml.Revolute("B", "crank.b", "coupler.a"),
            ml.Revolute("D", "ground.D", "rocker.a"),
            *slide,
            ml.Revolute("C", "coupler.b", "carriage.b" if slides else "rocker.b"),
        ],
    )
    skeleton = build_skeleton(mechanism, tree_of(mechanism, ["C"]))
    return Equations(skeleton if slides else with_mode(skeleton, "rocker", {"b": [0, 0, 0, 0, 1, 0]}))


LOOP_Q, LOOP_V = np.array([0.4, 0.7, 1.8, 0.05]), np.array([1.3, -0.6, 0.9, 0.35])


def test_a_loop_closed_on_a_moved_marker_has_the_rows_of_the_slide():
    """Position rows and their exact Jacobian."""
    modal, sliding = looped(False), looped(True)
    assert modal.position_residual(LOOP_Q, NONE, NONE) == pytest.approx(
        sliding.position_residual(LOOP_Q, NONE, NONE), abs=ROUND_OFF
    )
    assert modal.jacobian(LOOP_Q, NONE, NONE) == pytest.approx(
        sliding.jacobian(LOOP_Q, NONE, NONE), abs=ROUND_OFF
    )


def test_a_loop_closed_on_a_moved_marker_has_the_rates_of_the_slide():
    """Geometric Jacobian and γ contain the marker's own motion relative to its body."""
    modal, sliding = looped(False), looped(True)
    assert modal.geometric_jacobian(LOOP_Q, NONE) == pytest.approx(
        sliding.geometric_jacobian(LOOP_Q, NONE), abs=ROUND_OFF
    )
    assert modal.gamma(LOOP_Q, LOOP_V, (NONE, NONE, NONE), NONE) == pytest.approx(
        sliding.gamma(LOOP_Q, LOOP_V, (NONE, NONE, NONE), NONE), abs=ROUND_OFF
    )
