"""Makes the pictures of the documentation from code and checks that its links lead somewhere: `make docs`."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"

LINK = re.compile(r"""(?:\]\(|src=")([^)\s#"]+)""")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^```python\n(.*?)^```(?:\s*^```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    """The README and its neighbours, then everything under docs."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def broken_links() -> list[str]:
    """Relative links to files that are not there, each with the page it stands on."""
    found = []
    for page in pages():
        text = FENCE.sub("", page.read_text(encoding="utf-8"))
        for target in LINK.findall(text):
            if "://" not in target and not (page.parent / target).exists():
                found.append(f"{page.relative_to(ROOT)}: {target}")
    return found


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
        exec(compile(code, page, "exec"), names)
    return names, printed.getvalue()


def draw_four_bar() -> Path:
    """The mechanism of the README, drawn from the README's own code."""
    names, _ = run(next(examples(ROOT / "README.md"))[0])
    path = IMAGES / "four_bar.png"
    names["four_bar"].draw(guess={"coupler.b": (0.8, 0.7)}, path=path)
    return path


def draw_press() -> Path:
    """The mechanism of the page on loads, from its own code."""
    names, _ = run(next(examples(ROOT / "docs" / "loads.md"))[0])
    path = IMAGES / "press.png"
    names["press"].draw(start={"A": 0.4}, path=path)
    return path


def film_scraper() -> Path:
    """The carpet scraper of the examples in motion."""
    sys.path.insert(0, str(ROOT / "examples"))
    from what_torque_drives_the_carpet_scraper import solve

    path = IMAGES / "scraper.gif"
    solve().film(path, traces="link6.b", arrows=("bearings", "efforts"), names=False, width=560, rate=20)
    return path


PICTURES = (draw_four_bar, draw_press, film_scraper)
"""A new picture is one function here."""


def main() -> int:
    """Draw every picture, then report links that lead nowhere."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    for picture in PICTURES:
        path = picture()
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1024} kB")
    broken = broken_links()
    for line in broken:
        print(f"broken link in {line}", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
