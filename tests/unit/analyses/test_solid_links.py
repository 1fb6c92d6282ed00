"""Results of solid links over time: nodes, stress, files, and drawings."""

from __future__ import annotations

import pickle
from pathlib import Path

import casadi as ca
import meshio
import numpy as np
import pytest
from texts import Texts
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.flexible.solids.deformed_mesh import DeformedMesh
from multiloop.model.markers import value_of
from multiloop.view.deformed_bodies import deformed_nodes, mesh_outline, solid_marker_shift

L, B, H, E = 0.4, 0.02, 0.03, 2e11


def bar(**more: object) -> ml.Solid:
    given = {
        "mesh": ml.box_mesh(L, B, H, elements=(6, 1, 1)),
        "interfaces": {"a": "x0", "b": "x1"},
        "modes": 6,
    }
    return ml.solid("bar", **given | {"E": E, "density": 7850.0, "tie": "average"} | more)


def under(body: ml.Solid, wrench: list[float]) -> tuple[DeformedMesh, np.ndarray]:
    """Its mesh, and η for a wrench at its end."""
    modes = body.reduced("a", value_of, False).modes
    shape = ca.DM(modes.shapes["b"]).full()[:, : body.modes]
    eta = np.linalg.solve(ca.DM(modes.stiffness).full(), shape.T @ np.array(wrench))
    return body.deformed_mesh(), eta[None]


def test_stress_of_a_bar_that_is_pulled() -> None:
    """F/A everywhere."""
    mesh, eta = under(bar(), [0, 0, 0, 5e3, 0, 0])
    assert mesh.stress(eta)[0] == pytest.approx(
        5e3 / (B * H), rel=1e-4
    )  # Green's strain is larger by a factor 1 + ε/2 …


def test_stress_of_a_bar_that_is_bent() -> None:
    """M y/I at every node, with a slope of 0.1 rad as with none: rotation causes no strain."""
    for moment in (1.0, 400.0):
        mesh, eta = under(bar(), [0, 0, moment, 0, 0, 0])
        y = mesh.points[:, 1]
        known = np.abs(moment * y / (H * B**3 / 12))
        # stresses of the elements next to the clamped face and the loaded one
        assert mesh.stress(eta)[0] == pytest.approx(known, abs=2e-2 * known.max())
        assert mesh.stress(eta)[0].max() == pytest.approx(known.max(), rel=1e-2)


@pytest.fixture(scope="module")
def swing() -> ml.Result:
    """A soft bar that falls about a pin."""
    body = bar(
        E=2e8, modes=4, markers={"middle": L / 2}, tie="rigid", mesh=ml.box_mesh(L, B, H, elements=(4, 1, 1))
    )
    machine = pinned_body(body, "swing", joint="pin")
    return ml.simulate(machine, start={"pin": 0.0}, until=0.05, samples=6, target="interpreter")


def test_nodes_over_time(swing: ml.Result, texts: Texts) -> None:
    """Nodes of the far face are around its marker; those in the middle are at the marker."""
    link = swing.link("bar")
    assert link.deflection().shape == (6, len(link.points), 3)
    face = np.flatnonzero(np.isclose(link.points[:, 0], L))
    assert link.position(face).mean(axis=1)[:, :2] == pytest.approx(swing.marker("bar.b"), abs=1e-6)
    middle = int(np.argmin(np.linalg.norm(link.points - [L / 2, 0, 0], axis=1)))
    assert link.position(middle)[:, :2] == pytest.approx(swing.marker("bar.middle"), abs=1e-7)
    assert link.stress(times=[0.02, 0.05]).shape == (2, len(link.points))
    assert link.stress(face).shape == (6, len(face))
    texts(repr(link), "'bar'", "6", "81")
    assert swing.status == "ok"


def test_results_can_be_sent_elsewhere(swing: ml.Result) -> None:
    """As other results can, by pickle."""
    again = pickle.loads(pickle.dumps(swing)).link("bar")
    assert again.stress(times=0.05) == pytest.approx(swing.link("bar").stress(times=0.05), rel=1e-12)


def test_the_origin_moves_as_the_face_in_its_place() -> None:
    """Joints may be attached at either."""
    shapes = bar().reduced("a", value_of, False).modes.shapes
    assert ca.DM(shapes["origin"]).full() == pytest.approx(ca.DM(shapes["a"]).full(), abs=1e-15)


def test_files_that_meshio_reads_back(swing: ml.Result, tmp_path: Path) -> None:
    """Nodes in the inertial frame, displacement and stress; a list with times."""
    link = swing.link("bar")
    *files, listed = link.write(tmp_path / "out" / "bar.vtu", times=[0.0, 0.05])
    assert [file.name for file in files] == ["bar_0000.vtu", "bar_0001.vtu"]
    read = meshio.read(files[1])
    assert read.points == pytest.approx(link.position()[-1], abs=1e-14)
    assert read.point_data["displacement"] == pytest.approx(link.deflection()[-1], abs=1e-14)
    assert read.point_data["von Mises stress"] == pytest.approx(link.stress(times=0.05)[0])
    assert read.cells_dict["hexahedron27"].shape == (4, 27)
    text = listed.read_text()
    assert '<DataSet timestep="0.05" file="bar_0001.vtu"/>' in text
    *scaled, _ = link.write(tmp_path / "large.vtu", times=0.05, scale=10.0)
    away = meshio.read(scaled[0]).points - read.points
    assert np.abs(away).max() == pytest.approx(
        9 * np.linalg.norm(link.deflection()[-1], axis=1).max(),
        rel=1e-3,  # the largest component is less than the norm
    )


def test_it_is_drawn_by_its_outline(swing: ml.Result) -> None:
    """In the plane a rectangle of 2 (4 + 1) edges; joints keep their positions when deflections are exaggerated."""
    skin = mesh_outline(swing.mechanism, "bar")
    assert len(skin.around) == 20
    assert len(skin.lines) == 0
    swing.at(0.05).draw(scale=5.0)
    poses = {name: swing.poses[name][-1] for name in swing.poses}
    shift = solid_marker_shift(swing.mechanism, "bar.a", poses, {"bar": swing.link("bar").eta[-1]}, 5.0)
    assert shift == pytest.approx(np.zeros(3), abs=1e-12)


def test_holes_are_drawn_too() -> None:
    """A square with a square hole: two closed lines face the reader."""
    from skfem import MeshHex, MeshHex2

    ticks = np.linspace(0.0, 0.3, 4)
    block = MeshHex.init_tensor(ticks, ticks - 0.15, np.array([-0.01, 0.01]))
    # the cell in the middle
    middle = np.abs(block.p[:, block.t].mean(axis=1) - [[0.15], [0.0], [0.0]]).max(axis=0) < 0.02
    frame = MeshHex2.from_mesh(block.remove_elements(np.flatnonzero(middle)))
    body = ml.solid(
        "frame", mesh=frame, E=E, density=1e3, interfaces={"a": {"x": 0.0}}, basis="natural", modes=2
    )
    machine = pinned_body(body, "m", joint="pin")
    skin = mesh_outline(machine, "frame")
    assert len(skin.around) == 24
    assert len(skin.lines) == 4


@pytest.mark.parametrize("middle", [(0.1, 0.0), (0.1, 0.004)], ids=["in line", "beside"])
def test_three_joints_stay_where_they_are_as_bending_is_exaggerated(middle: tuple[float, float]) -> None:
    """Also if they are collinear: the lever of a press."""
    mesh = ml.box_mesh(0.3, 0.02, 0.01, elements=(6, 1, 1))
    faces = {"a": {"x": 0.0}, "b": {"x": 0.3}}
    lever = ml.solid("lever", mesh=mesh, E=E, density=1e3, interfaces=faces, markers={"pin": middle}, modes=6)
    press = ml.Mechanism(
        "press",
        planar=True,
        bodies=[
            ml.ground(P=middle),
            lever,
            ml.rod("left", length=0.2, mass=1.0),
            ml.rod("right", length=0.2, mass=1.0),
        ],
        joints=[
            ml.Revolute("P", "ground.P", "lever.pin"),
            ml.Revolute("A", "lever.a", "left.a"),
            ml.Revolute("B", "lever.b", "right.a"),
        ],
    )
    eta = np.random.default_rng(2).normal(size=6) * 1e-3
    poses = {"lever": np.eye(3, 4)}
    for name in ("a", "pin", "b"):
        shift = solid_marker_shift(press, f"lever.{name}", poses, {"lever": eta}, 100.0)
        assert shift == pytest.approx(np.zeros(3), abs=1e-12)
    nodes = np.arange(len(lever.deformed_mesh(True).points))
    plain, large = (
        deformed_nodes(press, "lever", nodes, np.eye(3, 4)[None], eta[None], scale) for scale in (1.0, 100.0)
    )
    assert np.linalg.norm(large - plain, axis=-1).max() > 0.01
