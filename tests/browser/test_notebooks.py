"""A notebook without `%matplotlib inline` displays pictures, and plays films, in a real browser."""

import pytest

nbformat = pytest.importorskip("nbformat", reason="nbconvert is not installed")
nbconvert = pytest.importorskip("nbconvert", reason="nbconvert is not installed")
pytest.importorskip("ipykernel", reason="ipykernel is not installed")

CELLS = (
    "import multiloop as ml\nfour_bar = ml.examples.four_bar()\nfour_bar.draw()",
    "loads = ml.inverse(four_bar, cycle=37)\nloads.plot()",
    "loads.film('film.html')",
    "loads.film('film.gif', rate=5, width=160)",
)


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    """The cells, run by a kernel and exported to one HTML page."""
    folder = tmp_path_factory.mktemp("notebook")
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    written = nbformat.v4.new_notebook(cells=cells)
    nbconvert.preprocessors.ExecutePreprocessor(timeout=120).preprocess(
        written, {"metadata": {"path": str(folder)}}
    )
    page, _ = nbconvert.HTMLExporter().from_notebook_node(written)
    (folder / "notebook.html").write_text(page, encoding="utf-8")
    return written, folder / "notebook.html"


@pytest.mark.parametrize(
    ("cell", "kind"), [(0, "image/png"), (1, "image/png"), (2, "text/html"), (3, "text/html")]
)
def test_every_cell_has_something_to_display(notebook, cell, kind):
    (output,) = [one for one in notebook[0].cells[cell].outputs if one.output_type == "execute_result"]
    assert kind in output.data


def test_pictures_are_seen_and_the_film_plays(notebook, screen):
    page = screen(notebook[1])
    pictures = page.locator(".jp-RenderedImage img")
    assert pictures.count() == 2
    for k in range(2):
        pictures.nth(k).scroll_into_view_if_needed()
        assert pictures.nth(k).evaluate("seen => seen.complete && seen.naturalWidth") > 400
        assert len(set(pictures.nth(k).screenshot())) > 200, "a blank picture has few different bytes"
    film = page.locator("iframe").first
    film.scroll_into_view_if_needed()
    drawn = film.content_frame.locator("canvas").first
    before = drawn.screenshot()
    page.wait_for_timeout(400)
    assert drawn.screenshot() != before, "the film stands still"
    moving = page.locator("img[src^='data:image/gif']")
    assert moving.evaluate("seen => seen.naturalWidth") == 160
