"""Markers without a joint are drawn and named."""

import numpy as np
import pytest
from unit.view.engine import engine
from zoo import ZOO

import multiloop as ml
from multiloop.view.scene import scene_of


def test_free_markers_are_those_without_joint_load_or_drive():
    scene = scene_of(engine())
    assert [(body, name) for body, name, _ in scene.free_markers] == []  # the gas acts on the crown
    scene = scene_of(engine().replace(loads=[]))
    ((body, name, place),) = scene.free_markers
    assert (body, name) == ("piston", "crown")
    assert place == pytest.approx(scene.point("piston.crown"))


def arm(**markers):
    return ml.Mechanism(
        "arm",
        planar=True,
        bodies=[
            ml.ground(base=(0, 0), wall=(0.5, 0.4)),
            ml.rod("arm", length=1.0, mass=1.0, markers=markers),
        ],
        joints=[ml.Revolute("A", "ground.base", "arm.a")],
    )


def test_they_are_drawn_and_named_once_a_place():
    figure = arm(tool=(1.0, 0.2), same=(1.0, 0.2), middle=0.5).draw(start={"A": 0.3})
    words = [text.get_text() for text in figure.axes[0].texts]
    assert {"tool", "b", "wall", "middle"} <= set(words)
    assert "same" not in words
    diamonds = [line for line in figure.axes[0].lines if line.get_marker() == "D"]
    assert len(diamonds) == 3  # the middle has the symbol of the mass centre


def test_they_belong_to_the_picture():
    axes = arm(far=(3.0, 3.0)).draw(start={"A": 0.0}).axes[0]
    assert axes.get_xlim()[1] > 3.0
    assert axes.get_ylim()[1] > 3.0


def test_in_space_too():
    mechanism = ZOO["RSSR"].build()
    coupler = next(body for body in mechanism.moving if body.name == "coupler")
    tipped = ml.Body(
        coupler.name,
        coupler.mass,
        coupler.com,
        coupler.inertia,
        coupler.inertia_at,
        {**dict(coupler.markers), "probe": (0.1, 0.1, 0.1)},
        outline=coupler.outline,
    )
    bodies = [tipped if body.name == "coupler" else body for body in mechanism.bodies]
    figure = mechanism.replace(bodies=bodies).draw()
    assert "probe" in [text.get_text() for text in figure.axes[0].texts]
    assert any(line.get_marker() == "D" for line in figure.axes[0].lines)
    assert np.isfinite(figure.axes[0].get_xlim()).all()


def test_spring_on_the_ground_hangs_on_a_piece_of_it():
    def hatches(end):
        spring = ml.Spring("tie", "arm.b", f"ground.{end}", stiffness=10.0, length=0.5)
        axes = arm().replace(loads=[spring]).draw(start={"A": 0.3}).axes[0]
        places = [line.get_xydata() for line in axes.lines if np.isnan(line.get_xydata()).any()]
        return [points for points in places if np.nanmin(np.linalg.norm(points - (0.5, 0.4), axis=1)) < 0.1]

    assert len(hatches("wall")) == 1
    assert hatches("base") == []  # a joint is there


def test_ends_of_telescopes_are_hidden_in_each_other():
    scene = scene_of(ZOO["excavator"].build())
    free = {f"{body}.{name}" for body, name, _ in scene.free_markers}
    assert not free & {"stickcyl.b", "stickpiston.b", "bucketcyl.b", "liftcyl.b"}
