"""Earlier names of methods that user-defined types override: they are accepted for one version, with a warning."""

from __future__ import annotations

import warnings
from collections.abc import Mapping


def accept_earlier_names(kind: type, renamed: Mapping[str, str]) -> None:
    """Give attributes that a class defines under an earlier name the present name too, with a DeprecationWarning.

    Base classes call it in `__init_subclass__` with their earlier names and the present ones.
    """
    for earlier, present in renamed.items():
        if earlier in vars(kind) and present not in vars(kind):
            warnings.warn(
                f"{kind.__name__}: '{earlier}' is called '{present}' now. Rename it; the next version rejects it.",
                DeprecationWarning,
                stacklevel=3,
            )
            setattr(kind, present, vars(kind)[earlier])
