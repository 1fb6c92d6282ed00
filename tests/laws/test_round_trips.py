"""Descriptions are recovered from text, from plain data, from a pickle, and from another process."""

import copy
import os
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, fields

import pytest
from hypothesis import given, settings, strategies as st
from zoo import ZOO

from multiloop import (
    Actuator,
    AssemblyError,
    Body,
    Fault,
    Helical,
    Marker,
    Mechanism,
    ModelError,
    Motion,
    MultiloopError,
    Parameter,
    Pin,
    SolveError,
    TopologyError,
    from_data,
    from_text,
    ground,
    plate,
    position,
    rate,
    rod,
    table,
    time,
    to_data,
    to_text,
)
from multiloop.model import GROUND, JOINTS, constant_speed, cycloidal
from multiloop.model.expressions.functions import clip, maximum, sin

# things to describe -------------------------------------------------------------------------------

VALUES = {"L": 0.3, "m 1": 2.0, "äöü": 1e-3, "time2": 123.456}
names = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "S", "Zs")), min_size=1, max_size=8
).filter(lambda name: name.strip() and name.isprintable())
floats = st.floats(-1e6, 1e6) | st.sampled_from([0.0, -0.0, 1e-300, 1 / 3, 5e-324])
sizes = st.floats(1e-3, 1e3)
parameters = st.sampled_from([Parameter(name, value) for name, value in VALUES.items()])
positive = sizes | parameters | st.builds(lambda p, k: k * p + 1.0, parameters, sizes)


def not_degrees(value):
    """Whether a number may be an angle: many turns in a round number are reported as probable degrees."""
    return not isinstance(value, int | float) or abs(value) < 12


scalars = floats | positive | st.builds(lambda p, k: sin(p) - k / 7, parameters, floats)
profiles = (
    scalars
    | st.builds(constant_speed, scalars, start=scalars)
    | st.builds(cycloidal, scalars, scalars, duration=sizes, begin=floats)
    | st.builds(
        lambda y, kind: table([0.0, 0.5, 1.0], y, kind=kind),
        st.lists(floats, min_size=3, max_size=3),
        st.sampled_from(["cubic", "linear"]),
    )
    | st.builds(lambda y: table([0, 0.5, 1], [y, 2.0, y], periodic=True, of=2 * time), floats)
    | st.builds(lambda p, k: maximum(clip(time, -k, k), p) ** 2 - abs(p), parameters, sizes)
)
efforts = profiles | st.builds(lambda k, c: -k * position("J", c) - rate("J", 0), scalars, st.integers(0, 3))


def points(planar):
    return st.tuples(*[scalars] * (2 if planar else 3)) | scalars.map(lambda x: (x,))


@st.composite
def markers(draw, planar):
    if planar:
        return Marker(draw(points(True)), angle=draw(scalars.filter(not_degrees)))
    z = draw(st.none() | st.tuples(sizes, floats, floats))
    x = draw(st.none() | st.just((0.0, 0.0, 0.0)).map(lambda _: (0.0, 1.0, 0.0)))
    if x is not None and z is not None and z[0] < 1e-3 * abs(z[1]):  # nearly parallel, which is refused
        x = None
    return Marker(draw(points(False)), z=z, x=x)


def named_markers(planar):
    return st.dictionaries(names, markers(planar), max_size=3)


@st.composite
def bodies(draw, planar, name):
    """A body of any type with plausible numbers."""
    kind = draw(st.sampled_from(["body", "rod", "plate"]))
    further = draw(named_markers(planar))
    taken = {"a", "b", "c", "origin", "com"}
    further = {key: value for key, value in further.items() if key not in taken}
    mass = draw(positive | st.just(0.0))
    if kind == "rod":
        return rod(name, length=draw(positive), mass=mass, markers=further)
    if kind == "plate":
        side, up = draw(positive), draw(positive)
        more = () if planar else (0.0,)
        corners = {"b": (0, 0, *more), "a": (side, 0, *more), "c": (0, up, *more)}
        return plate(name, corners=corners, mass=mass, markers=further)
    inertia = draw(
        st.sampled_from(
            [0.0, (1, 2, 2.5), ((2.0, 0.1, 0), (0.1, 2, 0), (0, 0, 2)), (Parameter("m 1", 2.0),) * 3]
        )
    )
    if inertia != 0.0 and draw(st.booleans()) and planar:
        inertia = 0.7
    com = draw(points(planar))
    return Body(name, mass=mass, com=com, inertia=inertia, markers={"a": 0.0, **further}, outline=["a"])


@st.composite
def mechanisms(draw):
    """A tree of links on the ground, with drives, actuators, parameters and a guess."""
    planar = draw(st.booleans())
    count = draw(st.integers(1, 3))
    chosen = draw(
        st.lists(
            names.filter(lambda n: n != GROUND), min_size=2 * count + 1, max_size=2 * count + 1, unique=True
        )
    )
    links = [draw(bodies(planar, name)) for name in chosen[:count]]
    frame = ground({"O": 0.0} | draw(named_markers(planar).map(_usable)))
    kinds = [kind for kind in JOINTS if kind.planar_too or not planar]
    joints = []
    for k, link in enumerate(links):
        before = links[draw(st.integers(0, k - 1))].name + ".a" if k and draw(st.booleans()) else "ground.O"
        kind = draw(st.sampled_from(kinds))
        more = {"pitch": draw(scalars)} if kind is Helical else {}
        joint = kind(chosen[count + k], before, f"{link.name}.a", **more)
        if planar and draw(st.booleans()):
            joint = Pin(joint.name, before, [f"{link.name}.a"])
        joints.append(joint)
    machine = Mechanism(chosen[-1], planar=planar, bodies=[frame, *links], joints=joints)
    single = [joint.name for joint in machine.connections if joint.positions(planar) == 1]
    drives = [Motion(name, draw(profiles)) for name in single if draw(st.booleans())]
    drives += [Motion(f"{links[-1].name}.a", x=draw(profiles), y=draw(profiles))] * draw(st.integers(0, 1))
    limits = st.none() | sizes
    actuators = [
        Actuator(name, effort=draw(st.none() | profiles), limit=draw(limits))
        for name in single
        if draw(st.booleans())
    ]
    guess = {
        f"{link.name}.com": (1.0, -0.0, 2.5)[: 2 if planar else 3] for link in links if draw(st.booleans())
    }
    guess |= {name: draw(floats.filter(not_degrees)) for name in single if draw(st.booleans())}
    gravity = draw(st.none() | st.tuples(*[scalars] * (2 if planar else 3)))
    return machine.replace(drives=drives, actuators=actuators, guess=guess, gravity=gravity)


def _usable(found):
    return {name: value for name, value in found.items() if name not in ("O", "origin", "com")}


PARTS = {
    "marker": st.booleans().flatmap(markers),
    "body": st.tuples(st.booleans(), names).flatmap(lambda drawn: bodies(*drawn)),
    "ground": st.booleans().flatmap(named_markers).map(_usable).map(ground),
    **{
        kind.__name__: st.builds(kind, names, names, names, **({"pitch": scalars} if kind is Helical else {}))
        for kind in JOINTS
    },
    "pin": st.builds(Pin, names, names, st.lists(names, max_size=3)),
    "motion": st.builds(
        Motion,
        names,
        *[st.none() | profiles] * (len(fields(Motion)) - 2),
        st.none() | st.lists(profiles, min_size=3, max_size=4).map(tuple),
    ),
    "actuator": st.builds(Actuator, names, names, st.none() | efforts, st.none() | sizes),
    "mechanism": mechanisms(),
}
every_part = pytest.mark.parametrize("kind", PARTS)

# laws ---------------------------------------------------------------------------------------------


@every_part
@given(data=st.data())
def test_it_comes_back_from_text_data_and_pickle(kind, data):
    thing = data.draw(PARTS[kind])
    for back in (
        from_text(to_text(thing)),
        from_data(to_data(thing)),
        pickle.loads(pickle.dumps(thing)),
        copy.deepcopy(thing),
    ):
        assert back == thing
        assert hash(back) == hash(thing)
        assert type(back) is type(thing)
        assert to_text(back) == to_text(thing)


@every_part
@given(data=st.data())
def test_two_things_are_equal_where_their_texts_are(kind, data):
    one, other = data.draw(PARTS[kind]), data.draw(PARTS[kind])
    assert (one == other) == (to_text(one) == to_text(other))


@every_part
@settings(max_examples=10)
@given(data=st.data())
def test_no_field_of_it_can_be_assigned(kind, data):
    thing = data.draw(PARTS[kind])
    for entry in fields(thing):
        with pytest.raises(FrozenInstanceError):
            setattr(thing, entry.name, None)


@given(mechanisms(), st.dictionaries(st.sampled_from([*VALUES]), sizes, min_size=1))
def test_parameters_change_and_change_back(machine, values):
    known = {name: value for name, value in values.items() if name in machine.parameters}
    try:
        other = machine.with_parameters(known)
    except ModelError:  # a length or an inertia that cannot be
        return
    assert other.parameters == machine.parameters | known
    assert other.with_parameters(machine.parameters) == machine
    assert (other == machine) == all(machine.parameters[name] == value for name, value in known.items())


@given(mechanisms())
def test_other_versions_of_itself_leave_it_alone(machine):
    before = machine.fingerprint
    free = machine.without_drives()
    assert free.drives == ()
    assert (free == machine) == (machine.drives == ())
    assert machine.replace(drives=machine.drives) == machine
    assert machine.replace(name=machine.name + "'").fingerprint != before
    with pytest.raises(ModelError, match=r"\[M07\].*'no such'"):
        machine.with_parameters({"no such": 1.0})
    assert machine.fingerprint == before


@pytest.mark.parametrize("name", ZOO)
def test_every_mechanism_of_the_zoo_comes_back(name):
    machine = ZOO[name].build()
    assert from_text(to_text(machine)) == machine
    assert pickle.loads(pickle.dumps(machine)) == machine


def test_fingerprints_are_the_same_in_another_process():
    machines = [entry.build() for entry in ZOO.values()]
    script = "import pickle, sys\nfor m in pickle.load(sys.stdin.buffer): print(m.fingerprint)"
    for seed in ("0", "12345"):
        done = subprocess.run(
            [sys.executable, "-c", script],
            input=pickle.dumps(machines),
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        )
        assert done.stdout.decode().split() == [machine.fingerprint for machine in machines]


def test_no_two_mechanisms_of_the_zoo_share_a_fingerprint():
    prints = [entry.build().fingerprint for entry in ZOO.values()]
    assert len(set(prints)) == len(prints)


FAULTS = [
    Fault("M03", "body 'x'", "mass is -1 kg.", "Give more."),
    Fault("T01", "joint 'A'", "is odd.", "Mend it."),
]
ERRORS = [
    MultiloopError("mechanism 'm'", FAULTS),
    ModelError("mechanism 'm'", FAULTS[:1]),
    TopologyError("mechanism 'm'", FAULTS, mobility=-2),
    AssemblyError(
        "mechanism 'm'", FAULTS, gap=0.25, best={"A": (1.0,)}, choices=[{"A": (0.1,)}, {"A": (0.2,)}]
    ),
    SolveError("mechanism 'm'", FAULTS, time=1.5),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_errors_are_pickled_with_all_their_data(error):
    error.add_note("met on the way")
    for back in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(back) is type(error)
        assert str(back) == str(error)
        assert vars(back) == vars(error)
        assert back.faults == error.faults
        assert back.args == error.args
        assert isinstance(back, MultiloopError)
