"""Relations between joints: gears in closed form, motion laws, constraint efforts, and files."""

import numpy as np
import pytest

import multiloop as ml

G = 9.81


def gears(equation=None, **changes):
    """A balanced shaft geared one to minus two to an unbalanced one."""
    ratio = ml.Parameter("ratio", 2.0)
    given = {
        "planar": True,
        "bodies": [
            ml.ground(A=(0, 0), B=(0.3, 0)),
            ml.Body("one", mass=1.0, inertia=0.02),
            ml.Body("two", mass=2.0, inertia=0.08, com=(0.05, 0)),
        ],
        "joints": [ml.Revolute("A", "ground.A", "one.origin"), ml.Revolute("B", "ground.B", "two.origin")],
        "pairs": [ml.Relation("mesh", equation or ml.position("A") + ratio * ml.position("B"))],
    }
    return ml.Mechanism("gears", **(given | changes))


@pytest.mark.parametrize("method", ["sslm", "slm", "system", "embedding", "virtual_work", "augmented"])
def test_gears_fall_as_one_shaft_of_reduced_inertia(method):
    """(I₁ + I₂/4) α = m g d cos φ / 2,   and the mesh exerts the moment that accelerates the first shaft."""
    found = ml.forward(gears(), {"A": 0.4}, rates={"A": 1.0}, method=method)
    alpha = 2 * G * 0.05 * np.cos(-0.2) / 2 / (0.02 + (0.08 + 2 * 0.05**2) / 4)
    assert found["A"].acceleration == pytest.approx([alpha], rel=1e-12)
    assert found["B"].acceleration == pytest.approx([-alpha / 2], rel=1e-12)
    mesh = found["mesh"]
    assert mesh.effort == pytest.approx([0.02 * alpha], rel=1e-10)
    assert mesh.efforts["A"] == pytest.approx([0.02 * alpha], rel=1e-10)
    assert mesh.efforts["B"] == pytest.approx([2 * 0.02 * alpha], rel=1e-10)
    assert found.shaking_moment == pytest.approx(
        [-3 * 0.02 * alpha - 0.3 * found["B"].force[0, 1]], rel=1e-10
    )  # the reaction of the gearbox acts on the frame


def test_the_effort_of_a_drive_goes_through_the_mesh(texts):
    driven = gears(drives=[ml.Motion("A", ml.motion_laws.constant_speed(3.0, start=0.4))])
    found = ml.inverse(driven, t=[0.0, 0.1, 0.2])
    assert found["A"].effort == pytest.approx(-found["mesh"].efforts["A"], rel=1e-12)  # without acceleration
    weight = -2 * G * 0.05 * np.cos(found["B"].position)
    assert found["mesh"].efforts["B"] == pytest.approx(-weight, rel=1e-12)
    texts(repr(found["mesh"]), "'mesh'", "3")
    with pytest.raises(ml.UnknownNameError, match="'mesh'"):
        found["mash"]


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_a_relation_may_depend_on_time(target):
    """The relation is satisfied at every instant, and energy less the work done by the relation is constant."""
    shaken = gears(ml.position("A") + 2 * ml.position("B") - 0.3 * ml.expr.sin(5 * ml.time))
    run = ml.simulate(shaken, until=2.0, start={"A": 0.4}, samples=21, rtol=1e-10, target=target)
    met = run["A"].position + 2 * run["B"].position - 0.3 * np.sin(5 * run.time)
    assert np.abs(met).max() < 1e-12
    assert run.energy_drift < 1e-8
    assert len(run["mesh"].effort) == 21
    assert run["mesh"].effort == pytest.approx(0.02 * run["A"].acceleration, abs=1e-9)


def test_a_curved_relation_pushes_across_itself():
    """A crank and a slide related by x = 0.1 cos φ: virtual work gives the force on the slide held by the crank."""
    tied = ml.Mechanism(
        "crank and slide",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(O=(0, 0)),
            ml.Body("crank", mass=1.0, inertia=0.01),
            ml.Body("slide", mass=2.0, inertia=0.1),
        ],
        joints=[ml.Revolute("A", "ground.O", "crank.origin"), ml.Prismatic("S", "ground.O", "slide.origin")],
        pairs=[ml.Relation("yoke", ml.position("S") - 0.1 * ml.expr.cos(ml.position("A")))],
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(3.0, start=0.5))],
    )
    found = ml.inverse(tied, t=[0.0, 0.2])
    phi = 0.5 + 3.0 * found.time
    force = -2.0 * 0.1 * 9.0 * np.cos(phi)
    assert found["S"].acceleration == pytest.approx(-0.9 * np.cos(phi), rel=1e-12)
    assert found["yoke"].efforts["S"] == pytest.approx(force, rel=1e-11)
    assert found["A"].effort == pytest.approx(-0.1 * np.sin(phi) * force, rel=1e-11)


def test_the_plan_names_related_joints(texts):
    texts(ml.analyse(gears()).explain(), "'mesh'")


def test_designs_differ_in_the_ratio():
    driven = gears(drives=[ml.Motion("A", ml.motion_laws.constant_speed(3.0, start=0.4))])
    swept = ml.batch(driven, {"ratio": [2.0, 3.0]}, t=[0.0, 0.1], keep="all")
    for k, ratio in enumerate((2.0, 3.0)):
        alone = ml.inverse(driven, parameters={"ratio": ratio}, t=[0.0, 0.1])
        assert swept.effort["A"][k] == pytest.approx(alone["A"].effort, rel=1e-10)


@pytest.mark.parametrize("ending", ["yaml", "json"])
def test_relations_and_wheels_go_to_files_and_back(tmp_path, ending):
    wheel = ml.Body("wheel", mass=1.0, inertia=0.1)
    both = gears(
        bodies=[*gears().bodies, wheel],
        pairs=[
            *gears().pairs,
            ml.Rolling("contact", "wheel.origin", "ground.A", radius=ml.Parameter("r", 0.2)),
        ],
    )
    ml.save(both, tmp_path / f"both.{ending}")
    assert ml.load(tmp_path / f"both.{ending}") == both
    assert both.parameters == {"r": 0.2, "ratio": 2.0}
    assert both.floating == ("wheel",)


def test_a_relation_given_twice_leaves_bearing_loads_determined():
    """The two share their effort; both bearings are determined."""
    same = ml.position("A") + 2 * ml.position("B")
    m = ml.Mechanism(
        "gears",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), B=(1, 0)),
            ml.Body("a", mass=1.0, inertia=0.02),
            ml.Body("b", mass=2.0, inertia=0.03),
        ],
        joints=[ml.Revolute("A", "ground.A", "a.origin"), ml.Revolute("B", "ground.B", "b.origin")],
        pairs=[ml.Relation("mesh", same), ml.Relation("again", 3 * same)],
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(2.0))],
    )
    for method in ("subsystem", "traditional"):
        found = ml.inverse(m, t=[0.1], method=method)
        assert found["A"].force[0] == pytest.approx((0.0, G), abs=1e-12)
        assert found["B"].force[0] == pytest.approx((0.0, 2 * G), abs=1e-12)
