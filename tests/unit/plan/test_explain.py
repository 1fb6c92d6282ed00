"""The text of the plan: first the properties of the mechanism, then the solution procedure."""

import pytest
from zoo import ZOO
from zoo.plain import clamped_body

import multiloop as ml


def opening(mechanism, **given):
    """The part above the empty line."""
    return ml.analyse(mechanism, **given).explain().split("\n\n")[0]


def test_a_four_bar_in_full(texts):
    texts(ml.analyse(ml.examples.four_bar()).explain(), "four-bar", "A, B, C, D", "8 of 8", "138")


def test_joints_and_pairs_are_listed_by_kind(texts):
    texts(
        opening(ml.examples.slider_crank()),
        ": crank, rod, piston.",
        "Revolute joints: O, crank pin, wrist pin.",
        "Prismatic joints: bore.",
    )
    texts(opening(ZOO["four-bar-rod"].build()), "Distance pairs: coupler.")


def test_long_lists_are_cut(texts):
    names = [f"link{k}" for k in range(15)]
    chain = ml.Mechanism(
        "chain",
        planar=True,
        bodies=[ml.ground(), *(ml.rod(name, length=0.1, mass=1.0) for name in names)],
        joints=[
            ml.Revolute(f"J{k}", f"{names[k - 1]}.b" if k else "ground.origin", f"{name}.a")
            for k, name in enumerate(names)
        ],
    )
    texts.lines(opening(chain), f"{', '.join(names[:12])}")


@pytest.mark.parametrize(
    ("drives", "values"),
    [
        ([], ("2",)),
        (["A"], ("2", "1 (A)")),
        (["A", "E"], ("2", ": A, E")),
    ],
)
def test_drives_are_counted_against_the_freedoms(drives, values, texts):
    five_bar = ZOO["five-bar"].build()
    driven = five_bar.replace(drives=[each for each in five_bar.drives if each.of in drives])
    texts(opening(driven), *values)


def test_idle_freedoms_need_no_drive(texts):
    texts(opening(ml.examples.rssr()), "1", "2", "16 of 16", ": A.")


def test_an_idle_spin_about_an_axis_of_a_universal_joint(texts):
    """The second spherical joint of RSSR replaced by a universal joint with an axis along the coupler."""
    rssr = ml.examples.rssr()
    markers = {"a": ml.marker((0, 0, 0), z=(1, 0, 0), x=(0, 1, 0)), "b": (0.32, 0, 0)}
    coupler = ml.Body("coupler", mass=1.2, com=(0.16, 0, 0), inertia=(1e-4, 0.01, 0.01), markers=markers)
    held = rssr.replace(
        bodies=[coupler if body.name == "coupler" else body for body in rssr.bodies],
        joints=[
            ml.Universal("B", "coupler.a", "crank.b") if joint.name == "B" else joint for joint in rssr.joints
        ],
        drives=[],
    )
    texts(opening(held), "17 of 17", "Universal joint 'B'")


def test_a_tree_that_ends_without_mass(texts):
    texts.lines(ml.analyse(ZOO["RSSR-revolutes"].build()).explain(), "B1, B2 in the tree")


def test_a_path_is_named_with_what_it_prescribes_and_the_efforts_that_follow_it(texts):
    texts(
        opening(ml.examples.hexapod()),
        "6",
        "platform.origin (x, y, z, orientation)",
        "P1, P2, P3, P4, P5, P6",
    )


def test_known_efforts_are_distinguished(texts):
    texts(opening(ml.examples.four_stroke_engine()), ": bore.", ": O.")


def test_too_many_and_too_few_efforts(texts):
    four_bar, five_bar = ml.examples.four_bar(), ZOO["five-bar"].build()
    both = four_bar.replace(actuators=[ml.Actuator("A"), ml.Actuator("D")])
    texts(opening(both), ": A, D;")
    texts(opening(five_bar.replace(actuators=[ml.Actuator("A")])), ": A;", "2")


def test_a_structure_needs_no_drive(texts):
    frame = clamped_body(ml.rod("post", length=1.0, mass=1.0), "frame", joint="weld")
    texts(opening(frame))


def test_redundant_bearings_have_a_remedy_in_space_alone(texts):
    texts(opening(ml.examples.four_bar_in_space()))
    *_, remedy = opening(ml.examples.four_bar_in_space()).splitlines()
    assert remedy not in opening(ml.examples.four_bar())
