"""Labels, choices and errors of `State.matrices`; the identities are tests of `tests/laws/test_matrices.py`."""

import numpy as np
import pytest
from zoo import four_bars

import multiloop as ml


@pytest.fixture(scope="module")
def state():
    driven = ml.examples.four_bar().replace(drives=[ml.Motion("A", 1.0 + 2.0 * ml.time)])
    return ml.assemble(driven)


def test_labels_and_listing(state, texts):
    found = state.matrices(independent=["A"])
    assert found.A.dims == ("constraint", "twist")
    assert list(found.N["twist"].values[:3]) == ["crank.omega_z", "crank.v_x", "crank.v_y"]
    assert list(found.N["rate"].values) == ["A", "D", "C"]
    assert list(found.N["subsystem"].values) == ["I", "II", "II"]
    assert list(found.J["loop_constraint"].values) == ["B force along x", "B force along y"]
    assert found.N_l.dims == found.M.dims == ("twist_row", "twist")
    assert found.I.dims == found.C.dims == ("rate_row", "rate")
    assert found.GICM.dims == ("loop_constraint_row", "loop_constraint")
    assert found.reduced.I.dims == ("independent_row", "independent")
    assert found.v.sel(rate="A").item() == pytest.approx(2.0)
    texts(f"{found}")


def test_blocks_by_name(state):
    """The example of the theory manual, section 4.8: the coupler turns with the rocker, and against joint C."""
    found = state.matrices()
    coupler = found.block(found.N, body="coupler").values
    assert coupler[0] == pytest.approx([0, 1, -1])
    assert coupler[:, 0] == pytest.approx([0, 0, 0])
    C, D = state.marker("coupler.b"), np.array([1.0, 0.0])
    assert coupler[1:, 1] == pytest.approx([-(C - D)[1], (C - D)[0]])
    assert found.block(found.I, subsystem_row="I", subsystem="II").shape == (1, 2)
    assert not found.block(found.I, subsystem_row="I", subsystem="II").values.any()
    assert found.block(found.A, joint="B").shape == (2, 9)
    assert (found.N_l @ found.N_d).values == pytest.approx(found.N.values)


def test_the_states_of_results_have_the_same_matrices():
    """`result.at(t)`, `result.final` and `assemble` at the same position and rates."""
    mechanism = ml.examples.four_bar()
    result = ml.inverse(mechanism, t=np.linspace(0.0, 0.5, 11))
    for state in (result.at(0.5), result.final):
        found = state.matrices(independent=["A"]).reduced
        free = mechanism.without_drives()
        same = ml.assemble(
            free, {"A": result["A"].position[-1]}, guess={"D": 1.0}, rates={"A": result["A"].rate[-1]}
        )
        assert same["D"].position == pytest.approx(result["D"].position[-1])
        expected = same.matrices(independent=["A"]).reduced
        assert found.I.item() == pytest.approx(expected.I.item(), rel=1e-11)
        assert found.C.item() == pytest.approx(expected.C.item(), rel=1e-10)


@pytest.mark.parametrize("independent", ["A", "B", "D"])
def test_rates_along_a_motion(independent):
    """Ṅ, Ṫ and, with one degree of freedom, C = ½ dI/dt, by differences along the motion; B is the cut joint."""
    result = ml.inverse(ml.examples.four_bar(), t=0.3 + np.arange(5) * 1e-3)
    every = [result.at(t).matrices(independent=[independent]) for t in result.time]
    here = every[2]

    def slope(read):
        weights = ((0, 1), (1, -8), (3, 8), (4, -1))
        return sum(w * read(every[k]).values for k, w in weights) / (12 * 1e-3)

    # h⁴/30 times fifth derivatives, which are (4.7 rad/s)⁵ times a few near the turning point of D.
    assert here.N_rate.values == pytest.approx(slope(lambda found: found.N), abs=1e-8)
    assert here.reduced.T_rate.values == pytest.approx(
        slope(lambda found: found.reduced.T), rel=1e-7, abs=1e-7
    )
    assert here.reduced.C.item() == pytest.approx(slope(lambda found: found.reduced.I).item() / 2, rel=1e-7)


def test_other_cut_joints_give_the_same_equations(state):
    """A, T, I(θ) and C(θ, θ̇) in an independent coordinate do not depend on the tree."""
    one, other = (state.matrices(independent=["A"], cuts=[cut]) for cut in "BC")
    assert set(one.N["rate"].values) != set(other.N["rate"].values)
    assert one.reduced.I.item() == pytest.approx(other.reduced.I.item(), rel=1e-12)
    assert one.reduced.C.item() == pytest.approx(other.reduced.C.item(), rel=1e-11)
    assert np.linalg.matrix_rank(one.A.values) == np.linalg.matrix_rank(other.A.values) == 8


def test_a_mechanism_in_space_has_redundant_rows():
    """A of a planar four-bar of Revolutes in space: 20 rows of rank 17, and A T = 0."""
    state = ml.assemble(four_bars.four_bar_in_space())
    found = state.matrices(independent=["A"])
    assert found.A.shape == (20, 18)
    assert np.linalg.matrix_rank(found.A.values, tol=1e-9) == 17
    assert np.abs(found.A.values @ found.reduced.T.values).max() < 1e-12


@pytest.mark.parametrize(
    ("independent", "message"),
    [(["Z"], ("[S09]", "'Z'")), (["A", "D"], ("[S09]", "1")), (["A.slide"], ("[S09]", "'A.slide'"))],
)
def test_invalid_independent_coordinates(state, independent, message, texts):
    with pytest.raises(ml.SolveError) as refused:
        state.matrices(independent=independent)
    texts(refused.value, *message)


def test_constraints_that_depend_on_time(texts):
    """The other matrices exist; the twists are not homogeneous in the independent rates."""
    shafts = ml.Mechanism(
        "shafts",
        planar=True,
        bodies=[ml.ground(B=0.3), ml.Body("a", inertia=0.1, mass=1.0), ml.Body("b", inertia=0.1, mass=1.0)],
        joints=[ml.Revolute("A", "ground.origin", "a.origin"), ml.Revolute("B", "ground.B", "b.origin")],
        pairs=[ml.Relation("law", ml.position("B") - ml.position("A") * ml.expr.sin(ml.time))],
    )
    state = ml.assemble(shafts, {"A": 0.4}, rates={"A": 1.5}, t=0.7)
    found = state.matrices()
    assert found.block(found.J, loop="law", joint="A").item() == pytest.approx(-np.sin(0.7))
    with pytest.raises(ml.SolveError) as refused:
        state.matrices(independent=["A"])
    texts(refused.value, "[S09]", "independent")


def test_massless_links_have_no_inertia_constraint_matrix(texts):
    """I is singular for a massless coupler that is the last body of the tree."""
    four_bar = ml.examples.four_bar().without_drives()
    light = four_bar.with_body(ml.rod("coupler", length=0.9, mass=0.0))
    state = ml.assemble(light, {"A": 1.0})
    found = state.matrices(independent=["A"], cuts=["C"])
    assert found.reduced.I.item() > 0
    with pytest.raises(ml.SolveError) as refused:
        found.GICM  # noqa: B018
    texts(refused.value, "[S06]", "B")


def test_names_that_are_no_matrices(state, texts):
    with pytest.raises(AttributeError) as refused:
        state.matrices().inertia  # noqa: B018
    texts(refused.value, "inertia")


def test_blocks_that_do_not_exist(state, texts):
    found = state.matrices()
    for labels, name in (({"loops": "B"}, "loops"), ({"loop": "D"}, "D")):
        with pytest.raises(ml.UnknownNameError) as refused:
            found.block(found.J, **labels)
        texts(refused.value, name)


def test_a_mechanism_that_cannot_move():
    """Bodies without any rate have matrices without columns."""
    fixed = ml.Mechanism(
        "bracket",
        planar=True,
        bodies=[ml.ground(), ml.Body("plate", mass=1.0, inertia=0.1)],
        joints=[ml.Fixed("weld", "ground.origin", "plate.origin")],
    )
    found = ml.assemble(fixed).matrices()
    assert found.A.shape == (3, 3)
    assert found.N.shape == found.N_rate.shape == (3, 0)
    assert found.I.shape == found.C.shape == (0, 0)
    assert found.GICM.shape == (0, 0)
