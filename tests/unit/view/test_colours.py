"""Colours of bodies: one each, grey for the ground."""

from multiloop.view.figure import BODIES, GREY, colours_of, shaded, tinted


def test_bodies_take_colours_in_turn_and_the_ground_is_grey():
    names = ["ground", *(f"b{k}" for k in range(len(BODIES) + 1))]
    colours = colours_of(names)
    assert colours["ground"] == GREY
    assert colours["b0"] == colours[f"b{len(BODIES)}"] == BODIES[0]
    assert len(set(colours.values())) == len(BODIES) + 1


def test_tints_and_shades():
    assert tinted("#204060", 1.0) == shaded("#204060", 1.0) == "#204060"
    assert tinted("#204060", 0.0) == "#ffffff"
    assert shaded("#204060", 0.5) == "#102030"
