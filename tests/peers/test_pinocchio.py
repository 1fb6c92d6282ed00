"""Does another library, Pinocchio, with the loops closed by hand, find the same motions, efforts and forces?"""

from functools import cache
from itertools import product

import numpy as np
import pytest

pytest.importorskip(
    "pinocchio", reason="the peer is Pinocchio, on PyPI `pin`, which is installed on Linux only"
)

from hypothesis import given, seed, settings, strategies as st
from laws.closed_positions import built, duration
from peers.comparison import COMPONENTS, DIGITS, PENALISED, judge
from peers.pinocchio_instant import Instant
from peers.pinocchio_model import Peer
from zoo import ZOO
from zoo.random_mechanisms import FLAT_TREE, closed_mechanisms

import multiloop as ml
from multiloop.model import JOINTS
from multiloop.topology import candidate_trees, graph_of, tree_of

OTHER_CUTS = {
    "scraper-C": ("rocker-coupler", "link4-link5", "link6-link7"),
    "3-RRR": ("B1", "C2"),
    "6-UPS": ("U1", "U2", "S3", "U4", "U5"),
    "delta": ("Bleft1", "Bright1", "Cleft2", "Bright2", "Bleft3"),
    "RSSR": ("B",),
    "excavator": ("2", "7", "9", "12"),
    "four-bar-space": ("B",),
    "RCCC": ("C",),
}
"""Cuts other than those of the plan, so that joints that are cut there are in the tree here, some of them reversed."""

TURNS = (
    ("sslm", False),
    ("sslm", True),
    ("slm", False),
    ("system", True),
    ("embedding", False),
    ("virtual_work", True),
    ("augmented", False),
)
"""Methods of forward dynamics, each at a different instant, and whether with the other cuts."""

LARGE = ("6-UPS", "delta")
INVERSE = [
    (name, method)
    for name in OTHER_CUTS
    for method in ("subsystem", "system", "virtual_work", "traditional")
    if method == "subsystem" or name not in LARGE
]
"""Tracing the large ones takes seconds for each method, and the laws compare the methods with each other."""

PARTLY = ("3-RRR", "excavator")

EACH = 6
"""Random mechanisms in the plane and in space."""


# input ----------------------------------------------------------------------------------------


@cache
def known_motion(name):
    """Inverse dynamics at as many random instants as there are turns."""
    return ml.inverse(built(name), t=instants(name))


@cache
def instants(name):
    rng = np.random.default_rng(list(OTHER_CUTS).index(name))
    return tuple(np.sort(rng.uniform(0.0, duration(name), len(TURNS))))


@cache
def peers(name):
    """The peer along the plan's tree, and along the one with the other cuts."""
    return tuple(Peer(built(name), tree) for tree in trees(name))


@cache
def trees(name):
    return known_motion(name).plan.tree, tree_of(built(name), OTHER_CUTS[name])


def released(mechanism, keep=0):
    """Without its drives except the first `keep`; actuators keep the others in the tree."""
    loose = [ml.Actuator(motion.of) for motion in mechanism.drives[keep:]]
    return mechanism.replace(drives=mechanism.drives[:keep], actuators=loose)


def weight(mechanism):
    return 9.81 * sum(body.mass for body in mechanism.moving)


def random_rates(at, rng, driven=(), start=None):
    """Rates of about 3 rad/s or m/s that cuts and welds allow, idle spins among them."""
    N = at.motions
    held = np.vstack([np.zeros((0, N.shape[0])), *(at.maps[name].T for name in driven)]) @ N
    N = N @ np.linalg.svd(held)[2][len(held) :].T
    return at.by_joint(3.0 * N @ rng.normal(size=N.shape[1]) + (0.0 if start is None else start))


def given_numbers(values):
    """In the form of arguments of `multiloop`: joints without coordinates omitted."""
    return {name: tuple(map(float, np.atleast_1d(x))) for name, x in values.items() if np.size(x)}


# the mechanisms of the sources ------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "method"), INVERSE)
def test_inverse_dynamics(name, method):
    """Efforts of the drives and force and moment in every joint, at random instants along the drives."""
    mechanism = built(name)
    result = (
        known_motion(name)
        if method == "subsystem"
        else ml.inverse(mechanism, t=instants(name), method=method)
    )
    driven = [motion.of for motion in mechanism.drives]
    for k in range(len(result.time)):
        judge(result, k, peers(name), efforts={}, prescribed=driven)


@pytest.mark.parametrize(
    "turn", range(len(TURNS)), ids=lambda turn: f"{TURNS[turn][0]}{'-other' * TURNS[turn][1]}"
)
@pytest.mark.parametrize("name", OTHER_CUTS)
def test_forward_dynamics(name, turn):
    """Accelerations and reactions of the released mechanism, at random rates under random efforts."""
    method, other = TURNS[turn]
    mechanism, rng = released(built(name)), np.random.default_rng(turn)
    positions = known_motion(name).at(instants(name)[turn]).positions
    rates = random_rates(Instant(peers(name)[other], positions), rng)
    efforts = {actuator.joint: weight(mechanism) * rng.normal() for actuator in mechanism.actuators}
    result = ml.forward(
        mechanism,
        positions,
        rates=given_numbers(rates),
        efforts=efforts,
        method=method,
        cuts=trees(name)[other].cuts,
    )
    for joint, rate in rates.items():
        assert np.atleast_1d(result[joint].rate[0]) == pytest.approx(rate, rel=1e-9, abs=1e-9)
    allowed = PENALISED if method == "augmented" else DIGITS
    judge(result, 0, peers(name), efforts=efforts, prescribed=(), allowed=allowed)


@pytest.mark.parametrize("name", PARTLY)
def test_forward_dynamics_with_one_drive(name):
    """One joint has a prescribed motion and the others are free: the effort of the drive is found."""
    mechanism, rng = released(built(name), keep=1), np.random.default_rng(17)
    known, driven = known_motion(name), built(name).drives[0].of
    state = known.at(instants(name)[3])
    at = Instant(peers(name)[0], state.positions, state.rates)
    rates = random_rates(at, rng, driven=[driven], start=at.v)
    efforts = {actuator.joint: weight(mechanism) * rng.normal() for actuator in mechanism.actuators}
    free = {joint: rate for joint, rate in given_numbers(rates).items() if joint != driven}
    result = ml.forward(mechanism, state.positions, rates=free, efforts=efforts, t=state.time)
    judge(result, 0, peers(name), efforts=efforts, prescribed=[driven])


@pytest.mark.parametrize("name", [name for name, entry in ZOO.items() if entry.redundant])
def test_what_equilibrium_does_not_determine(name):
    """Self-equilibrated reactions of the peer span exactly the components that the plan names."""
    plan = ml.analyse(built(name))
    at = Instant(Peer(built(name), plan.tree), plan.assembly.coordinates())
    assert len(at.shared) == plan.redundant
    for joint in built(name).connections:
        R = at.place(joint.first).rotation
        found = np.array([[*(R.T @ w[joint.name][:3]), *(R.T @ w[joint.name][3:])] for w in at.shared])
        doubtful = {COMPONENTS[c] for c in np.flatnonzero(np.abs(found).max(axis=0) > 1e-9)}
        assert doubtful == {component for component, flag in plan.unique[joint.name] if not flag}, joint.name


# all kinds of joints ----------------------------------------------------------------------------------


def under_random_efforts(mechanism, tree, positions, rng):
    """From random rates, with an effort along every coordinate of the tree."""
    peer = Peer(mechanism, tree)
    rates = random_rates(Instant(peer, positions), rng)
    efforts, along, planar = {}, {}, mechanism.planar
    for joint in (mechanism.joint(branch.joint) for branch in tree.branches):
        along[joint.name] = weight(mechanism) * rng.normal(size=joint.degrees_of_freedom(planar))
        names = [f"{joint.name}.{component}" for component in joint.components(planar)]
        efforts |= dict(zip(names, along[joint.name], strict=True))
    result = ml.forward(mechanism, positions, rates=given_numbers(rates), efforts=efforts, cuts=tree.cuts)
    judge(result, 0, [peer], efforts=along, prescribed=())


def chain_of_all_joints(planar, rng):
    """Every type of joint twice, with its first marker inboard and then outboard, at random positions."""
    bodies, joints, positions, last = [ml.ground(out=random_marker(planar, rng))], [], {}, "ground"
    for kind, forward in product(FLAT_TREE if planar else JOINTS, (True, False)):
        body = f"b{len(bodies)}"
        com, inertia = rng.uniform(-0.3, 0.3, 2 if planar else 3), rng.uniform(0.4, 0.6, 1 if planar else 3)
        markers = {"in": random_marker(planar, rng), "out": random_marker(planar, rng)}
        bodies.append(ml.Body(body, 1.0, com, inertia[0] if planar else inertia, markers=markers))
        ends = (f"{last}.out", f"{body}.in")
        joint = kind(
            f"J{body}", *(ends if forward else ends[::-1]), **({"pitch": 0.07} if kind is ml.Helical else {})
        )
        q = rng.uniform(-1.0, 1.0, joint.positions(planar))
        if len(q) > joint.degrees_of_freedom(planar):
            q[-4:] /= np.linalg.norm(q[-4:])
        positions[joint.name] = tuple(q)
        joints.append(joint)
        last = body
    return ml.Mechanism("chain of all joints", planar=planar, bodies=bodies, joints=joints), positions


def random_marker(planar, rng):
    if planar:
        return ml.marker(rng.uniform(-0.5, 0.5, 2), angle=rng.uniform(-3.0, 3.0))
    return ml.marker(rng.uniform(-0.5, 0.5, 3), z=rng.normal(size=3), x=rng.normal(size=3))


@pytest.mark.parametrize("planar", [True, False])
def test_all_joints_carry_either_way(planar):
    rng = np.random.default_rng(4)
    mechanism, positions = chain_of_all_joints(planar, rng)
    under_random_efforts(mechanism, tree_of(mechanism), positions, rng)


@pytest.mark.parametrize("planar", [True, False])
def test_random_mechanisms_along_random_trees(planar):
    cuts = set()

    @seed(5)
    @settings(max_examples=EACH)
    @given(closed_mechanisms(planar=planar, most_loops=2), st.integers(0, 5), st.integers(0, 99))
    def every(drawn, number, numbers):
        mechanism = drawn.mechanism
        *_, tree = candidate_trees(graph_of(mechanism), number + 1)
        positions = {joint.name: () for joint in mechanism.connections} | dict(mechanism.guess)
        under_random_efforts(mechanism, tree, positions, np.random.default_rng(numbers))
        cuts.update(type(mechanism.joint(cut)) for cut in tree.cuts)

    every()
    assert len(cuts) >= (2 if planar else 4), "loops were cut at several kinds of joints"


def test_a_cut_that_holds_nothing():
    """A Free joint parallel to a ball: the loop that it closes has no rows."""
    top = ml.Body("top", mass=1.0, com=(0, 0, 0.1), inertia=(0.01, 0.01, 0.005))
    joints = [
        ml.Spherical("ball", "ground.origin", "top.origin"),
        ml.Free("free", "ground.origin", "top.origin"),
    ]
    mechanism = ml.Mechanism("top", bodies=[ml.ground(), top], joints=joints)
    turned = (0.5, -0.1, 0.7, 0.5)
    positions = {"ball": turned, "free": (0, 0, 0, *turned)}
    under_random_efforts(mechanism, tree_of(mechanism, ["free"]), positions, np.random.default_rng(6))
