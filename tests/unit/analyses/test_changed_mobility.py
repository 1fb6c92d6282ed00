"""Parameters that change mobility or redundancy are reported by name: by `inverse`, `batch` and `compile`."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from zoo import ZOO

import multiloop as ml
from multiloop.plan import redundancy_parameters


def with_axis(body, name, z):
    """The body with the axis of a marker along z."""
    markers = {one: ml.marker(held.point, z=z) if one == name else held for one, held in body.markers}
    return replace(body, markers=markers)


def cranks(*paths):
    return ZOO["double-parallelogram"].build().parametrise(list(paths))


def four_bar_in_space(*paths):
    """A four-bar in space whose hinge D has its axis given, along z."""
    mechanism = ml.examples.four_bar_in_space()
    return mechanism.with_body(with_axis(mechanism.body("ground"), "D", (0.0, 0.0, 1.0))).parametrise(
        list(paths)
    )


def sliding_four_bar():
    """A four-bar with tilted axes, whose joints B, C, D slide along them."""
    mechanism = ml.examples.four_bar_in_space()
    joints = [ml.Cylindrical(j.name, j.first, j.second) if j.name != "A" else j for j in mechanism.joints]
    guess = {name: value if name == "A" else (*value, 0.0) for name, value in mechanism.guess}
    mechanism = mechanism.replace(joints=joints, guess=guess)
    for body, marker, tilt in (("crank", "b", 0.2), ("coupler", "b", -0.3), ("rocker", "b", 0.4)):
        mechanism = mechanism.with_body(with_axis(mechanism.body(body), marker, (0.0, tilt, 1.0)))
    return mechanism


def test_a_longer_third_crank_is_named_by_the_error():
    mechanism = cranks("crank c.b.x", "plate.mass")
    assert ml.inverse(mechanism, cycle=5, parameters={"plate.mass": 4.0}).status == "ok"
    with pytest.raises(ml.AssemblyError) as caught:
        ml.inverse(mechanism, cycle=5, parameters={"crank c.b.x": 0.16})
    first, second = caught.value.faults
    assert (first.code, second.code) == ("K01", "S10")
    assert "'crank c.b.x' = 0.16 (described: 0.15)" in second.what
    assert "1 redundant constraint" in second.what


def test_a_slightly_longer_third_crank_locks_the_mechanism():
    with pytest.raises(ml.AssemblyError) as caught:
        ml.inverse(cranks("crank c.b.x"), cycle=5, parameters={"crank c.b.x": 0.1505})
    what = caught.value.faults[-1].what
    assert "the mobility from 1 to 0 and the number of redundant constraints from 1 to 0" in what


def test_cranks_that_change_together_stay_compatible():
    paths = [f"crank {name}.b.x" for name in "abc"]
    mechanism = cranks(*paths)
    assert ml.inverse(mechanism, cycle=5, parameters=dict.fromkeys(paths, 0.16)).status == "ok"


@pytest.mark.parametrize(("path", "value"), [("ground.D.z.x", 0.1), ("ground.D.z", 0.001)])
def test_a_tilted_or_shifted_axis_of_a_four_bar_in_space_is_named(path, value):
    mechanism = four_bar_in_space(path, "ground.D.x")
    assert ml.inverse(mechanism, cycle=5, parameters={"ground.D.x": 1.01}).status == "ok"
    with pytest.raises(ml.AssemblyError) as caught:
        ml.inverse(mechanism, cycle=5, parameters={path: value})
    assert f"'{path}' = {value:g} (described: 0)" in caught.value.faults[-1].what
    assert "3 redundant constraints" in caught.value.faults[-1].what


def test_texts_of_changed_redundancy(texts):
    with pytest.raises(ml.AssemblyError) as caught:
        ml.inverse(cranks("crank c.b.x"), cycle=5, parameters={"crank c.b.x": 0.16})
    texts(caught.value, "crank c.b.x", "0.16", "0.15")
    with pytest.warns(UserWarning, match="crank c.b.x") as warned:
        ml.compile(cranks("crank c.b.x", "plate.mass"))
    texts(str(warned[0].message), "'crank c.b.x'")


def test_compiled_functions_name_the_parameters_of_redundant_constraints():
    with pytest.warns(UserWarning, match="redundant constraint") as warned:
        ml.compile(cranks("crank c.b.x", "crank c.mass"))
    assert "'crank c.b.x'" in str(warned[0].message)
    assert "mass" not in str(warned[0].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ml.compile(cranks("crank c.mass", "gravity.y"))
        ml.compile(ZOO["four-bar"].build().parametrise(["ground.D.x", "crank.b.x"]))


@pytest.mark.parametrize(
    ("name", "decisive", "free"),
    [
        (
            "four-bar-space",
            {"crank.a.z", "ground.D.z", "coupler.b.z"},
            {"ground.D.x", "crank.b.x", "rocker.b.y"},
        ),
        ("sarrus", {"ground.h1.z.x", "platform.h2.z.y"}, {"lower1.b.x", "ground.h1.x", "platform.h1.x"}),
        ("two-bearings", {"ground.left.x", "shaft.right.z.y"}, {"ground.left.z.x", "shaft.mass"}),
        ("screw-jack", {"nut.guide.y", "ground.bearing.x"}, {"thread.pitch", "nut.mass"}),
        ("four-bar", set(), {"ground.D.x", "crank.b.x"}),
    ],
)
def test_parameters_on_which_redundancy_rests(name, decisive, free):
    """By inspection: offsets along parallel axes, axes out of their planes, bearings out of line; no link length."""
    mechanism = ZOO[name].build()
    found = set(redundancy_parameters(ml.analyse(mechanism.parametrise([*decisive, *free]))))
    assert found == decisive


@pytest.mark.parametrize("name", ["double-parallelogram", "four-bar-space", "two-bearings", "screw-jack"])
def test_parameters_of_redundancy_agree_with_the_left_null_space(name):
    """To first order a parameter opens the loops if uᵀ ∂Φ/∂p ≠ 0 for a combination u of redundant constraints; the
    difference quotient of Φ with new equations replaces the closing of loops."""
    mechanism = ZOO[name].build()
    paths = [path for path, number in mechanism.numbers().variable.items() if number.unit == "m"]
    plan = ml.analyse(mechanism.parametrise(paths))
    found = set(redundancy_parameters(plan))
    eq, s = plan.assembly.rigid_equations()
    q, p, step = plan.assembly.q, plan.assembly.p, 1e-6
    J = eq.jacobian(q, s, p)
    left, sizes, _ = np.linalg.svd(J)
    U = left[:, int((sizes > 1e-9 * sizes.max()).sum()) :]
    for k, path in enumerate(eq.skeleton.parameter_names):
        shift = step * (np.arange(len(p)) == k)
        change = (eq.position_residual(q, s, p + shift) - eq.position_residual(q, s, p - shift)) / (2 * step)
        if np.linalg.norm(U.T @ change) > 1e-6:
            assert path in found, path


def test_a_special_value_that_frees_bodies_is_named():
    """Axes that become parallel let coupler and rocker slide along them."""
    tilts = {f"{body}.b.z.y": body for body in ("crank", "coupler", "rocker")}
    mechanism = sliding_four_bar().parametrise(tilts)
    nominal = ml.analyse(mechanism)
    assert (nominal.mobility, nominal.redundant) == (1, 0)
    parallel = dict.fromkeys(tilts.values(), 0.0)
    assert ml.analyse(mechanism, parameters=parallel).mobility == 3
    with pytest.raises(ml.SolveError) as caught:
        ml.inverse(mechanism, t=[0.1], parameters=parallel)
    assert [fault.code for fault in caught.value.faults] == ["S01", "S10"]
    what = caught.value.faults[1].what
    assert "the mobility from 1 to 3 and the number of redundant constraints from 0 to 2" in what
    assert "'crank' = 0 (described: 0.2)" in what
    described = mechanism.parameters
    free = {"B": (None, 0.0), "C": (None, 0.0)}  # the slides move freely from here
    result = ml.inverse(mechanism, t=[0.0, 0.005], start=free, parameters=parallel)
    changed = next(one for one in result.warnings if one.code == "W21")
    assert (changed.place, changed.value) == ("coupler", 0.0)
    assert "'crank' = 0 (described: 0.2)" in changed.text
    assert "the mobility from 1 to 3" in changed.text
    designs = ml.batch(mechanism, {name: [described[name], 0.0] for name in parallel}, t=[0.1])
    assert designs.ok.tolist() == [True, False]
    assert designs.status[1] != "ok"
    assert "the mobility from 1 to 3" in designs.reason(1)
