"""Solids as bodies: mass properties, tension, bending and torsion, frequencies, second-order modes, files."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from unit.flexible.square_bar import BENDING, PRESS, SHEAR, STEEL, B, H, L, bar, end_flexibility, held

import multiloop as ml
from multiloop.flexible.solids.solid_elements import SolidElements
from multiloop.flexible.solids.solid_mesh import solid_mesh
from multiloop.flexible.solids.solid_modes import solid_modes


@pytest.mark.parametrize("cell", ["hexahedron", "tetrahedron"])
def test_the_flexibility_in_tension_and_pure_bending_is_exact(cell: str) -> None:
    """L/EA, and L/EI with L²/2EI: faces with a mean motion do not prevent the deformation of the section."""
    C = end_flexibility(bar(cell=cell, tie="average"))
    assert C[3, 3] == pytest.approx(L / PRESS, rel=1e-10)
    for turn, shift, sign in ((2, 4, 1), (1, 5, -1)):
        assert C[turn, turn] == pytest.approx(L / BENDING, rel=1e-10)
        assert C[shift, turn] == pytest.approx(sign * L**2 / 2 / BENDING, rel=1e-10)


def test_the_flexibility_under_a_transverse_force_includes_shear() -> None:
    """L³/3EI + 6L/5GA; the distribution of the force over the faces differs, with an effect of 1e-4."""
    C = end_flexibility(bar(elements=(16, 2, 2), tie="average"))
    assert C[4, 4] == pytest.approx(L**3 / 3 / BENDING + 1.2 * L / (SHEAR * B * H), rel=3e-4)  # as above


def test_the_torsional_flexibility_is_that_of_a_square_bar() -> None:
    """L/GJ, J = 0.1406 h⁴: one element across cannot warp, and errors fall with the fourth power of their size."""
    known = L / (SHEAR * 0.140577 * H**4)
    two, three = (1 - end_flexibility(bar(elements=(8, n, n), tie="average"))[0, 0] / known for n in (2, 3))
    assert 0 < three < 3e-3
    assert np.log(two / three) / np.log(3 / 2) == pytest.approx(4.0, abs=0.3)


def test_rigid_faces_are_stiffer() -> None:
    """They prevent the deformation of the section, over a part of its height at either end."""
    rigid, free = (end_flexibility(bar(elements=(8, 2, 2), tie=tie)) for tie in ("rigid", "average"))
    for k in range(6):
        assert 0.98 * free[k, k] < rigid[k, k] < free[k, k]


def test_the_flexibility_of_an_angle_of_two_arms() -> None:
    """F l³/3EI + F l² k/EI at its end, loaded along the first arm (k) and across the second (l); its corner is
    stiffer."""
    from skfem import MeshHex, MeshHex2

    t = 0.01
    along, up = [*np.linspace(0, L - t, 12), L], [-t / 2, *np.linspace(t / 2, 0.3, 10)]
    block = MeshHex.init_tensor(np.array(along), np.array(up), np.array([-H / 2, H / 2]))
    x, y, _ = block.p[:, block.t].mean(axis=1)
    angle = MeshHex2.from_mesh(block.remove_elements(np.flatnonzero((x < L - t) & (y > t / 2))))
    body = bar(mesh=angle, interfaces={"a": {"x": 0.0}, "b": {"y": 0.3}}, tie="average")
    assert dict(body.markers)["b"].point == pytest.approx((L - t / 2, 0.3))
    k, l = L - t / 2, 0.3
    known = (l**3 / 3 + l**2 * k) / (STEEL["E"] * H * t**3 / 12)
    assert 0.985 * known < end_flexibility(body)[3, 3] < known


@pytest.mark.parametrize("cell", ["hexahedron", "tetrahedron"])
def test_its_mass_is_that_of_its_volume(cell: str) -> None:
    """ρ V, the middle, and m (b² + h²)/12 and its like."""
    body, mass = bar(cell=cell), STEEL["density"] * L * B * H
    assert body.mass == pytest.approx(mass, rel=1e-13)
    assert body.com == (L / 2,)
    about = [(B**2 + H**2), (L**2 + H**2), (L**2 + B**2)]
    assert np.diag(body.inertia) == pytest.approx(mass / 12 * np.array(about), rel=1e-12)
    assert dict(body.markers)["b"].point == (L,)


def test_its_mass_is_exact_where_its_edges_are_curved() -> None:
    """A quarter of a thick ring, bent from a box by quadratic edges: moments by Gauss's rule of high order."""
    from skfem import CellBasis, MeshHex, MeshHex2

    flat = MeshHex2.from_mesh(
        MeshHex.init_tensor(np.linspace(0, 1, 3), np.linspace(1, 1.4, 2), np.linspace(0, 0.2, 2))
    )
    turn, r, z = np.pi / 2 * flat.doflocs[0], flat.doflocs[1], flat.doflocs[2]
    ring = dataclasses.replace(flat, doflocs=np.array([r * np.sin(turn), r * np.cos(turn), z]))
    body = ml.solid("ring", mesh=ring, interfaces={"a": {"x": 0.0}}, modes=2, **STEEL)
    basis = CellBasis(ring, ring.elem(), intorder=14)
    x, dm = basis.global_coordinates(), STEEL["density"] * basis.dx
    assert body.mass == pytest.approx(dm.sum(), rel=1e-12)
    assert body.mass == pytest.approx(STEEL["density"] * np.pi / 4 * (1.4**2 - 1) * 0.2, rel=1e-3)
    assert np.array(body.com) == pytest.approx((np.array(x) * dm).sum(axis=(1, 2)) / body.mass, rel=1e-11)
    away = np.array(x) - np.array(body.com)[:, None, None]
    assert body.inertia[0][1] == pytest.approx(-(away[0] * away[1] * dm).sum(), rel=1e-9)


@pytest.mark.parametrize(("basis", "frame"), [("natural", "a"), ("interface", "a"), ("interface", "chord")])
def test_held_at_one_end_it_is_a_cantilever(basis: str, frame: str) -> None:
    """βL = 1.8751 and 4.6941, less the effect of shear and rotary inertia."""
    omega = ml.eigenmodes(held(bar(basis=basis, frame=frame, modes=8, stiffening=False))).frequencies
    scale = np.sqrt(STEEL["density"] * B * H * L**4 / BENDING)
    assert np.sqrt(omega[[0, 2]] * scale) == pytest.approx([1.8751, 4.6941], rel=1e-2)  # as above


@pytest.mark.parametrize("basis", ["free", "interface"])
def test_free_it_swings_as_a_free_bar(basis: str) -> None:
    """βL = 4.7300; bases with constraint modes are stiffer."""
    body = bar(basis=basis, modes=6 if basis == "free" else 10, tie="average", stiffening=False)
    machine = held(body).replace(joints=[ml.Free("hold", "ground.origin", "bar.a")])
    omega = ml.eigenmodes(machine).frequencies
    scale = np.sqrt(STEEL["density"] * B * H * L**4 / BENDING)
    assert np.sqrt(omega[omega > 10][0] * scale) == pytest.approx(4.73004, rel=1e-2)  # shear, as above


def test_frequencies_converge_with_the_fourth_power() -> None:
    """Of a free block, whose modes are smooth: twice the elements, a sixteenth of the error."""
    found = []
    for n in (1, 2, 4):
        mesh = ml.box_mesh(1.0, 0.8, 0.6, elements=(n, n, n))
        block = ml.solid(
            "block",
            mesh=mesh,
            interfaces={"a": "x0"},
            basis="free",
            modes=1,
            tie="average",
            E=1.0,
            density=1.0,
        )
        shapes = solid_modes(block, False)
        m, u = shapes.elements.scalar_mass, shapes.node_shapes[:, :, 0]
        free = u - u_rigid(shapes.elements, u)
        found.append(shapes.stiffness[0] / sum(free[:, k] @ (m @ free[:, k]) for k in range(3)))
    coarse, fine = found[0] - found[2], found[1] - found[2]
    assert coarse / fine == pytest.approx(
        16, rel=0.25
    )  # the error of the finest is a sixteenth of that of the second


def u_rigid(elements: SolidElements, u: np.ndarray) -> np.ndarray:
    """The rigid-body part of a displacement, by its momentum."""
    points, m = elements.mesh.points, elements.scalar_mass
    motions = [np.tile(axis, (len(points), 1)) for axis in np.eye(3)]
    motions += [np.cross(axis, points) for axis in np.eye(3)]
    gram = np.array([[sum(a[:, k] @ (m @ b[:, k]) for k in range(3)) for b in motions] for a in motions])
    along = np.array([sum(a[:, k] @ (m @ u[:, k]) for k in range(3)) for a in motions])
    return np.einsum("i,ink->nk", np.linalg.solve(gram, along), np.array(motions))


# second-order modes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("cell", ["hexahedron", "tetrahedron"])
def test_a_rotation_strains_nothing_to_second_order(cell: str) -> None:
    """∂²f/∂θ² + K (θ × (θ × r)) = 0."""
    mesh = solid_mesh(ml.box_mesh(L, B, H, elements=(2, 1, 1), cell=cell))
    elements, theta = SolidElements(mesh, 0.3), np.array([0.3, -0.7, 1.1])
    turned = np.cross(theta, mesh.points)
    gradient = elements.displacement_gradients(turned[:, :, None])[0]
    force = elements.second_order_force(gradient, gradient)
    back = elements.stiffness @ np.cross(theta, turned).ravel()
    assert force.ravel() == pytest.approx(-back, abs=1e-12 * np.abs(back).max())


@pytest.mark.parametrize("tie", ["rigid", "average"])
def test_bending_shortens_the_distance_of_the_ends(tie: str) -> None:
    """−∫ φ_i' φ_j' dx at its far end, sines on pins; shear takes a thousandth."""
    thin = ml.box_mesh(L, 0.005, 0.005, elements=(16, 1, 1))
    modes = solid_modes(bar(mesh=thin, basis="natural", frame="chord", modes=3, tie=tie), True)
    drawn = {
        pair: shape[3]
        for pair, shape in zip(modes.second_order.pairs, modes.second_order.markers["b"], strict=True)
    }
    for (i, j), found in drawn.items():
        known = -((i + 1) ** 2) * np.pi**2 / (2 * L) if i == j else 0.0
        assert found == pytest.approx(known, rel=3e-3, abs=0.05)  # shear


def test_an_axial_mode_measures_the_axial_strain() -> None:
    """With an axial mode, bending still shortens the whole bar: the end moves by −½ ∫ w'² dx."""
    thin = ml.box_mesh(L, 0.005, 0.005, elements=(8, 1, 1))
    body = bar(mesh=thin, basis="interface", frame="chord", modes=5)
    modes = solid_modes(body, True)
    along = np.abs(modes.marker_shapes["b"][3, :5])
    assert (along > 0.9).sum() == 1  # one of them is axial
    drawn = dict(zip(modes.second_order.pairs, modes.second_order.markers["b"][:, 3], strict=True))
    assert drawn[0, 0] == pytest.approx(-(np.pi**2) / (2 * L), rel=3e-3)  # shear, and eight elements
    stretched = int(along.argmax())
    assert (
        abs(modes.second_order.markers["b"][modes.second_order.pairs.index((0, stretched)), 4]) < 1.0
    )  # without deflection


def test_few_modes_represent_all_pairs() -> None:
    """θ_ij = Σ (G_k)_ij β_k up to small terms, at coordinates of equal energy."""
    modes = solid_modes(bar(basis="natural", frame="chord", modes=4), True)
    few, second, k = modes.reduced_second_order, modes.second_order, modes.stiffness
    made = np.einsum("kij,kp,pnx->ijnx", few.forms, few.combinations, second.nodes)
    sizes = {pair: 1 / np.sqrt(k[pair[0]] * k[pair[1]]) for pair in second.pairs}
    largest = max(np.abs(second.nodes[p]).max() * sizes[pair] for p, pair in enumerate(second.pairs))
    assert len(few.forms) < len(second.pairs)
    for p, pair in enumerate(second.pairs):
        off = np.abs(made[pair] - second.nodes[p]).max() * sizes[pair]
        assert off < 2e-2 * largest  # the reduction omits small terms


# files ----------------------------------------------------------------------------------------------------------


def test_E_and_density_stay_open() -> None:
    """They scale stiffness and mass, and may be parameters."""
    E, density = ml.Parameter("E", 2.1e11), ml.Parameter("rho", 7850.0)
    machine = held(bar(E=E, density=density, basis="natural", modes=2, stiffening=False))
    soft = machine.with_parameters(E=2.1e11 / 4)
    assert ml.eigenmodes(soft).frequencies == pytest.approx(ml.eigenmodes(machine).frequencies / 2, rel=1e-9)
    heavy = machine.with_parameters(rho=4 * 7850.0)
    assert ml.eigenmodes(heavy).frequencies == pytest.approx(ml.eigenmodes(machine).frequencies / 2, rel=1e-9)
