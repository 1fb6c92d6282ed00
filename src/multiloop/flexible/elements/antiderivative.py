"""Integrals along a line of functions that are polynomials on each element."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial import legendre

from multiloop.flexible.elements.model import POINTS


@dataclass(frozen=True, eq=False)
class Antiderivative:
    """∫₀^ξ f dξ of a piecewise polynomial f, given by samples at the Gauss points, elements × points × …"""

    nodes: np.ndarray
    samples: np.ndarray

    @cached_property
    def _series(self) -> np.ndarray:
        """Coefficients of the Legendre series on each element, elements × orders × …"""
        x, weight = legendre.leggauss(POINTS)
        turned = legendre.legvander(x, POINTS - 1) * weight[:, None] * (np.arange(POINTS) + 0.5)
        found: np.ndarray = np.einsum("qm,kq...->km...", turned, self.samples)
        return found

    @cached_property
    def _begun(self) -> np.ndarray:
        steps = self._series[:, 0] * np.diff(self.nodes).reshape(-1, *(1,) * (self.samples.ndim - 2))
        return np.concatenate([np.zeros_like(steps[:1]), np.cumsum(steps, axis=0)])

    def _local(self, xi: np.ndarray, element: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        h = self.nodes[element + 1] - self.nodes[element]
        return h, np.clip(2 * (xi - self.nodes[element]) / h - 1, -1.0, 1.0)

    def rate(self, xi: np.ndarray, element: np.ndarray) -> np.ndarray:
        """The integrand f at places on elements, places × …"""
        _, x = self._local(xi, element)
        found: np.ndarray = np.einsum(
            "nm,nm...->n...", legendre.legvander(x, POINTS - 1), self._series[element]
        )
        return found

    def at(self, xi: np.ndarray, element: np.ndarray) -> np.ndarray:
        """The integral at places on elements, places × …"""
        h, x = self._local(xi, element)
        powers = legendre.legvander(x, POINTS)
        orders = np.arange(1, POINTS)
        grown = (powers[:, 2:] - powers[:, :-2]) / (2 * orders + 1)
        grown = np.column_stack([x + 1, grown]) * (h / 2)[:, None]
        within: np.ndarray = np.einsum("nm,nm...->n...", grown, self._series[element])
        return np.asarray(self._begun[element] + within)
