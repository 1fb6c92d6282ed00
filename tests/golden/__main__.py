"""Write all reference values anew."""

import json
from contextlib import suppress
from pathlib import Path

from zoo import ZOO

from golden.numbers import numbers
from golden.operation_counts import counts
from multiloop import SolveError

for what, find in (("operation_counts", counts), ("numbers", numbers)):
    found = {}
    for name, entry in ZOO.items():
        with suppress(SolveError):  # `inverse` has no numbers for undriven joints
            found[name] = find(entry.build())
    (Path(__file__).parent / f"{what}.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
