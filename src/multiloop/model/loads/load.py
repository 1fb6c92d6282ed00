"""Base class of loads: the markers and coordinates on which they act, their states, and checks of their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from multiloop.model.deprecation import accept_earlier_names
from multiloop.model.expressions import Expression, Scalar, joints_of
from multiloop.model.faults import Fault, count_text, short_repr
from multiloop.model.markers import scalar, value_of, vector
from multiloop.model.synonyms import SuggestsArguments

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


@dataclass(frozen=True)
class Load(SuggestsArguments):
    """A load on a mechanism: a force element or an applied force.

    A load type defines on which markers or coordinates it acts and which of its numbers may vary with the motion; its
    force law is an Action (`dynamics/actions`). The fields named in `steady` are constants or expressions of
    parameters; the fields named in `varying` may also depend on time, positions, rates and lengths; the fields named in
    `unsigned` must not be negative.
    """

    name: str

    steady: ClassVar[tuple[str, ...]] = ()
    varying: ClassVar[tuple[str, ...]] = ()
    unsigned: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        accept_earlier_names(cls, {"strengths": "reaction_dependent_forces"})

    def __post_init__(self) -> None:
        for entry in (*self.steady, *self.varying):
            value = getattr(self, entry)
            if value is not None:
                several = isinstance(value, list | tuple) or getattr(value, "ndim", 0) > 0
                object.__setattr__(self, entry, vector(value) if several else scalar(value))

    def in_mechanism(self, planar: bool) -> Load:
        """Copy of the load whose number of force components is that of a planar or a spatial mechanism; by default the
        load itself."""
        return self

    @property
    def markers(self) -> tuple[str, ...]:
        """The markers, written "body.marker", at whose origins the load acts."""
        return ()

    @property
    def coordinates(self) -> tuple[tuple[str, str], ...]:
        """The joint coordinates along which the load acts, as pairs (joint, component).

        The component "" is the only coordinate of a joint.
        """
        return ()

    @property
    def span(self) -> tuple[str, str] | None:
        """The two markers whose distance is the value of `length("name")` in expressions, with the name of the load;
        None for a load without a length."""
        return None

    @property
    def needs_distance(self) -> bool:
        """Whether the direction of the force is undefined if the two markers of the load coincide."""
        return self.span is not None

    @property
    def states(self) -> Mapping[str, Scalar]:
        """The state variables of the load by name, with their initial values."""
        return {}

    @property
    def acts_by_states(self) -> bool:
        """Whether the force depends on the states of the load. If not, the states only accumulate quantities such as
        dissipated heat."""
        return True

    @property
    def dissipates(self) -> bool:
        """Whether all power that the load takes out of the mechanism is dissipated as heat."""
        return False

    @property
    def reaction_dependent_forces(self) -> int:
        """Number of forces of the load that depend on joint reactions and are computed together with the reactions."""
        return 0

    @property
    def modes(self) -> tuple[str, ...]:
        """Names of the states that are contact modes: they change only at events and have no rate.

        There is one mode for each of the `reaction_dependent_forces` or, for loads without contact modes, none.
        """
        return ()

    @property
    def shares(self) -> tuple[str, ...]:
        """Names of further states, one for each contact mode: reference values of the forces.

        If the contact forces are statically undetermined, those nearest to the reference values are chosen.
        """
        return tuple(f"share{k}" for k in range(len(self.modes)))

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """Those numbers of the load that are given as expressions."""
        found: list[Any] = []
        for entry in (*self.steady, *self.varying):
            value = getattr(self, entry)
            found += value if isinstance(value, tuple) else [value]
        return tuple(value for value in found if isinstance(value, Expression))

    def unsigned_numbers(self, planar: bool) -> tuple[Scalar, ...]:
        """The numbers of the load that must not be negative."""
        found: list[Any] = []
        for entry in self.unsigned:
            value = getattr(self, entry)
            found += value if isinstance(value, tuple) else [value]
        return tuple(number for number in found if number is not None)

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints on which the load acts or whose coordinates it reads.

        Their coordinates must be coordinates of the spanning tree.
        """
        read = [joint for expression in self.expressions for joint in joints_of(expression)]
        return tuple(dict.fromkeys([*(joint for joint, _ in self.coordinates), *read]))

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        """Errors of the fields of the load; `where` is its name in messages."""
        return iter(())

    def faults_in(self, where: str, mechanism: Mechanism) -> Iterator[Fault]:
        """Errors of the load in its mechanism, such as a joint of an unsuitable type."""
        return iter(())


EXAMPLES = {
    "force": {True: "2 components, e.g. (0, -50)", False: "3 components, e.g. (0, 0, -50)"},
    "torque": {True: "a number, e.g. 5.0", False: "3 components, e.g. (0, 0, 5)"},
}
"""Examples of components for messages, for planar (True) and spatial (False) mechanisms."""


def component_faults(where: str, what: str, value: Any, planar: bool, in_plane: int) -> Iterator[Fault]:
    """Errors in the number of components of a force or torque.

    A planar mechanism requires `in_plane` components, a spatial mechanism three.
    """
    count = len(value) if isinstance(value, tuple) else 1
    if count != (in_plane if planar else 3):
        space = "planar" if planar else "spatial"
        found = f"its {what} has {count_text(count, 'component')} in a {space} mechanism."
        yield Fault("L04", where, found, f"Give {EXAMPLES[what][planar]}.")


FRAMES = ("inertial", "body")
"""Frames in which the components of a force or torque may be given."""


def frame_faults(where: str, frame: str) -> Iterator[Fault]:
    """Error of a field `frame` that is not one of FRAMES."""
    if frame not in FRAMES:
        remedy = 'Write frame="inertial" for components along fixed axes, frame="body" for axes of the body.'
        yield Fault("L03", where, f"its frame is {short_repr(frame)}.", remedy)


def switch_faults(where: str, name: str, value: Any) -> Iterator[Fault]:
    """Error if a value is neither True nor False."""
    if not isinstance(value, bool):
        yield Fault("M12", where, f"{name} is {short_repr(value)}.", f"Write {name}=True, or remove it.")


SIGN_REMEDIES = {
    "stiffness": "Give a value ≥ 0: the force of a spring opposes the displacement.",
    "damping": "Give a value ≥ 0: the force of a damper opposes the velocity.",
    "viscous": "Give a value ≥ 0: friction opposes the velocity.",
    "length": "Give the free length in metres, zero or more.",
}
"""Remedies for negative values of fields of loads."""


def sign_faults(where: str, load: Load, *names: str) -> Iterator[Fault]:
    """Errors of negative values among the fields `names`, by default among all `unsigned` fields."""
    for name in names or load.unsigned:
        value = value_of(getattr(load, name))
        if value is not None and value < 0:
            remedy = SIGN_REMEDIES.get(name, "Give a value ≥ 0.")
            yield Fault("L06", where, f"its {name} is {value:g}.", remedy)
