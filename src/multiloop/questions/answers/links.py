"""Time history of a flexible link: elastic coordinates and damping loss; base class for beams and solids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Never, Self

import numpy as np

from multiloop.model import SolveError
from multiloop.model.names import counted
from multiloop.questions.answers.link_peaks import Peak
from multiloop.questions.answers.link_places import without_line
from multiloop.questions.answers.link_truncation import Truncation

FAR = 0.1
"""Part of its length beyond which the second-order modes of a deflected link are inaccurate."""

FROM = {"a": "its tangent at 'a'", "chord": "its chord", "free": "its mean axes"}
"""Reference of the deflections, by the frame of the link."""

READINGS = (
    *("deflection", "slope", "rotation", "position"),
    *("axial", "shear", "moment", "torque", "bending", "stress"),
)
"""Quantities of a link with a centreline; other links have some of them, and raise an explaining error for the rest."""


@dataclass(frozen=True, eq=False, repr=False)
class LinkHistory:
    """One flexible link over time: its coordinates η with their rates and accelerations, instants × e.

    `loss` is the power dissipated by its damping, η̇ᵀ D η̇; `poses` are those of its body frame, instants × 3 × 4. The
    base class knows the modes at markers only; `LineHistory` and `SolidHistory` give positions, deflections and
    stresses.
    """

    name: str
    eta: np.ndarray
    eta_rate: np.ndarray
    eta_acceleration: np.ndarray
    loss: np.ndarray
    time: np.ndarray
    poses: np.ndarray
    mechanism: str
    planar: bool

    measure: ClassVar[str] = "length"  # reference of relative deflections

    @property
    def peaks(self) -> tuple[Peak, ...]:
        """Largest magnitudes with place and time, of the available quantities."""
        return ()

    @property
    def truncation(self) -> Truncation | None:
        """An estimate of the truncation error of its modes, where its loads are known."""
        return None

    @property
    def largest_deflection(self) -> float:
        """Largest deflection over all instants and places, relative to its length."""
        return 0.0

    @property
    def largest_stretch(self) -> float:
        """Largest stretch along its centreline, relative to its length."""
        return 0.0

    def at(self, kept: np.ndarray | slice) -> Self:
        """The history at some of its instants."""
        names = ("eta", "eta_rate", "eta_acceleration", "loss", "time", "poses")
        return replace(self, **{name: getattr(self, name)[kept] for name in names})

    def largest(self, what: str) -> np.ndarray:
        """The largest magnitude of a quantity at every instant."""
        raise self.without(what)

    def deflects_beyond(self, part: float) -> bool:
        """Whether it deflects by more than a part of its length."""
        return self.largest_deflection > part

    def without(self, reading: str) -> SolveError:
        """The error that explains why a quantity is not available, and what to use instead."""
        return without_line(self.mechanism, self.name)

    def __getattr__(self, name: str) -> Any:
        if name in READINGS:
            return partial(self._refuse, name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def _refuse(self, reading: str, *asked: Any, **more: Any) -> Never:
        raise self.without(reading)

    def __repr__(self) -> str:
        most = ", ".join(f"{x:.3g}" for x in np.abs(self.eta).max(axis=0))
        return f"{self._over} coordinates up to ({most})."

    @property
    def _over(self) -> str:
        """The beginning of its text."""
        return f"Link '{self.name}' over {counted(len(self.eta), 'instant')}:"


def deflected_far(links: Mapping[str, LinkHistory]) -> Iterator[tuple[str, str]]:
    """Warnings for links that deflect beyond the range of their modes: the beginning of each text, and the text."""
    for name, link in links.items():
        found = {"deflects": link.largest_deflection if link.deflects_beyond(FAR) else 0.0}
        for does, part in (found | {"stretches": link.largest_stretch}).items():
            if part > FAR:
                begun = f"'{name}' {does} "
                yield (
                    begun,
                    f"{begun}{part:.2g} of its {link.measure}, beyond {FAR:g} its shapes are doubtful",
                )


def deflections(links: Mapping[str, LinkHistory]) -> dict[str, np.ndarray]:
    """η of every flexible link by its name."""
    return {name: link.eta for name, link in links.items()}
