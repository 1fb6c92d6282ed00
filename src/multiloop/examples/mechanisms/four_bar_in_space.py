"""The four-bar of the first page built of bearings in space, whose axes are parallel."""

import multiloop as ml


def four_bar_in_space() -> ml.Mechanism:
    """By count it could not move, and yet it does: three constraints repeat others."""
    return ml.examples.four_bar().replace(
        name="four-bar in space",
        planar=False,
        gravity=(0, -9.81, 0),
        guess={"B": 1.0, "C": 0.8, "D": 1.9},
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Torque and bearing loads over a turn."""
    return ml.inverse(mechanism, cycle=121)


def answer(result: ml.Result) -> str:
    """The answer in a sentence, from what `ask` gives."""
    opened = {joint: ", ".join(result[joint].undetermined) for joint in result}
    return f"In each of {', '.join(opened)}: {opened['A']}. The forces in the plane are determined."
