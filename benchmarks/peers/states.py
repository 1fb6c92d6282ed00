"""Random closed states of a mechanism, moving and under efforts, by the names of its joints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from benchmarks.peers.cases import Case
from benchmarks.peers.opened import Opened
from multiloop.kinematics.assembly.assembly_mode_search import find_assembly_modes
from multiloop.kinematics.assembly.newton import close_loops
from multiloop.kinematics.conditioning.consistent_rates import linearise_rows
from multiloop.kinematics.joint_coordinates import joint_coordinates, joint_motion

MANY, FEW = 64, 8
"""Number of states of a mechanism, and of one with more than LARGE bodies, whose data alone fill the processor
caches."""

LARGE = 150

Values = Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Moment:
    """Positions, rates and efforts of joints at one instant; every loop is closed."""

    positions: Values
    rates: Values
    efforts: Values

    def at_rest(self) -> Moment:
        """The same position, standing still."""
        return Moment(self.positions, {name: 0.0 * rate for name, rate in self.rates.items()}, self.efforts)


def random_states(case: Case, opened: Opened, loaded: Sequence[str], seed: int = 1) -> list[Moment]:
    """The given number of states; efforts of about a link's weight times its size act along `loaded`."""
    rng = np.random.default_rng(seed)
    moving, length = opened.mechanism.moving, opened.equations.skeleton.characteristic_length
    size = 9.81 * length * float(np.median([float(body.mass) for body in moving]))
    draw = case.known or partial(_around, case, opened, _middle(opened))
    return [
        Moment(*draw(rng), {name: size * rng.normal(size=1) for name in loaded})
        for _ in range(FEW if len(moving) > LARGE else MANY)
    ]


def _around(
    case: Case, opened: Opened, middle: np.ndarray, rng: np.random.Generator
) -> tuple[Values, Values]:
    """From the middle along its degrees of freedom by `spread`, projected onto the loops, with consistent rates."""
    equations, s, p = opened.equations, np.zeros(0), opened.equations.skeleton.parameter_values
    ways = linearise_rows(equations, middle, s, p).null_space()
    step = ways @ rng.normal(size=ways.shape[1])
    step *= case.spread * rng.uniform(0.2, 1.0) / np.abs(step).max()
    closed = close_loops(equations, equations.chart.apply_step(middle, step), s, p)
    if closed.gap > 1e-12:
        raise ValueError(f"'{case.name}' stays open by {closed.gap:.1e}: its spread is too large")
    ways = linearise_rows(equations, closed.q, s, p).null_space()
    v = ways @ rng.normal(size=ways.shape[1])
    v *= case.speed * rng.uniform(0.5, 3.0) / np.abs(v).max()
    rates, _ = joint_motion(equations, closed.q, v, np.zeros_like(v), p)
    return joint_coordinates(equations, closed.q, p, None), rates


def _middle(opened: Opened) -> np.ndarray:
    """The guess, closed; searched for when it does not name every joint of the tree."""
    equations, guess = opened.equations, dict(opened.mechanism.guess)
    if all(link.joint.name in guess for link in opened.links):
        q = np.concatenate([np.atleast_1d(guess[link.joint.name]) for link in opened.links]).astype(float)
        return close_loops(equations, q, np.zeros(0), equations.skeleton.parameter_values).q
    return find_assembly_modes(opened.mechanism)[0].coordinates_on(equations)
