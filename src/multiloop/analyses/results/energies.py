"""Power and energy that every drive, load, coupling and flexible link supplies or dissipates over a result.

A simulation integrates the power of every item along with the equations of motion. Along a prescribed motion the powers
are known functions of time. They are integrated by Simpson's rule over the instants of the result if every second
instant gives the same energies; otherwise by Gauss–Kronrod quadrature over panels of time that are bisected until the
Gauss rule and the Kronrod rule agree. All panels are evaluated in one call, because a prescribed motion is always
computed from its beginning; SciPy's adaptive quadrature calls the integrand once per point or panel.

Source: [quadpack].
Theory: docs/theory/07-time-integration.md, eq. (7.11).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol
from weakref import WeakKeyDictionary

import numpy as np

from multiloop.analyses.results.averages import integrate, is_increasing
from multiloop.analyses.results.extremes import force_scales
from multiloop.dynamics.outputs import LOST, SUPPLIED, EnergyItem
from multiloop.kinematics.tree import CLOSURE_TOLERANCE
from multiloop.model import MultiloopError

if TYPE_CHECKING:
    from multiloop.analyses.results.result import Result


QUADRATURE_TOLERANCE = 1e-7
"""Largest difference between the energies of two quadrature rules, as a fraction of the exchanged energy, the sum of ∫
|P| dt over the powers P of all items, at which the rules count as agreeing."""

ROUNDS = 24
"""Number of rounds of adaptive bisection, after which all remaining panels are accepted."""

PANEL = 24
"""Number of instants of the result in each panel before any bisection."""

NOISE_RATIO = 0.8
"""Smallest ratio of the total differences between the rules after and before a bisection at which the differences count
as noise of the powers: those of a smooth power fall by orders of magnitude, those at an unknown jump by a half."""

LARGEST_NOISE = 1e-3
"""Largest total difference, as a fraction of the exchanged energy, that may be noise; larger ones are due to motions
that the panels do not resolve yet."""

NOISY_ROUNDS = 2
"""Number of consecutive rounds with differences due to noise, after which all remaining panels are accepted."""

MOST = 200_000
"""Number of evaluated quadrature nodes above which no panel is bisected any more."""

NODES = np.array(
    [
        0.991455371120812639206854697526329,
        0.949107912342758524526189684047851,
        0.864864423359769072789712788640926,
        0.741531185599394439863864773280788,
        0.586087235467691130294144691693680,
        0.405845151377397166906606412076961,
        0.207784955007898467600689403773245,
        0.0,
    ]
)
KRONROD = np.array(
    [
        0.022935322010529224963732008058970,
        0.063092092629978553290700663189204,
        0.104790010322250183839876322541518,
        0.140653259715525918745189590510238,
        0.169004726639267902826583426598550,
        0.190350578064785409913256402421014,
        0.204432940075298892414161999234649,
        0.209482141084727828012999174891714,
    ]
)
GAUSS = np.array(
    [
        0.0,
        0.129484966168869693270611432679082,
        0.0,
        0.279705391489276667901467771423780,
        0.0,
        0.381830050505118944950369775488975,
        0.0,
        0.417959183673469387755102040816327,
    ]
)
"""`NODES` are the non-negative nodes of the 15-point Kronrod rule on the interval −1 to 1, `KRONROD` its weights, and
`GAUSS` the weights of the 7-point Gauss rule, zero at the nodes that this rule does not use.

Source: [quadpack], table for qk15."""

X = np.concatenate([-NODES, NODES[-2::-1]])
FINE = np.concatenate([KRONROD, KRONROD[-2::-1]])
COARSE = np.concatenate([GAUSS, GAUSS[-2::-1]])


class KnownMotion(Protocol):
    """A prescribed motion that can be evaluated at any times, not only at the instants of a Result."""

    def __call__(self, times: np.ndarray) -> Result:
        """The Result of the motion at `times`, which must be increasing."""

    def corners(self, begin: float, until: float) -> list[float]:
        """Times between `begin` and `until` at which the motion is not smooth."""


def item_powers(result: Result) -> dict[EnergyItem, np.ndarray]:
    """Power of every energy item at the instants of a result, in W.

    The items are the efforts of joints, loads (without their dissipation), time-dependent relations, and the heat of
    every load and flexible link. Items whose power is always zero are omitted.
    """
    return dict(_item_powers(result))


def _item_powers(result: Result) -> Iterator[tuple[EnergyItem, np.ndarray]]:
    for name, joint in result.joints.items():
        if joint.effort.any():
            yield (SUPPLIED, name), joint.power
    for name, load in result.loads.items():
        useful = load.power + load.loss
        if useful.any():
            yield (SUPPLIED, name), useful
    for name, coupling in result.couplings.items():
        if coupling.power.any():
            yield (SUPPLIED, name), coupling.power
    for name, load in result.loads.items():
        if load.loss.any():
            yield (LOST, name), load.loss
    for name, link in result.links.items():
        if link.loss.any():
            yield (LOST, name), link.loss


_COMPUTED: WeakKeyDictionary[Result, dict[EnergyItem, float]] = WeakKeyDictionary()
"""The energies of the items of every result for which they have been computed."""


def item_energies(result: Result, powers: Mapping[EnergyItem, np.ndarray]) -> dict[EnergyItem, float]:
    """Energy of every item over the whole result (J), by integration of its power.

    `powers` are those at the instants of the result. The energy lost in impacts is not included. The energies of a
    result are computed once, because the quadrature may evaluate the motion at many further instants.
    """
    if result not in _COMPUTED:
        _COMPUTED[result] = _item_energies(result, powers)
    return dict(_COMPUTED[result])


def _item_energies(result: Result, powers: Mapping[EnergyItem, np.ndarray]) -> dict[EnergyItem, float]:
    if result.item_energies:  # computed before the result was written to a file
        return dict(result.item_energies)
    if result.work is not None:
        return _energies_of_run(result, powers)
    found = _over_instants(result, powers)
    followed = result.followed is not None and len(result.time) > 1 and is_increasing(result.time)
    if followed and not _instants_suffice(result, powers, found):
        # if the motion cannot be computed at some time between the instants, Simpson's rule over the instants is used
        with suppress(MultiloopError):
            return _by_quadrature(result, powers)
    return found


def _over_instants(result: Result, powers: Mapping[EnergyItem, np.ndarray]) -> dict[EnergyItem, float]:
    """Energy of every item (J), the integral of its power over time, by Simpson's rule over the instants of the
    result."""
    jumps = [impact.time for impact in result.impacts]
    return {item: integrate(result.time, power, jumps) for item, power in powers.items()}


def _instants_suffice(
    result: Result, powers: Mapping[EnergyItem, np.ndarray], energies: Mapping[EnergyItem, float]
) -> bool:
    """Whether Simpson's rule over every second instant gives the same `energies` up to the tolerance."""
    if len(result.time) < 9 or len(result.time) % 2 == 0:
        return False
    exchanged = sum(integrate(result.time, np.abs(power)) for power in powers.values())
    apart = [abs(integrate(result.time[::2], powers[item][::2]) - energies[item]) for item in powers]
    return sum(apart) <= QUADRATURE_TOLERANCE * exchanged


def _energies_of_run(result: Result, powers: Mapping[EnergyItem, np.ndarray]) -> dict[EnergyItem, float]:
    """Energy of every item as integrated during the simulation, in J.

    Work that is done when the prescribed speed of a drive jumps is assigned to the drives.
    """
    assert result.work is not None
    found = {item: float(energy[-1] - energy[0]) for item, energy in result.item_work.items()}
    for name, load in result.loads.items():
        if load.heats and (LOST, name) in powers:
            found[LOST, name] = float(load.heat[-1] - load.heat[0])
    gained = sum(sum(impact.work.values()) - impact.loss for impact in result.impacts)
    total = float(result.work[-1] - result.work[0]) - gained
    left = total - sum(energy if kind == SUPPLIED else -energy for (kind, _), energy in found.items())
    if not result.item_work and len(set(powers) - set(found)) == 1:
        (single,) = set(powers) - set(found)
        found[single] = left if single[0] == SUPPLIED else -left
    elif left:
        driven = [item for item in found if item[0] == SUPPLIED and item[1] in _driven(result)]
        place = driven[0] if len(driven) == 1 else (SUPPLIED, JUMPS)
        found[place] = found.get(place, 0.0) + left
    return found


def work_round_off(result: Result) -> float:
    """Round-off of work in J: that of lengths times the largest force."""
    return CLOSURE_TOLERANCE * force_scales(result)["N m"]


JUMPS = "jumps of the drives' speeds"
"""Name of the energy item for work done at jumps of prescribed speeds, used if the mechanism has several drives."""


def _driven(result: Result) -> set[str]:
    return {drive.of for drive in result.mechanism.drives}


def _by_quadrature(result: Result, powers: Mapping[EnergyItem, np.ndarray]) -> dict[EnergyItem, float]:
    """Energy of every item (J), the integral of its power over time, by adaptive Gauss–Kronrod quadrature.

    The time span is divided at the times where the motion is not smooth, then into panels; a panel is bisected while
    the Gauss rule and the Kronrod rule differ on it by more than round-off and noise of the powers.
    """
    assert result.followed is not None
    begin, end = float(result.time[0]), float(result.time[-1])
    ends = np.array([begin, *result.followed.corners(begin, end), end])
    count = np.ceil(np.diff(ends) / (end - begin) * len(result.time) / PANEL).astype(int)
    edges = [np.linspace(a, b, n + 1) for a, b, n in zip(ends, ends[1:], np.maximum(count, 1), strict=False)]
    low = np.concatenate([edge[:-1] for edge in edges])
    high = np.concatenate([edge[1:] for edge in edges])
    found: dict[EnergyItem, float] = dict.fromkeys(powers, 0.0)
    exchanged, asked, left, noisy = 0.0, 0, np.inf, 0
    for last in (*[False] * (ROUNDS - 1), True):
        half = (high - low) / 2
        times = (low + half)[:, None] + half[:, None] * X
        asked += times.size
        values = _powers_at(result, times)
        fine = {item: half * (power @ FINE) for item, power in values.items()}
        apart = sum(np.abs(half * (power @ (FINE - COARSE))) for power in values.values())
        if not exchanged:
            exchanged = sum(float(half @ (np.abs(power) @ FINE)) for power in values.values())
            exchanged = max(exchanged, work_round_off(result) / QUADRATURE_TOLERANCE)
        settled = apart <= QUADRATURE_TOLERANCE * exchanged * np.maximum(2 * half / (end - begin), 1e-3)
        before, left = left, float(np.sum(apart[~settled]))
        noisy = noisy + 1 if NOISE_RATIO * before < left < LARGEST_NOISE * exchanged else 0
        if last or asked > MOST or noisy == NOISY_ROUNDS:
            settled[:] = True
        for item, energy in fine.items():
            found[item] = found.get(item, 0.0) + float(energy[settled].sum())
        if settled.all():
            break
        middle = (low + half)[~settled]
        low, high = low[~settled], high[~settled]
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
        low, high = np.sort(low), np.sort(high)
    return found


def _powers_at(result: Result, times: np.ndarray) -> dict[EnergyItem, np.ndarray]:
    """Powers of all items at `times`, the nodes of the quadrature in all its panels (panels × nodes); every array of
    powers has the same shape."""
    assert result.followed is not None
    flat = times.ravel()
    found = item_powers(result.followed(np.concatenate([result.time[:1], flat])))
    return {item: power[1:].reshape(times.shape) for item, power in found.items()}
