"""`ml.compile`: the mechanism's functions by number."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from texts import Texts
from zoo import ZOO

import multiloop as ml


@pytest.mark.parametrize("name", ["four-bar", "3-RRR", "bennett", "delta"])
def test_the_forward_kernel_agrees_with_forward(name: str) -> None:
    mechanism = ZOO[name].build().without_drives()
    kernels = ml.compile(mechanism)
    start = {joint: tuple(q) for joint, q in kernels.plan.assembly.coordinates().items()}
    result = ml.forward(mechanism, start)
    a = kernels.unpack(kernels.forward(kernels.q, 0.0, 0.0), rates=True)
    for joint in kernels.joints:
        expected = np.atleast_1d(result[joint].acceleration[0])
        np.testing.assert_allclose(
            a[joint], expected, rtol=1e-10, atol=1e-9 * np.abs(expected).max(initial=1.0)
        )


def test_a_method_that_there_is_not_is_refused_at_once(texts: Texts) -> None:
    with pytest.raises(ml.SolveError) as caught:
        ml.compile(ZOO["four-bar"].build(), method="nonsense")
    texts.fault(caught.value, "S08", "'nonsense'")


@pytest.mark.parametrize("method", ["sslm", "embedding"])
def test_inverse_kernel_gives_efforts_and_reactions(method: str) -> None:
    mechanism = ZOO["four-bar"].build()
    kernels = ml.compile(mechanism, method=method)
    loads = ml.inverse(mechanism, t=[0.0])
    v = kernels.pack({j: loads[j].rate for j in kernels.joints}, rates=True)
    a = kernels.pack({j: loads[j].acceleration for j in kernels.joints}, rates=True)
    tau, wrenches = kernels.inverse(kernels.q, v, a)
    np.testing.assert_allclose(tau, loads[mechanism.drives[0].of].effort, rtol=1e-11)
    for k, joint in enumerate(mechanism.connections):
        np.testing.assert_allclose(wrenches[3:5, k], loads[joint.name].force[0], rtol=1e-10, atol=1e-11)


def test_derivatives_are_kernels_too() -> None:
    kernels = ml.compile(ZOO["3-RRR"].build().without_drives())
    slope = kernels.derivative("forward", "a", "q")
    q, v, tau = kernels.q, np.full(7, 0.3), np.full(7, 0.1)
    step = 1e-6
    for k, e in enumerate(np.eye(7)):
        change = (kernels.forward(q + step * e, v, tau) - kernels.forward(q - step * e, v, tau)) / (2 * step)
        np.testing.assert_allclose(
            slope(q, v, tau)[:, k], change, rtol=1e-6, atol=1e-6 * np.abs(change).max()
        )


def test_names_and_numbers(texts: Texts) -> None:
    kernels = ml.compile(ZOO["3-RRR"].build().without_drives())
    q = kernels.q
    np.testing.assert_array_equal(kernels.pack(kernels.unpack(q)), q)
    many = kernels.pack({kernels.joints[0]: np.ones((1, 5))})
    assert many.shape == (7, 5)
    with pytest.raises(ml.UnknownNameError) as caught:
        kernels.pack({"no": 1.0})
    texts.fault(caught.value, "R01")
    with pytest.raises(ml.SolveError) as caught:
        _ = kernels.inverse
    texts.fault(caught.value, "S01", "3", "0")


def test_parameters_of_the_drives_are_inputs_like_all_others() -> None:
    kernels = ml.compile(ZOO["four-bar-parameters"].build())
    assert kernels.forward.inputs[-1].size == len(kernels.mechanism.parameters)
    assert np.isfinite(kernels.forward(kernels.q, 0.0, 0.0)).all()


def test_single_kernels_are_pickled_as_all_kernels_are() -> None:
    kernels = ml.compile(ZOO["four-bar-parameters"].build())
    for kernel in (kernels.forward, kernels.derivative("forward", "a", "q")):
        arrived = pickle.loads(pickle.dumps(kernel))
        np.testing.assert_array_equal(arrived(kernels.q, 0.1, 0.2), kernel(kernels.q, 0.1, 0.2))
    assert arrived.recipe.key == kernel.recipe.key


@pytest.mark.parametrize("name", ["four-bar", "3-RRR", "delta"])
def test_a_state_is_packed_without_its_cut_joints(name: str) -> None:
    kernels = ml.compile(ZOO[name].build().without_drives(), target="interpreter")
    start = {joint: tuple(q) for joint, q in kernels.plan.assembly.coordinates().items()}
    rates = {kernels.joints[0]: 0.7}
    state = ml.forward(kernels.mechanism, start, rates=rates if name == "four-bar" else None).final
    q, v = kernels.pack(state), kernels.pack(state, rates=True)
    assert np.abs(kernels.closure(q)).max() < 1e-9
    np.testing.assert_allclose(kernels.jacobian(q) @ v, 0.0, atol=1e-12)
    assert v[0] == pytest.approx(0.7 if name == "four-bar" else 0.0)


def test_errors_of_states_for_kernels(texts: Texts) -> None:
    four_bar = ZOO["four-bar"].build()
    kernels = ml.compile(four_bar, target="interpreter")
    with pytest.raises(ml.UnknownNameError) as caught:
        kernels.pack({kernels.plan.cuts[0]: 0.3})
    texts.fault(caught.value, "R01")
    with pytest.raises(ml.SolveError) as caught:
        kernels.pack(3)  # type: ignore[arg-type]
    texts.fault(caught.value, "S09", "3")
    with pytest.raises(TypeError) as wrong:
        kernels.forward(ml.assemble(four_bar), 0.0, 0.0)
    assert "kernels.pack(state)" in str(wrong.value)


SET_VALUED = {
    "contact": ml.Contact("hold", "arm.b", "ground.O", radius=0.1),
    "stop": ml.Stop("hold", "A", low=-1.0, high=1.0, restitution=0.0),
    "rope": ml.Rope("hold", "arm.b", "ground.O", length=2.0),
    "freewheel": ml.Freewheel("hold", "A"),
    "stiction": ml.Friction("hold", "A", coefficient=0.1, radius=0.01, stiction="exact"),
}


@pytest.mark.parametrize("kind", SET_VALUED)
def test_set_valued_forces_are_announced(kind: str) -> None:
    arm = ml.Mechanism(
        "arm",
        planar=True,
        bodies=[ml.ground(O=(0, 0)), ml.rod("arm", length=0.5, mass=1.0)],
        joints=[ml.Revolute("A", "ground.O", "arm.a")],
        loads=[SET_VALUED[kind]],
    )
    with pytest.warns(UserWarning, match="set-valued force of load 'hold'") as found:
        kernels = ml.compile(arm, target="interpreter")
    assert found[0].filename == __file__
    assert "x" in [array.name for array in kernels.forward.inputs]
    free = kernels.forward(kernels.q, 0.0, 0.0)
    bare = ml.compile(arm.replace(loads=[]), target="interpreter")
    np.testing.assert_allclose(free, bare.forward(kernels.q, 0.0, 0.0), rtol=1e-12)
