"""What every load can say of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from multiloop.model.brief import brief
from multiloop.model.expressions import Expression, Scalar, joints_of
from multiloop.model.faults import Fault
from multiloop.model.markers import scalar, vector
from multiloop.model.names import counted

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


@dataclass(frozen=True)
class Load:
    """A force on the mechanism, by name.

    Its kind says what it takes hold of and which of its numbers may change as the mechanism moves; what it does is
    an Action (`dynamics/actions`). Numbers in `steady` fields are constant or of parameters, those in `varying` ones
    may depend on time, positions, rates and lengths too; those in `unsigned` ones are not negative.
    """

    name: str

    steady: ClassVar[tuple[str, ...]] = ()
    varying: ClassVar[tuple[str, ...]] = ()
    unsigned: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        for entry in (*self.steady, *self.varying):
            value = getattr(self, entry)
            if value is not None:
                several = isinstance(value, list | tuple) or getattr(value, "ndim", 0) > 0
                object.__setattr__(self, entry, vector(value) if several else scalar(value))

    def in_mechanism(self, planar: bool) -> Load:
        """The load as it acts in a planar or a spatial mechanism."""
        return self

    @property
    def markers(self) -> tuple[str, ...]:
        """The markers at whose origins it acts, each "body.marker"."""
        return ()

    @property
    def coordinates(self) -> tuple[tuple[str, str], ...]:
        """The coordinates along which it acts, (joint, component); "" is a joint's only one."""
        return ()

    @property
    def span(self) -> tuple[str, str] | None:
        """The two markers whose distance is its length, which expressions read as `length("name")`."""
        return None

    @property
    def needs_distance(self) -> bool:
        """Whether its force has no direction where its two ends meet."""
        return self.span is not None

    @property
    def states(self) -> Mapping[str, Scalar]:
        """States of its own by name, with their values at the start."""
        return {}

    @property
    def acts_by_states(self) -> bool:
        """Whether what it does depends on its own states, which else only count."""
        return True

    @property
    def dissipates(self) -> bool:
        """Whether all the power that it takes becomes heat."""
        return False

    @property
    def strengths(self) -> int:
        """How many numbers of it follow from the reactions of joints, and are found together with them."""
        return 0

    @property
    def modes(self) -> tuple[str, ...]:
        """Which of its states are modes, that switch and do not flow: one for every strength, or none."""
        return ()

    @property
    def shares(self) -> tuple[str, ...]:
        """States that go with the modes: the force of each from which forces are shared that balance leaves open."""
        return tuple(f"share{k}" for k in range(len(self.modes)))

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """The expressions among its numbers."""
        found: list[Any] = []
        for entry in (*self.steady, *self.varying):
            value = getattr(self, entry)
            found += value if isinstance(value, tuple) else [value]
        return tuple(value for value in found if isinstance(value, Expression))

    def unsigned_numbers(self, planar: bool) -> tuple[Scalar, ...]:
        """The numbers that may not be negative."""
        found: list[Any] = []
        for entry in self.unsigned:
            value = getattr(self, entry)
            found += value if isinstance(value, tuple) else [value]
        return tuple(number for number in found if number is not None)

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints that it acts at or reads: their coordinates must be coordinates of the tree."""
        read = [joint for expression in self.expressions for joint in joints_of(expression)]
        return tuple(dict.fromkeys([*(joint for joint, _ in self.coordinates), *read]))

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        """What is wrong with it by itself; `where` is how it is called."""
        return iter(())

    def faults_in(self, where: str, mechanism: Mechanism) -> Iterator[Fault]:
        """What is wrong with it at the joints that it names."""
        return iter(())


EXAMPLES = {
    "force": {True: "2 components, e.g. (0, -50)", False: "3 components, e.g. (0, 0, -50)"},
    "torque": {True: "a number, e.g. 5.0", False: "3 components, e.g. (0, 0, 5)"},
}
"""What belongs there, in the plane and in space."""


def component_faults(where: str, what: str, value: Any, planar: bool, in_plane: int) -> Iterator[Fault]:
    """Faults of a force or torque: so many components in the plane, three in space."""
    count = len(value) if isinstance(value, tuple) else 1
    if count != (in_plane if planar else 3):
        space = "planar" if planar else "spatial"
        found = f"its {what} has {counted(count, 'component')} in a {space} mechanism."
        yield Fault("L04", where, found, f"Give {EXAMPLES[what][planar]}.")


FRAMES = ("inertial", "body")
"""Axes along which components may be given."""


def frame_faults(where: str, frame: str) -> Iterator[Fault]:
    """A frame is one of two."""
    if frame not in FRAMES:
        remedy = 'Write frame="inertial" for components along fixed axes, frame="body" for the body\'s own.'
        yield Fault("L03", where, f"its frame is {brief(frame)}.", remedy)


def switch_faults(where: str, name: str, value: Any) -> Iterator[Fault]:
    """A value that is neither True nor False."""
    if not isinstance(value, bool):
        yield Fault("M12", where, f"{name} is {brief(value)}.", f"Write {name}=True, or leave it out.")
