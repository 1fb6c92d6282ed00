"""The test models: mechanisms of all types, each with known facts."""

from zoo import (
    cams,
    chains,
    excavator,
    four_bars,
    geared,
    higher_pairs,
    linkages,
    motors,
    nonholonomic,
    overconstrained,
    planar_parallel,
    relations,
    rssr,
    scraper,
    shafts,
    sliders,
    spatial_parallel,
    twisted_loops,
)
from zoo.entry import Entry, by_name

ZOO: dict[str, Entry] = by_name(
    scraper.FAMILY,
    four_bars.FAMILY,
    sliders.FAMILY,
    linkages.FAMILY,
    planar_parallel.FAMILY,
    excavator.FAMILY,
    rssr.FAMILY,
    overconstrained.FAMILY,
    twisted_loops.FAMILY,
    shafts.FAMILY,
    spatial_parallel.FAMILY,
    higher_pairs.FAMILY,
    chains.FAMILY,
    relations.FAMILY,
    cams.FAMILY,
    nonholonomic.FAMILY,
    geared.FAMILY,
    motors.FAMILY,
)

NEARLY: dict[str, Entry] = by_name(twisted_loops.NEARLY)
"""Mechanisms that would move with exact numbers, but whose numbers are rounded."""

LARGE = frozenset(
    (
        "excavator",
        "delta-rods",
        "watt",
        "five-bar-braced",
        "four-bar-welded",
        "four-bar-offsets",
        "ladder-5",
        "ladder-20",
        "chain-10",
        "spatial-chain-6",
        "delta",
        "swash-pump",
        "spherical-wrist",
        "peaucellier",
        "bricard",
        "RSSR-revolutes",
        "scraper-K",
        "6-UPS",
        "RCCC",
        "slider-crank-striking",
        "geared-arm",
        "cart-resisting",
        "cam-rocker",
    )
)
"""Members for which all laws take five seconds or more: they are tested by `make test-slow`."""

__all__ = ["LARGE", "NEARLY", "ZOO", "Entry"]
