"""A film shows the content of the drawing, throughout the motion, in one complete file; unsuitable results are
refused."""

import base64
import json
import re
import sys
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from PIL import Image
from texts import progress_words
from zoo import ZOO
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.view.figure import GREY
from multiloop.view.film import html_page
from multiloop.view.film.composition import FilmOptions, compose_reel
from multiloop.view.film.film_curves import film_panels
from multiloop.view.film.raster import Rasterizer
from multiloop.view.film.trajectory import trajectory_of
from multiloop.view.label_placement import text_extent
from multiloop.view.scene import scene_at

WISHES = {"speed": 1.0, "rate": 60.0, "traces": (), "arrows": (), "panels": (), "names": False}


def reel(result, **wishes):
    return compose_reel(result, FilmOptions(**WISHES | wishes), lambda share: None)


def film_in(page):
    """The film of a page, with its places decoded: strands × (key instants or 1) × points × 2."""
    text = re.search(r'<script id="film" type="application/json">(.*?)</script>', page, re.DOTALL)[1]
    data = json.loads(text)
    numbers = np.frombuffer(base64.b64decode(data["places"]), "<i2") / data["parts"]
    for strand in data["strands"]:
        count = (1 if strand["rests"] else len(data["times"])) * strand["count"]
        part = numbers[strand["begin"] : strand["begin"] + 2 * count]
        strand["points"] = part.reshape(-1, strand["count"], 2)
    return data


@pytest.fixture(scope="module")
def turning():
    return ml.inverse(ZOO["four-bar"].build(), cycle=37)


@pytest.fixture(scope="module")
def scraper():
    return ml.inverse(ZOO["scraper-C"].build(), cycle=361)


def test_the_name_of_a_slide_stands_by_its_guide_as_in_the_drawing():
    result = ml.inverse(ZOO["slider-crank"].build(), cycle=37)
    made = reel(result, names=True)
    (name,) = (strand for strand in made.strands if strand.look.get("words") == "guide")
    assert np.ptp(name.points, axis=0).max() < 1e-9  # the guide is at rest, the slider is not


def test_a_strut_is_filmed_at_its_piston_where_it_is_drawn():
    strut = ml.Strut("lift", "ground.F", "arm.b", length=(0.6, 1.0), mass=2.0)
    mechanism = ml.Mechanism(
        "tipper",
        planar=True,
        bodies=[ml.ground(O=(0, 0), F=(0.7, -0.3)), ml.rod("arm", length=1.0, mass=3.0)],
        joints=[ml.Revolute("O", "ground.O", "arm.a"), strut],
        drives=[ml.Motion("lift", 0.75 + 0.1 * ml.time)],
        guess={"O": 0.4},
    )
    result = ml.inverse(mechanism, t=[0.0, 0.5, 1.0])
    course = trajectory_of(result, result.time)
    drawn = {site.joint.name: site.place for site in scene_at(result.at(0.0)).sites}
    assert course.places("lift")[0] == pytest.approx(drawn["lift"])


def test_a_path_is_one_whole_line_however_often_it_is_run(turning):
    made = reel(turning, traces=("coupler.b",))
    (path,) = (strand for strand in made.strands if strand.layer == "traces" and strand.kind == "line")
    assert path.look["dashes"] == ()


MOVING = ("four-bar", "slider-crank", "scotch-yoke", "RSSR", "6-UPS", "excavator", "delta")


@pytest.mark.parametrize("name", MOVING)
def test_every_kind_of_mechanism_moves_on_a_page_that_holds_it(name):
    result = ml.inverse(ZOO[name].build(), t=np.linspace(0.0, 0.5, 21))
    made = reel(result, arrows=("bearings", "efforts"), panels=film_panels(result, None), names=True)
    moved = [strand for strand in made.strands if not strand.rests]
    assert moved
    for strand in made.strands:
        assert np.isfinite(strand.points).all()
        if strand.layer == "mechanism":
            assert (strand.points > -1).all()
            assert (strand.points < np.array(made.page) + 1).all()
    words = {strand.look["words"] for strand in made.strands if strand.kind == "text"}
    assert {body.name for body in result.mechanism.moving} <= words


@pytest.mark.parametrize("name", ["four-bar", "slider-crank", "RSSR", "6-UPS"])
def test_the_first_frame_has_the_strokes_of_the_drawing(name):
    result = ml.inverse(ZOO[name].build(), t=np.linspace(0.0, 0.1, 5))
    drawn = result.at(0.0).draw().axes[0]
    shown = [s for s in reel(result).strands if s.shown is None or s.shown[0]]
    left = Counter(line.get_color() for line in drawn.lines if line.get_linestyle() != "None")
    left.subtract(s.look["colour"] for s in shown if s.kind in ("line", "strokes"))
    assert min(left.values()) >= 0
    assert {colour for colour, count in left.items() if count} <= {GREY}  # lines that lead to names
    dots = [line for line in drawn.lines if line.get_linestyle() == "None"]
    assert len([s for s in shown if s.kind == "dot"]) == len(dots)
    areas = [*drawn.patches, *drawn.collections]
    assert len([s for s in shown if s.kind == "area"]) == len(areas)


def test_pins_are_where_the_joints_are_at_every_instant(turning):
    made = reel(turning)
    pins = [s for s in made.strands if s.kind == "dot" and s.look["diameter"] == 9.0 and not s.rests]
    assert len(pins) == 2
    at = np.array([[np.interp(made.times, turning.time, x) for x in turning.marker("crank.b").T]])[0].T
    # one scale and one shift for all instants: the framing is fixed
    page = pins[0].points[:, 0]
    scale = np.ptp(page[:, 0]) / np.ptp(at[:, 0])
    assert page - page[0] == pytest.approx(scale * (at - at[0]), abs=0.6)  # twice KEY_TOLERANCE, in points


def test_feet_and_guides_do_not_move():
    result = ml.inverse(ZOO["slider-crank"].build(), cycle=37)
    made = reel(result)
    hatching = [s for s in made.strands if s.kind == "strokes"]
    assert hatching
    assert all(s.rests for s in hatching)
    guide = max(hatching, key=lambda s: np.ptp(s.points[0, :, 0]))
    block = max(
        (s for s in made.strands if s.kind == "area" and not s.rests), key=lambda s: np.ptp(s.points[:, 0, 0])
    )
    assert guide.points[..., 0].min() < block.points[..., 0].min()
    assert guide.points[..., 0].max() > block.points[..., 0].max()


@pytest.mark.parametrize("name", ["scraper-C", "slider-crank", "delta"])
def test_no_two_names_that_are_shown_overlap(name):
    result = ml.inverse(ZOO[name].build(), t=np.linspace(0.0, 1.0, 121))
    made = reel(result, names=True, traces=[f"{result.mechanism.moving[0].name}.com"])
    names = [s for s in made.strands if s.kind == "text" and s.layer in ("names", "traces")]
    boxes = np.array([text_extent(s.look["words"], s.look["size"]) for s in names])
    for k in range(len(made.times)):
        there = [n for n, s in enumerate(names) if s.shown is None or s.shown[k]]
        for n, m in combinations(there, 2):
            one, other = (names[i].points[0 if names[i].rests else k, 0] for i in (n, m))
            assert (np.abs(one - other) > (boxes[n] + boxes[m]) / 2 - 1.5).any()
    shares = [1.0 if s.shown is None else s.shown.mean() for s in names]
    assert min(shares) > 0.2
    assert np.mean(shares) > 0.85


def test_bars_keep_their_length(scraper):
    made = reel(scraper)
    for strand in made.strands:
        if strand.kind == "line" and strand.points.shape[1] == 2 and not strand.rests:
            length = np.linalg.norm(np.diff(strand.points, axis=1)[:, 0], axis=1)
            assert np.ptp(length) < 1e-9


def test_telescopes_do_not_come_apart_and_their_halves_keep_their_length():
    result = ml.inverse(ZOO["6-UPS"].build(), t=np.linspace(0.0, 1.0, 21))
    course = trajectory_of(result, result.time)
    for k in range(1, 7):
        barrel, rod = course.corners[f"lower{k}"], course.corners[f"upper{k}"]
        lengths = [np.linalg.norm(part[:, 1] - part[:, 0], axis=1) for part in (barrel, rod)]
        reach = np.linalg.norm(result.marker(f"platform.h{k}") - result.marker(f"lower{k}.origin"), axis=1)
        assert all(np.ptp(length) < 1e-9 for length in lengths)
        assert np.ptp(reach) > 0.01
        assert (sum(lengths) > 1.02 * reach).all()  # they overlap
        assert all((length <= reach * (1 + 1e-9)).all() for length in lengths)


def test_page_is_one_small_file_that_fetches_nothing(tmp_path, scraper):
    path = scraper.film(tmp_path / "scraper.html", traces="link6.b")
    page = path.read_text(encoding="utf-8")
    assert path.stat().st_size < 1_000_000
    assert not re.search(r"https?:|//cdn|src=|href=|url\(|@import|fetch\(|XMLHttp|import\(", page)
    assert "default-src 'none'" in page
    film = film_in(page)
    assert film["times"][0] == scraper.time[0]
    assert film["times"][-1] == pytest.approx(scraper.time[-1])
    assert film["speed"] == 1.0
    assert {"mechanism", "names", "bearings", "efforts", "traces", "curves"} == set(film["layers"])


def test_places_on_the_page_are_those_of_the_reel(turning):
    made = reel(turning, names=True)
    film = film_in(html_page.page_text(made, 60.0))
    for told, strand in zip(film["strands"], made.strands, strict=True):
        assert told["points"] == pytest.approx(strand.points, abs=0.03)  # rounded to 0.05 points


@pytest.mark.parametrize("evil", ["</script><script>alert(1)</script>", "<b>&amp;</b>", "@FILM@", "a $x$"])
def test_names_are_text_whatever_they_hold(tmp_path, evil):
    body = evil.replace("/", "")  # a slash may stand in the name of a mechanism alone
    mechanism = ml.Mechanism(
        evil,
        planar=True,
        bodies=[ml.ground(), ml.rod(body, length=1.0, mass=1.0)],
        joints=[ml.Revolute(f"{body}A", "ground.origin", f"{body}.a")],
    )
    fall = ml.simulate(mechanism, until=0.3, start={f"{body}A": 0.1}, samples=7)
    page = fall.film(tmp_path / "evil.html").read_text(encoding="utf-8")
    assert page.count("<script") == 2
    assert page.count("</script>") == 2
    film = film_in(page)
    assert film["name"] == evil
    assert {evil, body} <= {strand["look"].get("words") for strand in film["strands"]}
    fall.film(tmp_path / "evil.gif", width=200)


@pytest.mark.parametrize("ending", ["html", "gif", "mp4"])
def test_what_is_interrupted_leaves_no_file(tmp_path, turning, monkeypatch, ending):
    if ending == "mp4":
        pytest.importorskip("imageio_ffmpeg", reason="MP4s are written by imageio-ffmpeg")
    kept = tmp_path / f"kept.{ending}"
    kept.write_text("before")
    painted = iter(range(12))  # frames of a GIF or an MP4 before Ctrl-C
    paint = Rasterizer.paint

    def interrupted(*arguments):
        if ending == "html" or next(painted, None) is None:
            raise KeyboardInterrupt
        return paint(*arguments)

    monkeypatch.setattr(html_page, "page_text", interrupted)
    monkeypatch.setattr(Rasterizer, "paint", interrupted)
    for path in (kept, tmp_path / f"new.{ending}"):
        with pytest.raises(KeyboardInterrupt):
            turning.film(path)
    assert kept.read_text() == "before"
    assert list(tmp_path.iterdir()) == [kept]


def test_progress_is_shown_where_it_is_wanted(tmp_path, turning, capsys, monkeypatch, texts):
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich then assumes a terminal
    monkeypatch.setenv("COLUMNS", "120")
    turning.film(tmp_path / "four_bar.gif", progress=True, width=120)
    told = capsys.readouterr().err
    assert "of 100 %" in told
    texts(progress_words(told))
    turning.film(tmp_path / "four_bar.gif", width=120)
    assert capsys.readouterr().err == ""


def test_gif_has_the_frames_that_it_should(tmp_path, turning):
    duration = turning.time[-1]
    path = turning.film(tmp_path / "four_bar.gif", speed=0.5, width=400)
    frames = round(duration / 0.5 * 25)  # the last one is the first again
    with Image.open(path) as picture:
        assert picture.n_frames == frames
        assert picture.size[0] == 400
        shown = []
        for k in (0, frames // 3):
            picture.seek(k)
            assert picture.info["duration"] == 40
            shown.append(np.asarray(picture.convert("RGB"), float))
    assert np.abs(shown[0] - shown[1]).mean() > 0.5
    assert shown[0][2, 2].tolist() == [255, 255, 255]  # paper is white


def test_mp4_has_the_frames_that_it_should(tmp_path, turning):
    ffmpeg = pytest.importorskip("imageio_ffmpeg", reason="MP4s are written by imageio-ffmpeg")
    path = turning.film(tmp_path / "four_bar.mp4", speed=1.0, rate=20, width=401)
    frames = round(turning.time[-1] * 20) + 1
    counted, seconds = ffmpeg.count_frames_and_secs(str(path))
    assert counted == frames
    assert seconds == pytest.approx(frames / 20, abs=0.06)  # one frame
    reader = ffmpeg.read_frames(str(path))
    width, height = next(reader)["size"]
    assert (width % 2, height % 2) == (0, 0)
    first = np.frombuffer(next(reader), np.uint8)
    assert 150 < first.mean() < 255
    reader.close()


def test_mp4_without_ffmpeg_names_the_package_to_install(tmp_path, turning, monkeypatch, texts):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(ml.ModelError) as caught:
        turning.film(tmp_path / "four_bar.mp4")
    texts.fault(caught.value, "F01")
    assert not list(tmp_path.iterdir())


def test_pixels_are_those_of_the_strands(turning):
    made = reel(turning)
    picture = Rasterizer(made, 600).paint(float(made.times[0]))
    pin = next(s for s in made.strands if s.kind == "dot" and s.look["diameter"] == 9.0)
    x, y = pin.points[0, 0] * 600 / made.page[0]
    assert picture[len(picture) - 1 - round(y), round(x)].min() > 200  # its face is paper
    edge = picture[len(picture) - 1 - round(y), round(x + 4.5 * 600 / made.page[0])]
    assert edge.max() < 150  # its rim is ink


@pytest.mark.parametrize(
    ("path", "options", "words"),
    [
        ("film.avi", {}, ("[V04]",)),
        ("film.html", {"speed": -1.0}, ("[V04]", "-1")),
        ("film.html", {"speed": "fast"}, ("[V04]",)),
        ("film.gif", {"rate": 1000}, ("[V04]", "1000")),
        ("film.gif", {"width": 0}, ("[V04]", "0")),
        ("film.gif", {"speed": 1e-6}, ("[V04]", "2000")),
        ("film.html", {"traces": "coupler.x"}, ("[R01]", "'coupler.x'")),
        ("film.html", {"arrows": "bearing"}, ("[R01]", "'bearing'")),
        ("film.html", {"show": "A.torque"}, ("[R01]", "'A.torque'")),
        ("missing/film.html", {}, ("[F01]",)),
    ],
)
def test_what_cannot_be_filmed_is_refused(tmp_path, turning, path, options, words, texts):
    with pytest.raises(ml.MultiloopError) as caught:
        turning.film(tmp_path / path, **options)
    texts(caught.value, *words)
    assert not list(tmp_path.iterdir())


def test_a_single_instant_is_no_film(tmp_path, texts):
    result = ml.inverse(ZOO["four-bar"].build(), t=0.1)
    with pytest.raises(ml.DrawingError) as caught:
        result.film(tmp_path / "film.html")
    texts.fault(caught.value, "V04")


def test_instants_may_come_in_any_order(turning):
    times = np.linspace(0.0, 1.0, 21)
    backward = ml.inverse(turning.mechanism, t=times[::-1])
    made, same = reel(backward), reel(ml.inverse(turning.mechanism, t=times))
    assert made.times == pytest.approx(same.times)
    for one, other in zip(made.strands, same.strands, strict=True):
        assert one.points == pytest.approx(other.points, abs=1e-6)


def test_a_link_in_space_that_hardly_moves_is_one_set_of_strands():
    """In side view and in end view, it has the same number of points, and moves between key instants."""
    blade = ml.beam(
        "blade", length=1.0, E=70e9, density=2700, section=ml.rectangle(0.06, 0.012), modes={"z": 1}
    )
    rotor = pinned_body(
        blade,
        "rotor",
        joint="shaft",
        planar=False,
        drives=[ml.Motion("shaft", ml.motion_laws.constant_speed(20.0))],
    )
    made = reel(ml.simulate(rotor, until=0.3, start="relaxed"))
    assert all(strand.shown is None for strand in made.strands if strand.kind == "line")
