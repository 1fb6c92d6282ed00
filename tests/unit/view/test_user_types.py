"""User-defined joints, pairs, couplings and loads are drawn by default symbols with their names."""

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np
import pytest
from matplotlib.colors import to_hex
from unit.extension.test_register import (
    OnAxis,
    Sledge,
    Wind,
    WindAction,
    slider,
    unchanged_registries,  # noqa: F401
)

import multiloop as ml
from multiloop.view.figure import INK, LOAD
from multiloop.view.film.arrows import arrows_of
from multiloop.view.film.trajectory import trajectory_of


@dataclass(frozen=True)
class PlanarSledge(Sledge):
    """A translation along x, in the plane too."""

    planar_too: ClassVar[bool] = True

    def closure(self, pose, planar):
        return ca.vertcat(pose.R[1, 0], pose.p[1]) if planar else super().closure(pose, planar)


@dataclass(frozen=True)
class HeavySpring(ml.Spring):
    """A type derived from a built-in load."""


def drawn(figure):
    """Names on a picture, and its lines and marks as (marker, colour, points)."""
    axes = figure.axes[0]
    texts = {text.get_text() for text in (*axes.texts, *figure.texts)}
    return texts, [
        (line.get_marker(), to_hex(line.get_color()), to_hex(line.get_markeredgecolor()), line.get_xydata())
        for line in axes.lines
    ]


def test_a_user_joint_is_drawn_as_a_diamond_with_its_name():
    ml.register(PlanarSledge)
    mechanism = slider(joints=[PlanarSledge("guide", "ground.origin", "block.origin")])
    texts, marks = drawn(mechanism.draw(start={"guide": 0.3}))
    assert "guide" in texts
    ends = [points for marker, _, edge, points in marks if marker == "D" and edge == to_hex(INK)]
    assert sorted(float(end[0, 0]) for end in ends) == pytest.approx([0.0, 0.3])


def test_a_user_pair_is_drawn_between_its_markers_with_its_name():
    ml.register(OnAxis)
    mechanism = slider(
        joints=[ml.Free("pose", "ground.origin", "block.origin")],
        pairs=[OnAxis("rail", "ground.origin", "block.origin")],
    )
    texts, marks = drawn(mechanism.draw(start={"pose": (0.4, None, 0.0)}))
    assert "rail" in texts
    assert any(
        points.shape == (2, 2) and points[:, 0] == pytest.approx([0.0, 0.4]) for _, _, _, points in marks
    )


def test_a_user_load_is_drawn_as_a_ring_at_its_marker_with_its_name():
    ml.register(Wind, action=WindAction)
    texts, marks = drawn(slider(loads=[Wind("wind", "block.origin")]).draw(start={"S": 0.2}))
    assert "wind" in texts
    rings = [points for marker, _, edge, points in marks if marker == "o" and edge == to_hex(LOAD)]
    assert [float(ring[0, 0]) for ring in rings] == pytest.approx([0.2])


def test_a_user_load_in_space_is_drawn():
    ml.register(Wind, action=WindAction)
    bodies = [ml.ground(), ml.Body("block", mass=2.0, inertia=(1.0, 1.0, 1.0))]
    mechanism = slider(planar=False, bodies=bodies, loads=[Wind("wind", "block.origin")])
    assert "wind" in {text.get_text() for text in mechanism.draw().axes[0].texts}


def test_a_load_derived_from_a_spring_is_drawn_as_a_spring():
    ml.register(HeavySpring)
    bodies = [ml.ground(wall=(1.0, 0.0)), ml.Body("block", mass=2.0, inertia=1.0)]
    lines = {}
    for kind in (ml.Spring, HeavySpring):
        mechanism = slider(
            bodies=bodies, loads=[kind("pull", "ground.wall", "block.origin", stiffness=1.0, length=0.5)]
        )
        lines[kind] = [points for _, _, _, points in drawn(mechanism.draw())[1]]
    for one, other in zip(*lines.values(), strict=True):
        assert one == pytest.approx(other, nan_ok=True)


def test_a_film_shows_the_force_of_a_user_load_as_an_arrow():
    class ShownAction(WindAction):
        def readouts(self, at):
            return {"force": self._force()[:2]}

    ml.register(Wind, action=ShownAction)
    run = ml.simulate(slider(loads=[Wind("wind", "block.origin", 6.0)]), start={"S": 0.0}, until=0.2)
    (arrow,) = arrows_of(run, trajectory_of(run, np.linspace(0.0, 0.2, 3)), ("loads",))
    assert arrow.name == "wind"
    assert arrow.vector == pytest.approx(np.tile([6.0, 0.0, 0.0], (3, 1)))
