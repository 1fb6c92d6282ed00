"""How many of our modules does a short script import, and how many of our files does a repeated call pass?

A new process loads a four-bar with one drive from YAML and calls `inverse`; the imported modules are counted. Then
`inverse` and `simulate` are called three times more each with equal arguments; the files whose functions run in the
last call, which finds all caches filled, are counted. The JSON file of the table names the modules and files.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parent.parent

LIMITS = {
    "modules imported by load and inverse": 300,
    "files passed by a warm inverse": 59,
    "files passed by a warm simulate": 59,
}
"""Largest numbers permitted."""


def measure() -> list[dict[str, Any]]:
    """One row for each count, from a new process."""
    from zoo.four_bars import four_bar

    import multiloop as ml

    paths = [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "four-bar.yaml"
        ml.save(four_bar(), model)
        asked = [sys.executable, "-m", "benchmarks.call_paths", str(model)]
        ran = subprocess.run(asked, check=True, capture_output=True, text=True, env=environment, cwd=ROOT)
    found: dict[str, list[str]] = json.loads(ran.stdout)
    return [
        {"count of": what, "count": len(found[what]), "at most": most, "names": found[what]}
        for what, most in LIMITS.items()
    ]


def names_counted(model: str) -> dict[str, list[str]]:
    """The modules imported and the files passed, by the text of the row; to be called in a new process."""
    import multiloop as ml

    mechanism = ml.load(model)
    ml.inverse(mechanism, cycle=361)
    imported = sorted(name for name in sys.modules if f"{name}.".startswith("multiloop."))
    passed = [
        files_passed(lambda: ml.inverse(mechanism, cycle=361)),
        files_passed(lambda: ml.simulate(mechanism, until=0.1, samples=11)),
    ]
    return dict(zip(LIMITS, [imported, *passed], strict=True))


def files_passed(call: Callable[[], Any]) -> list[str]:
    """The files of the package in which a Python function runs during the third of three equal calls."""
    package = f"{ROOT / 'src' / 'multiloop'}{os.sep}"
    found: set[str] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            found.add(os.path.abspath(frame.f_code.co_filename))

    call()
    call()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return sorted(name.removeprefix(package) for name in found if name.startswith(package))


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as text."""
    from benchmarks.peers.text import as_text, grid

    head = ("count of", "count", "at most", "")
    cells = [
        (row["count of"], row["count"], row["at most"], "yes" if row["count"] <= row["at most"] else "NO")
        for row in rows
    ]
    return as_text(grid("modules and files of multiloop", head, cells))


if __name__ == "__main__":
    print(json.dumps(names_counted(sys.argv[1])))
