"""[koul], appendix A: the Jacobians of the carpet scraper and of the 3-RRR, entry by entry.

Errata: in A.1 the y-row of J₂,₂ begins with +a₂c₂, not −a₂c₂; in A.2 the y-row of J₁,₁ has +d₁c₇ in its first
two columns, not −d₁c₇. The y-row of loop 1 in A.1 is printed with all signs turned, which changes nothing.
"""

import numpy as np
import pytest
from zoo import planar_parallel, scraper

import multiloop as ml
from multiloop.kinematics import equations_of
from multiloop.kinematics.assembly import find_assembly_modes
from multiloop.topology import tree_of


def jacobian_at(mechanism, cuts):
    """J along the tree with these cuts as {(cut, joint): 2-vector}, and the angles of all joints."""
    assembly = find_assembly_modes(mechanism)[0]
    equations = equations_of(mechanism, tree_of(mechanism, cuts))
    q = assembly.coordinates_on(equations)
    J = equations.geometric_jacobian(q, assembly.p)
    columns = {
        (cut.name, link.joint.name): J[rows, link.v.start]
        for cut, rows in zip(
            equations.loop_constraints.constraints, equations.loop_constraints.slices, strict=True
        )
        for link in equations.skeleton.links
    }
    return columns, {name: float(value[0]) for name, value in assembly.coordinates().items()}


def spun(length, angle):
    """Rate of the end of a bar that turns by one radian a second."""
    return length * np.array([-np.sin(angle), np.cos(angle)])


def test_scraper_a1():
    J, theta = jacobian_at(scraper.scraper("K"), scraper.PAPER_CUTS)
    a1, a2, a3, a4, a5, a6, a9 = 0.038, 0.1152, 0.1152, 0.3346, 0.239, 0.239, 0.239
    alpha1, alpha2 = theta["crank pivot"], theta["rocker pivot"]
    alpha3 = np.pi + alpha2 + theta["rocker-coupler"]
    alpha4 = theta["pantograph pivot"]
    alpha5, alpha6 = alpha4 + theta["link4-link5"], alpha4 + theta["link4-link6"]
    alpha7 = alpha6 + theta["link6-link7"]

    J11 = [-spun(a1, alpha1)]
    J12 = [spun(a2, alpha2) + spun(a3, alpha3), spun(a3, alpha3)]
    J22 = [spun(a2, alpha2) - spun(a3, alpha3), -spun(a3, alpha3)]
    to_fork = -spun(a5, alpha5) - spun(a4 - a5, alpha4)
    J23 = [to_fork, -spun(a5, alpha5), np.zeros(2), np.zeros(2)]
    to_knee = spun(a6, alpha6) + spun(a9, alpha7)
    J33 = [spun(a4, alpha4) + to_knee + to_fork, -spun(a5, alpha5), to_knee, spun(a9, alpha7)]

    loops = ("crank-coupler", "Q/coupler", "Q/link7")
    one, two = ("crank pivot",), ("rocker pivot", "rocker-coupler")
    three = ("pantograph pivot", "link4-link5", "link4-link6", "link6-link7")
    for loop, joints, block in (
        (loops[0], one, J11),
        (loops[0], two, J12),
        (loops[1], two, J22),
        (loops[1], three, J23),
        (loops[2], three, J33),
    ):
        for joint, expected in zip(joints, block, strict=True):
            # The guess of the zoo is closed to round-off; entries are sums of four products.
            assert J[loop, joint] == pytest.approx(expected, abs=1e-13), (loop, joint)


def test_scraper_a1_as_printed_is_wrong_in_one_sign():
    J, theta = jacobian_at(scraper.scraper("K"), scraper.PAPER_CUTS)
    alpha2 = theta["rocker pivot"]
    alpha3 = np.pi + alpha2 + theta["rocker-coupler"]
    printed = -0.1152 * np.cos(alpha2) - 0.1152 * np.cos(alpha3)
    assert abs(J["Q/coupler", "rocker pivot"][1] - printed) > 0.01


def test_3rrr_a2():
    J, theta = jacobian_at(planar_parallel.three_rrr(), ("B2", "B3"))
    a, b, d1 = planar_parallel.PROXIMAL, planar_parallel.DISTAL, planar_parallel.SIDE
    alpha1 = theta["A1"]
    alpha4 = alpha1 + theta["B1"]
    alpha7 = alpha4 + theta["C1"]
    # Our angles are those of the platform relative to the distal links, theirs the opposite.
    alpha5, alpha6 = alpha7 - theta["C2"], alpha7 - theta["C3"]
    for loop, joint, corner, distal, side in (
        ("B2", "A2", alpha7, alpha5, "C2"),
        ("B3", "A3", alpha7 + np.pi / 3, alpha6, "C3"),
    ):
        third = spun(d1, corner) - spun(b, distal)
        second = spun(b, alpha4) + third
        first = spun(a, alpha1) + second
        expected = {
            "A1": first,
            "B1": second,
            "C1": third,
            side: spun(b, distal),
            joint: -spun(a, theta[joint]),
        }
        for name, column in expected.items():
            assert J[loop, name] == pytest.approx(column, abs=1e-13), (loop, name)
        other = {"B2": ("A3", "C3"), "B3": ("A2", "C2")}[loop]
        assert np.abs([J[loop, name] for name in other]).max() == 0.0
        # As printed, with −d₁c₇ in the first two columns of the y-row, loop 1 would not be right.
        if loop == "B2":
            assert abs(J[loop, "A1"][1] - (first[1] - 2 * d1 * np.cos(alpha7))) > 0.1


def test_the_3rrr_starts_where_its_data_say():
    """Centroid (0.72978808, 0.23416260), corner 1 (0.79201821, 0.45656032), tilt 3.91595341."""
    state = ml.assemble(planar_parallel.three_rrr())
    # Data of eight digits, and motor angles of five: 1e-8 is the last digit given.
    assert state.marker("platform.c1") == pytest.approx([0.79201821, 0.45656032], abs=2e-8)
    assert state.marker("platform.com") == pytest.approx([0.72978808, 0.23416260], abs=2e-8)
    edge = state.marker("platform.c2") - state.marker("platform.c1")
    assert np.arctan2(edge[1], edge[0]) % (2 * np.pi) == pytest.approx(3.91595341, abs=2e-8)
    for leg in "123":
        assert np.sin(state[f"B{leg}"].position) < 0  # all elbows bent the same way


def test_the_scraper_released_at_full_speed_has_23_0899_joules():
    """Set K, θ₁ = 0, θ̇₁ = 4.7124; potential energy counts from y = 0."""
    free, speed, h = scraper.scraper("K").without_drives(), 4.7124, 1e-6
    before, now, after = (ml.assemble(free, {"crank pivot": speed * t}) for t in (-h, 0.0, h))
    energy = 0.0
    for name, (length, mass, _) in scraper.SET_K.items():
        va, vb = ((after.marker(f"{name}.{end}") - before.marker(f"{name}.{end}")) / (2 * h) for end in "ab")
        v, omega = (va + vb) / 2, np.linalg.norm(vb - va) / length
        energy += 0.5 * mass * v @ v + 0.5 * mass * length**2 / 12 * omega**2
        energy += 9.81 * mass * now.marker(f"{name}.com")[1]
    # Positions known to 1e-15 over 2e-6 s give rates to 1e-9, and h² is 1e-12.
    assert energy == pytest.approx(23.0899, abs=5e-5)
