"""Motion laws of cams: functions of the cam angle with their derivatives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from multiloop.model.expressions import Expression, derivative, evaluate, trace


@dataclass(frozen=True, eq=False)
class Law:
    """A function f(u); `parameters` are symbols or numbers that replace the described values of parameters."""

    value: Expression
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, u: Any, order: int = 0) -> Any:
        """f, f′ or f″ on symbols."""
        return trace(self._derived(order), time=u, parameters=self.parameters)

    def numbers(self, u: np.ndarray, order: int = 0) -> np.ndarray:
        """f, f′ or f″ in numbers, at the described values of parameters."""
        found: np.ndarray = evaluate(self._derived(order), time=u) + np.zeros(len(u))
        return found

    def _derived(self, order: int) -> Expression:
        found = self.value
        for _ in range(order):
            found = derivative(found)
        return found
