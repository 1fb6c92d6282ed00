"""A film as one page for the browser: the player's script and style, and the film as numbers; nothing is fetched."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from multiloop.view.film.reel import Reel, Strand

PARTS = 20
"""Parts of a point of the page in which places are counted, as whole numbers of two bytes."""

ESCAPED = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""Letters that could end a script or a line of it; in JSON they can be written otherwise."""


def write(reel: Reel, path: Path, rate: float, width: int, reached: Callable[[float], None]) -> None:
    """One file; it has neither frames nor pixels, so that `rate` only sets the step of the arrow keys."""
    path.write_text(page_text(reel, rate), encoding="utf-8")


def page_text(reel: Reel, rate: float) -> str:
    """The page."""
    texts = {name: files("multiloop.view.film").joinpath(name).read_text("utf-8") for name in PLAYER}
    inserted = {
        "TITLE": html.escape(reel.name),
        "STYLE": texts["player.css"],
        "FILM": script_text(data_of(reel, rate)),
        "SCRIPT": texts["painter.js"] + texts["player.js"],
    }
    return re.sub(r"@(TITLE|STYLE|FILM|SCRIPT)@", lambda found: inserted[found[1]], texts["player.html"])


PLAYER = ("player.html", "player.css", "painter.js", "player.js")


def script_text(data: Mapping[str, Any]) -> str:
    """JSON that may stand inside a script element, whatever names it holds."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return re.sub("[<>&\u2028\u2029]", lambda found: ESCAPED[found[0]], text)


def data_of(reel: Reel, rate: float) -> dict[str, Any]:
    """The film as plain numbers and words; places of all strands lie in one block, each strand tells where."""
    places: list[np.ndarray] = []
    strands, begin = [], 0
    for strand in reel.strands:
        counted = np.clip(np.round(strand.points * PARTS), -32767, 32767).astype("<i2").ravel()
        strands.append(_told(strand, begin))
        places.append(counted)
        begin += len(counted)
    block = np.concatenate(places) if places else np.zeros(0, "<i2")
    return {
        "name": reel.name,
        "page": [round(side, 2) for side in reel.page],
        "times": [float(f"{t:.9g}") for t in reel.times],
        "speed": reel.speed,
        "rate": rate,
        "layers": list(reel.layers),
        "cursor": None if reel.cursor is None else [round(float(x), 2) for x in reel.cursor],
        "orders": [[k, order.tolist()] for k, order in reel.orders],
        "strands": strands,
        "parts": PARTS,
        "places": base64.b64encode(block.tobytes()).decode("ascii"),
    }


def _told(strand: Strand, begin: int) -> dict[str, Any]:
    """A strand without its places."""
    look = {name: list(value) if isinstance(value, tuple) else value for name, value in strand.look.items()}
    told: dict[str, Any] = {"kind": strand.kind, "layer": strand.layer, "look": look}
    told |= {"begin": begin, "count": strand.points.shape[1], "rests": strand.rests}
    if strand.shown is not None:
        told["shown"] = "".join("01"[int(there)] for there in strand.shown)
    if strand.values is not None:
        told["values"] = [float(f"{value:.6g}") for value in strand.values]
    return told
