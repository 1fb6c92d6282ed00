"""Write recorded figures anew: all of them, or those named, such as `python -m golden datasets`."""

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from zoo import ZOO

from golden import datasets
from golden.numbers import numbers
from golden.operation_counts import counts
from multiloop import MultiloopError, SolveError


def write_json(name: str, find: Callable[[Any], Any]) -> None:
    """Write the figures of all test models; models that the function `find` cannot solve are left out."""
    found = {}
    for model, entry in ZOO.items():
        with suppress(SolveError):
            found[model] = find(entry.build())
    path = Path(__file__).parent / f"{name}.json"
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def write_datasets() -> None:
    """Write the dataset variables of all cases that have a result."""
    found = {}
    for name, compute in datasets.cases().items():
        with suppress(MultiloopError):
            found[name] = compute()
    datasets.write({name: variables for name, variables in found.items() if variables})


WRITERS: dict[str, Callable[[], None]] = {
    "operation_counts": lambda: write_json("operation_counts", counts),
    "numbers": lambda: write_json("numbers", numbers),
    "datasets": write_datasets,
}
for asked in sys.argv[1:] or WRITERS:
    WRITERS[asked]()
