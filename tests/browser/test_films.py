"""Films in a real browser: playing, pausing, setting the time, without console errors and without network requests."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from what_torque_drives_the_carpet_scraper import mechanism as scraper
from zoo import ZOO

import multiloop as ml


def _engine():
    spec = importlib.util.spec_from_file_location("engine", Path(__file__).with_name("engine.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.result()


FILMS = {
    "scraper": (lambda: ml.inverse(scraper, cycle=361), {"traces": ["link6.b"]}),
    "hexapod": (lambda: ml.inverse(ZOO["6-UPS"].build(), t=np.linspace(0.0, 2.0, 121)), {}),
    "engine": (_engine, {"show": ["main bearing.effort", "crank pin.load"]}),
}


@pytest.fixture(scope="module", params=FILMS)
def film(request, tmp_path_factory):
    ask, options = FILMS[request.param]
    result = ask()
    path = result.film(tmp_path_factory.mktemp("films") / f"{request.param}.html", **options)
    return result, path


def time_of(page):
    return float(page.get_attribute("body", "data-time"))


def picture(page):
    return page.evaluate("document.getElementById('screen').toDataURL()")


def drag_slider(page, share):
    """Drag the slider to a position."""
    page.evaluate(
        "share => { const slider = document.getElementById('slider'); slider.value = share;"
        " slider.dispatchEvent(new Event('input', { bubbles: true })); }",
        share,
    )


def test_it_plays_pauses_and_goes_where_the_slider_is(film, screen):
    result, path = film
    page = screen(path)
    before, first = time_of(page), picture(page)
    page.wait_for_function("before => Number(document.body.dataset.time) !== before", arg=before)
    assert picture(page) != first
    page.click("#play")
    stopped, still = time_of(page), picture(page)
    page.wait_for_timeout(300)
    assert time_of(page) == stopped
    assert picture(page) == still
    begin, end = result.time.min(), result.time.max()
    shown = []
    for share in (0.0, 0.25, 0.6, 1.0):
        drag_slider(page, share)
        assert time_of(page) == pytest.approx(begin + share * (end - begin))
        shown.append(picture(page))
    assert len(set(shown)) == 4
    page.click("#play")
    page.wait_for_function("end => Number(document.body.dataset.time) !== end", arg=float(end))
    assert page.complaints == []
    assert page.requests == [path.as_uri()]


def test_keys_move_it_too(film, screen):
    result, path = film
    page = screen(path)
    page.keyboard.press("Home")
    assert time_of(page) == result.time.min()
    page.keyboard.press("ArrowRight")
    step = time_of(page) - result.time.min()
    assert 0 < step < 0.1 * np.ptp(result.time)
    page.keyboard.press("End")
    assert time_of(page) == pytest.approx(result.time.max())
    page.keyboard.press(" ")
    assert page.inner_text("#play") == "Pause"
    speed = page.input_value("#speed")
    page.keyboard.press("-")
    assert float(page.input_value("#speed")) < float(speed)
    assert page.complaints == []


def test_playback_has_the_stated_speed(film, screen):
    _, path = film
    page = screen(path)
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    passed = page.evaluate(
        """async () => {
            const read = () => Number(document.body.dataset.time);
            const [t, began] = [read(), performance.now()];
            await new Promise((done) => setTimeout(done, 700));
            await new Promise((done) => requestAnimationFrame(done));
            return [read() - t, (performance.now() - began) / 1000];
        }"""
    )
    speed = float(page.input_value("#speed"))
    assert 0.5 < passed[0] / passed[1] / speed < 1.2  # a busy machine skips frames


def test_a_press_on_the_curves_leads_to_that_time(film, screen):
    result, path = film
    page = screen(path)
    left, right, low, high, width, height = page.evaluate(
        "(() => { const film = JSON.parse(document.getElementById('film').textContent);"
        " return [...film.cursor, ...film.page]; })()"
    )
    box = page.locator("#screen").bounding_box()
    x = box["x"] + (0.3 * left + 0.7 * right) * box["width"] / width
    page.mouse.click(x, box["y"] + (height - (low + high) / 2) * box["height"] / height)
    share = (time_of(page) - result.time.min()) / np.ptp(result.time)
    assert share == pytest.approx(0.7, abs=0.01)  # whole pixels of the page
    assert page.inner_text("#play") == "Play"


def test_layers_can_be_hidden(film, screen):
    _, path = film
    page = screen(path)
    page.keyboard.press("Home")
    whole = picture(page)
    boxes = page.query_selector_all("#layers input")
    assert len(boxes) >= 3
    for box in boxes:
        box.click()
        assert picture(page) != whole
        box.click()
        assert picture(page) == whole


def test_it_fits_its_window_and_the_dark(film, screen):
    _, path = film
    page = screen(path)
    for width, height in ((1400, 900), (500, 800), (900, 420)):
        page.set_viewport_size({"width": width, "height": height})
        # Layout follows the new size after some frames; a page that never fits times out here.
        page.wait_for_function("() => document.documentElement.scrollWidth <= window.innerWidth")
        page.wait_for_function("() => document.documentElement.scrollHeight <= window.innerHeight")
    page.keyboard.press("Home")
    light = _paper(page)
    page.emulate_media(color_scheme="dark")
    page.keyboard.press("Home")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(23, 25, 28)"
    assert _paper(page) != light


def _paper(page):
    return page.screenshot()


def test_a_name_is_no_script(screen, tmp_path):
    evil, body = "</script><script>document.title = 1</script>", "<img src=x onerror=document{title=1}>"
    mechanism = ml.Mechanism(
        evil,
        planar=True,
        bodies=[ml.ground(), ml.rod(body, length=1.0, mass=1.0)],
        joints=[ml.Revolute("A", "ground.origin", f"{body}.a")],
    )
    fall = ml.simulate(mechanism, until=1.0, start={"A": 0.1}, samples=21)
    page = screen(fall.film(tmp_path / "evil.html"))
    assert page.title() == evil
    assert page.complaints == []
    assert len(page.requests) == 1
