"""Write all figures anew."""

import json
from pathlib import Path

from zoo import ZOO

from golden.counting import counts
from golden.numbers import numbers

for what, find in (("operation_counts", counts), ("numbers", numbers)):
    found = {name: find(entry.build()) for name, entry in ZOO.items()}
    (Path(__file__).parent / f"{what}.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
