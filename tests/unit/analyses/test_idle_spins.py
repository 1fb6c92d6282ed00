"""Idle spins: their initial rates, the statement of `inverse` on those that it holds, and starts that hold one."""

import numpy as np
import pytest
from texts import Texts

import multiloop as ml
from multiloop import marker


def rssr(offset: float = 0.0, inertia=(0.01, 0.05, 0.05), speed: float = 2.0) -> ml.Mechanism:
    """A coupler between two balls, with its mass centre off the line through them."""
    turned = marker((0, 0, 0), z=(0, 1, 0), x=(1, 0, 0))
    small = (1e-3, 1e-3, 1e-3)
    return ml.Mechanism(
        "rssr",
        bodies=[
            ml.ground(A=marker((0, 0, 0), z=(0, 0, 1)), D=marker((0.6, 0, 0.3), z=(0, 1, 0))),
            ml.Body(
                "crank", mass=0.5, com=(0.05, 0, 0), inertia=small, markers={"a": (0, 0, 0), "b": (0.1, 0, 0)}
            ),
            ml.Body(
                "coupler",
                mass=2.0,
                com=(0.3, offset, 0),
                inertia=inertia,
                markers={"a": (0, 0, 0), "b": (0.6, 0, 0)},
            ),
            ml.Body(
                "rocker", mass=0.5, com=(0.1, 0, 0), inertia=small, markers={"a": turned, "b": (0, 0, 0.25)}
            ),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "crank.a"),
            ml.Spherical("B", "crank.b", "coupler.a"),
            ml.Spherical("C", "coupler.b", "rocker.b"),
            ml.Revolute("D", "ground.D", "rocker.a"),
        ],
        drives=[ml.Motion("A", speed * ml.time)],
        guess={"rocker.b": (0.45, 0, 0.5)},
    )


def with_pendulum() -> ml.Mechanism:
    """The same without a drive, with an unconnected pendulum."""
    still = rssr(0.1).without_drives()
    return still.replace(
        bodies=[*still.bodies, ml.rod("pendulum", length=0.2, mass=1.0)],
        joints=[*still.joints, ml.Revolute("E", "ground.A", "pendulum.a")],
    )


def puck() -> ml.Mechanism:
    """A body that slides on a vertical plane and hangs on the tip of a crank by a rope."""
    turned = marker((0, 0, 0), z=(0, 1, 0), x=(1, 0, 0))
    return ml.Mechanism(
        "puck",
        bodies=[
            ml.ground(A=turned, T=marker((0, 0.1, 0), z=(0, 1, 0), x=(1, 0, 0))),
            ml.Body(
                "crank",
                mass=1.0,
                com=(0.1, 0, 0),
                inertia=(0.01,) * 3,
                markers={"a": turned, "b": (0.2, 0, 0)},
            ),
            ml.Body(
                "puck",
                mass=2.0,
                com=(0, 0, -0.2),
                inertia=(0.02, 0.03, 0.02),
                markers={"t": turned, "k": (0, 0, 0.1)},
            ),
        ],
        joints=[ml.Revolute("A", "ground.A", "crank.a"), ml.Planar("P", "ground.T", "puck.t")],
        pairs=[ml.Distance("d", "crank.b", "puck.k", length=0.5)],
    )


def spin(result: ml.Result, k: int = 0) -> float:
    """e · ω of the coupler; its own x is the line."""
    return float(result.body("coupler")[k][:, 0] @ result.angular_velocity("coupler")[k])


def test_inverse_reports_that_it_holds_the_spin_of_an_unbalanced_coupler(texts: Texts) -> None:
    result = ml.inverse(rssr(0.1), t=np.linspace(0, 1, 5))
    line = result.body("coupler")[:, :, 0]
    largest = np.abs(np.sum(line * result.angular_acceleration("coupler"), axis=1)).max()
    # the acceleration along the line by the rule itself is much smaller: e · α = −ė · ω, of the order ω²
    texts.warnings(result, ("W46", "coupler", f"{largest:.2g}"[:-1], "`simulate`"))
    texts(result.rule, "'coupler'", "0")
    texts.lines(result.summary(), "'coupler'")


def test_inverse_has_no_warning_for_a_symmetric_coupler() -> None:
    result = ml.inverse(rssr(), t=np.linspace(0, 1, 5))
    assert (result.status, result.rule) == ("ok", "")


def test_an_idle_spin_begins_without_turning() -> None:
    mechanism = rssr()
    state = ml.assemble(mechanism)
    assert abs(spin(ml.forward(mechanism, state))) < 1e-12
    assert abs(spin(ml.forward(mechanism))) < 1e-12


def test_a_rate_that_is_given_for_a_spin_stays() -> None:
    mechanism = rssr()
    still = ml.assemble(mechanism)
    faster = ml.assemble(mechanism, rates={"B": still["B"].rate + 3.0 * still.poses["coupler"][:, 0]})
    assert spin(ml.forward(mechanism, faster)) == pytest.approx(3.0, abs=1e-12)


def test_a_run_of_a_symmetric_coupler_equals_inverse() -> None:
    mechanism, t = rssr(inertia=(0.2, 0.15, 0.15), speed=10.0), np.linspace(0, 0.3, 7)
    run = ml.simulate(mechanism, until=0.3, samples=t)
    assert np.abs(run["B"].load - ml.inverse(mechanism, t=t)["B"].load).max() <= 1e-9 * run["B"].load.max()


def test_every_design_begins_without_spin() -> None:
    length = ml.Parameter("l", 0.1)
    mechanism = rssr()
    crank = ml.Body(
        "crank",
        mass=0.5,
        com=(0.05, 0, 0),
        inertia=(1e-3,) * 3,
        markers={"a": (0, 0, 0), "b": (length, 0, 0)},
    )
    mechanism = mechanism.replace(bodies=[mechanism.bodies[0], crank, *mechanism.bodies[2:]])
    runs = ml.simulate(mechanism, parameters={"l": np.array([0.1, 0.12])}, until=0.01, samples=2)
    assert [abs(spin(run)) < 1e-9 for run in runs] == [True, True]


def test_a_start_that_holds_a_spin_leaves_other_freedoms_open(texts: Texts) -> None:
    mechanism = with_pendulum()
    state = ml.assemble(mechanism, {"A": 0.3, "E": 0.7})
    with pytest.raises(ml.AssemblyError) as caught:
        ml.assemble(mechanism, {"B": tuple(state["B"].position)})
    texts.fault(caught.value, "K03", "1")
    with pytest.raises(ml.AssemblyError) as caught:
        ml.assemble(mechanism, {"A": 0.3})
    texts.fault(caught.value, "K03", "1")


def test_a_body_on_a_plane_has_no_idle_spin(texts: Texts) -> None:
    mechanism = puck()
    assert ml.analyse(mechanism).idle == ()
    assert ml.analyse(mechanism).mobility == 3
    with pytest.raises(ml.AssemblyError) as caught:
        ml.assemble(mechanism, {"A": 0.3, "P": (None, None, 0.2)}, guess={"P": (0.1, 0.6, 0)})
    texts.fault(caught.value, "K03", "1")
