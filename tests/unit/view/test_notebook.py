"""A notebook shows the sentence and a picture, and displaying never fails."""

import base64
import re
from io import BytesIO

import matplotlib.image
import pytest
from zoo import ZOO
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.view import notebook


@pytest.fixture(scope="module")
def things():
    mechanism = ZOO["four-bar"].build()
    return {
        "mechanism": mechanism,
        "state": ml.assemble(mechanism),
        "result": ml.inverse(mechanism, cycle=9),
        "plan": ml.analyse(mechanism),
    }


@pytest.mark.parametrize("name", ["mechanism", "state", "result", "plan"])
def test_sentence_and_picture(things, name):
    thing = things[name]
    page = thing._repr_html_()
    assert page.startswith("<p>")
    assert "four-bar" in page
    (data,) = re.findall(r'src="data:image/png;base64,([^"]+)"', page)
    pixels = matplotlib.image.imread(BytesIO(base64.b64decode(data)))
    assert min(pixels.shape[:2]) > 200
    assert pixels[..., :3].min() < 0.5  # the picture is not empty


def test_names_are_text_and_no_markup():
    mechanism = pinned_body(ml.rod("<script>", length=1.0, mass=1.0), name="<b>bold</b>")
    page = mechanism._repr_html_()
    assert "&lt;b&gt;bold" in page
    assert "<b>" not in page


def test_a_mechanism_that_cannot_be_assembled_is_reported_in_its_sentence(texts):
    mechanism = ZOO["four-bar"].build()
    torn = mechanism.replace(bodies=[ml.ground(A=(0, 0), D=(9.0, 0)), *mechanism.moving])
    page = torn._repr_html_()
    assert page.startswith("<p>Mechanism")
    texts(page, "7 m")
    assert "<img" not in page


def test_any_other_failure_leaves_the_sentence(things, monkeypatch):
    def fails(_):
        raise RuntimeError("no <font>")

    monkeypatch.setattr(notebook, "draw_mechanism", fails)
    page = things["mechanism"]._repr_html_()
    assert page.startswith("<p>Mechanism")
    assert "no &lt;font&gt;" in page
