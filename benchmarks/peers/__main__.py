"""Compare with other libraries, and write tables, numbers and pictures to build/bench/.

python -m benchmarks.peers                          both studies, some ten minutes
python -m benchmarks.peers speed four-bar 3-RRR     one of them, some mechanisms
"""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path

from benchmarks import precision, speed
from benchmarks.peers.cases import CASES

STUDIES = {"speed": speed, "precision": precision}
NEEDED = ("mujoco", "pinocchio", "exudyn")


def main(words: list[str]) -> None:
    """Measure, print, and keep the numbers."""
    unknown = [word for word in words if word not in STUDIES and word not in CASES]
    if unknown:
        sys.exit(f"no study or mechanism {', '.join(unknown)}; there are {', '.join((*STUDIES, *CASES))}")
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        sys.exit(f"{', '.join(missing)} not found: pip install --editable '.[bench]', or make bench")
    folder = Path("build/bench")
    folder.mkdir(parents=True, exist_ok=True)
    only = tuple(word for word in words if word in CASES)
    for name in [word for word in words if word in STUDIES] or STUDIES:
        found = STUDIES[name].measure(only)
        text = STUDIES[name].table(found)
        print(text)
        (folder / f"{name}.txt").write_text(text)
        (folder / f"{name}.json").write_text(json.dumps(found, indent=1))
        STUDIES[name].figure(found).savefig(folder / f"{name}.png", dpi=150)
        print(f"written to {folder}/{name}.txt, .json and .png")


if __name__ == "__main__":
    main(sys.argv[1:])
