"""How long does a user wait? Functions called again in the same session, and a whole script from the start of Python.

Times are milliseconds, the median of several. "CPU" is the time of the process itself, which is less disturbed by other
work of the machine.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import multiloop as ml
from benchmarks.peers.text import as_text, grid
from multiloop.examples.mechanisms.three_rrr import START

ROOT = Path(__file__).parent.parent

FALLING, SCRAPING = ml.examples.three_rrr(), ml.examples.carpet_scraper()
TIMES = 15
SCRIPTS = 5

SCRIPT = (ROOT / "README.md").read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
"""The example of the first page: the description of a four-bar, its `inverse`, and the printed result."""


def _fall() -> ml.Result:
    return ml.simulate(FALLING, until=1.0, start=START, samples=501)


FUNCTIONS: dict[str, tuple[float, Callable[[], Any]]] = {
    "inverse of the scraper, 361 instants": (20.0, lambda: ml.inverse(SCRAPING, cycle=361)),
    "inverse of the scraper, 3601 instants": (100.0, lambda: ml.inverse(SCRAPING, cycle=3601)),
    "simulate the 3-RRR, 1 s, 501 samples": (10.0, _fall),
}
"""Function calls, and their limits in milliseconds."""

SCRIPTED = {"a script that asks `inverse` and prints it, cold cache": 2500.0, "the same, warm cache": 1000.0}
"""The same for a script with an empty kernel cache, and for a second run with the cache of the first."""


def measure() -> list[dict[str, Any]]:
    """One row for each function call."""
    rows = []
    for question, (wanted, ask) in FUNCTIONS.items():
        first = _timed(ask)
        wall, cpu = zip(*(_timed(ask) for _ in range(TIMES)), strict=True)
        rows.append(_row(question, wanted, median(wall), median(cpu), min(wall), first[0]))
    with tempfile.TemporaryDirectory() as folder:
        caches = [Path(folder) / str(k) for k in range(SCRIPTS)]
        for question, wanted in SCRIPTED.items():
            wall, cpu = zip(*(_script(cache) for cache in caches), strict=True)
            rows.append(_row(question, wanted, median(wall), median(cpu), min(wall), wall[0]))
    return rows


def _timed(ask: Callable[[], Any]) -> tuple[float, float]:
    """Milliseconds of wall-clock time and of this process."""
    wall, cpu = time.perf_counter(), time.process_time()
    ask()
    return 1e3 * (time.perf_counter() - wall), 1e3 * (time.process_time() - cpu)


def _script(cache: Path) -> tuple[float, float]:
    """Milliseconds from the start of the interpreter to its end: wall-clock time and time of the process."""
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT / "src"), "MULTILOOP_CACHE": str(cache)}
    wall, cpu = time.perf_counter(), _children()
    subprocess.run([sys.executable, "-c", SCRIPT], check=True, capture_output=True, env=environment)
    return 1e3 * (time.perf_counter() - wall), 1e3 * (_children() - cpu)


def _children() -> float:
    """Seconds that finished processes of this one have used."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def _row(question: str, wanted: float, wall: float, cpu: float, least: float, first: float) -> dict[str, Any]:
    return {"question": question, "ms": wall, "CPU": cpu, "least": least, "first": first, "wanted": wanted}


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as text."""
    head = ("question", "ms", "CPU", "least", "first time", "wanted below", "")
    cells = [
        (
            row["question"],
            *(
                f"{row[name]:.1f}" if row[name] is not None else ""
                for name in ("ms", "CPU", "least", "first")
            ),
            f"{row['wanted']:g}",
            "yes" if row["ms"] <= row["wanted"] else "NO",
        )
        for row in rows
    ]
    return as_text(grid("milliseconds that a user waits", head, cells))
