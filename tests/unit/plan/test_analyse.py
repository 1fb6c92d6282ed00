"""The content of the plan of a mechanism, and the errors of `analyse`."""

import numpy as np
import pytest
from zoo import ZOO, scraper
from zoo.plain import planar_four_bar

import multiloop as ml
from multiloop.plan.operation_count import tree_cost
from multiloop.topology import candidate_trees, graph_of


def test_the_cuts_may_be_named():
    plan = ml.analyse(scraper.scraper("C"), cuts=["crank-coupler", "Q/coupler", "Q/link7"])
    assert plan.cuts == ("crank-coupler", "Q/coupler", "Q/link7")


def test_without_cuts_no_candidate_is_cheaper():
    mechanism = ZOO["3-RRR"].build()
    plan = ml.analyse(mechanism)
    assert plan.operations == min(tree_cost(tree) for tree in candidate_trees(graph_of(mechanism), 48))
    assert plan.cuts == ("C2", "C3")  # every leg is a subsystem


@pytest.mark.parametrize("cuts", [["A", "Q/coupler"], ["nowhere", "Q/coupler", "Q/link7"]])
def test_cuts_that_leave_no_tree_are_refused(cuts):
    with pytest.raises(ml.TopologyError) as caught:
        ml.analyse(scraper.scraper("C"), cuts=cuts)
    assert caught.value.faults
    assert caught.value.mobility == 1


def test_a_driven_joint_is_not_cut(texts):
    with pytest.raises(ml.TopologyError) as caught:
        ml.analyse(scraper.scraper("C"), cuts=["crank pivot", "Q/coupler", "Q/link7"])
    texts.fault(caught.value, "T16")


def test_its_representation_is_one_line(texts):
    text = repr(ml.analyse(scraper.scraper("C")))
    texts(text, "'carpet scraper C'", "3", "1", "0")


def test_the_elimination_order_names_every_loop_once():
    plan = ml.analyse(ZOO["6-UPS"].build())
    assert sorted(plan.order) == list(range(len(plan.tree.loops)))


def test_parameter_values_are_kept_with_the_plan():
    mechanism = ZOO["four-bar-parameters"].build()
    assert ml.analyse(mechanism).values == mechanism.parameters
    longer = mechanism.with_parameters({"rocker length": 0.85})
    assert ml.analyse(longer).values["rocker length"] == 0.85


def test_a_mechanism_that_cannot_close_is_refused_with_its_gap():
    four_bar = ZOO["four-bar"].build()
    short = four_bar.replace(
        bodies=[
            body if body.name != "coupler" else ml.rod("coupler", length=2.5, mass=2.0)
            for body in four_bar.bodies
        ],
        drives=[],
    )
    with pytest.raises(ml.AssemblyError) as caught:
        ml.analyse(short)
    # Longest reach of the others is 2.1; the size is the coupler's 2.5.
    assert caught.value.gap == pytest.approx(0.4 / 2.5, rel=0.2)


def test_efforts_are_those_of_the_unknown_actuators_or_of_the_drives():
    from multiloop.plan import unknown_efforts

    four_bar = ZOO["four-bar"].build()
    assert unknown_efforts(four_bar) == (("A", "angle"),)
    assert unknown_efforts(four_bar.replace(actuators=[ml.Actuator("D")])) == (("D", "angle"),)
    known = four_bar.replace(actuators=[ml.Actuator("D", effort=3.0), ml.Actuator("A")])
    assert unknown_efforts(known) == (("A", "angle"),)
    assert unknown_efforts(four_bar.without_drives()) == ()


def stretched(crank, coupler, rocker):
    """A four-bar whose coupler and rocker become collinear when its crank points away from the other pivot."""
    return planar_four_bar(
        lengths=(crank, coupler, rocker, coupler + rocker - crank),
        masses=(1.0, 1.0, 1.0),
        name="stretched",
        guess=None,
    )


@pytest.mark.parametrize("lengths", [(0.21, 0.41, 0.33), (0.4846, 0.2935, 0.3270), (0.3, 0.5, 0.45)])
def test_a_singular_position_found_to_the_root_of_round_off_is_singular(lengths):
    plan = ml.analyse(stretched(*lengths), start={"A": np.pi})
    assert (plan.mobility, plan.rank.special, plan.rank.doubt) == (1, 1, 0)


def test_flat_sarrus_moves_on():
    plan = ml.analyse(ZOO["sarrus"].build().without_drives(), start={"base1": np.pi / 2})
    assert (plan.mobility, plan.rank.special, plan.rank.shaky) == (1, 1, 0)


@pytest.mark.parametrize(("angle", "special"), [(0.0, 1), (0.3, 0)])
def test_a_parallelogram_is_singular_where_it_lies_flat(angle, special, texts):
    mechanism = ZOO["parallelogram"].build().without_drives()
    plan = ml.analyse(mechanism, start={"A": angle}, guess={"D": angle})
    assert (plan.mobility, plan.rank.special) == (1, special)
    texts(plan.explain())


def shaky_beside_mobile(trusses, four_bars):
    """Pairs of collinear rods between fixed pivots, which are mobile to first order only, and four-bars beside them."""
    ends = {f"E{k}": (3.0, 2.0 * k) for k in range(trusses)} | {
        f"F{k}": (5.0, 2.0 * k) for k in range(trusses)
    }
    ends |= {f"A{k}": (0.0, 2.0 * k) for k in range(four_bars)} | {
        f"D{k}": (1.0, 2.0 * k) for k in range(four_bars)
    }
    lengths = {"one": 1.0, "two": 1.0, "crank": 0.3, "coupler": 0.9, "rocker": 0.8}
    counts = {"one": trusses, "two": trusses, "crank": four_bars, "coupler": four_bars, "rocker": four_bars}
    bodies = [
        ml.rod(f"{name}{k}", length=x, mass=1.0) for name, x in lengths.items() for k in range(counts[name])
    ]
    joints = [
        joint
        for k in range(trusses)
        for joint in (
            ml.Revolute(f"E{k}", f"ground.E{k}", f"one{k}.a"),
            ml.Revolute(f"M{k}", f"one{k}.b", f"two{k}.a"),
            ml.Revolute(f"F{k}", f"two{k}.b", f"ground.F{k}"),
        )
    ]
    joints += [
        joint
        for k in range(four_bars)
        for joint in (
            ml.Revolute(f"A{k}", f"ground.A{k}", f"crank{k}.a"),
            ml.Revolute(f"B{k}", f"crank{k}.b", f"coupler{k}.a"),
            ml.Revolute(f"C{k}", f"coupler{k}.b", f"rocker{k}.b"),
            ml.Revolute(f"D{k}", f"ground.D{k}", f"rocker{k}.a"),
        )
    ]
    guess = {f"{x}{k}": 0.0 for x in "EM" for k in range(trusses)} | {f"A{k}": 1.0 for k in range(four_bars)}
    guess |= {f"coupler{k}.b": (0.9, 2.0 * k + 0.78) for k in range(four_bars)}
    return ml.Mechanism("parts", planar=True, bodies=[ml.ground(ends), *bodies], joints=joints, guess=guess)


@pytest.mark.parametrize(("trusses", "four_bars"), [(1, 0), (1, 1), (2, 1), (1, 12), (3, 2)])
def test_what_is_shaky_is_counted_beside_what_moves(trusses, four_bars):
    plan = ml.analyse(shaky_beside_mobile(trusses, four_bars))
    assert (plan.mobility, plan.redundant, plan.rank.shaky) == (four_bars, trusses, trusses)
    assert (plan.rank.doubt, plan.rank.special) == (0, 0)
