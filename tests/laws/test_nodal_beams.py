"""With the same number of coordinates, nodal coordinates and natural modes represent the same link."""

import numpy as np
import pytest
from zoo.plain import clamped_body

import multiloop as ml

STRIP = {"E": 70e9, "density": 2700.0, "section": ml.rectangle(0.02, 0.004)}

LINKS = {"on its chord": {"length": 0.9, "frame": "chord"}, "clamped": {"length": 0.9, "frame": "a"}}

MADE = {
    "tapered": {"length": 0.9, "section": (ml.rectangle(0.02, 0.02), ml.rectangle(0.02, 0.01))},
    "sheared": {"length": 0.3, "section": ml.rectangle(0.02, 0.03), "shear": True},
    "cranked": {"through": [(0, 0), (0.45, 0.1), (0.9, 0)]},
}
"""Other types of links, whose elements have additional coordinates: these follow the nodes without inertia."""


def bending(**more):
    return ml.examples.four_bar().with_body(ml.beam("coupler", **STRIP | {"elements": 2} | more))


@pytest.mark.parametrize("name", LINKS)
@pytest.mark.parametrize("damping", [0.0, 0.02, ml.Rayleigh(0.1, 1e-4)], ids=["none", "ratio", "Rayleigh"])
def test_a_run_of_nodes_is_the_run_of_all_modes(name, damping):
    """Two elements have four coordinates in either form; 1e-8 is due to the tolerance of the runs."""
    nodes = bending(**LINKS[name], basis="nodal", damping=damping)
    modes = bending(**LINKS[name], modes=4, damping=damping)
    one, other = (ml.simulate(machine, until=0.1, samples=51) for machine in (nodes, modes))
    for read in (lambda run: run.link("coupler").deflection(0.45), lambda run: run["C"].force):
        found, known = read(one), read(other)
        assert np.abs(found - known).max() < 1e-8 * np.abs(known).max()
    assert one.energy_drift < 1e-9


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("frame", ["a", "chord"])
def test_frequencies_of_other_makes(name, frame):
    """Eight elements: the first two frequencies are those of natural modes, from above, up to the error of cubic
    elements."""
    given = STRIP | MADE[name] | {"frame": frame, "elements": 8}
    nodes = ml.beam("link", basis="nodal", **given).frequencies()[:2]
    modes = ml.beam("link", modes=2, **given).frequencies()
    assert np.all(nodes > (1 - 1e-9) * modes)
    assert nodes == pytest.approx(modes, rel=5e-3)


def test_coordinates_are_deflections_of_nodes_and_slopes_times_the_length():
    machine = bending(length=0.9, basis="nodal", frame="a")
    eta = (0.01, 0.009, 0.03, 0.018)
    run = ml.simulate(machine, until=1e-6, samples=2, start={"coupler.eta": eta})
    link = run.link("coupler")
    assert link.deflection([0.45, 0.9])[0, :, 1] == pytest.approx([0.01, 0.03], rel=1e-12)
    assert link.rotation([0.45, 0.9])[0] == pytest.approx([0.01, 0.02], rel=1e-12)


def test_rotations_along_z_are_negative_slopes():
    """Coordinates of the tip: v, θ_z L = v' L along y; w, θ_y L = −w' L along z."""
    link = ml.beam(
        "arm", length=0.9, frame="a", basis="nodal", elements=1, modes=("y", "z"), stiffening=False, **STRIP
    )
    machine = clamped_body(link, "arm", joint="clamp", planar=False, gravity=(0, 0, 0))
    run = ml.forward(machine, {"arm.eta": (0.0, 0.009, 0.0, 0.009)})
    assert run.link("arm").rotation([0.9])[0][0] == pytest.approx([0.0, 0.01, 0.01], abs=1e-12)
    near = 0.9 - 1e-4
    step = np.diff(run.link("arm").deflection([near, 0.9])[0], axis=0)[0] / 1e-4
    assert step == pytest.approx([0.0, 0.01, -0.01], abs=1e-5)  # slopes, by a difference of first order


def test_a_tip_force_is_borne_to_round_off():
    """w = P L³/3EI and P L²/2EI: cubics are the static solution, whatever the number of elements."""
    link = ml.beam("arm", length=0.9, frame="a", basis="nodal", elements=3, **STRIP)
    machine = clamped_body(
        link, "arm", joint="clamp", gravity=(0, 0), loads=[ml.Force("tip", "arm.b", (0.0, 1e-6))]
    )
    rest = ml.equilibrium(machine)
    EI = 70e9 * 0.02 * 0.004**3 / 12
    eta = rest.positions["arm.eta"]
    assert eta[-2:] == pytest.approx([1e-6 * 0.9**3 / (3 * EI), 0.9 * 1e-6 * 0.9**2 / (2 * EI)], rel=1e-8)


def test_in_space_they_bend_both_ways_stretch_and_twist():
    link = ml.beam(
        "arm", length=0.9, frame="a", basis="nodal", elements=1, modes=("y", "z", "x", "twist"), **STRIP
    )
    assert dict(link.modes) == {"y": 2, "z": 2, "x": 1, "twist": 1}
    # of bending the first lacks 2e-3
    assert link.shapes().held == pytest.approx([1.0, 1.0, 1.0, 1.0, 0.75, 0.75], abs=2e-3)


def test_files_keep_them():
    machine = bending(length=0.9, basis="nodal")
    assert ml.from_text(ml.to_text(machine)) == machine


def test_counts_that_nodes_do_not_have(texts):
    with pytest.raises(ml.ModelError) as refused:
        bending(length=0.9, basis="nodal", modes={"y": 3})
    texts.fault(
        refused.value, "M15", "'coupler'", "3", "4", "basis=", '"nodal"', "modes=", '"y"', "`elements`"
    )
    with pytest.raises(ml.ModelError) as caught:
        bending(length=0.9, basis="nodal", frame="free")
    texts.fault(caught.value, "M15")
