"""Descriptions of elastic bodies: sizes, symmetry, and integrals that are physically possible."""

from dataclasses import replace

import casadi as ca
import numpy as np
import pytest

import multiloop as ml
from multiloop.model.marker_poses import marker_pose, nominal_value
from multiloop.topology import tree_of


def beam(**changes):
    found = ml.uniform_beam("beam", length=0.7, mass=1.3, EI=40.0)
    return replace(found, **changes)


def fixed(body, planar=True):
    joint = ml.Fixed("clamp", "ground.origin", f"{body.name}.a")
    return ml.Mechanism("clamped", planar=planar, bodies=[ml.ground(), body], joints=[joint])


def faults_of(body, planar=True):
    with pytest.raises(ml.ModelError) as caught:
        fixed(body, planar)
    return [(fault.code, fault.what) for fault in caught.value.faults]


def test_a_whole_description_has_no_fault():
    assert fixed(beam()).body("beam").elastic == 2


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"momentum": ((1.0, 2.0),)}, ("`momentum`", "1×2")),
        ({"moments": (((0.0,) * 3,) * 3,)}, ("`moments`", "1×3×3")),
        ({"products": ((1.0, 2.0), (3.0,))}, ("`products`",)),
        ({"stiffness": ((1.0, 2.0), (0.0, 1.0))}, ("`stiffness`",)),
        ({"damping": ((1.0,),)}, ("`damping`", "1×1")),
        ({"stiffness": ()}, ("`stiffness`",)),
        ({"shapes": {"a": np.zeros((6, 2))}}, ("'b'",)),
    ],
)
def test_what_does_not_fit_is_named(changes, what, texts):
    texts("\n".join(map(" ".join, faults_of(beam(**changes)))), "M14", *what)


def test_a_mode_shape_for_an_unknown_marker_is_named(texts):
    shapes = dict(beam().shapes) | {"c": np.zeros((6, 2))}
    texts("\n".join(map(" ".join, faults_of(beam(shapes=shapes)))), "M14", "'c'")


def test_a_value_that_is_not_finite_is_named(texts):
    ((code, what),) = faults_of(beam(stiffness=((float("nan"), 0.0), (0.0, 1.0))))
    assert code == "M05"
    texts(what, "`stiffness`", "nan")


def test_an_out_of_plane_mode_shape_is_refused_in_the_plane(texts):
    up = ml.uniform_beam("beam", length=0.7, mass=1.3, EI=40.0, across=("z",), inertia=(0.1, 0.1, 0.1))
    assert fixed(up, planar=False)
    texts("\n".join(map(" ".join, faults_of(up))), "M14", "'a'")


def test_integrals_of_no_mass_are_refused():
    """More momentum than the modal mass and the mass allow together: |∫Φ dm|² ≤ m ∫Φ² dm."""
    heavy = tuple(tuple(3 * x for x in row) for row in beam().momentum)
    assert [code for code, _ in faults_of(beam(momentum=heavy))] == ["M14"]


def test_invalid_uniform_beams_are_refused_when_created(texts):
    with pytest.raises(ml.ModelError) as caught:
        ml.uniform_beam("beam", length=0.7, mass=1.3, EI=40.0, frame="b")
    texts.fault(caught.value, "M14", "'b'")


def test_the_inertia_of_a_deflection_is_that_of_the_deformed_masses():
    """A hundred thousand points of the deformed beam, against the integrals: to within the distance of the points."""
    body, eta = beam(), np.array([0.07, -0.02])
    x = (np.arange(100_000) + 0.5) / 100_000 * 0.7
    y = np.sin(np.outer(x, np.pi * np.arange(1, 3) / 0.7)) @ eta
    m = 1.3 / 100_000
    found = body.reduced("origin", nominal_value, True).inertia_at(ca.DM(eta))
    assert float(ca.DM(found.inertia)[2, 2]) == pytest.approx(m * np.sum(x**2 + y**2), rel=1e-9)
    assert ca.DM(found.moment).full()[:2, 0] == pytest.approx([m * x.sum(), m * y.sum()], rel=1e-9)
    assert ca.DM(found.modal).full() == pytest.approx(0.5 * 1.3 * np.eye(2), abs=1e-9)


@pytest.mark.parametrize("handle", ["a", "b", "com"])
def test_seen_from_any_marker_it_is_the_same_body(handle):
    """Mass matrix about the own origin, recovered from that about a marker: Aᵀ M A."""
    turned = replace(beam(), markers=(*beam().markers, ("c", ml.marker((0.2, 0.3), angle=0.8))))
    turned = replace(turned, shapes=(*turned.shapes, ("c", ((0.0, 0.0),) * 6)))
    eta = ca.DM([0.07, -0.02])
    for name in (handle, "c"):
        own, seen = (turned.reduced(at, nominal_value, True).inertia_at(eta) for at in ("origin", name))
        frame = marker_pose(turned.marker(name), nominal_value, True)
        A = np.eye(8)
        R, (x, y, z) = np.array(ca.DM(frame.R)), np.array(ca.DM(frame.p)).ravel()
        A[:3, :3] = A[3:6, 3:6] = R.T
        A[3:6, :3] = R.T @ np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]])
        expected, found = ca.DM(own.matrix).full(), A.T @ ca.DM(seen.matrix).full() @ A
        rows = [2, 3, 4, 6, 7]  # those of the plane
        assert found[np.ix_(rows, rows)] == pytest.approx(expected[np.ix_(rows, rows)], abs=1e-14)


def test_flexible_bodies_are_not_split():
    """Two actuated joints between the same two bodies: the rigid one is split, whichever is named second."""
    joints = [ml.Revolute("A", "ground.origin", "beam.a"), ml.Revolute("B", "plate.origin", "beam.b")]
    joints.append(ml.Prismatic("C", "plate.origin", "beam.a"))
    mechanism = ml.Mechanism(
        "kept",
        planar=True,
        bodies=[ml.ground(), beam(), ml.Body("plate", mass=1.0, inertia=0.1)],
        joints=joints,
        actuators=[ml.Actuator(name) for name in "ABC"],
    )
    assert [split.body for split in tree_of(mechanism).splits] == ["plate"]
    other = ml.uniform_beam("plate", length=0.5, mass=1.0, EI=10.0)
    with pytest.raises(ml.TopologyError, match="T20"):
        tree_of(mechanism.replace(bodies=[ml.ground(), beam(), other]))
