"""Makes the pictures of the documentation from code and checks that its links lead somewhere: `make docs`."""

from __future__ import annotations

import contextlib
import importlib
import io
import re
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
GALLERY = ROOT / "docs" / "gallery.md"
WIDEST = 1100
"""Dots of a picture of the gallery from left to right."""

LINK = re.compile(r"""(?:\]\(|src=")([^)\s#"]*)(?:#([^)\s"]+))?""")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^```python\n(.*?)^```(?:\s*^```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    """The README and its neighbours, then everything under docs."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def broken_links() -> list[str]:
    """Relative links to files and headings that are not there, each with the page it stands on."""
    found = []
    for page in pages():
        text = FENCE.sub("", page.read_text(encoding="utf-8"))
        for target, heading in LINK.findall(text):
            if "://" in target:
                continue
            file = page.parent / target if target else page
            if not file.exists():
                found.append(f"{page.relative_to(ROOT)}: {target}")
            elif heading and heading not in headings(file):
                found.append(f"{page.relative_to(ROOT)}: {target}#{heading}")
    return found


def headings(page: Path) -> set[str]:
    """The headings of a page as links name them: small letters, words joined by hyphens, no other signs."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return {
        re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-") for words in HEADING.findall(text)
    }


def examples(page: Path) -> Iterator[tuple[str, str | None]]:
    """Python blocks of a page, each with the text block right after it; None where there is none."""
    for code, printed in EXAMPLE.findall(page.read_text(encoding="utf-8")):
        yield code, printed or None


def run(
    code: str, names: dict[str, Any] | None = None, page: str = "README.md"
) -> tuple[dict[str, Any], str]:
    """The names that a block leaves behind, and what it prints; `names` are those of the blocks before it."""
    names = {} if names is None else names
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, page, "exec", dont_inherit=True), names)
    return names, printed.getvalue()


def draw_four_bar() -> Path:
    """The mechanism of the README, drawn from the README's own code."""
    names, _ = run(next(examples(ROOT / "README.md"))[0])
    path = IMAGES / "four_bar.png"
    names["four_bar"].draw(guess={"coupler.b": (0.8, 0.8)}, path=path)
    return path


def draw_press() -> Path:
    """The mechanism of the page on loads, from its own code."""
    names, _ = run(next(examples(ROOT / "docs" / "loads.md"))[0])
    path = IMAGES / "press.png"
    names["press"].draw(start={"A": 0.4}, path=path)
    return path


def draw_tutorial() -> Path:
    """The press of the tutorial, from its own code."""
    names, _ = run(next(examples(ROOT / "docs" / "tutorial.md"))[0], page="tutorial.md")
    path = IMAGES / "tutorial_press.png"
    names["press"].without_drives().draw(start={"O": 5.5}, guess={"guide": 0.23}, path=path)
    return path


def draw_cam() -> Path:
    """The cam of the page on cams, from its own code."""
    names: dict[str, Any] = {}
    for code, _ in examples(ROOT / "docs" / "cams.md"):
        names, _ = run(code, names, "cams.md")
        if "valve" in names:
            break
    path = IMAGES / "cam.png"
    names["valve"].without_drives().draw(start={"O": 1.3}, guess={"guide": 0.045}, path=path)
    return path


def draw_flexible() -> Path:
    """The four-bar of the page on flexible bodies, from its own code, with the moments along its coupler."""
    from matplotlib.figure import Figure

    names, _ = run(next(examples(ROOT / "docs" / "flexible.md"))[0], page="flexible.md")
    motion, page = names["run"], Figure(figsize=(10, 5.4))
    largest = abs(motion.link("coupler").moment(0.45)).argmax()
    motion.at(float(motion.time[largest])).draw(axes=page.add_axes((0, 0, 0.5, 1)), scale=40.0)
    axes = [page.add_axes((0.6, y, 0.38, 0.28)) for y in (0.61, 0.1)]
    motion.plot(show=["deflection", "moment"], of="coupler", axes=axes)
    return save_small(page, IMAGES / "flexible_four_bar.png")


def film_scraper() -> Path:
    """The carpet scraper of the examples in motion."""
    sys.path.insert(0, str(ROOT / "examples"))
    from what_torque_drives_the_carpet_scraper import solve

    path = IMAGES / "scraper.gif"
    solve().film(path, traces="link6.b", arrows=("bearings", "efforts"), names=False, width=560, rate=20)
    return path


def draw_saha_matrices() -> Path:
    """I(θ) and C(θ, θ̇) of the five machines of the page on matrices."""
    sys.path.insert(0, str(ROOT))
    from benchmarks import saha_matrices

    return save_small(saha_matrices.figure(saha_matrices.measure()), IMAGES / "saha_matrices.png")


GALLERY_HEAD = """\
# Gallery

Each file in [examples](../examples/) answers one question, with a figure and a check against a known result.
`make docs` runs them, draws the figures and writes this page. `ml.examples.names()` lists the mechanisms that are
installed with the package.
"""


def gallery_files() -> list[Path]:
    """The files of the gallery, in the order in which `multiloop.examples` lists their questions."""
    from multiloop.examples import QUESTIONS

    order = list(QUESTIONS.values())
    files = {
        path: path.read_text(encoding="utf-8").splitlines()[0].strip('"')
        for path in (ROOT / "examples").glob("*.py")
    }
    return sorted(
        files, key=lambda path: (order.index(files[path]) if files[path] in order else len(order), path.stem)
    )


def gallery_entry(example: Any) -> str:
    """What the page says of an example: its question, its answer, its picture and its file."""
    question, name = example.__doc__.splitlines()[0], example.__name__
    return (
        f"\n## {question}\n\n{example.answer()}\n\n![{question}](images/{name}.png)\n\n"
        f"[examples/{name}.py](../examples/{name}.py)\n"
    )


def draw_gallery() -> Iterator[Path]:
    """The picture of every example, then the page."""
    sys.path.insert(0, str(ROOT / "examples"))
    entries = []
    for file in gallery_files():
        example = importlib.import_module(file.stem)
        entries.append(gallery_entry(example))
        yield save_small(example.figure(), IMAGES / f"{file.stem}.png")
    GALLERY.write_text(GALLERY_HEAD + "".join(entries), encoding="utf-8")
    yield GALLERY


def save_small(figure: Any, path: Path) -> Path:
    """A figure as a PNG, at most so many dots wide."""
    dots = min(110.0, WIDEST / figure.get_figwidth())
    figure.savefig(path, dpi=dots, facecolor="white", pil_kwargs={"optimize": True})
    return path


PICTURES = (
    draw_four_bar,
    draw_press,
    draw_tutorial,
    draw_cam,
    draw_flexible,
    draw_saha_matrices,
    film_scraper,
)
"""A new picture is one function here; those of the gallery come from its files."""


def main() -> int:
    """Draw every picture, then report links that lead nowhere."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    for path in chain((picture() for picture in PICTURES), draw_gallery()):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1024} kB")
    broken = broken_links()
    for line in broken:
        print(f"broken link in {line}", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
