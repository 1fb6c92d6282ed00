"""Where does the work of a run go? Who supplies and takes, what is lost to heat, and the efficiency of the whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from multiloop.model.brief import brief
from multiloop.model.faults import Fault, SolveError, suggestion
from multiloop.questions.answers.averages import integral, rises
from multiloop.questions.refusal import refusal

if TYPE_CHECKING:
    from multiloop.questions.answers.result import Result

NOTHING = 1e-9
"""Work below this part of all that passes to and fro is round-off."""

CYCLE = 1e-3
"""Part of the input that may be stored, or missed by the quadrature, where an efficiency is told."""


@dataclass(frozen=True, repr=False)
class EnergyBalance:
    """The work of everything over a run, in J, by name: input = output + losses + stored.

    supplied    who brought work in on the whole: drives, actuators, forces and torques, relations in time
    taken       who took work out on the whole: a tool, a brake, a driven generator
    lost        what became heat, by item: friction, dampers, bushings, buffers, damped links that bend, impacts
    stored      the rise of kinetic and potential energy, that of springs included
    missed      what the quadrature over the instants leaves of the balance
    duration    how long the run lasts, in s

    An effort, a force or a torque is one item, and counts by its net work over the run: a motor that drives and brakes
    by turns is input if it drove more.
    """

    mechanism: str
    supplied: Mapping[str, float]
    taken: Mapping[str, float]
    lost: Mapping[str, float]
    stored: float
    missed: float
    duration: float
    throughput: float = field(
        default=0.0
    )  # ∫ |P| dt of all together, impacts, and what the machine itself swings by

    @property
    def input(self) -> float:
        """All that was supplied."""
        return sum(self.supplied.values())

    @property
    def output(self) -> float:
        """All that was taken."""
        return sum(self.taken.values())

    @property
    def losses(self) -> float:
        """All that became heat."""
        return sum(self.lost.values())

    @property
    def input_power(self) -> float:
        """The input on average over time, in W."""
        return self.input / self.duration if self.duration else 0.0

    @property
    def output_power(self) -> float:
        """The output on average over time, in W."""
        return self.output / self.duration if self.duration else 0.0

    @property
    def loss_power(self) -> float:
        """The losses on average over time, in W."""
        return self.losses / self.duration if self.duration else 0.0

    @property
    def efficiency(self) -> float:
        """η = output / input over a cycle, at whose end the machine has the energy with which it began.

        Refused where it means nothing: nobody supplies, nobody takes, energy stays in the machine, or the instants are
        too few for the balance to close.
        """
        for what, remedy in self._hindrances():
            where = f"mechanism '{self.mechanism}'"
            raise SolveError(where, [Fault("R07", "efficiency", what, remedy)])
        return self.output / self.input

    def _hindrances(self) -> Iterator[tuple[str, str]]:
        """Why there is no efficiency, and what to do."""
        if not self.supplied:
            yield "nothing supplies work over the run.", "Drive the mechanism, over a whole cycle."
        elif not self.taken:
            remedy = "Let a Force, a Torque or an effort stand for what the machine works on."
            yield "nothing takes work: all that comes in is lost or stored.", remedy
        elif abs(self.stored) > CYCLE * self.input:
            what = f"{self.stored:.4g} J of {self.input:.4g} J stay in the machine at the end."
            yield what, "Ask over a cycle, e.g. `inverse` with cycle=."
        elif abs(self.missed) > CYCLE * self.input:
            what = f"the work over these instants misses {abs(self.missed):.4g} J of {self.input:.4g} J."
            yield what, "Ask for more instants."

    def __repr__(self) -> str:
        least = max(NOTHING * self.throughput, 0.0)
        parts = [f"{self.input:.6g} J in", _told("out", self.taken), _told("lost", self.lost)]
        parts.append(f"{self.stored if abs(self.stored) > least else 0.0:.6g} J stored")
        if abs(self.missed) > CYCLE * self.throughput:
            parts.append(f"{abs(self.missed):.3g} J missed by too few instants")
        told = not any(True for _ in self._hindrances())
        said = f"; efficiency {100 * self.efficiency:.4g} %" if told else ""
        return f"Energy of '{self.mechanism}' over {self.duration:g} s: {', '.join(parts)}{said}."


def _told(word: str, items: Mapping[str, float]) -> str:
    """How much in all, and the largest items."""
    largest = sorted(items.items(), key=lambda item: -item[1])
    each = ", ".join([f"{name} {work:.6g}" for name, work in largest[:4]] + ["…"] * (len(items) > 4))
    return f"{sum(items.values()):.6g} J {word}" + (f" ({each})" if len(items) > 1 else "")


def energy_balance(result: Result, *, lost: Sequence[str] = ()) -> EnergyBalance:
    """Who supplied, who took and what was lost over the run of a result.

    `lost` names loads that count as losses though they are forces or torques: the drag of the air.
    """
    if not rises(result.time):
        raise refusal(
            result.mechanism, "R07", "energy_balance", "the instants do not rise.", "Ask in rising order."
        )
    powers, losses = _powers(result), dict(_losses(result))
    for name in [lost] if isinstance(lost, str) else lost:
        if name not in powers or name not in result.loads:
            takes = [load for load in result.loads if load in powers]
            what = f"is {brief(name)}, which is no load that takes or supplies."
            raise refusal(result.mechanism, "R07", "lost", what, suggestion(str(name), takes))
        losses[name] = losses.get(name, 0.0) - powers.pop(name)
    struck, passed = _struck(result), [*powers.values(), *losses.values()]
    throughput = sum(_work(result, np.abs(power)) for power in passed)
    throughput += sum(struck.values()) + float(np.ptp(result.kinetic_energy))
    work = Counter({name: _work(result, power) for name, power in powers.items()})
    for impact in result.impacts:
        work.update(impact.work)
    heat = Counter({name: _heat(result, name, power) for name, power in losses.items()})
    heat.update(struck)
    energy = result.kinetic_energy + result.potential_energy
    stored, least = float(energy[-1] - energy[0]), NOTHING * throughput
    return EnergyBalance(
        mechanism=result.mechanism.name,
        supplied={name: done for name, done in work.items() if done > least},
        taken={name: -done for name, done in work.items() if done < -least},
        lost={name: made for name, made in heat.items() if abs(made) > least},
        stored=stored,
        missed=sum(work.values()) - sum(heat.values()) - stored,
        duration=float(result.time[-1] - result.time[0]),
        throughput=throughput,
    )


def lost_power(result: Result) -> np.ndarray:
    """Power that becomes heat at every instant, all of it together."""
    total: np.ndarray = np.zeros(len(result.time)) + sum(power for _, power in _losses(result))
    return total


def _powers(result: Result) -> dict[str, np.ndarray]:
    """What everything supplies that is no loss: efforts, loads less what they lose, relations in time."""
    found = {name: joint.power for name, joint in result.joints.items() if joint.effort.any()}
    for name, load in result.loads.items():
        useful = load.power + load.loss
        if useful.any():
            found[name] = useful
    return found | {name: one.power for name, one in result.couplings.items() if one.power.any()}


def _losses(result: Result) -> Iterator[tuple[str, np.ndarray]]:
    """What becomes heat, by item."""
    for name, load in result.loads.items():
        if load.loss.any():
            yield name, load.loss
    for name, link in result.links.items():
        if link.loss.any():
            yield name, link.loss


def _struck(result: Result) -> dict[str, float]:
    """What impacts took, by the load that was struck, or together where several were at once."""
    found: dict[str, float] = {}
    for impact in result.impacts:
        name = next(iter(impact.impulses)) if len(impact.impulses) == 1 else "impacts"
        found[name] = found.get(name, 0.0) + impact.loss
    return found


def _work(result: Result, power: np.ndarray) -> float:
    """∫ power dt; rates jump where something strikes."""
    return integral(result.time, power, [impact.time for impact in result.impacts])


def _heat(result: Result, name: str, power: np.ndarray) -> float:
    """Of friction what was integrated with the run, else ∫ power dt."""
    load = result.loads.get(name)
    if load is not None and load.heats and np.array_equal(power, load.loss):
        return float(load.heat[-1] - load.heat[0])
    return _work(result, power)
