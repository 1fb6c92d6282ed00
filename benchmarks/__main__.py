"""Run every measurement and write its table to build/bench/."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks import formulations, operations

MEASUREMENTS = {"operations": operations, "formulations": formulations}


def main() -> None:
    """Measure, print, and keep the numbers."""
    folder = Path("build/bench")
    folder.mkdir(parents=True, exist_ok=True)
    for name, measurement in MEASUREMENTS.items():
        rows = measurement.measure()
        print(measurement.table(rows))
        (folder / f"{name}.json").write_text(json.dumps(rows, indent=1))
        print(f"\nwritten to {folder / (name + '.json')}")


if __name__ == "__main__":
    main()
