"""Results that do not depend on how the mechanism is described or computed: cuts, frame, place, units, carriers of
pins."""

from functools import cache

import numpy as np
import pytest
from laws.closed_positions import DRIVEN, built, duration, trees
from laws.equivalent_descriptions import carried_by, in_units, shifted, turned
from laws.newton_euler import scales
from zoo import ZOO

import multiloop as ml

SMALL = [name for name in DRIVEN if name != "ladder-20"]
"""The ladder of five windows represents that of twenty."""

SAME = 1e-9
"""Relative agreement of forces: solves with condition numbers up to 1e3 in another order, and margin."""

FAR = 1e5
"""Distance from the origin in characteristic lengths, at which positions lose five digits."""

SAME_FAR = FAR * 1e-13
"""Relative agreement of forces there: round-off of the places, condition numbers up to 1e3."""


@cache
def times(name):
    return tuple(duration(name) * np.array([0.0, 0.21, 0.46, 0.83]))


@cache
def asked(name):
    return ml.inverse(built(name), t=times(name))


def turn(planar):
    """A rotation that leaves no axis unchanged."""
    c, s = np.cos(0.7), np.sin(0.7)
    Rz = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    if planar:
        return Rz
    c, s = np.cos(-1.1), np.sin(-1.1)
    return Rz @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


@pytest.mark.parametrize("name", SMALL)
def test_efforts_and_reactions_do_not_depend_on_the_cuts(name):
    """Also where reactions are undetermined: the minimum-norm solution is unique, whatever the tree."""
    result = asked(name)
    force, moment = scales(result)
    for tree in trees(name)[1:]:
        other = ml.inverse(built(name), t=times(name), cuts=tree.cuts)
        assert other.plan.cuts == tree.cuts
        for joint in result:
            assert other[joint].effort == pytest.approx(result[joint].effort, abs=SAME * moment), tree.cuts
            assert other[joint].force == pytest.approx(result[joint].force, abs=SAME * force), tree.cuts
            assert other[joint].moment == pytest.approx(result[joint].moment, abs=SAME * moment), tree.cuts


@pytest.mark.parametrize("name", SMALL)
def test_efforts_and_reactions_turn_with_the_frame(name):
    result, planar = asked(name), built(name).planar
    R = turn(planar)
    other = ml.inverse(turned(built(name), R), t=times(name))
    force, moment = scales(result)
    T = R[:2, :2] if planar else R
    for joint in result:
        assert other[joint].effort == pytest.approx(result[joint].effort, abs=SAME * moment), joint
        assert other[joint].force == pytest.approx(result[joint].force @ T.T, abs=SAME * force), joint
        expected = result[joint].moment if planar else result[joint].moment @ T.T
        assert other[joint].moment == pytest.approx(expected, abs=SAME * moment), joint
        assert other[joint].undetermined == result[joint].undetermined


@pytest.mark.parametrize("name", SMALL)
def test_efforts_and_reactions_do_not_depend_on_where_it_stands(name):
    result, planar = asked(name), built(name).planar
    away = FAR * result.plan.length * np.array([0.61, -0.73, 0.0 if planar else 0.31])
    other = ml.inverse(shifted(built(name), away), t=times(name))
    assert (other.plan.mobility, other.plan.redundant) == (result.plan.mobility, result.plan.redundant)
    assert other.plan.unique == result.plan.unique
    assert len(other.plan.idle) == len(result.plan.idle)
    force, moment = scales(result)
    for joint in result:
        assert other[joint].effort == pytest.approx(result[joint].effort, abs=SAME_FAR * moment), joint
        assert other[joint].force == pytest.approx(result[joint].force, abs=SAME_FAR * force), joint
        assert other[joint].moment == pytest.approx(result[joint].moment, abs=SAME_FAR * moment), joint


@pytest.mark.parametrize("name", SMALL)
def test_efforts_and_reactions_follow_the_units(name):
    """In millimetres and tonnes: forces times 10³ · 10⁻³, moments times 10⁶ · 10⁻³."""
    length, mass = 1e3, 1e-3
    result = asked(name)
    other = ml.inverse(in_units(built(name), length, mass), t=times(name))
    force, moment = scales(result)
    for joint in result:
        slides = isinstance(built(name).connection(joint), ml.Prismatic)
        effort = other[joint].effort / (mass * length if slides else mass * length**2)
        assert effort == pytest.approx(result[joint].effort, abs=SAME * moment), joint
        assert other[joint].force / (mass * length) == pytest.approx(result[joint].force, abs=SAME * force)
        assert other[joint].moment / (mass * length**2) == pytest.approx(
            result[joint].moment, abs=SAME * moment
        )
    assert other.plan.length == pytest.approx(length * result.plan.length)
    assert other.plan.rank.rank == result.plan.rank.rank


def on_links(result, pin):
    """The force that the pin's joints exert together on each link."""
    found = {}
    for name, joint in result.joints.items():
        if name.startswith(f"{pin}/"):
            one, other = joint.first.partition(".")[0], joint.second.partition(".")[0]
            found[one] = found.get(one, 0.0) - joint.force
            found[other] = found.get(other, 0.0) + joint.force
    return found


PINS = [
    ("scraper-C", "Q", ("link5", "coupler", "link7")),
    ("peaucellier", "A", ("OA", "PA", "AQ")),
    ("peaucellier", "P", ("crank", "PA", "PB")),
]


@pytest.mark.parametrize(("name", "pin", "links"), PINS)
def test_the_force_on_each_link_at_a_pin_does_not_depend_on_the_carrier(name, pin, links):
    found = {link: ml.inverse(carried_by(built(name), pin, link), t=times(name)) for link in links}
    force, _ = scales(asked(name))
    expected = on_links(asked(name), pin)
    assert set(expected) == set(links)
    for carrier, result in found.items():
        assert {j for j in result if j.startswith(f"{pin}/")} == {
            f"{pin}/{link}" for link in links if link != carrier
        }
        for link, value in on_links(result, pin).items():
            assert value == pytest.approx(expected[link], abs=SAME * force), (carrier, link)
    # The joint between two of the links does depend on it; otherwise the test could not fail.
    one, other = found[links[0]][f"{pin}/{links[1]}"].force, -found[links[1]][f"{pin}/{links[0]}"].force
    assert np.abs(one - other).max() > 1e-2 * force


def test_actuators_without_effort_change_nothing_but_the_tree():
    """All joints of a five-bar are kept in the tree: a body is split and closed by Fixed, and the results are the
    same."""
    mechanism = built("five-bar")
    idle = [ml.Actuator(joint, effort=0.0) for joint in "BCD"]
    kept = mechanism.replace(actuators=[ml.Actuator("A"), ml.Actuator("E"), *idle])
    result, other = asked("five-bar"), ml.inverse(kept, t=times("five-bar"))
    force, moment = scales(result)
    assert other.plan.tree.splits
    for joint in result:
        assert other[joint].position == pytest.approx(result[joint].position, abs=1e-11)
        assert other[joint].effort == pytest.approx(result[joint].effort, abs=SAME * moment)
        assert other[joint].force == pytest.approx(result[joint].force, abs=SAME * force)


@pytest.mark.parametrize("name", SMALL)
def test_undetermined_components_are_named_by_joint(name):
    result = asked(name)
    for joint, unique in result.plan.unique.items():
        if joint in result.couplings:
            continue
        assert result[joint].determined == all(flag for _, flag in unique)
        assert result[joint].undetermined == tuple(component for component, flag in unique if not flag)
    assert all(result[joint].determined for joint in result) == (ZOO[name].redundant == 0)
