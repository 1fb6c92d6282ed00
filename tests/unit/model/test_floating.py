"""Floating bodies: groups connected to the ground by pairs only, each by its first body."""

import pytest

import multiloop as ml


def bicycle(**changes):
    """A frame on two wheels, in the plane."""
    given = {
        "planar": True,
        "bodies": [
            ml.ground(road=(0, 0)),
            ml.Body(
                "frame", mass=20.0, inertia=1.0, com=(0.5, 0.1), markers={"rear": (0, 0), "front": (1, 0)}
            ),
            ml.Body("rear", mass=1.0, inertia=0.02),
            ml.Body("front", mass=1.2, inertia=0.03),
        ],
        "joints": [
            ml.Revolute("rear axle", "frame.rear", "rear.origin"),
            ml.Revolute("front axle", "frame.front", "front.origin"),
        ],
        "pairs": [
            ml.Rolling("rear contact", "rear.origin", "ground.road", radius=0.3),
            ml.Rolling("front contact", "front.origin", "ground.road", radius=0.3),
        ],
    }
    return ml.Mechanism("bicycle", **(given | changes))


def test_a_group_that_joints_hold_together_floats_by_its_first_body(texts):
    mechanism = bicycle()
    assert mechanism.floating == ("frame",)
    assert [joint.name for joint in mechanism.binary_joints] == ["rear axle", "front axle", "frame floats"]
    plan = ml.analyse(mechanism)
    assert (plan.mobility, plan.configurations) == (1, 3)
    texts(plan.explain(), "'frame'", "'frame floats'")


def test_bodies_that_joints_carry_do_not_float():
    joined = bicycle(joints=[*bicycle().joints, ml.Revolute("stand", "ground.road", "frame.rear")])
    assert joined.floating == ()
    own = bicycle(joints=[*bicycle().joints, ml.Free("frame floats", "ground.origin", "frame.origin")])
    assert own.floating == ()


def test_every_group_floats_by_itself():
    """Without their axles there are three groups: two wheels on the road, and the frame on a rod to one of them."""
    rod = ml.Distance("rod", "frame.origin", "rear.origin", length=0.5)
    mechanism = bicycle(joints=[], pairs=[*bicycle().pairs, rod])
    assert mechanism.floating == ("frame", "rear", "front")


def test_what_pairs_do_not_lead_to_the_ground_is_not_connected(texts):
    apart = [ml.Distance("rod", "rear.origin", "front.origin", length=1.0)]
    with pytest.raises(ml.ModelError) as caught:
        bicycle(pairs=apart)
    texts.fault(caught.value, "T04", "'frame'", "'rear'", "'front'")


@pytest.mark.parametrize("part", ["joint", "body"])
def test_the_name_of_the_free_joint_is_taken(part, texts):
    taken = ml.Body("wheel floats", mass=1.0, inertia=0.1)
    wheel = ml.Body("wheel", mass=1.0, inertia=0.1)
    name = "wheel floats" if part == "joint" else "hinge"
    with pytest.raises(ml.ModelError) as caught:
        ml.Mechanism(
            "twice",
            planar=True,
            bodies=[
                ml.ground(road=(0, 0)),
                wheel,
                taken if part == "body" else ml.rod("arm", length=1.0, mass=1.0),
            ],
            joints=[ml.Revolute(name, "ground.road", "arm.a" if part == "joint" else "wheel floats.origin")],
            pairs=[ml.Rolling("contact", "wheel.origin", "ground.road", radius=0.3)],
        )
    texts.fault(caught.value, "M01", "'wheel floats'")


def test_the_free_joint_is_addressed_as_any_other():
    mechanism = bicycle(guess={"frame": (0.4, 0.3, 0.0)})  # not reversed
    state = ml.assemble(mechanism, {"frame floats": (0.4, None, None), "rear axle": 0.1, "front axle": 0.2})
    assert state["frame floats"].position == pytest.approx((0.4, 0.3, 0.0))
    driven = mechanism.replace(drives=[ml.Motion("frame floats", x=0.4 + ml.time)])
    assert ml.assemble(driven, {"rear axle": 0.1, "front axle": 0.2})["rear axle"].rate == pytest.approx(
        -1 / 0.3
    )
