"""Is the theory manual consistent: formulas that render, equations that exist, modules that implement them?"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
MANUAL = ROOT / "docs" / "theory"
CHAPTERS = sorted(MANUAL.glob("[0-9]*.md"))
SOURCES = sorted((ROOT / "src" / "multiloop").rglob("*.py"))

DISPLAY = re.compile(r"^```math\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"\$`([^`]+)`\$")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
EQUATION = re.compile(r"\\tag\{([\d.]+)\}")
CITED = re.compile(r"\((\d+\.\d+)\)")
SECTION = re.compile(r"^## (\d+\.\d+) ", re.MULTILINE)
MODULE = re.compile(r"`(multiloop/[\w/]+\.\w+)`")
THEORY = re.compile(r"^Theory: (.*?)(?=^\s*$|\Z|\"\"\")", re.MULTILINE | re.DOTALL)

ELSEWHERE = re.compile(r"\[[a-z_]+\], (?:(?:eqs?\.|chs?\.|§+|and|,|;) ?|\(?\d[\d.]*[a-z]?\)?[–, ]*)+")
"""Equations of a source: [fattah], eqs. (3.42)–(3.45)."""

REFUSED = {"operatorname", "def", "newcommand", "renewcommand", "require", "mbox", "phantom", "cite", "href"}
"""Macros that GitHub's renderer refuses, or that have no meaning on a page."""


def text_of(path):
    return path.read_text(encoding="utf-8")


def formulas(path):
    return [*DISPLAY.findall(text_of(path)), *INLINE.findall(text_of(path))]


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def equations():
    """Number of every equation of the manual, with its chapter's file."""
    return [(number, path.name) for path in CHAPTERS for number in EQUATION.findall(text_of(path))]


@pytest.mark.parametrize("path", sorted(MANUAL.glob("*.md")), ids=name_of)
def test_formulas_reach_the_renderer_unchanged(path):
    """Between plain dollar signs Markdown removes backslashes before punctuation: `\\,` becomes a comma."""
    rest = INLINE.sub("", FENCE.sub("", text_of(path)))
    assert re.findall(r".*\$.*", re.sub(r"`[^`\n]*`", "", rest)) == []


@pytest.mark.parametrize("path", CHAPTERS, ids=name_of)
def test_formulas_are_complete(path):
    """Braces, environments and \\left … \\right are closed; in a table no bar ends the cell within a formula."""
    assert formulas(path)
    for formula in formulas(path):
        plain = re.sub(r"\\[{}]", "", formula)
        assert plain.count("{") == plain.count("}"), formula
        opened = []
        for command, environment in re.findall(r"\\(begin|end)\{(\w+)\}", formula):
            if command == "begin":
                opened.append(environment)
            else:
                assert opened[-1:] == [environment], formula
                opened.pop()
        assert not opened, formula
        delimiters = re.findall(r"\\(left|right)(?![a-zA-Z])", formula)
        assert delimiters.count("left") == delimiters.count("right"), formula
        assert not REFUSED & set(re.findall(r"\\([a-zA-Z]+)", formula)), formula
    rows = [line for line in text_of(path).splitlines() if line.startswith("|")]
    assert [formula for row in rows for formula in INLINE.findall(row) if "|" in formula] == []


@pytest.mark.parametrize("path", CHAPTERS, ids=name_of)
def test_equations_are_numbered_in_order(path):
    numbers = [tuple(map(int, number.split("."))) for number in EQUATION.findall(text_of(path))]
    assert numbers == [(int(path.name[:2]), count) for count in range(1, len(numbers) + 1)]


@pytest.mark.parametrize("path", sorted(MANUAL.glob("*.md")), ids=name_of)
def test_cited_equations_exist(path):
    known = {number for number, _ in equations()}
    assert set(CITED.findall(ELSEWHERE.sub("", text_of(path)))) <= known


def test_modules_of_the_tables_exist():
    named = {module for path in CHAPTERS for module in MODULE.findall(text_of(path))}
    assert len(named) > 100
    assert sorted(module for module in named if not (ROOT / "src" / module).exists()) == []


def test_modules_cite_equations_and_sections_that_exist():
    known = {
        *equations(),
        *((number, path.name) for path in CHAPTERS for number in SECTION.findall(text_of(path))),
    }
    cited = set()
    for path in SOURCES:
        for paragraph in THEORY.findall(text_of(path)):
            for file, places in re.findall(
                r"docs/theory/([\w-]+\.md)(.*?)(?=docs/theory|\Z)", paragraph, re.DOTALL
            ):
                numbers = [*CITED.findall(places), *re.findall(r"sections? (\d+\.\d+)", places)]
                cited |= {(number, file, name_of(path)) for number in numbers}
    assert len(cited) > 100
    assert sorted(place for place in cited if place[:2] not in known) == []
