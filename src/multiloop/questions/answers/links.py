"""Links that bend over time, by name: what all of them have, however they know their shapes."""

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
"""Part of its length that a link may deflect before shapes of second order are doubted."""

FROM = {"a": "its tangent at 'a'", "chord": "its chord", "free": "its mean axes"}
"""What deflections are measured from, by the link's own frame."""

READINGS = (
    *("deflection", "slope", "rotation", "position"),
    *("axial", "shear", "moment", "torque", "bending", "stress"),
)
"""What a link along a line is asked; another one has some of them, and says of the others why it has not."""


@dataclass(frozen=True, eq=False, repr=False)
class LinkHistory:
    """One elastic link over time: its coordinates η with their rates and accelerations, instants × e.

    `loss` is the power that its damping takes, η̇ᵀ D η̇; `poses` are those of its own frame, instants × 3 × 4. By itself
    it knows its shapes at its markers only; `LineHistory` and `SolidHistory` can be asked where its points are and what
    they bear.
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

    measure: ClassVar[str] = "length"  # what deflections are compared with

    @property
    def peaks(self) -> tuple[Peak, ...]:
        """Largest magnitudes with place and time, of what it knows."""
        return ()

    @property
    def truncation(self) -> Truncation | None:
        """An estimate of the truncation error of its modes, where it knows its loads."""
        return None

    @property
    def largest_deflection(self) -> float:
        """Of all instants and places, relative to its length."""
        return 0.0

    @property
    def largest_stretch(self) -> float:
        """The same along its line."""
        return 0.0

    def at(self, kept: np.ndarray | slice) -> Self:
        """The same at some instants."""
        names = ("eta", "eta_rate", "eta_acceleration", "loss", "time", "poses")
        return replace(self, **{name: getattr(self, name)[kept] for name in names})

    def largest(self, what: str) -> np.ndarray:
        """The largest of something at every instant, in magnitude."""
        raise self.without(what)

    def deflects_beyond(self, part: float) -> bool:
        """Whether it deflects by more than a part of its length."""
        return self.largest_deflection > part

    def without(self, reading: str) -> SolveError:
        """Why it does not have a reading, and what to ask instead."""
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
        """How its sentence begins."""
        return f"Link '{self.name}' over {counted(len(self.eta), 'instant')}:"


def deflected_far(links: Mapping[str, LinkHistory]) -> Iterator[tuple[str, str]]:
    """How a doubt begins, and the doubt: links that deflect more than their shapes are good for."""
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
    """η of every elastic link by its name."""
    return {name: link.eta for name, link in links.items()}
