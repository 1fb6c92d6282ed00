"""Energy balance of a run: work supplied and taken, losses, stored energy, efficiency, and the drift of total energy.

    input = output + losses + stored

Efficiency is the useful work divided by the input.

Theory: docs/theory/07-time-integration.md, eq. (7.11).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.analyses.results.averages import integrate, is_increasing
from multiloop.analyses.results.energies import item_energies, item_powers, work_round_off
from multiloop.dynamics.outputs import LOST, SUPPLIED
from multiloop.model import Fault, ResultWarning, SolveError, short_repr, status_text, suggestion

if TYPE_CHECKING:
    from multiloop.analyses.results.result import Result

REST_ENERGY = 1e-7
"""Fraction of the largest potential energy that replaces the peak kinetic energy as the reference of the energy drift
if the peak kinetic energy is smaller, as for a mechanism at rest."""


def energy_drift(result: Result) -> float:
    """Largest change of kinetic plus potential energy minus work over a run, relative to the peak kinetic energy.

    The reference is at least `REST_ENERGY` times the largest potential energy.
    """
    if result.work is None:
        what = "the work was not integrated."
        raise analysis_error(result.mechanism, "R04", "energy_drift", what, "Use a Result of `simulate`.")
    balance = result.kinetic_energy + result.potential_energy - result.work
    stored = REST_ENERGY * float(np.abs(result.potential_energy).max(initial=0.0))
    peak = max(float(result.kinetic_energy.max(initial=0.0)), stored) or 1.0
    return float(np.abs(balance - balance[0]).max() / peak)


NOTHING = 1e-9
"""Fraction of the exchanged energy, the sum of ∫ |P| dt over the powers P of all items, below which work counts as
round-off."""

BALANCE_TOLERANCE = 1e-6
"""Largest error of the energy balance, as a fraction of the exchanged energy, for which the balance counts as
satisfied."""

CYCLE = 1e-3
"""Largest change of the stored energy over a run, as a fraction of the supplied work, for which an efficiency is
reported."""


@dataclass(frozen=True, repr=False)
class EnergyBalance:
    """The work of all items over a run, in J, by name: input = output + losses + stored.

    supplied    items that supplied net work: drives, actuators, forces and torques, time-dependent relations
    taken       items that took net work from the mechanism: a tool, a brake, a driven generator
    lost        heat, by item: friction, dampers, bushings, buffers, damped flexible links, impacts
    stored      increase of kinetic and potential energy, including the potential energy of springs
    missed      error of the balance: input − output − losses − stored
    duration    duration of the run, in s
    useful      the items whose work is the purpose of the machine, as declared
    status      "ok", or a warning if the error of the balance exceeds its tolerance

    An effort, a force or a torque is one item, and counts by its net work over the run: a motor that alternately drives
    and brakes is input if it drives more.
    """

    mechanism: str
    supplied: Mapping[str, float]
    taken: Mapping[str, float]
    lost: Mapping[str, float]
    stored: float
    missed: float
    duration: float
    # `throughput`: exchanged energy, the sum of ∫ |power| dt of all items, plus the energy lost in impacts and the
    # range of the kinetic energy
    throughput: float = field(default=0.0)
    # `round_off`: round-off of work, which is the round-off of the forces times the characteristic length
    round_off: float = field(default=0.0)
    useful: tuple[str, ...] = ()

    @property
    def input(self) -> float:
        """Total work supplied, in J."""
        return sum(self.supplied.values())

    @property
    def output(self) -> float:
        """Total work taken from the mechanism, in J."""
        return sum(self.taken.values())

    @property
    def losses(self) -> float:
        """Total energy converted into heat, in J."""
        return sum(self.lost.values())

    @property
    def input_power(self) -> float:
        """Mean input power, in W."""
        return self.input / self.duration if self.duration else 0.0

    @property
    def output_power(self) -> float:
        """Mean output power, in W."""
        return self.output / self.duration if self.duration else 0.0

    @property
    def loss_power(self) -> float:
        """Mean power of the losses, in W."""
        return self.losses / self.duration if self.duration else 0.0

    @property
    def useful_work(self) -> float:
        """Work taken by the items declared useful, less the work that these items supplied, in J."""
        return sum(self.taken.get(name, 0.0) - self.supplied.get(name, 0.0) for name in self.useful)

    @property
    def _error_text(self) -> str:
        """Text with the error of the balance; empty if the error is within its tolerance.

        The tolerance is a millionth of the exchanged energy (the sum of ∫ |P| dt over the powers P of all items), or
        the round-off of work if this is larger.
        """
        if abs(self.missed) <= max(BALANCE_TOLERANCE * self.throughput, self.round_off):
            return ""
        if self.throughput:
            compared = f"{abs(self.missed) / self.throughput:.1g} of the exchanged energy"
        else:
            compared = "although all powers are zero at the recorded instants"
        return f"the energy balance has an error of {abs(self.missed):.3g} J, {compared}"

    @property
    def warnings(self) -> tuple[ResultWarning, ...]:
        """The warning that the balance has an error, with the missing energy; empty if the error is small."""
        if not self._error_text:
            return ()
        text = f"{self._error_text}: record more instants, or simulate with a smaller rtol"
        return (ResultWarning("W47", self.mechanism, text, abs(self.missed), "J"),)

    @property
    def status(self) -> str:
        """ "ok", or the text of the warning that the balance has an error."""
        return status_text(self.warnings)

    @property
    def efficiency(self) -> float:
        """Efficiency η = useful work / input, over a cycle at whose end the stored energy equals that at its beginning.

        An error is raised if the efficiency is undefined: no item is declared useful, no work is supplied, the useful
        items take no work, energy remains stored, or the energy balance is not satisfied.
        """
        for what, remedy in self._hindrances():
            where = f"mechanism '{self.mechanism}'"
            raise SolveError(where, [Fault("R07", "efficiency", what, remedy)])
        return self.useful_work / self.input

    def _hindrances(self) -> Iterator[tuple[str, str]]:
        """Reasons why the efficiency is undefined, with remedies."""
        if not self.useful:
            remedy = (
                "Declare the load that receives the useful work with useful=True, or name it in "
                "`energy_balance`."
            )
            yield "no load is declared useful.", remedy
        elif not self.supplied:
            yield "no work is supplied over the time span.", "Drive the mechanism and evaluate a whole cycle."
        elif self.useful_work <= max(NOTHING * self.throughput, self.round_off):
            named = " and ".join(f"'{name}'" for name in self.useful)
            what = f"{named} receives no net work, {self.useful_work + 0.0:.4g} J."
            yield what, "Declare the load that receives the useful work, and evaluate a whole cycle."
        elif abs(self.stored) > CYCLE * self.input:
            what = f"{self.stored:.4g} J of {self.input:.4g} J remain stored in the machine at the end."
            yield what, "Evaluate a whole cycle, e.g. `inverse` with cycle=."
        elif self._error_text:
            yield f"{self._error_text}.", "Record more instants."

    def __repr__(self) -> str:
        least = max(NOTHING * self.throughput, self.round_off)
        parts = [f"{self.input:.6g} J in", _item_text("out", self.taken), _item_text("lost", self.lost)]
        parts.append(f"{self.stored if abs(self.stored) > least else 0.0:.6g} J stored")
        told = not any(True for _ in self._hindrances())
        said = f"; efficiency {100 * self.efficiency:.4g} %" if told else ""
        doubt = "" if self.status == "ok" else f" Status: {self.status}."
        return f"Energy of '{self.mechanism}' over {self.duration:g} s: {', '.join(parts)}{said}.{doubt}"


def _item_text(word: str, items: Mapping[str, float]) -> str:
    """Text with the total of the items in J, followed by `word`, and the names and energies of the four largest."""
    largest = sorted(items.items(), key=lambda item: -item[1])
    each = ", ".join([f"{name} {work:.6g}" for name, work in largest[:4]] + ["…"] * (len(items) > 4))
    return f"{sum(items.values()):.6g} J {word}" + (f" ({each})" if len(items) > 1 else "")


def energy_balance(
    result: Result, *, lost: Sequence[str] = (), useful: Sequence[str] | None = None
) -> EnergyBalance:
    """Energy balance of a result: work supplied to the mechanism, work taken from it, and losses over the run.

    `lost` names forces or torques that count as losses, such as air drag. `useful` names the loads and joints whose
    work is the purpose of the machine, from which the efficiency is computed; by default they are the loads described
    with useful=True.
    """
    if not is_increasing(result.time):
        raise analysis_error(
            result.mechanism,
            "R07",
            "energy_balance",
            "the instants are not increasing.",
            "Give the times in increasing order.",
        )
    powers, as_lost = item_powers(result), _names(lost)
    energies = item_energies(result, powers)
    for name in as_lost:
        if (SUPPLIED, name) not in powers or name not in result.loads:
            takes = [load for load in result.loads if (SUPPLIED, load) in powers]
            what = f"is {short_repr(name)}, which is not a load that takes or supplies work."
            raise analysis_error(result.mechanism, "R07", "lost", what, suggestion(str(name), takes))
    declared = _useful(result, useful, as_lost)
    throughput = sum(_work(result, np.abs(power)) for power in powers.values())
    struck = _impact_losses(result)
    throughput += sum(struck.values()) + float(np.ptp(result.kinetic_energy))
    work: dict[str, float] = defaultdict(float)
    heat: dict[str, float] = defaultdict(float)
    for (kind, name), energy in energies.items():
        if kind == LOST or name in as_lost:
            heat[name] += energy if kind == LOST else -energy
        else:
            work[name] += energy
    for name, energy in (each for impact in result.impacts for each in impact.work.items()):
        work[name] += energy
    for name, energy in struck.items():
        heat[name] += energy
    whole = result.kinetic_energy + result.potential_energy
    stored, round_off = float(whole[-1] - whole[0]), work_round_off(result)
    least = max(NOTHING * throughput, round_off)
    return EnergyBalance(
        mechanism=result.mechanism.name,
        supplied={name: done for name, done in work.items() if done > least},
        taken={name: -done for name, done in work.items() if done < -least},
        lost={name: made for name, made in heat.items() if abs(made) > least},
        stored=stored,
        missed=sum(work.values()) - sum(heat.values()) - stored,
        duration=float(result.time[-1] - result.time[0]),
        throughput=throughput,
        round_off=round_off,
        useful=declared,
    )


def _names(given: Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _useful(result: Result, useful: Sequence[str] | None, lost: Sequence[str]) -> tuple[str, ...]:
    """Names of the items declared useful: those in the argument `useful`, or, if it is None, the loads described with
    useful=True that are not named in `lost`.

    An error is raised for names in `useful` that are unknown or are also named in `lost`.
    """
    if useful is None:
        described = result.mechanism.all_loads
        return tuple(one.name for one in described if getattr(one, "useful", False) and one.name not in lost)
    known = [*result.loads, *result.joints, *result.couplings]
    for name in _names(useful):
        if name not in known:
            what = f"is {short_repr(name)}, which is not a load, joint or coupling."
            raise analysis_error(result.mechanism, "R07", "useful", what, suggestion(str(name), known))
        if name in lost:
            what = f"is {short_repr(name)}, which is also named in `lost`."
            raise analysis_error(
                result.mechanism, "R07", "useful", what, "Name it in `useful` or `lost` only."
            )
    return tuple(dict.fromkeys(_names(useful)))


def _impact_losses(result: Result) -> dict[str, float]:
    """Energy lost in impacts (J), by the name of the load that caused the impact.

    The energies of impacts with several loads are added under the name "impacts".
    """
    found: dict[str, float] = {}
    for impact in result.impacts:
        name = next(iter(impact.impulses)) if len(impact.impulses) == 1 else "impacts"
        found[name] = found.get(name, 0.0) + impact.loss
    return found


def _work(result: Result, power: np.ndarray) -> float:
    """∫ power dt over the run, in J; the power may be discontinuous at impacts, since the rates are."""
    return integrate(result.time, power, [impact.time for impact in result.impacts])
