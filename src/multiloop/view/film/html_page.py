"""Films as one HTML file with the player's script and style and the data of the film, without external resources."""

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
"""Coordinates are stored as integers of two bytes, in units of 1/PARTS of a point of the page."""

ESCAPED = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""Characters that could end a script element or a line of a script, with their JSON escape sequences."""


def write(reel: Reel, path: Path, rate: float, width: int, report_progress: Callable[[float], None]) -> None:
    """Write the HTML page of a film.

    The page contains vector data instead of frames of pixels. Therefore `rate` only determines the time step of the
    arrow keys, and `width` is not used.
    """
    path.write_text(page_text(reel, rate), encoding="utf-8")


def page_text(reel: Reel, rate: float) -> str:
    """HTML text of the page of a film."""
    texts = {name: files("multiloop.view.film").joinpath(name).read_text("utf-8") for name in PLAYER}
    inserted = {
        "TITLE": html.escape(reel.name),
        "FILM": script_text(film_data(reel, rate)),
        "SCRIPT": texts["painter.js"] + texts["player.js"],
    }
    return re.sub(r"@(TITLE|FILM|SCRIPT)@", lambda found: inserted[found[1]], texts["player.html"])


PLAYER = ("player.html", "painter.js", "player.js")


def script_text(data: Mapping[str, Any]) -> str:
    """Convert data to JSON in which no text can end the script element that contains it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return re.sub("[<>&\u2028\u2029]", lambda found: ESCAPED[found[0]], text)


def film_data(reel: Reel, rate: float) -> dict[str, Any]:
    """Data of a film for the player, as numbers and texts.

    The coordinates of all strands (drawing elements) are in one block, encoded as base64; `begin` of a strand is its
    offset in this block.
    """
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
    """Data of a strand (drawing element) without its coordinates, which begin at the offset `begin`."""
    look = {name: list(value) if isinstance(value, tuple) else value for name, value in strand.look.items()}
    told: dict[str, Any] = {"kind": strand.kind, "layer": strand.layer, "look": look}
    told |= {"begin": begin, "count": strand.points.shape[1], "rests": strand.rests}
    if strand.shown is not None:
        told["shown"] = "".join("01"[int(there)] for there in strand.shown)
    if strand.values is not None:
        told["values"] = [float(f"{value:.6g}") for value in strand.values]
    return told
