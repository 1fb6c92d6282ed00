"""Do the published mechanisms have the published loops, subsystems and blocks?"""

import pytest

from multiloop.topology import Edge, Graph, gicm_pattern, jacobian_pattern, spanning_tree


def planar(bodies: str, joints: str) -> Graph:
    """A planar graph of one-freedom joints, written "name first second" and parted by commas."""
    edges = [Edge(*joint.split(), degrees_of_freedom=1, rows=2) for joint in joints.split(",")]
    return Graph("ground", tuple(bodies.split()), tuple(edges), dimension=3)


def rows(*lines: str) -> tuple[tuple[bool, ...], ...]:
    """A block pattern drawn with x for a full block and . for a zero one."""
    return tuple(tuple(sign == "x" for sign in line) for line in lines)


EXCAVATOR = planar(
    "rod rocker bucketcyl bucketpiston bucket boom stick liftcyl liftpiston stickcyl stickpiston",
    "1 ground rod, 2 rod rocker, 3 rocker bucketcyl, 4 bucketcyl bucketpiston, 5 bucketpiston bucket,"
    "6 ground boom, 7 boom stick, 8 stick bucket, 9 ground liftcyl, 10 liftcyl liftpiston,"
    "11 liftpiston rocker, 12 boom stickcyl, 13 stickcyl stickpiston, 14 stickpiston stick, 15 rocker boom",
)
SCRAPER = planar(
    "crank rocker coupler four five six seven",
    "1 ground crank, 2 ground rocker, 3 rocker coupler, 4 ground four, 5 four five, 6 four six,"
    "7 six seven, 8 crank coupler, 9 coupler five, 10 five seven",
)
MANIPULATOR = planar(
    "crank1 rod1 platform rod2 rod3 crank2 crank3",
    "1 ground crank1, 2 crank1 rod1, 3 rod1 platform, 4 platform rod2, 5 platform rod3,"
    "6 rod2 crank2, 7 rod3 crank3, 8 ground crank2, 9 ground crank3",
)


def test_excavator_has_the_subsystems_of_koul_figure_1():
    tree = spanning_tree(EXCAVATOR, cuts=["15", "14", "5", "11"])
    assert [(s.name, s.kind, s.joints) for s in tree.subsystems] == [
        ("I", "serial", ("1", "2", "3", "4")),
        ("II", "tree-type", ("6", "7", "8", "12", "13")),
        ("III", "serial", ("9", "10")),
    ]


def test_excavator_jacobian_has_the_blocks_of_koul_equation_13():
    tree = spanning_tree(EXCAVATOR, cuts=["15", "14", "5", "11"])
    assert jacobian_pattern(tree) == rows("xx.", ".x.", "xx.", "x.x")
    # Not printed; it follows from eq. (24): loops 2 and 4 share no subsystem.
    assert gicm_pattern(tree) == rows("xxxx", "xxx.", "xxxx", "x.xx")


def test_excavator_loops_are_those_of_koul_section_2():
    """Loop 3 is printed with joint 15 in it, which is cut: it is our loop 3 with loop 1 taken off."""
    around = [set(loop.joints) for loop in spanning_tree(EXCAVATOR, cuts=["15", "14", "5", "11"]).loops]
    assert around[0] == {"1", "2", "15", "6"}
    assert around[1] == {"7", "14", "13", "12"}
    assert around[2] ^ around[0] == {"3", "4", "5", "8", "7", "15"}
    assert around[3] == {"9", "10", "11", "2", "1"}


def test_scraper_has_the_blocks_of_koul_equations_25_and_30():
    tree = spanning_tree(SCRAPER, cuts=["8", "9", "10"])
    assert [set(loop.joints) for loop in tree.loops] == [
        {"1", "2", "3", "8"},
        {"2", "3", "9", "5", "4"},
        {"5", "6", "7", "10"},
    ]
    assert [s.joints for s in tree.subsystems] == [("1",), ("2", "3"), ("4", "5", "6", "7")]
    assert jacobian_pattern(tree) == rows("xx.", ".xx", "..x")
    assert gicm_pattern(tree) == rows("xx.", "xxx", ".xx")


def test_scraper_loop_that_meets_on_a_moving_body_leaves_its_carrying_joint_out():
    """Joint 4 rotates loop 3 as a whole: no column, though the loop passes through the body that it carries."""
    loop = spanning_tree(SCRAPER, cuts=["8", "9", "10"]).loops[2]
    assert loop.tree_joints == ("5", "6", "7")
    assert loop.joints == ("10", "7", "6", "5")
    assert loop.bodies == ("seven", "six", "four", "five")


def test_manipulator_has_the_blocks_of_koul_equations_36_and_41():
    """3-RRR cut at joints 6 and 7: the first leg carries the platform and two rods."""
    tree = spanning_tree(MANIPULATOR, cuts=["6", "7"])
    assert [len(s.bodies) for s in tree.subsystems] == [5, 1, 1]
    assert [set(loop.joints) for loop in tree.loops] == [set("123468"), set("123579")]
    assert jacobian_pattern(tree) == rows("xx.", "x.x")
    assert gicm_pattern(tree) == rows("xx", "xx")


def test_manipulator_by_itself_is_cut_into_its_legs():
    tree = spanning_tree(MANIPULATOR)
    assert tree.cuts == ("4", "5")
    assert [s.bodies for s in tree.subsystems] == [
        ("crank1", "rod1", "platform"),
        ("crank2", "rod2"),
        ("crank3", "rod3"),
    ]


@pytest.mark.parametrize(
    ("graph", "cuts"), [(EXCAVATOR, {"5", "11", "14", "15"}), (SCRAPER, {"8", "9", "10"})]
)
def test_the_default_tree_cuts_where_the_paper_does(graph, cuts):
    assert set(spanning_tree(graph).cuts) == cuts
