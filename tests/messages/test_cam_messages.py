"""Messages for cams whose profile is invalid or that the follower cannot follow."""

import numpy as np
import pytest
from laws.cams import OVAL, program, rise, sliding, swinging, swung

import multiloop as ml

cos, sin = ml.expr.cos, ml.expr.sin


def cam(planar=True, **given):
    point = (0, 0) if planar else (0, 0, 0)
    inertia = 1e-4 if planar else (1e-4, 1e-4, 1e-4)
    return ml.Mechanism(
        "valve train",
        planar=planar,
        bodies=[
            ml.ground(O=point),
            ml.Body("cam", mass=0.5, inertia=inertia),
            ml.Body("tappet", mass=0.1, inertia=inertia),
        ],
        joints=[
            ml.Revolute("O", "ground.O", "cam.origin"),
            ml.Prismatic("guide", "ground.O", "tappet.origin"),
        ],
        pairs=[ml.Cam("valve", "cam.origin", "tappet.origin", **given)],
    )


HOLLOW = ml.Curve(
    (0.03 + 0.012 * cos(2 * ml.cam_angle)) * cos(ml.cam_angle),
    (0.03 + 0.012 * cos(2 * ml.cam_angle)) * sin(ml.cam_angle),
)

MESSAGES = {
    "undercut under a face": (
        lambda: cam(lift=program(0.012), base=0.01),
        ("P26", "cam 'valve'", "90°", "-0.009643 m"),
    ),
    "undercut under a roller": (
        lambda: cam(lift=rise(0.4, 0.9, 0.02) - rise(0.9, 1.4, 0.02), base=0.02, roller=0.03),
        ("P26", "cam 'valve'", "47°", "-0.01939 m"),
    ),
    "a hollow under a face": (lambda: cam(profile=HOLLOW), ("P26", "cam 'valve'", "90°", "-0.0108 m")),
    "a hollow too narrow": (
        lambda: cam(profile=HOLLOW, roller=0.06),
        ("P26", "cam 'valve'", "90°", "-0.0108 m"),
    ),
    "a negative base": (lambda: cam(lift=program(), base=-0.01), ("M13", "cam 'valve'", "-0.01")),
    "a negative roller": (
        lambda: cam(lift=program(), base=0.03, roller=-0.01),
        ("M13", "cam 'valve'", "-0.01"),
    ),
    "no outline": (lambda: cam(base=0.03), ("P20", "cam 'valve'")),
    "two outlines": (lambda: cam(lift=program(), base=0.03, profile=OVAL), ("P20", "cam 'valve'")),
    "a base beside a profile": (lambda: cam(profile=OVAL, base=0.03), ("P20", "cam 'valve'")),
    "an invalid profile": (lambda: cam(profile=0.03), ("M12", "cam 'valve'", "0.03")),
    "a circle of nothing": (lambda: cam(profile=ml.Circle(0.0)), ("M13", "cam 'valve'", "0")),
    "another follower": (
        lambda: cam(profile=OVAL, follower="mushroom"),
        ("P21", "cam 'valve'", "'mushroom'"),
    ),
    "a face with a roller": (
        lambda: cam(profile=OVAL, follower="flat", roller=0.01),
        ("P21", "cam 'valve'", "'flat'", "0.01"),
    ),
    "a face in a groove": (lambda: cam(profile=OVAL, groove=True), ("P21", "cam 'valve'")),
    "a lift of a joint": (
        lambda: cam(lift=0.001 * ml.position("O"), base=0.03),
        ("P22", "cam 'valve'", '`0.001 * position("O")`'),
    ),
    "a lift that jumps": (
        lambda: cam(lift=rise(1.0, 2.0, 0.005), base=0.03),
        ("P23", "cam 'valve'", "0", "0.005"),
    ),
    "a lift with a corner": (
        lambda: cam(lift=0.001 * sin(0.5 * ml.cam_angle), base=0.03),
        ("P23", "cam 'valve'", "0.0005", "-0.0005"),
    ),
    "a table over degrees": (
        lambda: cam(
            lift=ml.table([0, 90, 180, 270, 360], [0, 0.004, 0.008, 0.004, 0], of=ml.cam_angle), base=0.03
        ),
        ("P23", "cam 'valve'", "2π"),
    ),
    "a cosine of degrees": (
        lambda: cam(lift=0.004 * (1 - cos(ml.cam_angle * np.pi / 180)), base=0.03),
        ("P23", "cam 'valve'", "2π"),
    ),
    "a lift without a value": (
        lambda: cam(lift=0.001 * ml.expr.log(ml.cam_angle - 1), base=0.03),
        ("P22", "cam 'valve'", "`log(cam_angle - 1)`", "`cam_angle - 1`", "-1"),
    ),
    "a lift that is text": (lambda: cam(lift="up", base=0.03), ("M12", "cam 'valve'", "'up'")),
    "a lift that is no number": (lambda: cam(lift=float("nan"), base=0.03), ("M05", "cam 'valve'", "nan")),
    "a list for a roller": (
        lambda: cam(lift=program(), base=0.03, follower="roller", roller=np.zeros(3)),
        ("M05", "cam 'valve'", "[0.0, 0.0, 0.0]"),
    ),
    "an offset too large": (
        lambda: cam(lift=program(), base=0.03, roller=0.01, offset=0.04),
        ("P25", "cam 'valve'", "0.04 m"),
    ),
    "an edge that rolls": (lambda: cam(profile=OVAL, follower="knife", rolling=True), ("P24", "cam 'valve'")),
    "rolling in space": (
        lambda: cam(planar=False, profile=OVAL, roller=0.01, rolling=True),
        ("P24", "cam 'valve'"),
    ),
    "rolling on a parameter": (
        lambda: cam(lift=program(), base=ml.Parameter("b", 0.03), roller=0.01, rolling=True),
        ("P24", "cam 'valve'", "'b'"),
    ),
    "too steep": (
        lambda: cam(lift=program(0.02), base=0.03, roller=0.005, pressure_limit=ml.deg(20)),
        ("P27", "cam 'valve'", "29.6°", "61.5°", "20°"),
    ),
}


@pytest.mark.parametrize("mistake", MESSAGES)
def test_every_mistake_has_its_message(mistake, texts):
    build, text = MESSAGES[mistake]
    with pytest.raises(ml.ModelError) as caught:
        build()
    texts.fault(caught.value, *text)


def rocker_cam(second):
    kind = {"lift": program(0.25), "base": 0.03, "roller": 0.012, "pivot": (-0.09, 0.035), "arm": 0.09}
    return ml.Cam("valve", "cam.origin", second, **kind)


SWINGING = {
    "an arm without a pivot": (
        lambda: cam(lift=program(), base=0.03, roller=0.01, arm=0.08),
        ("P28", "cam 'valve'"),
    ),
    "a pivot beside a profile": (
        lambda: cam(profile=OVAL, follower="knife", pivot=(-0.08, 0.03), arm=0.08),
        ("P28", "cam 'valve'"),
    ),
    "a pivot that is no point": (
        lambda: cam(lift=program(), base=0.03, roller=0.01, pivot=0.08, arm=0.08),
        ("P28", "cam 'valve'", "0.08"),
    ),
    "no arm": (
        lambda: cam(lift=program(), base=0.03, roller=0.01, pivot=(-0.08, 0.03)),
        ("P28", "cam 'valve'", "0"),
    ),
    "a face on an arm": (
        lambda: cam(lift=program(), base=0.03, pivot=(-0.08, 0.03), arm=0.08),
        ("P28", "cam 'valve'"),
    ),
    "an offset on an arm": (
        lambda: cam(lift=program(), base=0.03, roller=0.01, pivot=(-0.08, 0.03), arm=0.08, offset=0.01),
        ("P28", "cam 'valve'"),
    ),
    "an arm that is too short": (
        lambda: swung("roller", cam={"arm": 0.03}),
        ("P25", "cam 'valve'", "0.09657 m", "0.03 m", "0.042 m"),
    ),
    "a swing in degrees": (
        lambda: swung("knife", cam={"lift": program(20.0)}),
        ("P25", "cam 'valve'", "47.5°"),
    ),
    "a face that turns with its cam": (
        lambda: swung("flat", cam={"lift": rise(0.4, 0.9, 0.3) - rise(2.6, 4.4, 0.3)}),
        ("P26", "cam 'valve'", "37°", "1.12"),
    ),
    "undercut under a face": (
        lambda: swung("flat", cam={"lift": program(0.25)}),
        ("P26", "cam 'valve'", "81°", "-0.04247 m"),
    ),
    "too steep": (
        lambda: swung("roller", cam={"pressure_limit": ml.deg(30)}),
        ("P27", "cam 'valve'", "35.2°", "201°", "30°"),
    ),
    "an arm other than the rocker's": (
        lambda: swung("rolling", cam={"arm": 0.085}),
        ("P28", "cam 'valve'", "0.085 m", "'P'", "0.09 m", "'wheel.origin'"),
    ),
    "a face nearer to its pivot": (
        lambda: swung("flat", cam={"offset": 0.002}),
        ("P28", "cam 'valve'", "0.002 m", "'P'", "0.004 m"),
    ),
    "a misspelt marker": (
        lambda: swung("roller", pairs=[rocker_cam("rocker.tp")]),
        ("T03", "cam 'valve'", "'tp'", "'rocker'"),
    ),
    "a law beyond one turn": (
        lambda: swung("roller", cam={"lift": rise(1.0, 2.0, 0.2) - rise(5.5, 7.0, 0.2)}),
        ("P23", "cam 'valve'", "7 rad", "6.283 rad"),
    ),
    "a pivot elsewhere": (
        lambda: swung("knife", cam={"pivot": (-0.1, 0.035)}),
        ("P28", "cam 'valve'", "0.105948 m", "'P'", "0.096566 m"),
    ),
}


@pytest.mark.parametrize("mistake", SWINGING)
def test_every_mistake_of_a_swinging_follower_has_its_message(mistake, texts):
    build, text = SWINGING[mistake]
    with pytest.raises(ml.ModelError) as caught:
        build()
    texts.fault(caught.value, *text)


def test_a_follower_off_its_cam_is_reported(texts):
    near = sliding("circle", "knife")
    frame = ml.ground(O=(0, 0), guide=ml.marker((0.2, 0), angle=np.pi / 2))
    with pytest.raises(ml.AssemblyError) as caught:
        ml.inverse(near.replace(bodies=[frame, *near.bodies[1:]]), cycle=5)
    texts.fault(caught.value, "K01", "cam 'valve'", "0.7", "0.16 m", "5.3")


def test_a_pressure_angle_beyond_its_limit_is_reported_in_the_result(texts):
    """For a swinging follower the pressure angle differs from that of a translating one with the same law."""
    kind = {"profile": ml.Circle(0.03, (0.01, 0.002)), "roller": 0.012, "pressure_limit": ml.deg(10)}
    mechanism = swinging("circle", "roller").replace(
        pairs=[ml.Cam("valve", "cam.origin", "rocker.tip", **kind)]
    )
    texts.warnings(ml.inverse(mechanism, cycle=73), ("W61", "valve", "19.3°"))


NORMALS = {
    "no contact": (
        lambda m: ml.simulate(m, until=0.1, events={"off": ml.normal("guide")}),
        ("S03", "event 'off'", "'guide'"),
    ),
    "an effort": (
        lambda m: ml.simulate(
            m.without_drives(), until=0.1, start={"O": 1.0}, efforts={"O": ml.normal("valve")}
        ),
        ("S03", "effort at 'O'", "'valve'"),
    ),
    "an actuator": (
        lambda m: m.replace(actuators=[ml.Actuator("O", effort=ml.normal("valve"))], drives=[]),
        ("D07", "actuator at 'O'", '`normal("valve")`'),
    ),
    "the cam angle in a drive": (
        lambda m: m.replace(drives=[ml.Motion("O", 3 * ml.cam_angle)]),
        ("D07", "drive of 'O'", "`3 * cam_angle`"),
    ),
}


@pytest.mark.parametrize("mistake", NORMALS)
def test_normal_forces_and_cam_angles_stand_where_they_are_known(mistake, texts):
    ask, text = NORMALS[mistake]
    with pytest.raises(ml.MultiloopError) as caught:
        ask(sliding("circle", "knife"))
    texts.fault(caught.value, *text)


IN_FILES = {
    "a misspelt field": ({"radus": 0.03}, ("profile", "'radus'")),
    "a number": (5, ("profile", "5")),
    "half a curve": ({"x": "cos(cam_angle)"}, ("profile", "y")),
    "an invalid expression": ({"radius": "0.03 +"}, ("profile.radius", "`0.03 +`", "7")),
}


@pytest.mark.parametrize("mistake", IN_FILES)
def test_every_mistake_in_a_file_has_its_message(mistake, texts):
    profile, values = IN_FILES[mistake]
    with pytest.raises(ml.ModelError) as caught:
        ml.from_data({"kind": "Cam", "name": "c", "first": "a.b", "second": "c.d", "profile": profile})
    texts.fault(caught.value, "M91", *values)
