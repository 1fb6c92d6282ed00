"""Tables and drawings of the modes of a solid, and the largest stress of a motion."""

from __future__ import annotations

import numpy as np
import pytest
from texts import Texts
from zoo.plain import clamped_body

import multiloop as ml

STEEL = {"E": 2.1e11, "nu": 0.3, "density": 7850.0}


def bar(elements: int = 8, **more: object) -> ml.Solid:
    """A square bar along x, slender."""
    mesh = ml.box_mesh(0.4, 0.01, 0.01, elements=(elements, 1, 1))
    return ml.solid(
        "bar", **({"mesh": mesh, "interfaces": {"a": "x0", "b": "x1"}, "modes": 6, **STEEL} | more)
    )


@pytest.mark.parametrize("frame", ["a", "chord"])
def test_the_completeness_of_the_modes_is_that_of_a_beam(frame: str) -> None:
    """For inertia forces in the plane; axial deformations are some thousandths of bending deformations."""
    table = bar(16, basis="natural", frame=frame, modes=3).shapes(planar=True)
    beam = ml.beam(
        "bar", length=0.4, section=ml.rectangle(0.01, 0.01), E=2.1e11, density=7850, frame=frame, modes=3
    ).shapes()
    assert table.held == pytest.approx(beam.held, abs=4e-3)  # axial deformation, as above
    assert table.frequencies == pytest.approx(beam.frequencies, rel=0.01)  # shear and rotary inertia
    assert (np.diff(table.held) > 0).all()


@pytest.mark.parametrize("basis", ["natural", "free", "interface"])
@pytest.mark.parametrize("planar", [False, True])
def test_more_modes_are_more_complete(basis: str, planar: bool) -> None:
    """Forces at rigid faces also deform a free link at these faces, to which modes converge slowly."""
    few, many = (bar(4, basis=basis, modes=count).shapes(planar=planar).held[-1] for count in (6, 18))
    assert few < many <= 1
    assert many > (0.8 if basis == "free" else 0.9999)


def test_all_modes_together_are_complete() -> None:
    """A bar of one element has 27 nodes; nine are free, and so is the face that is not fixed."""
    for basis in ("natural", "free"):
        assert bar(1, basis=basis, modes=27).shapes().held[-1] == pytest.approx(1.0, abs=1e-8)


def test_the_table_and_explain_state_it(texts: Texts) -> None:
    """Lowest frequency first; a sentence states the omitted part."""
    body = bar(basis="natural")
    lines = repr(body.shapes()).splitlines()
    texts(lines[0], "'bar'", "'a'")
    assert lines[2].startswith("  space 1 ")
    missed = 100 * (1 - body.shapes().held[-1])
    texts(body.describe_modes(), f"{missed:.2g} %")
    texts(bar(basis="free").describe_modes())


@pytest.mark.parametrize("planar", [False, True])
def test_they_are_drawn(planar: bool) -> None:
    """One picture for each mode: edges at rest, and at both extremes."""
    figure = bar(basis="natural", modes=4).draw_shapes(planar=planar)
    assert len(figure.axes) == 4
    assert all(len(axes.collections) == 3 for axes in figure.axes)
    frequency = bar(basis="natural", modes=4).frequencies(planar=planar)[0]
    assert (
        figure.axes[0]
        .get_title(loc="left")
        .startswith(f"{'plane' if planar else 'space'} 1: {frequency:.5g}")
    )


def test_the_largest_stress_is_found_where_it_is_not_bent_most() -> None:
    """A small fast vibration on a large slow one: of 1,000 instants those of largest deflection do not have the largest
    stress."""
    held = clamped_body(bar(basis="natural", modes=2), "held bar", joint="hold", gravity=(0, 0))
    run = ml.simulate(held, start={"bar.eta": (2e-3, 2e-4)}, until=0.04, samples=1001)
    link = run.link("bar")
    peak = {one.what: one for one in link.peaks}["stress"]
    stress, deflection = link.largest("stress"), link.largest("deflection")
    assert peak.value == stress.max()
    assert peak.instant == stress.argmax()
    bent_most = np.argsort(deflection)[-64:]
    assert stress[bent_most].max() < 0.9 * stress.max()


@pytest.mark.parametrize(("markers", "expected"), [({"pin": (0.1, 0.0)}, True), ({"pin": (0.4, 0.0)}, False)])
def test_explain_names_a_joint_at_a_free_face(
    markers: dict[str, object], expected: bool, texts: Texts
) -> None:
    """A marker in the place of an interface has its position, and is no interface."""
    lever = ml.Mechanism(
        "lever",
        planar=True,
        bodies=[ml.ground(), bar(markers=markers)],
        joints=[ml.Revolute("P", "ground.origin", "bar.pin")],
    )
    words = ml.analyse(lever).explain()
    assert ("'pin'" in words) is expected
    texts(words)
