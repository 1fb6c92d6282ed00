"""The function `eigenmodes`: natural frequencies, damping ratios and mode shapes about an equilibrium or a steady
motion.

Theory: docs/theory/13-equilibrium-and-vibrations.md, eq. (13.11).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.analyses.equilibrium import given_steady_state
from multiloop.analyses.errors import analysis_error
from multiloop.analyses.linearise import balanced_state_pencil
from multiloop.analyses.results import State
from multiloop.analyses.steady_states import Pencil, SteadyState, displaced_configuration, state_at
from multiloop.kinematics.assembly import StateValues
from multiloop.kinematics.conditioning import rate_rows
from multiloop.kinematics.constraints import Target
from multiloop.model import (
    Mechanism,
    ResultWarning,
    SuggestsAttributes,
    UnknownNameError,
    count_text,
    implausible_numbers,
    implemented_in,
    public_function,
    single_design,
    suggestion,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROUND_OFF = 1e-12
"""Damping ratio below which a mode counts as undamped."""

NON_OSCILLATING = 1e-6
"""Largest imaginary part of a pole, as a fraction of the magnitude of the largest pole, that counts as zero, so that
the motion does not oscillate."""


@dataclass(frozen=True, eq=False)
class Eigenmodes(SuggestsAttributes):
    """Natural modes of oscillation about a steady state, the lowest frequency first.

    `poles` are the eigenvalues λ (1/s) with Im λ > 0, `frequencies` the undamped frequencies |λ| in rad/s, `damping`
    the damping ratios −Re λ / |λ|. `shape(k)` are the amplitudes of the coordinates of all joints in the k-th mode,
    `marker("rod.b", k)` the displacement of a marker; a mode is multiplied by a factor such that its largest amplitude
    is one radian or one characteristic length. Complex numbers contain the phase; real numbers mean that all
    coordinates oscillate in phase. `others` are the poles of non-oscillating motions.
    """

    pencil: Pencil

    @implemented_in("multiloop.view", "draw_mode")
    def draw(
        self, k: int = 0, *, size: float = 0.3, path: str | Path | None = None, axes: Any = None
    ) -> Figure:
        """Draw the k-th mode: the mechanism at one extreme of an exaggerated oscillation, the opposite extreme dashed,
        the steady state dotted.

        `size` is the largest coordinate of the oscillation, in radians or fractions of the mechanism's size. With
        `path` the picture is saved. `axes` are Matplotlib axes to draw in.
        """
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self.poles)

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism that oscillates."""
        return self.pencil.linearised.steady_state.balance.mechanism

    @cached_property
    def state(self) -> State:
        """The steady state about which the mechanism oscillates."""
        return state_at(self.pencil.linearised.steady_state)

    @cached_property
    def _oscillating(self) -> np.ndarray:
        """Indices of the poles in the upper half plane, the lowest frequency first."""
        poles = self.pencil.poles
        least = NON_OSCILLATING * np.abs(poles).max(initial=0.0)
        found = np.flatnonzero(poles.imag > least)
        return np.asarray(found[np.argsort(np.abs(poles[found]), kind="stable")])

    @property
    def poles(self) -> np.ndarray:
        """Poles λ in 1/s, one of each complex pair."""
        return np.asarray(self.pencil.poles[self._oscillating])

    @property
    def others(self) -> np.ndarray:
        """Poles of motions that do not oscillate: they decay, grow, or stay constant."""
        poles = self.pencil.poles
        still: np.ndarray = np.abs(poles.imag) <= NON_OSCILLATING * np.abs(poles).max(initial=0.0)
        return np.asarray(poles[still])

    @property
    def frequencies(self) -> np.ndarray:
        """Undamped natural frequencies |λ| of the poles λ, rad/s."""
        return np.asarray(np.abs(self.poles))

    @property
    def damping(self) -> np.ndarray:
        """Damping ratios −Re λ / |λ| of the poles λ; negative for growing oscillations."""
        found = -self.poles.real / self.frequencies
        return np.asarray(np.where(np.abs(found) < ROUND_OFF, 0.0, found))

    @property
    def periods(self) -> np.ndarray:
        """Periods 2π / |Im λ| of the damped oscillations with the poles λ, s."""
        return np.asarray(2 * np.pi / np.abs(self.poles.imag))

    def way(self, k: int) -> np.ndarray:
        """Complex amplitudes of the coordinates of the spanning tree in the k-th mode, with lengths divided by the
        characteristic length; the largest amplitude is 1."""
        if not isinstance(k, int | np.integer) or not 0 <= k < len(self):
            what, remedy = f"is {k!r}.", f"Give an index from 0 to {len(self) - 1}."
            raise analysis_error(self.mechanism, "E05", "mode", what, remedy)
        st, vector = self.pencil.linearised.steady_state, self.pencil.modes[1][:, self._oscillating[k]]
        zeta = vector[: len(self.pencil.resting)]
        found = st.C_q[:, self.pencil.resting] @ zeta
        found = found / found[np.argmax(np.abs(found))]
        return np.asarray(found.real + 0j if np.abs(found.imag).max() < 1e-9 else found)

    def shape(self, k: int) -> dict[str, complex | np.ndarray]:
        """Amplitudes of the coordinates of all joints in the k-th mode, by name; an array for a joint with several
        coordinates."""
        st = self.pencil.linearised.steady_state
        eq, v = st.balance.equations, st.scale * self.way(k)
        found = {name: v[own.v] for name, own in eq.skeleton.coordinates.items()}
        for cut in eq.cut_joints:
            names = cut.cut.joint.components(eq.skeleton.planar)
            if names and cut.name not in found:
                rows = rate_rows(eq, st.configuration.q, st.configuration.p, [Target(cut.name, names)])
                found[cut.name] = rows @ v
        listed = [joint.name for joint in self.mechanism.joints]
        named = {name: found[name] for name in listed if name in found} | found
        return {name: _real_values(values) for name, values in named.items() if len(values)}

    def marker(self, reference: str, k: int) -> np.ndarray:
        """Displacement amplitude of a marker in the k-th mode: two or three complex components, in metres."""
        st = self.pencil.linearised.steady_state
        body, _, marker = reference.partition(".")
        bodies = {one.name: one for one in self.mechanism.bodies}
        if body not in bodies or not bodies[body].has_marker(marker):
            known = [f"{one.name}.{name}" for one in self.mechanism.bodies for name in one.marker_names]
            raise UnknownNameError(self.mechanism.name, "marker", reference, suggestion(reference, known))
        axes = ("x", "y") if self.mechanism.planar else ("x", "y", "z")
        rows = rate_rows(
            st.balance.equations, st.configuration.q, st.configuration.p, [Target(reference, axes)]
        )
        return np.asarray(rows @ (st.scale * self.way(k)))

    def displaced(self, k: int, size: float = 0.3) -> State:
        """The State displaced from the steady state by `size` times the k-th mode shape, with closed loops."""
        st = self.pencil.linearised.steady_state
        for part in (1.0, 0.5, 0.25, 0.1, 0.02):
            place = displaced_configuration(st.balance, st.configuration, part * size * self.way(k).real)
            if place is not None:
                return state_at(SteadyState(st.balance, place, st.B, st.u, st.independent))
        return self.state

    @property
    def warnings(self) -> tuple[ResultWarning, ...]:
        """Warnings about implausible values in the description of the mechanism."""
        return implausible_numbers(self.mechanism)

    def __repr__(self) -> str:
        shown = ", ".join(f"{w:.6g}" for w in self.frequencies[:6])
        more = ", …" if len(self) > 6 else ""
        frequencies_text = f"{shown}{more} rad/s" if shown else "no oscillatory modes"
        warnings = "".join(f" Warning: {warning}." for warning in self.warnings)
        return f"{count_text(len(self), 'mode')} of '{self.mechanism.name}': {frequencies_text}.{warnings}"


def _real_values(values: np.ndarray) -> complex | np.ndarray:
    values = values.real if not np.iscomplex(values).any() else values
    return values[0] if len(values) == 1 else values


@public_function
def eigenmodes(
    mechanism: Mechanism,
    state: StateValues | None = None,
    *,
    guess: Mapping[str, Any] | None = None,
    rates: Mapping[str, Any] | None = None,
    efforts: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    held: bool = False,
    t: float | None = None,
    cuts: Sequence[str] | None = None,
) -> Eigenmodes:
    """Natural frequencies, damping ratios and mode shapes about an equilibrium or a steady motion.

    The arguments are those of `linearise`: `state`, at which the function is evaluated, is a mapping from joints to
    coordinates, a State or an Equilibrium, by default the equilibrium computed from `guess`.
    """
    mechanism = single_design(mechanism, parameters)
    asked: Any = {"guess": guess, "rates": rates, "t": t, "cuts": cuts}
    return Eigenmodes(balanced_state_pencil(given_steady_state(mechanism, state, efforts, held, (), **asked)))
