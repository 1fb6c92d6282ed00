"""How much CPU time do the pictures of a mechanism take: its drawing, its plan, the curves of a result?

`draw` is `mechanism.draw()`, which assembles the mechanism first; `state` draws an assembled one; `plan` is
`plan.draw()`; `plot` is `result.plot()` of 181 instants, and `show` the slowest of `result.plot(show=…)`: medians, with
matplotlib imported and nothing rendered. `file` is the time to write the slowest of all to a PNG of 200 dots per inch,
which is spent in matplotlib alone.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from laws.closed_positions import DRIVEN, duration
from zoo import ZOO

import multiloop as ml
from multiloop.view.plots.result_plot import PLOT_KINDS as SHOWN

INSTANTS, ROUNDS = 181, 3

ALLOWED = 1.0
"""Seconds of CPU time a picture may take."""

KINDS = ("draw", "state", "plan", "plot", "show")


def measure() -> list[dict[str, Any]]:
    """One row a mechanism."""
    ZOO["RSSR"].build().draw()  # matplotlib is imported
    return [_row(name) for name in ZOO]


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as text."""
    lines = ["CPU seconds of the pictures of the zoo", ""]
    lines.append(f"{'mechanism':<22}" + "".join(f"{kind:>8}" for kind in (*KINDS, "file")))
    for row in rows:
        seconds = "".join(f"{row[kind]:>8.3f}" for kind in (*KINDS, "file"))
        late = [kind for kind in KINDS if row[kind] > ALLOWED]
        lines.append(f"{row['mechanism']:<22}{seconds}" + (f"  too long: {', '.join(late)}" if late else ""))
    return "\n".join(lines)


def _row(name: str) -> dict[str, Any]:
    makers = pictures(name)
    timed = {kind: _median(make) for kind, make in makers.items()}
    figure = makers[max(timed, key=lambda kind: timed[kind])]()
    written = _median(partial(figure.savefig, io.BytesIO(), dpi=200))
    shown = {kind: timed.pop(kind) for kind in list(timed) if kind in SHOWN}
    return {"mechanism": name, **timed, "show": max(shown.values()), "file": written}


def pictures(name: str) -> dict[str, Callable[[], Any]]:
    """How to make each kind of picture of a mechanism."""
    mechanism = ZOO[name].build()
    plan = ml.analyse(mechanism)
    start = None if name in DRIVEN else plan.assembly.coordinates()
    if name in DRIVEN:
        result = ml.inverse(mechanism, t=np.linspace(0.0, duration(name), INSTANTS))
    else:
        result = ml.simulate(mechanism, until=0.5, start=start, samples=INSTANTS)
    state = ml.assemble(mechanism, start=start)
    shown = {kind: partial(result.plot, show=kind) for kind in SHOWN if _can_show(result, kind)}
    return {"draw": mechanism.draw, "state": state.draw, "plan": plan.draw, "plot": result.plot, **shown}


def _can_show(result: ml.Result, kind: str) -> bool:
    """Whether a result has a quantity: a planar linkage, for example, has no bearing moments."""
    try:
        result.plot(show=kind)
    except ml.DrawingError:
        return False
    return True


def _median(make: Callable[[], Any]) -> float:
    spent = []
    for _ in range(ROUNDS):
        began = time.process_time()
        make()
        spent.append(time.process_time() - began)
    return float(np.median(spent))
