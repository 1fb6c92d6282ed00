"""Run measurements, all or those named, and write their tables and pictures to build/bench/.

python -m benchmarks                      all of them
python -m benchmarks drift                one of them
python -m benchmarks speed precision      those against other libraries, which `make bench` installs
python -m benchmarks gpu                  what `python3 -m benchmarks.gpu.on_device` needs on a machine with a GPU
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchmarks import (
    analysis,
    call_paths,
    chaudhary_tables,
    digits,
    drift,
    elastic,
    flexible_kernels,
    flexible_tracking,
    forced,
    formulations,
    function_times,
    koul_tables,
    loaded,
    operations,
    pictures,
    precision,
    saha_matrices,
    spaces,
    speed,
    waiting,
)
from benchmarks.gpu import prepare

MEASUREMENTS = {
    "operations": operations,
    "analysis": analysis,
    "digits": digits,
    "formulations": formulations,
    "chaudhary_tables": chaudhary_tables,
    "koul_tables": koul_tables,
    "saha_matrices": saha_matrices,
    "drift": drift,
    "elastic": elastic,
    "spaces": spaces,
    "flexible_kernels": flexible_kernels,
    "flexible_tracking": flexible_tracking,
    "forced": forced,
    "pictures": pictures,
    "function_times": function_times,
    "waiting": waiting,
    "call_paths": call_paths,
    "speed": speed,
    "precision": precision,
    "loaded": loaded,
    "gpu": prepare,
}


def main(names: list[str]) -> None:
    """Run the measurements, print their tables, and write their numbers to files."""
    unknown = [name for name in names if name not in MEASUREMENTS]
    if unknown:
        sys.exit(f"no measurement {', '.join(unknown)}; there are {', '.join(MEASUREMENTS)}")
    folder = Path("build/bench")
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or MEASUREMENTS:
        measurement = MEASUREMENTS[name]
        rows = measurement.measure()
        table = measurement.table(rows)
        print(table)
        (folder / f"{name}.txt").write_text(table + "\n", encoding="utf-8")
        (folder / f"{name}.json").write_text(json.dumps(rows, indent=1))
        print(f"\nwritten to {folder / (name + '.json')}")
        if hasattr(measurement, "figure"):
            measurement.figure(rows).savefig(folder / f"{name}.png", dpi=150)
            print(f"drawn in {folder / (name + '.png')}")


if __name__ == "__main__":
    main(sys.argv[1:])
