"""What does the plan say in words: first what a designer asks, then how it is solved?"""

import pytest
from zoo import ZOO

import multiloop as ml

FOUR_BAR = """\
four-bar, a planar mechanism: 3 moving bodies, 4 joints, 1 independent loop.
  Moving: crank, coupler, rocker.
  Revolute: A, B, C, D.
Mobility 1, as the count says (8 of 8 constraints are independent).
It needs 1 drive, and has it: A.
Every reaction is determined.

How it is solved (characteristic length 0.9 m):
Cut at B.
  Subsystem I (serial): crank
  Subsystem II (serial): rocker, coupler
  blocks of J       I  II       of the GICM    1
    loop 1          ×   ×                      ×
Inverse dynamics, subsystem after subsystem:
  1. II: 2 unknowns (B)
  2. I: 1 unknown (A)
  finest blocks: 2, 1.
Forward dynamics: about 138 multiplications an evaluation by count."""


def opening(mechanism, **given):
    """The part above the empty line."""
    return ml.analyse(mechanism, **given).explain().split("\n\n")[0].splitlines()


def test_a_four_bar_in_full():
    assert ml.analyse(ml.examples.four_bar()).explain() == FOUR_BAR


def test_joints_and_pairs_are_listed_by_kind():
    said = opening(ml.examples.slider_crank())
    assert said[1:4] == [
        "  Moving: crank, rod, piston.",
        "  Revolute: O, crank pin, wrist pin.",
        "  Prismatic: bore.",
    ]
    assert "  Distance: coupler." in opening(ZOO["four-bar-rod"].build())


def test_long_lists_are_cut():
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
    assert opening(chain)[1] == f"  Moving: {', '.join(names[:12])} and 3 more."


@pytest.mark.parametrize(
    ("drives", "sentence"),
    [
        ([], "It needs 2 drives and has none: it moves freely."),
        (["A"], "It needs 2 drives and has 1 (A): 1 freedom is left to the forces."),
        (["A", "E"], "It needs 2 drives, and has them: A, E."),
    ],
)
def test_drives_are_counted_against_the_freedoms(drives, sentence):
    five_bar = ZOO["five-bar"].build()
    assert sentence in opening(
        five_bar.replace(drives=[each for each in five_bar.drives if each.of in drives])
    )


def test_idle_freedoms_need_no_drive():
    said = opening(ml.examples.rssr())
    assert "It needs 1 drive, and has it: A." in said
    assert "Mobility 2, as the count says (16 of 16 constraints are independent)." in said


def test_a_path_is_named_with_what_it_prescribes_and_the_efforts_that_follow_it():
    said = opening(ml.examples.hexapod())
    assert "It needs 6 drives, and has them: platform.origin (x, y, z, orientation)." in said
    assert "  Efforts to be found: P1, P2, P3, P4, P5, P6." in said


def test_known_efforts_are_told_apart():
    said = opening(ml.examples.four_stroke_engine())
    assert said[said.index("It needs 1 drive, and has it: O.") :][1:3] == [
        "  Known efforts: bore.",
        "  Efforts to be found: O.",
    ]


def test_too_many_and_too_few_efforts():
    four_bar, five_bar = ml.examples.four_bar(), ZOO["five-bar"].build()
    both = four_bar.replace(actuators=[ml.Actuator("A"), ml.Actuator("D")])
    assert (
        "  Efforts to be found: A, D; they are more than the freedoms, and the least that serve are given."
        in opening(both)
    )
    assert (
        "  Efforts to be found: A; they are too few for 2 prescribed freedoms: add an Actuator for each."
        in opening(five_bar.replace(actuators=[ml.Actuator("A")]))
    )


def test_a_structure_needs_no_drive():
    frame = ml.Mechanism(
        "frame",
        planar=True,
        bodies=[ml.ground(), ml.rod("post", length=1.0, mass=1.0)],
        joints=[ml.Fixed("weld", "ground.origin", "post.a")],
    )
    assert "It cannot move and needs no drive." in opening(frame)


def test_redundant_bearings_have_a_remedy_in_space_alone():
    remedy = "  Joints that give way there, such as a ball or a sleeve for a bearing, would settle them."
    assert opening(ml.examples.four_bar_in_space())[-1] == remedy
    assert remedy not in opening(ml.examples.four_bar())
