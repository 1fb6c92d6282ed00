"""Does the guess name something that moves, and give it as many numbers as it takes?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from multiloop.model.bodies import GROUND
from multiloop.model.checks.numbers import counted, number_faults
from multiloop.model.expressions import Expression
from multiloop.model.expressions.text import shown
from multiloop.model.faults import Fault, suggestion

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

QUATERNION = "quaternion"


def guess_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """The guess names joints, bodies or markers and gives each its plain numbers."""
    expected = _expected(mechanism)
    for name, numbers in mechanism.guess:
        where = f"guess '{name}'"
        if name not in expected:
            yield Fault("M11", where, "names nothing.", suggestion(name, expected))
        elif name.partition(".")[0] == GROUND:
            yield Fault("M11", where, "is on the ground, which does not move.", "Leave it out.")
        else:
            faults = list(_number_faults(where, numbers))
            yield from faults or _count_faults(where, numbers, expected[name])


def _number_faults(where: str, numbers: tuple[Any, ...]) -> Iterator[Fault]:
    for place, number in enumerate(numbers, 1):
        what = "it" if len(numbers) == 1 else f"its value {place}"
        if isinstance(number, Expression):
            remedy = "A guess takes plain numbers, no parameters."
            yield Fault("M07", where, f"{what} is {shown(number)}.", remedy)
        else:
            yield from number_faults(where, what, number, "a number")


def _count_faults(where: str, numbers: tuple[Any, ...], names: tuple[str, ...]) -> Iterator[Fault]:
    count = sum(4 if name == QUATERNION else 1 for name in names)
    if not names:
        yield Fault("M11", where, "is for a joint that cannot move.", "Leave it out.")
    elif len(numbers) != count:
        listed = ", ".join(names).replace(QUATERNION, "quaternion (4, scalar first)")
        remedy = f"Give {count}: {listed}."
        yield Fault("M11", where, f"has {counted(len(numbers), 'value')}, expected {count}.", remedy)
    elif names[-1] == QUATERNION and not any(numbers[-4:]):
        yield Fault("M11", where, "its quaternion is zero.", "Give (1, 0, 0, 0) for no turn.")


def _expected(mechanism: Mechanism) -> dict[str, tuple[str, ...]]:
    """What a guess may name, and what numbers it then takes."""
    point = ("x", "y") if mechanism.planar else ("x", "y", "z")
    turn = "angle" if mechanism.planar else QUATERNION
    found: dict[str, tuple[str, ...]] = {}
    for body in mechanism.bodies:
        found[body.name] = (*point, turn)
        found |= {f"{body.name}.{marker}": point for marker in body.marker_names}
    for joint in mechanism.pairs:
        names = joint.components(mechanism.planar)
        if joint.positions(mechanism.planar) != joint.freedoms(mechanism.planar):
            names = (*(name for name in names if not name.startswith("turn_")), QUATERNION)
        found[joint.name] = names
    return found
