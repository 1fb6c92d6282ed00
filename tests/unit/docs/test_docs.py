"""Is the documentation correct: its code runs, its links have targets, its sources exist?"""

import ast
import importlib.util
import re
from pathlib import Path

import pytest
import yaml

import multiloop
from multiloop.dynamics.outputs import SOURCES as OUTPUT_SOURCES

ROOT = Path(__file__).resolve().parents[3]
SOURCES = sorted((ROOT / "src" / "multiloop").rglob("*.py"))
ZOO = sorted((ROOT / "tests" / "zoo").glob("*.py"))

LARGEST = 300_000
"""Bytes of a picture."""

UNITS = {"m", "rad"}
"""Units in brackets after a coordinate, which are no keys."""

NAME = r"\[([a-z]+(?:_[a-z]+)*)\]"

PLACED = re.compile(NAME + r"(?=,\s+(?:eqs?\.|§|chs?\.|App|Fig|Table))")
"""A key followed by a location in the source; [angle] and the like are coordinates."""

PARAGRAPH = re.compile(r"^\s*Source:.*?(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)
"""In the paragraph of the sources every key counts."""

KEY = re.compile(r"^@\w+\{(\w+),", re.MULTILINE)


def _loaded(path):
    spec = importlib.util.spec_from_file_location("docs_build", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


build = _loaded(ROOT / "docs" / "build.py")
EXAMPLES = list(build.examples(ROOT / "README.md"))
HOW_TO = sorted(path for path in (ROOT / "docs" / "howto").glob("*.md") if path.name != "index.md")
PAGES = (
    "README.md",
    "docs/tutorial.md",
    "docs/choosing_a_method.md",
    "docs/coming_from.md",
    "docs/describing.md",
    "docs/functions.md",
    "docs/results.md",
    "docs/equilibrium.md",
    "docs/films.md",
    "docs/gears.md",
    "docs/cams.md",
    "docs/constraints.md",
    "docs/kernels.md",
    "docs/sweeps.md",
    "docs/beams_and_solids.md",
    "docs/flexible.md",
    "docs/loads.md",
    "docs/contact.md",
    "docs/control.md",
    "docs/slider_crank.md",
    "docs/cylinder.md",
    "docs/hexapod.md",
    "docs/files.md",
    "docs/cad.md",
    "docs/explain.md",
    "docs/matrices.md",
    *(path.relative_to(ROOT).as_posix() for path in HOW_TO),
)
"""Pages whose Python is run, block after block, each page in a separate namespace."""


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def strings_of(path):
    """Docstrings of a file, and the strings that stand below a constant to explain it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value


def citations_in(path):
    """The citation keys that a file uses."""
    found = set()
    for text in strings_of(path):
        found |= set(PLACED.findall(text))
        found |= {key for paragraph in PARAGRAPH.findall(text) for key in re.findall(NAME, paragraph)}
    return found


def known_keys():
    return set(KEY.findall((ROOT / "docs" / "references.bib").read_text(encoding="utf-8")))


def test_the_readme_has_an_example():
    assert EXAMPLES


def test_every_block_of_the_readme_shows_what_it_prints():
    assert all(printed is not None for _, printed in EXAMPLES)


@pytest.mark.parametrize("name", PAGES)
def test_the_page_prints_what_it_says(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # pages may save files
    before = list(OUTPUT_SOURCES)
    blocks, names = list(build.examples(ROOT / name)), {}
    assert blocks
    try:
        for code, printed in blocks:
            assert build.run(code, names, name)[1] == (printed or ""), code
    finally:
        OUTPUT_SOURCES[:] = before  # without the outputs that the page registers


def test_the_first_example_is_short():
    assert len([line for line in EXAMPLES[0][0].splitlines() if line]) < 20


def test_every_link_leads_somewhere():
    assert build.broken_links() == []


def test_links_are_found_at_all(tmp_path, monkeypatch):
    (tmp_path / "README.md").write_text(
        "# At the top: *here*\n[a](missing.md) [b](https://example.org/#top) [c](README.md#at-the-top-here)"
        " [d](README.md#bottom) [e](#bottom) [f](#at-the-top-here)\n"
    )
    monkeypatch.setattr(build, "ROOT", tmp_path)
    assert build.broken_links() == [
        "README.md: missing.md",
        "README.md: README.md#bottom",
        "README.md: #bottom",
    ]


@pytest.mark.parametrize("path", [*SOURCES, *ZOO], ids=name_of)
def test_every_citation_is_in_the_references(path):
    assert citations_in(path) <= known_keys()


def test_every_reference_is_whole_and_stands_once():
    """An entry begins at the margin, states author and title, and is closed before the next one begins."""
    text = (ROOT / "docs" / "references.bib").read_text(encoding="utf-8")
    entries = re.split(r"^(?=@)", text, flags=re.MULTILINE)[1:]
    keys = [KEY.findall(entry) for entry in entries]
    assert len({key for found in keys for key in found}) == len(entries) > 30
    for entry, found in zip(entries, keys, strict=True):
        assert len(found) == 1
        assert entry.count("{") == entry.count("}")
        assert entry.rstrip().endswith("\n}")
        fields = re.findall(r"^  (\w+) *=", entry, flags=re.MULTILINE)
        assert len(set(fields)) == len(fields)
        assert {"author", "title"} <= set(fields)


def test_the_main_sources_are_cited():
    """Guards the search itself: if it found nothing, the test above could not fail."""
    cited = set().union(*map(citations_in, SOURCES))
    assert {"chaudhary", "koul", "dado", "saha", "fattah"} <= cited


def test_every_key_on_a_page_is_in_the_references():
    texts = [build.FENCE.sub("", page.read_text(encoding="utf-8")) for page in build.pages()]
    plain = "\n".join(re.sub(r"`[^`\n]*`", "", text) for text in texts)
    used = set(re.findall(NAME + r"(?!\()", plain)) - UNITS
    assert {"chaudhary", "koul"} <= used
    assert used <= known_keys()


def test_every_decision_is_in_the_index():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    decisions = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    numbers = [path.name[:4] for path in decisions]
    assert len(set(numbers)) == len(numbers)
    assert all(f"decisions/{path.name}" in index for path in decisions)


def test_every_how_to_guide_is_in_its_index():
    index = (ROOT / "docs" / "howto" / "index.md").read_text(encoding="utf-8")
    assert HOW_TO
    assert set(re.findall(r"\]\((\w+\.md)\)", index)) == {path.name for path in HOW_TO}


def test_the_citation_names_the_released_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= set(citation)
    assert str(citation["version"]) == multiloop.__version__
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{citation['version']}] - {citation['date-released']}" in changelog
    assert f"version = {{{citation['version']}}}" in (ROOT / "docs" / "citing.md").read_text(encoding="utf-8")


def test_the_changelog_begins_with_unreleased_changes():
    """Sections of Keep a Changelog, and one fact per line."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[(.+?)\]", text, re.MULTILINE)
    assert versions[0] == "Unreleased"
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= {
        "Added",
        "Changed",
        "Deprecated",
        "Removed",
        "Fixed",
    }


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_every_file_states_its_purpose(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_the_readme_installs_before_it_uses_a_command():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    uses = re.finditer(r"^    multiloop |`multiloop \w+|^import multiloop", readme, re.MULTILINE)
    used = min(found.start() for found in uses)
    for step in ("make demo", "-m venv", "pip install .", "activate"):
        assert 0 < readme.find(step) < used, step


def test_pictures_are_small():
    sizes = {path.name: path.stat().st_size for path in (ROOT / "docs" / "images").glob("*.png")}
    assert "four_bar.png" in sizes
    assert max(sizes.values()) < LARGEST


def test_films_are_small():
    sizes = {path.name: path.stat().st_size for path in (ROOT / "docs" / "images").glob("*.gif")}
    assert "scraper.gif" in sizes
    assert max(sizes.values()) < 5 * LARGEST
