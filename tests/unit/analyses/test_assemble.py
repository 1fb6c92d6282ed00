"""Is the mechanism assembled as requested: by joints, markers or bodies, with rates of any object?"""

import numpy as np
import pytest
from zoo import ZOO
from zoo.plain import four_bar_pins, free_body

import multiloop as ml


@pytest.fixture
def four_bar():
    return ZOO["four-bar"].build().without_drives()


def loop_of(state):
    """Both ends of the coupler by the angles of the state alone: the loop in complex numbers."""
    a, b, d = (state[joint].position for joint in "ABD")
    left = 0.3 * np.exp(1j * a) + 0.9 * np.exp(1j * (a + b))
    right = 1.0 + 0.8 * np.exp(1j * d)
    return left, right


# positions --------------------------------------------------------------------------------------------


def test_a_held_joint_has_its_value_and_the_loop_is_closed(four_bar):
    state = ml.assemble(four_bar, {"A": 1.0})
    assert state["A"].position == pytest.approx(1.0, abs=1e-15)
    left, right = loop_of(state)
    assert left == pytest.approx(right, abs=1e-14)
    assert state.gap <= 1e-12
    assert state["C"].position == pytest.approx(
        state["D"].position - state["A"].position - state["B"].position, abs=1e-14
    )


@pytest.mark.parametrize("joint", "ABCD")
def test_any_joint_may_be_held(four_bar, joint):
    value = ml.assemble(four_bar, {"A": 1.0})[joint].position
    state = ml.assemble(four_bar, {joint: value}, guess={"A": 1.0, "coupler.b": (0.88, 0.79)})
    assert state["A"].position == pytest.approx(1.0, abs=1e-9)


def test_a_marker_may_be_held_at_a_point_or_in_one_coordinate(four_bar):
    whole = ml.assemble(four_bar, {"A": 1.0})
    x, y = whole.marker("coupler.com")
    for asked in ((x, None), (None, y), (x, y)):
        state = ml.assemble(four_bar, {"coupler.com": asked}, guess=whole.positions)
        assert state.marker("coupler.com") == pytest.approx([x, y], abs=1e-9)


def test_a_body_may_be_held_by_its_pose(four_bar):
    state = ml.assemble(four_bar, {"rocker": (None, None, 1.7)})
    assert state["D"].position == pytest.approx(1.7, abs=1e-12)
    state = ml.assemble(four_bar, {"rocker": (1.0, 0.0, 1.7)})
    assert state["D"].position == pytest.approx(1.7, abs=1e-12)


QUATERNIONS = [(1, 0, 0, 0), (0.5, 0.5, 0.5, 0.5), (0.1, 0.9, 0.3, 0.2), (0.01, 0, 1, 0), (0, 1, 0, 0)]
"""Rotations by 0°, 120°, 168°, 179° and 180°."""


def matrix_of(e):
    """The rotation of a quaternion, scalar first."""
    e = np.array(e, float) / np.linalg.norm(e)
    w, x = e[0], e[1:]
    cross = np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])
    return (w * w - x @ x) * np.eye(3) + 2 * np.outer(x, x) + 2 * w * cross


@pytest.mark.parametrize("turn", QUATERNIONS)
@pytest.mark.parametrize("of", ["body", "J"])
def test_a_body_in_space_may_be_held_by_its_pose_or_its_joint(of, turn):
    """Also far from the initial position of the search: the rows of an orientation vanish half a turn away as well."""
    mechanism = free_body(ml.Body("body", mass=1.0, inertia=(1.0, 1.0, 1.0)), "free body", joint="J")
    state = ml.assemble(mechanism, {of: (1.0, 2.0, 3.0, *turn)})
    assert state.poses["body"][:, 3] == pytest.approx([1.0, 2.0, 3.0], abs=1e-12)
    assert state.poses["body"][:, :3] == pytest.approx(matrix_of(turn), abs=1e-9)


@pytest.mark.parametrize("turn", [(1, 0, 0, 0), (0.98, 0.1, 0.05, -0.1), (0.7, 0.3, 0.1, 0.1)])
def test_a_platform_may_be_held_by_its_orientation(turn):
    mechanism = ZOO["spherical-wrist"].build().without_drives()
    state = ml.assemble(mechanism, {"platform": (None, None, None, *turn)})
    assert state.poses["platform"][:, :3] == pytest.approx(matrix_of(turn), abs=1e-9)


def test_a_drive_holds_its_joint_at_the_time_asked_for():
    driven = ZOO["four-bar"].build()
    assert ml.assemble(driven)["A"].position == pytest.approx(0.0, abs=1e-15)
    state = ml.assemble(driven, t=0.2)
    assert state.time == 0.2
    assert state["A"].position == pytest.approx(0.2 * 4.712, abs=1e-14)
    assert state["A"].rate == pytest.approx(4.712, abs=1e-12)


def test_joints_that_are_free_are_where_the_guess_has_them(four_bar):
    closed = ml.assemble(four_bar, {"A": 2.0}, guess={"coupler.b": (0.8, 0.7)})
    guess = {joint: closed[joint].position for joint in "AD"}
    found = ml.analyse(four_bar, guess=guess).assembly.coordinates()
    for joint, angle in guess.items():
        assert found[joint] == pytest.approx(angle, abs=1e-9)


def test_a_guess_on_a_marker_chooses_the_branch(four_bar):
    """Above the base or below it."""
    for y, sign in ((0.7, 1.0), (-0.7, -1.0)):
        state = ml.assemble(four_bar, {"A": 0.0}, guess={"coupler.b": (0.8, y)})
        assert np.sign(state.marker("coupler.b")[1]) == sign


def test_a_guess_on_joints_or_bodies_chooses_the_branch(four_bar):
    """At A = 0 the two assembly modes are mirror images: D = ±1.86055."""
    for guess, sign in (({"D": 1.5}, 1.0), ({"D": -1.5}, -1.0), ({"rocker": (1.0, 0.0, -1.8)}, -1.0)):
        state = ml.assemble(four_bar, {"A": 0.0}, guess=guess)
        assert state["D"].position == pytest.approx(sign * 1.8605480282, abs=1e-9)


def test_a_guess_of_its_own_goes_before_that_of_the_mechanism(four_bar):
    state = ml.assemble(four_bar, {"A": 0.0}, guess={"D": -1.8})
    assert state["D"].position < 0


def test_positions_of_a_state_are_a_start(four_bar):
    state = ml.assemble(four_bar, {"A": 1.0})
    again = ml.assemble(four_bar, state.positions)
    for joint in "ABCD":
        assert again[joint].position == pytest.approx(state[joint].position, abs=1e-12)


def test_body_of_a_state_is_its_pose(four_bar, texts):
    state = ml.assemble(four_bar, {"A": 1.0})
    X = state.body("crank")
    assert X.shape == (3, 4)
    assert X[:2, :3] @ (0.3, 0, 0) + X[:2, 3] == pytest.approx(state.marker("crank.b"))
    with pytest.raises(ml.UnknownNameError) as caught:
        state.body("cranc")
    texts.fault(caught.value, "R01", "'crank'")


def test_positions_of_a_driven_state_are_a_start_too():
    """They agree with the drives; that they are given explicitly does not stop the drives."""
    driven = ZOO["four-bar"].build()
    state = ml.assemble(driven)
    again = ml.assemble(driven, state.positions)
    assert again["A"].rate == pytest.approx(4.712, abs=1e-12)
    for joint in "ABCD":
        assert again[joint].rate == pytest.approx(state[joint].rate, abs=1e-12)


@pytest.mark.parametrize("name", ["RSSR", "RSUR", "RCCC", "swash-pump", "spherical-wrist", "6-UPS", "delta"])
def test_positions_of_a_state_in_space_are_a_start(name):
    mechanism = ZOO[name].build()
    state = ml.assemble(mechanism)
    again = ml.assemble(mechanism.without_drives(), state.positions)
    for body, X in state.poses.items():
        assert again.poses[body] == pytest.approx(X, abs=1e-9), body


def test_a_quaternion_of_any_length_is_taken():
    mechanism = ZOO["spatial-chain-6"].build()
    guess = dict(mechanism.guess)
    state = ml.assemble(mechanism, guess | {"J0": tuple(3.0 * np.array(guess["J0"]))})
    found = np.array(state["J0"].position)
    assert np.linalg.norm(found) == pytest.approx(1.0, abs=1e-15)
    assert found == pytest.approx(np.array(guess["J0"]) / np.linalg.norm(guess["J0"]), abs=1e-12)


def test_an_open_chain_needs_all_its_joints():
    mechanism = ZOO["chain-10"].build()
    state = ml.assemble(mechanism, dict(mechanism.guess))
    for joint, value in mechanism.guess:
        assert state[joint].position == pytest.approx(value[0], abs=1e-15)


def test_idle_spins_need_no_start():
    state = ml.assemble(ZOO["RSSR"].build().without_drives(), {"A": 0.3})
    assert state["A"].position == pytest.approx(0.3, abs=1e-14)


# all assembly modes ----------------------------------------------------------------------------------------


def test_a_four_bar_has_two_closures(four_bar):
    """Mirror images over the line from the crank's end to the rocker's pivot."""
    found = ml.branches(four_bar, {"A": 1.0})
    assert len(found) == 2
    one, other = (state.marker("coupler.b") for state in found)
    tip, pivot = found[0].marker("crank.b"), np.array([1.0, 0.0])
    e = (pivot - tip) / np.linalg.norm(pivot - tip)
    mirrored = tip + 2 * e * (e @ (one - tip)) - (one - tip)
    assert other == pytest.approx(mirrored, abs=1e-12)


def test_beyond_a_dead_point_there_is_no_closure(four_bar):
    found = ml.branches(four_bar, {"D": np.arccos(-0.125) + 0.3})
    assert len(found) == 2
    with pytest.raises(ml.AssemblyError):
        ml.branches(four_bar, {"D": np.arccos(-0.125) - 0.01})


def closures_of_3rrr(angles):
    """How often the third corner crosses its circle while the first moves along its own: counted densely."""
    pivots = np.array([(0, 0), (1, 0), (0.5, np.sqrt(3) / 2)])
    elbows = pivots + 0.4 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    phi = np.linspace(-np.pi, np.pi, 40001)
    first = elbows[0] + 0.6 * np.stack([np.cos(phi), np.sin(phi)], axis=1)
    d = elbows[1] - first
    D = np.hypot(*d.T)
    cosine = (0.4**2 + D**2 - 0.6**2) / (2 * 0.4 * D)
    reach = np.abs(cosine) <= 1
    count = 0
    for side in (1, -1):
        tilt = np.arctan2(d[:, 1], d[:, 0]) + side * np.arccos(np.clip(cosine, -1, 1))
        third = first + 0.4 * np.stack([np.cos(tilt + np.pi / 3), np.sin(tilt + np.pi / 3)], axis=1)
        miss = np.hypot(*(third - elbows[2]).T) - 0.6
        count += np.count_nonzero((miss[1:] * miss[:-1] < 0) & reach[1:] & reach[:-1])
    return int(count)


@pytest.mark.parametrize(
    ("angles", "count"),
    [
        ((1.04, 4.1883, 5.7637), 2),
        ((0.39, 4.03, 5.36), 4),
        ((1.97, 1.97, 3.62), 4),
        ((1.28, 1.65, 4.71), 6),
        ((0.61, 2.37, 2.87), 6),
    ],
)
def test_all_closures_of_a_3rrr_with_locked_motors(angles, count):
    assert closures_of_3rrr(angles) == count
    mechanism = ZOO["3-RRR"].build().replace(drives=[], guess={})
    found = ml.branches(mechanism, dict(zip(("A1", "A2", "A3"), angles, strict=True)))
    assert len(found) == count
    centres = np.array([state.marker("platform.com") for state in found])
    gaps = np.linalg.norm(centres[:, None] - centres[None], axis=2) + np.eye(count)
    assert gaps.min() > 1e-3  # all different
    for state in found:
        for leg in "123":
            bar = state.marker(f"distal{leg}.b") - state.marker(f"distal{leg}.a")
            corner = state.marker(f"platform.c{leg}") - state.marker(f"distal{leg}.b")
            assert np.linalg.norm(bar) == pytest.approx(0.6, abs=1e-12)
            assert np.abs(corner).max() < 1e-11


def test_closures_upside_down_are_left_out():
    """A slider may not be inverted and a bearing's axes may not be antiparallel, though the rows vanish."""
    for name in ("slider-crank", "four-bar-space", "cardan-shaft", "RCCC", "sarrus"):
        mechanism = ZOO[name].build()
        for state in ml.branches(mechanism):
            for joint in mechanism.connections:
                F, S = _frame(mechanism, state, joint.first), _frame(mechanism, state, joint.second)
                relative = F.T @ S
                if isinstance(joint, ml.Prismatic):
                    assert relative == pytest.approx(np.eye(3), abs=1e-9), (name, joint.name)
                elif isinstance(joint, ml.Revolute | ml.Cylindrical):
                    assert relative[2, 2] == pytest.approx(1.0, abs=1e-9), (name, joint.name)


def test_rows_do_vanish_upside_down_so_that_leaving_them_out_is_needed():
    """A slider-crank cut at its guide is also closed with an inverted slider."""
    from multiloop.kinematics.assembly.newton import close_loops
    from multiloop.kinematics.equations import equations_of
    from multiloop.kinematics.joint_coordinates import has_mirrored_cut
    from multiloop.topology import tree_of

    mechanism = ZOO["slider-crank"].build().without_drives()
    equations = equations_of(mechanism, tree_of(mechanism, ["guide"]))
    guess = dict(mechanism.guess)
    q = np.array([guess["A"][0], guess["B"][0], guess["C"][0] + np.pi])
    closing = close_loops(equations, q, np.zeros(0), np.zeros(0))
    assert closing.closed
    assert has_mirrored_cut(equations, closing.q, np.zeros(0))


def _frame(mechanism, state, reference):
    from multiloop.model.marker_poses import marker_pose, nominal_value
    from multiloop.spatial import numeric

    R = state.poses[reference.partition(".")[0]][:, :3]
    return R @ numeric(marker_pose(mechanism.marker(reference), nominal_value, mechanism.planar).R)


# rates ------------------------------------------------------------------------------------------------


def differences(mechanism, state, joint, speed, read, h=1e-5):
    """Rate of a quantity of the state while one joint moves at a given speed, by central differences."""
    at = state[joint].position
    before, after = (
        read(ml.assemble(mechanism, {joint: at + sign * speed * h}, guess=state.positions))
        for sign in (-1, 1)
    )
    return (after - before) / (2 * h)


def test_rates_of_all_joints_and_markers_follow_from_one(four_bar):
    state = ml.assemble(four_bar, {"A": 1.0}, rates={"A": 2.0})
    # Positions to 1e-15 over 2e-5 s, and h² of motions of order ten.
    for joint in "ABCD":
        found = differences(four_bar, state, "A", 2.0, lambda s, joint=joint: s[joint].position)
        assert state[joint].rate == pytest.approx(found, abs=1e-7)


@pytest.mark.parametrize("joint", "ABCD")
def test_a_rate_may_be_given_at_any_joint_cut_or_not(four_bar, joint):
    expected = ml.assemble(four_bar, {"A": 1.0}, rates={"A": 2.0})
    state = ml.assemble(four_bar, {"A": 1.0}, rates={joint: expected[joint].rate})
    for other in "ABCD":
        assert state[other].rate == pytest.approx(expected[other].rate, abs=1e-12)


def test_a_rate_may_be_given_at_a_marker_or_a_body(four_bar):
    expected = ml.assemble(four_bar, {"A": 1.0}, rates={"A": 2.0})
    vx, vy = differences(four_bar, expected, "A", 2.0, lambda s: s.marker("coupler.com"))
    turn = expected["A"].rate + expected["B"].rate
    for asked in (
        {"coupler.com": (vx, None)},
        {"coupler.com": (None, vy)},
        {"coupler": (None, None, turn)},
        {"rocker": (0.0, 0.0, expected["D"].rate)},
    ):
        state = ml.assemble(four_bar, {"A": 1.0}, rates=asked)
        assert state["A"].rate == pytest.approx(2.0, abs=1e-6), asked


def test_without_rates_everything_stands_still(four_bar):
    state = ml.assemble(four_bar, {"A": 1.0})
    assert [state[joint].rate for joint in "ABCD"] == pytest.approx([0.0] * 4, abs=1e-14)


def test_some_freedoms_driven_and_some_given():
    """3-RRR with one motor driven: the two others have the given rates."""
    mechanism = ZOO["3-RRR"].build()
    partly = mechanism.replace(drives=mechanism.drives[:1])
    start = {"A2": 4.1883, "A3": 5.7637}
    state = ml.assemble(partly, start, rates={"A2": 0.5, "A3": -0.25})
    assert (state["A2"].rate, state["A3"].rate) == pytest.approx((0.5, -0.25), abs=1e-12)
    assert state["A1"].rate == pytest.approx(0.6, abs=1e-12)  # oscillates with 0.1 rad at 6 rad/s


def test_rates_in_space():
    """A ball takes its angular velocity, in its first marker's frame, a marker its velocity."""
    mechanism = ZOO["RSUR"].build().without_drives()
    expected = ml.assemble(mechanism, {"A": 0.4}, rates={"A": 3.0})
    state = ml.assemble(mechanism, {"A": 0.4}, rates={"B": tuple(expected["B"].rate)})
    assert state["A"].rate == pytest.approx(3.0, abs=1e-10)
    tip = expected.marker("crank.b")
    velocity = np.cross([0, 0, 3.0], tip)
    state = ml.assemble(mechanism, {"A": 0.4}, rates={"crank.b": tuple(velocity)})
    assert state["A"].rate == pytest.approx(3.0, abs=1e-12)
    assert np.asarray(state["C"].rate) == pytest.approx(np.asarray(expected["C"].rate), abs=1e-10)


@pytest.mark.parametrize("order", ["ABCDE", "EDCBA"])
def test_coordinates_without_a_given_rate_are_at_rest(order):
    """In a five-bar one motor has a given rate; the other is at rest, whatever the order of the joints."""
    five_bar = ZOO["five-bar"].build().without_drives()
    joints = sorted(five_bar.joints, key=lambda joint: order.index(joint.name))
    at = ml.assemble(ZOO["five-bar"].build())
    start = {"A": at["A"].position, "E": at["E"].position}
    state = ml.assemble(five_bar.replace(joints=joints), start, guess=at.positions, rates={"A": 1.0})
    assert state["A"].rate == pytest.approx(1.0, abs=1e-12)
    assert state["E"].rate == pytest.approx(0.0, abs=1e-12)


def test_one_coordinate_of_a_joint_may_move_while_the_other_stands_still():
    sleeve = ml.Mechanism(
        "sleeve on an arm",
        bodies=[
            ml.ground(O=(0, 0, 0)),
            ml.Body(
                "arm", mass=1.0, inertia=(0.1, 0.1, 0.1), markers={"m": ml.marker((0.2, 0, 0), z=(1, 0, 0))}
            ),
            ml.Body("sleeve", mass=2.0, inertia=(0.1, 0.2, 0.3)),
        ],
        joints=[
            ml.Revolute("R", "ground.O", "arm.origin"),
            ml.Cylindrical("C", "arm.m", "sleeve.origin"),
        ],
    )
    state = ml.assemble(sleeve, {"R": 0.0, "C": (0.0, 0.1)}, rates={"C": (None, 1.0)})
    assert np.asarray(state["C"].rate) == pytest.approx([0.0, 1.0], abs=1e-12)
    assert state["R"].rate == pytest.approx(0.0, abs=1e-12)


def test_rates_of_a_loop_with_redundant_rows_along_no_axis_of_the_frame():
    """A four-bar in space whose parallel axes are oblique: its redundant rows are round-off, not contradictions."""
    n = np.array([1.0, 2.0, 3.0]) / np.sqrt(14)
    x = np.cross([0, 0, 1.0], n) / np.linalg.norm(np.cross([0, 0, 1.0], n))
    rods = {"crank": 0.3, "coupler": 0.9, "rocker": 0.8}
    askew = ml.Mechanism(
        "askew four-bar",
        bodies=[
            ml.ground(A=ml.marker((0, 0, 0), z=n, x=x), D=ml.marker(x, z=n, x=x)),
            *(
                ml.Body(
                    name, mass=1.0, inertia=(0.01, 0.05, 0.05), markers={"a": (0, 0, 0), "b": (length, 0, 0)}
                )
                for name, length in rods.items()
            ),
        ],
        joints=four_bar_pins(),
        guess={"coupler.b": tuple(0.8 * x + 0.7 * np.cross(n, x))},
    )
    plane = ml.assemble(ZOO["four-bar"].build().without_drives(), {"A": 1.0}, rates={"A": 4.0})
    state = ml.assemble(askew, {"A": 1.0}, rates={"A": 4.0})
    for joint in "ABCD":
        assert state[joint].rate == pytest.approx(plane[joint].rate, abs=1e-12), joint


def test_assembly_modes_of_a_spherical_linkage_are_distinguished_by_their_axes():
    """All markers are at the centre; the coupler may be on either side."""
    twists = np.radians([70.0, 50.0, 60.0, 65.0])
    far = [ml.marker((0, 0, 0), z=(np.sin(angle), 0, np.cos(angle))) for angle in twists]
    near = ml.marker((0, 0, 0), z=(0, 0, 1))
    links = [
        ml.Body(f"link {k}", mass=1.0, inertia=(0.01, 0.01, 0.01), markers={"a": near, "b": far[k]})
        for k in range(3)
    ]
    linkage = ml.Mechanism(
        "spherical four-bar",
        bodies=[ml.ground(a=near, d=far[3]), *links],
        joints=[
            ml.Revolute("A", "ground.a", "link 0.a"),
            ml.Revolute("B", "link 0.b", "link 1.a"),
            ml.Revolute("C", "link 1.b", "link 2.a"),
            ml.Revolute("D", "link 2.b", "ground.d"),
        ],
    )
    assert len(ml.branches(linkage, {"A": 0.7})) == 2
