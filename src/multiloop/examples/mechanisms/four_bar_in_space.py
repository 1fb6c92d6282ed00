"""The four-bar linkage as a spatial mechanism with parallel revolute axes, which is overconstrained."""

import multiloop as ml


def four_bar_in_space() -> ml.Mechanism:
    """Build the four-bar in space, which by the Grübler count would be immobile.

    It has one degree of freedom, because three of its constraints are redundant.
    """
    return ml.examples.four_bar().replace(
        name="four-bar in space",
        planar=False,
        gravity=(0, -9.81, 0),
        guess={"B": 1.0, "C": 0.8, "D": 1.9},
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute torque and bearing loads over one revolution."""
    return ml.inverse(mechanism, cycle=121)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    opened = {joint: ", ".join(result[joint].undetermined) for joint in result}
    return f"In each of {', '.join(opened)}: {opened['A']}. The forces in the plane are determined."
