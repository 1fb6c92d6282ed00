"""The mechanism as described by the user: bodies, joints, constraints, drives, loads and gravity.

A `Mechanism` is frozen and checked when it is created. `with_rigid_bodies` returns a mechanism with rigid bodies in
place of flexible ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, ValuesView
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from multiloop.model.bodies import GROUND, Body
from multiloop.model.checks import faults_of
from multiloop.model.connection import Connection, Coupling, Pair
from multiloop.model.drives import Actuator, Motion
from multiloop.model.faults import Fault, ModelError, UnknownNameError, count_text, name_text, suggestion
from multiloop.model.implied_parts import (
    Rotor,
    actuator_rotors,
    bodies_with_defaults,
    expanded_joints,
    floating_bodies,
    floating_joint,
)
from multiloop.model.joints import Composite, Joint
from multiloop.model.lazy_methods import implemented_in
from multiloop.model.loads import Load
from multiloop.model.markers import Marker, Vector, are_pairs, as_pairs, body_of, vector
from multiloop.model.parameters import parameters_in, substitute_parameters
from multiloop.model.serialise.plain_data import LISTS, fingerprint_of
from multiloop.model.states import Integral
from multiloop.model.synonyms import FUNCTION_SYNONYMS, SuggestsArguments, SuggestsAttributes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from multiloop.model.numbers import NumberTable

Named = TypeVar("Named")
Guess = tuple[tuple[str, tuple[float | None, ...]], ...]
"""The field `guess`: pairs of name (joint, body or marker) and values; None leaves a component undetermined."""


@dataclass(frozen=True, eq=False, repr=False)
class Mechanism(SuggestsAttributes, SuggestsArguments):
    """A mechanism: a frozen description in which everything has a name, checked when it is created.

    Arguments:

        name        name of the mechanism; all other arguments are given by keyword
        planar      True for a mechanism in the x–y plane; by default it is spatial
        gravity     vector in m/s², by default 9.81 m/s² along −y in a planar, and −z in a spatial mechanism
        bodies      Body, rod, plate, beam, …, and one `ground(…)`
        joints      Revolute, Prismatic, …, and Pin, Strut, Payload
        pairs       Gear, Cam, Rolling, Distance, Relation and other constraints
        drives      Motion: prescribed motions of joints or markers
        actuators   Actuator: known efforts (torques or forces), or the joints where efforts are unknown
        integrals   Integral: user-defined state variables
        loads       Force, Spring, Friction, Contact, …
        guess       selects the assembly mode by approximate values for joints, bodies or markers, {"A": 1.0}; the
                    argument `guess` of the public functions replaces it
    """

    name: str
    planar: bool = field(default=False, kw_only=True)
    gravity: Vector | None = field(default=None, kw_only=True)
    bodies: tuple[Body, ...] = field(default=(), kw_only=True)
    joints: tuple[Joint | Composite, ...] = field(default=(), kw_only=True)
    pairs: tuple[Pair | Coupling, ...] = field(default=(), kw_only=True)
    drives: tuple[Motion, ...] = field(default=(), kw_only=True)
    actuators: tuple[Actuator, ...] = field(default=(), kw_only=True)
    integrals: tuple[Integral, ...] = field(default=(), kw_only=True)
    loads: tuple[Load, ...] = field(default=(), kw_only=True)
    guess: Guess = field(default=(), kw_only=True)

    _elsewhere: ClassVar[Mapping[str, str]] = {
        name: f"multiloop.{name}(mechanism, …)" for name in FUNCTION_SYNONYMS if name != "load"
    }

    @implemented_in("multiloop.view", "draw_mechanism")
    def draw(
        self,
        *,
        start: Mapping[str, Any] | str | None = None,
        guess: Mapping[str, Any] | None = None,
        traces: Sequence[Any] | Mapping[str, Any] = (),
        path: str | Path | None = None,
        axes: Any = None,
        scale: float = 1.0,
    ) -> Figure:
        """Draw the mechanism in its assembled pose, with the drives at t = 0.

        `start` and `guess` are the arguments of `assemble`; undetermined degrees of freedom are drawn as in the guess.
        `traces` are paths to draw as thin lines, each an array of points such as `result.marker("rod.b")`, or a mapping
        of marker names to such paths, `{"rod.b": result.marker("rod.b")}`. Motors have orange arrows; loads and known
        efforts have blue arrows with their direction at t = 0, pale where they are zero. With `path` the picture is
        saved in the format of the file name's extension. `axes` are Matplotlib axes to draw in (three-dimensional axes
        for a spatial mechanism); by default a figure is created. Flexible links with elastic coordinates in `start`, or
        with `start="relaxed"`, are drawn deformed, with deflections multiplied by `scale`. If several assembly modes
        are possible, the picture contains a note. The figure is not shown on the screen.
        """
        raise NotImplementedError

    @implemented_in("multiloop.analyses.listed_outputs", "list_outputs")
    def outputs(self) -> Mapping[str, Any]:
        """The outputs of the mechanism by name: every quantity of its joints, loads, couplings, bodies and of the whole
        mechanism, with unit and meaning.

        Printed, the returned mapping (an `OutputTable`) is a table. The names are those of `Result.output`, for example
        "C.load" or "coupler.velocity". Markers have the outputs of bodies, such as "coupler.b.velocity"; they are not
        listed.
        """
        raise NotImplementedError

    @implemented_in("multiloop.view", "show_mechanism")
    def _repr_html_(self) -> str:
        """HTML that notebooks show for the mechanism."""
        raise NotImplementedError

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        for part in ("bodies", "joints", "pairs", "drives", "actuators", "integrals", "loads"):
            set_field(self, part, _as_tuple(getattr(self, part)))
        if isinstance(self.planar, np.bool_):
            set_field(self, "planar", bool(self.planar))
        default = (0.0, -9.81) if self.planar is True else (0.0, 0.0, -9.81)
        set_field(self, "gravity", default if self.gravity is None else vector(self.gravity))
        guess = as_pairs(self.guess)
        if are_pairs(guess):
            guess = tuple((name, vector(value)) for name, value in guess)
        set_field(self, "guess", guess)
        faults = faults_of(self)
        if faults:
            raise ModelError(f"mechanism '{name_text(self.name)}'", faults)

    # bodies, joints, pairs and loads ------------------------------------------------------------------

    @cached_property
    def binary_joints(self) -> tuple[Joint, ...]:
        """All joints between two bodies, including those of composite joints and the Free joints of floating bodies."""
        return (*self.described_joints, *(floating_joint(body) for body in self.floating))

    @cached_property
    def described_joints(self) -> tuple[Joint, ...]:
        """All joints between two bodies, including those of composite joints, without the Free joints that are added
        for bodies connected to the ground by pairs only."""
        return (*expanded_joints(self), *(rotor.joint for rotor in self.rotors))

    @cached_property
    def rotors(self) -> tuple[Rotor, ...]:
        """The rotors of actuators with rotor inertia, each with its bearing and its gearbox."""
        return actuator_rotors(self)

    @cached_property
    def composites(self) -> tuple[Composite, ...]:
        """The composite joints (Pin, Strut, Payload) among the joints."""
        return tuple(joint for joint in self.joints if isinstance(joint, Composite))

    @cached_property
    def all_bodies(self) -> tuple[Body, ...]:
        """The bodies of the description, followed by those of struts, payloads and rotors."""
        brought = (body for one in self.composites for body in one.bodies(self.planar))
        return (*bodies_with_defaults(self), *brought, *(rotor.body for rotor in self.rotors))

    @cached_property
    def all_pairs(self) -> tuple[Pair | Coupling, ...]:
        """The pairs of the description, followed by the gearboxes of actuators."""
        return (*self.pairs, *(rotor.gearbox for rotor in self.rotors))

    @cached_property
    def all_loads(self) -> tuple[Load, ...]:
        """The loads of the description, followed by those of struts and pairs."""
        brought = [load for one in self.composites for load in one.loads(self.planar)]
        listed = [load.in_mechanism(self.planar) for load in self.loads]
        return (*listed, *brought, *(load for pair in self.marker_pairs for load in pair.loads()))

    @property
    def default_guess(self) -> dict[str, Any]:
        """Default guesses for the joints of composite joints, by name of the joint."""
        return {joint: at for one in self.composites for joint, at in one.default_guess(self.planar).items()}

    @cached_property
    def floating(self) -> tuple[str, ...]:
        """Names of the bodies for which a Free joint is added, since only pairs connect them to the ground."""
        return floating_bodies(self)

    @cached_property
    def marker_pairs(self) -> tuple[Pair, ...]:
        """The pairs that constrain two markers."""
        return tuple(pair for pair in self.all_pairs if isinstance(pair, Pair))

    @cached_property
    def couplings(self) -> tuple[Coupling, ...]:
        """The pairs that constrain coordinates of joints: gears, belts, relations."""
        return tuple(pair for pair in self.all_pairs if isinstance(pair, Coupling))

    @cached_property
    def tied_joints(self) -> dict[str, tuple[str, ...]]:
        """For each coupling, by name, the names of the joints whose coordinates it constrains; these joints stay in the
        spanning tree."""
        return {coupling.name: coupling.joints_in(self) for coupling in self.couplings}

    @cached_property
    def connections(self) -> tuple[Connection, ...]:
        """All connections of two bodies: joints, followed by pairs between markers."""
        return (*self.binary_joints, *self.marker_pairs)

    @cached_property
    def bodies_by_name(self) -> dict[str, Body]:
        """All bodies by name."""
        return {body.name: body for body in self.all_bodies}

    @cached_property
    def joints_by_name(self) -> dict[str, Joint]:
        """All joints between two bodies, by name."""
        return {joint.name: joint for joint in self.binary_joints}

    def body(self, name: str) -> Body:
        """The body with this name; raises a ModelError if there is none."""
        return self._named(name, "body", self.bodies_by_name)

    def joint(self, name: str) -> Joint:
        """The joint with this name; the revolute joints of a Pin are named "pin/body"."""
        return self._named(name, "joint", self.joints_by_name)

    @cached_property
    def _connections_by_name(self) -> dict[str, Connection]:
        return {connection.name: connection for connection in self.connections}

    def connection(self, name: str) -> Connection:
        """The joint or pair with this name."""
        return self._named(name, "joint or pair", self._connections_by_name)

    def marker(self, reference: str) -> Marker:
        """The marker that a reference "body.marker" names."""
        body, _, name = reference.partition(".")
        return self.body(body).marker(name)

    def _named(self, name: str, kind: str, known: Mapping[str, Named]) -> Named:
        if name not in known:
            fault = Fault("T02", f"{kind} '{name}'", "does not exist.", suggestion(name, known))
            raise ModelError(f"mechanism '{self.name}'", [fault])
        return known[name]

    @property
    def moving(self) -> tuple[Body, ...]:
        """All bodies but the ground."""
        return tuple(body for body in self.all_bodies if body.name != GROUND)

    # parameters ---------------------------------------------------------------------------------------

    @cached_property
    def parameters(self) -> dict[str, float]:
        """Names and values of all parameters, sorted by name."""
        return {parameter.name: parameter.value for parameter in parameters_in(self)}

    def with_parameters(self, values: Mapping[str, float] | None = None, /, **named: float) -> Mechanism:
        """The mechanism with other values of its parameters."""
        return substitute_parameters(self, {**(values or {}), **named})

    # numbers by path ----------------------------------------------------------------------------------

    @implemented_in("multiloop.model.numbers", "list_numbers")
    def numbers(self) -> NumberTable:
        """All numbers of the description, a mapping from path to number that prints as a table.

        A path consists of the name of a part, the names of fields, and of components: "crank.mass", "coupler.com.x",
        "ground.D.x" for the marker D, "return.stiffness", "coupler.section.height", "A.profile.speed" for the drive of
        joint A, "gravity.y". Every number has a `value` and a `unit`, and a `refusal` that states why it cannot become
        a parameter, empty if it can.
        """
        raise NotImplementedError

    @implemented_in("multiloop.model.numbers", "parametrise")
    def parametrise(self, paths: Mapping[str, str] | Iterable[str]) -> Mechanism:
        """The mechanism with parameters in the place of numbers: `mechanism.parametrise(["crank.mass", "ground.D.x"])`.

        The nominal values of the parameters are the numbers, their names the paths; a mapping from paths to names gives
        other names, `{"crank.mass": "m1"}`. Numbers of equal value may have one name. Raises a ModelError for unknown
        paths, and for numbers that cannot become parameters: counts, and expressions of parameters, time or state.
        """
        raise NotImplementedError

    @implemented_in("multiloop.model.numbers", "with_numbers")
    def with_numbers(self, values: Mapping[str, float]) -> Mechanism:
        """The mechanism described with other numbers, by path: `mechanism.with_numbers({"crank.mass": 1.2})`.

        The result is checked. Raises a ModelError for unknown paths and invalid values, and for numbers that are
        expressions of parameters, time or state.
        """
        raise NotImplementedError

    # modified mechanisms ------------------------------------------------------------------------------

    def replace(self, **changes: Any) -> Mechanism:
        """The mechanism with some of its fields replaced; the result is checked."""
        return replace(self, **changes)

    def without_drives(self) -> Mechanism:
        """The mechanism without prescribed motions; default modes of flexible bodies remain those chosen with them."""
        return replace(self, bodies=bodies_with_defaults(self), drives=())

    def with_body(self, body: Body) -> Mechanism:
        """The mechanism with `body` in place of the body with the same name, for example a beam in place of a rod.

        The new body needs the markers of the replaced body.
        """
        names = [one.name for one in self.bodies]
        if body.name not in names:
            raise UnknownNameError(self.name, "body", body.name, suggestion(body.name, names))
        return self.replace(bodies=[body if one.name == body.name else one for one in self.bodies])

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the canonical text of the mechanism, equal for equal descriptions in every process."""
        return fingerprint_of(self)

    @cached_property
    def _identity(self) -> tuple[str, tuple[type, ...]]:
        """The fingerprint of the mechanism and the classes of its objects, since a user-defined class may be redefined
        under the same name."""
        return self.fingerprint, tuple(type(part) for name in LISTS for part in getattr(self, name))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mechanism) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        kinds = Counter(type(joint).__name__ for joint in self.binary_joints)
        joints = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        driven = ", ".join(motion.of for motion in self.drives)
        sentence = (
            f"Mechanism '{self.name}': {'planar' if self.planar else 'spatial'}, "
            f"{count_text(len(self.moving), 'moving body', 'moving bodies')}, "
            f"{count_text(len(self.binary_joints), 'joint')}{f' ({joints})' if joints else ''}"
        )
        sentence += f", {count_text(len(self.pairs), 'pair')}" if self.pairs else ""
        sentence += f", driven at {driven}" if driven else ", not driven"
        sentence += f", under {count_text(len(self.loads), 'load')}" if self.loads else ""
        if self.parameters:
            sentence += f", with {count_text(len(self.parameters), 'parameter')}"
        return sentence + "."

    def __getstate__(self) -> dict[str, Any]:
        """The state for pickling: the fields only, without cached properties."""
        return {entry.name: getattr(self, entry.name) for entry in fields(self)}


def _as_tuple(value: Any) -> Any:
    """Convert an ordered collection to a tuple; other values are unchanged, since the checks report them."""
    return tuple(value) if isinstance(value, list | tuple | Iterator | ValuesView) else value


RIGID_FIELDS = ("name", "mass", "com", "inertia", "inertia_at", "markers", "outline")
"""Names of the fields of a rigid body."""


def with_rigid_bodies(mechanism: Mechanism, names: Collection[str] | None = None) -> Mechanism:
    """The mechanism with flexible bodies replaced by rigid bodies of the same mass properties and markers.

    `names` selects the bodies; by default all are replaced.
    """
    stiff = {body.name for body in mechanism.bodies if body.elastic and (names is None or body.name in names)}
    if not stiff:
        return mechanism
    return mechanism.replace(
        bodies=[_rigid(body) if body.name in stiff else body for body in mechanism.bodies]
    )


def _rigid(body: Body) -> Body:
    return Body(**{name: getattr(body, name) for name in RIGID_FIELDS})


def joint_markers(mechanism: Mechanism, body: str) -> list[str]:
    """Names of the markers of a body at which joints or pairs with constraints act."""
    holding = [joint for joint in mechanism.connections if joint.rows(mechanism.planar)]
    found = [end for joint in holding for end in (joint.first, joint.second) if body_of(end) == body]
    return list(dict.fromkeys(end.partition(".")[2] for end in found))
