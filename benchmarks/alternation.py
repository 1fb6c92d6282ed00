"""Compare the speed of two source trees: all examples and some analyses, in alternation.

python -m benchmarks.alternation OLD [NEW] [--rounds 15] [--only NAME …]

OLD and NEW are folders with a `src`, such as a git worktree of an earlier commit; NEW is this tree by default.
One process imports each tree and evaluates every case once, so that kernels are compiled and caches are filled.
Then both processes are timed in turn. A row states the median time of either tree and the median of the ratios
within a round, new over old. Times are those of the processor, which other work on the machine disturbs less than
the clock.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parent.parent
SHORTEST = 0.02
"""Seconds; shorter cases are repeated within one timing."""


class Tree:
    """A process that imports multiloop from one source tree and times cases on request."""

    def __init__(self, folder: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(folder.resolve() / "src")}
        command = [sys.executable, str(Path(__file__).resolve()), "--serve"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=folder
        )

    def time(self, case: str, repeats: int) -> float | None:
        """Seconds of the processor for one evaluation, or None if the tree cannot evaluate the case."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([case, repeats]) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())  # type: ignore[no-any-return]


def measure(old: Path, new: Path, rounds: int, only: list[str] | None = None) -> list[dict[str, Any]]:
    """One row for each case: median seconds of both trees, and the median ratio."""
    trees = (Tree(old), Tree(new))
    rows = []
    for case in only or CASES:
        first = [tree.time(case, 1) for tree in trees]
        if None in first:
            print(f"{case}: skipped, {'the old' if first[0] is None else 'the new'} tree cannot evaluate it")
            continue
        warm = trees[0].time(case, 1)
        assert warm is not None
        repeats = max(1, round(SHORTEST / max(warm, 1e-9)))
        pairs = []
        for turn in range(rounds):
            order = (0, 1) if turn % 2 == 0 else (1, 0)
            times = {which: trees[which].time(case, repeats) for which in order}
            pairs.append((times[0], times[1]))
        rows.append(
            {
                "case": case,
                "old": median(pair[0] for pair in pairs),
                "new": median(pair[1] for pair in pairs),
                "ratio": median(pair[1] / pair[0] for pair in pairs),
            }
        )
        print("{case:44s} {old:10.3e} s {new:10.3e} s   {ratio:6.3f}".format(**rows[-1]), flush=True)
    for tree in trees:
        tree.process.kill()
    return rows


def _examples() -> list[str]:
    folder = ROOT / "src" / "multiloop" / "examples" / "mechanisms"
    return sorted(path.stem for path in folder.glob("[a-z]*.py"))


KERNELS = ("carpet_scraper", "hexapod", "three_rrr")
CASES = [
    *(f"ask {name}" for name in _examples()),
    *(f"analyse {name}" for name in KERNELS),
    "simulate three_rrr",
    "inverse carpet_scraper",
]


def _function(name: str) -> Callable[[], Any]:
    """The function behind a case; it uses only names that all versions have."""
    import multiloop as ml

    kind, example = name.split()
    if kind == "ask":
        return lambda: ml.examples.ask(example)
    if kind == "analyse":
        return lambda: ml.analyse(getattr(ml.examples, example)())
    mechanism = getattr(ml.examples, example)()
    if kind == "inverse":
        return lambda: ml.inverse(mechanism, cycle=361)
    from multiloop.examples.mechanisms.three_rrr import START

    return lambda: ml.simulate(mechanism, until=1.0, start=START)


def _serve() -> None:
    """Read names of cases from standard input, and write their times to standard output."""
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    functions: dict[str, Callable[[], Any]] = {}
    for line in sys.stdin:
        case, repeats = json.loads(line)
        try:
            if case not in functions:
                functions[case] = _function(case)
            start = time.process_time()
            for _ in range(repeats):
                functions[case]()
            seconds = (time.process_time() - start) / repeats
        except Exception as error:
            print(f"{case}: {error}", file=sys.stderr)
            seconds = None
        output.write(json.dumps(seconds) + "\n")
        output.flush()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path, nargs="?", default=ROOT)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", nargs="*")
    given = parser.parse_args()
    rows = measure(given.old, given.new, given.rounds, given.only)
    print(f"median of the ratios of {len(rows)} cases: {median(row['ratio'] for row in rows):.3f}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        _serve()
    else:
        main()
