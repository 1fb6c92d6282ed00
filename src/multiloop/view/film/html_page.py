"""Films as a single HTML page: the player's script and style, and the data of the film, without external resources."""

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
"""Resolution of coordinates: units per point of the page, stored as integers of two bytes."""

ESCAPED = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""Characters that could end a script element or a line of it, with their JSON escapes."""


def write(reel: Reel, path: Path, rate: float, width: int, reached: Callable[[float], None]) -> None:
    """Write the page; it has neither frames nor pixels, so that `rate` only sets the step of the arrow keys."""
    path.write_text(page_text(reel, rate), encoding="utf-8")


def page_text(reel: Reel, rate: float) -> str:
    """The text of the page."""
    texts = {name: files("multiloop.view.film").joinpath(name).read_text("utf-8") for name in PLAYER}
    inserted = {
        "TITLE": html.escape(reel.name),
        "FILM": script_text(film_data(reel, rate)),
        "SCRIPT": texts["painter.js"] + texts["player.js"],
    }
    return re.sub(r"@(TITLE|FILM|SCRIPT)@", lambda found: inserted[found[1]], texts["player.html"])


PLAYER = ("player.html", "painter.js", "player.js")


def script_text(data: Mapping[str, Any]) -> str:
    """JSON that is safe inside a script element, whatever names it contains."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return re.sub("[<>&\u2028\u2029]", lambda found: ESCAPED[found[0]], text)


def film_data(reel: Reel, rate: float) -> dict[str, Any]:
    """The film as numbers and text; coordinates of all strands are in one block, in which each strand has an offset."""
    places: list[np.ndarray] = []
    strands, begin = [], 0
    for strand in reel.strands:
        counted = np.clip(np.round(strand.points * PARTS), -32767, 32767).astype("<i2").ravel()
        strands.append(_strand_data(strand, begin))
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


def _strand_data(strand: Strand, begin: int) -> dict[str, Any]:
    """The data of a strand without its coordinates."""
    look = {name: list(value) if isinstance(value, tuple) else value for name, value in strand.look.items()}
    told: dict[str, Any] = {"kind": strand.kind, "layer": strand.layer, "look": look}
    told |= {"begin": begin, "count": strand.points.shape[1], "rests": strand.rests}
    if strand.shown is not None:
        told["shown"] = "".join("01"[int(there)] for there in strand.shown)
    if strand.values is not None:
        told["values"] = [float(f"{value:.6g}") for value in strand.values]
    return told
