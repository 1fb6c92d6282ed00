"""What a user reads when a cam cannot be cut or followed, word for word."""

import numpy as np
import pytest
from laws.cams import OVAL, program, rise, sliding, swinging, swung

import multiloop as ml
from multiloop.model.expressions.functions import cos, sin


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
        "[P26] cam 'valve': its outline is undercut: at 90° of the cam angle its radius of curvature is -0.009643 m.\n"
        "       A face touches only what bulges. Raise `base` by more than 0.009643 m, or lift more slowly.",
    ),
    "undercut under a roller": (
        lambda: cam(lift=rise(0.4, 0.9, 0.02) - rise(0.9, 1.4, 0.02), base=0.02, roller=0.03),
        "[P26] cam 'valve': its outline is undercut: at 47° of the cam angle its radius of curvature is -0.01939 m.\n"
        "       The roller of 0.03 m does not fit. Make it smaller, `base` larger or the lift slower.",
    ),
    "a hollow under a face": (
        lambda: cam(profile=HOLLOW),
        "[P26] cam 'valve': its outline is hollow: at 90° of the cam angle its radius of curvature is -0.0108 m.\n"
        "       A face touches only what bulges. Take a roller, or another outline.",
    ),
    "a hollow too narrow": (
        lambda: cam(profile=HOLLOW, roller=0.06),
        "[P26] cam 'valve': its outline is hollow: at 90° of the cam angle its radius of curvature is -0.0108 m.\n"
        "       The roller of 0.06 m does not fit. Make it smaller, or the outline wider there.",
    ),
    "a negative base": (
        lambda: cam(lift=program(), base=-0.01),
        "[M13] cam 'valve': its base is -0.01.\n"
        "       Give the radius of the circle from which the follower is lifted, in metres.",
    ),
    "a negative roller": (
        lambda: cam(lift=program(), base=0.03, roller=-0.01),
        "[M13] cam 'valve': its roller is -0.01.\n       Give the radius of the roller in metres.",
    ),
    "no outline": (
        lambda: cam(base=0.03),
        "[P20] cam 'valve': has neither a lift nor a profile.\n"
        "       Give `lift` with `base`, or `profile`: Circle(...), spline(...) or Curve(...).",
    ),
    "two outlines": (
        lambda: cam(lift=program(), base=0.03, profile=OVAL),
        "[P20] cam 'valve': has both a lift and a profile.\n"
        "       Give `lift` with `base`, or `profile`: Circle(...), spline(...) or Curve(...).",
    ),
    "a base beside a profile": (
        lambda: cam(profile=OVAL, base=0.03),
        "[P20] cam 'valve': has a base beside its profile.\n       These belong to a lift: leave it out.",
    ),
    "a profile that is none": (
        lambda: cam(profile=0.03),
        "[M12] cam 'valve': its profile is 0.03.\n       Give a Circle, a Curve, or spline(points).",
    ),
    "a circle of nothing": (
        lambda: cam(profile=ml.Circle(0.0)),
        "[M13] cam 'valve': the radius of its circle is 0.\n       Give a radius in metres.",
    ),
    "another follower": (
        lambda: cam(profile=OVAL, follower="mushroom"),
        "[P21] cam 'valve': its follower is 'mushroom'.\n"
        '       Choose "flat", "knife", or give the radius of a `roller`.',
    ),
    "a face with a roller": (
        lambda: cam(profile=OVAL, follower="flat", roller=0.01),
        "[P21] cam 'valve': its follower is 'flat', but its roller has the radius 0.01.\n"
        "       Give either a flat or knife follower, or the radius of a roller.",
    ),
    "a face in a groove": (
        lambda: cam(profile=OVAL, groove=True),
        "[P21] cam 'valve': a flat face has no groove.\n       Leave it out, or take a roller.",
    ),
    "a lift of a joint": (
        lambda: cam(lift=0.001 * ml.position("O"), base=0.03),
        "[P22] cam 'valve': its lift is `0.001 * position(\"O\")`, which reads more than the cam angle.\n"
        "       Write it with `cam_angle`, e.g. 0.005 * (1 - cos(cam_angle)), or as a law of motion over it.",
    ),
    "a lift that jumps": (
        lambda: cam(lift=rise(1.0, 2.0, 0.005), base=0.03),
        "[P23] cam 'valve': its lift begins with 0 and ends with 0.005.\n"
        "       Let it end as it began, value and slope, after one round.",
    ),
    "a lift with a corner": (
        lambda: cam(lift=0.001 * sin(0.5 * ml.cam_angle), base=0.03),
        "[P23] cam 'valve': its lift begins with the slope 0.0005 and ends with the slope -0.0005.\n"
        "       Let it end as it began, value and slope, after one round.",
    ),
    "a lift without a value": (
        lambda: cam(lift=0.001 * ml.functions.log(ml.cam_angle - 1), base=0.03),
        "[P22] cam 'valve': its lift has no value: `log(cam_angle - 1)` has no finite value where "
        "`cam_angle - 1` is -1.\n"
        "       Write it with `cam_angle`, e.g. 0.005 * (1 - cos(cam_angle)), or as a law of motion over it.",
    ),
    "a lift that is text": (
        lambda: cam(lift="up", base=0.03),
        "[M12] cam 'valve': its lift is 'up', which is no expression.\n"
        "       Write it with `cam_angle`, e.g. 0.005 * (1 - cos(cam_angle)), or as a law of motion over it.",
    ),
    "a lift that is no number": (
        lambda: cam(lift=float("nan"), base=0.03),
        "[M05] cam 'valve': its lift is nan.\n"
        "       Write it with `cam_angle`, e.g. 0.005 * (1 - cos(cam_angle)), or as a law of motion over it.",
    ),
    "a list for a roller": (
        lambda: cam(lift=program(), base=0.03, follower="roller", roller=np.zeros(3)),
        "[M05] cam 'valve': its roller is [0.0, 0.0, 0.0], which is not a number.\n"
        "       Give a number or a Parameter.",
    ),
    "an offset too large": (
        lambda: cam(lift=program(), base=0.03, roller=0.01, offset=0.04),
        "[P25] cam 'valve': its offset 0.04 m is not below base + roller, 0.04 m.\n"
        "       Guide the follower nearer to the axis of the cam, or make the base larger.",
    ),
    "an edge that rolls": (
        lambda: cam(profile=OVAL, follower="knife", rolling=True),
        "[P24] cam 'valve': a knife follower does not roll.\n       Give the radius of a `roller`.",
    ),
    "rolling in space": (
        lambda: cam(planar=False, profile=OVAL, roller=0.01, rolling=True),
        "[P24] cam 'valve': a roller rolls in planar mechanisms alone.\n"
        "       Let it slide: leave `rolling` out. The spin of a roller in space is that of its own joint.",
    ),
    "rolling on a parameter": (
        lambda: cam(lift=program(), base=ml.Parameter("b", 0.03), roller=0.01, rolling=True),
        "[P24] cam 'valve': the length of its outline depends on the parameter 'b'.\n"
        "       Give numbers, or let the roller slide: leave `rolling` out.",
    ),
    "too steep": (
        lambda: cam(lift=program(0.02), base=0.03, roller=0.005, pressure_limit=ml.deg(20)),
        "[P27] cam 'valve': its pressure angle is 29.6° at 61.5° of the cam angle, its limit 20°.\n"
        "       Make `base` larger, lift more slowly, or move the follower by an `offset`.",
    ),
}


@pytest.mark.parametrize("mistake", MESSAGES)
def test_every_mistake_has_its_words(mistake):
    build, text = MESSAGES[mistake]
    with pytest.raises(ml.ModelError) as caught:
        build()
    assert str(caught.value).partition("\n")[2] == text


SWINGING = {
    "an arm without a pivot": (
        lambda: cam(lift=program(), base=0.03, roller=0.01, arm=0.08),
        "[P28] cam 'valve': has an arm but no pivot.\n"
        "       Give where the pivot of the follower stands in the frame of the cam at cam angle 0: (-0.08, 0.03).",
    ),
    "a pivot beside a profile": (
        lambda: cam(profile=OVAL, follower="knife", pivot=(-0.08, 0.03), arm=0.08),
        "[P28] cam 'valve': has a pivot beside its profile.\n"
        "       It belongs to a lift: leave it out. On a profile any follower swings as its joints let it.",
    ),
    "a pivot that is no point": (
        lambda: cam(lift=program(), base=0.03, roller=0.01, pivot=0.08, arm=0.08),
        "[P28] cam 'valve': its pivot is 0.08.\n"
        "       Give where the pivot of the follower stands in the frame of the cam at cam angle 0: (-0.08, 0.03).",
    ),
    "no arm": (
        lambda: cam(lift=program(), base=0.03, roller=0.01, pivot=(-0.08, 0.03)),
        "[P28] cam 'valve': its arm is 0.\n"
        "       Give the distance of the edge, or of the middle of the roller, from the pivot, in metres.",
    ),
    "a face on an arm": (
        lambda: cam(lift=program(), base=0.03, pivot=(-0.08, 0.03), arm=0.08),
        "[P28] cam 'valve': a flat face has no arm.\n"
        "       Give the distance at which the face passes the pivot, `offset=`, or take an edge or a roller.",
    ),
    "an offset on an arm": (
        lambda: cam(lift=program(), base=0.03, roller=0.01, pivot=(-0.08, 0.03), arm=0.08, offset=0.01),
        "[P28] cam 'valve': has an offset on its arm.\n       Leave it out: the `arm` says where it is.",
    ),
    "an arm that is too short": (
        lambda: swung("roller", cam={"arm": 0.03}),
        "[P25] cam 'valve': with the pivot 0.09657 m away and the arm of 0.03 m its follower does not reach 0.042 m "
        "from the axis.\n"
        "       Move the pivot, or change the base.",
    ),
    "a swing in degrees": (
        lambda: swung("knife", cam={"lift": program(20.0)}),
        "[P25] cam 'valve': at 47.5° of the cam angle its arm has swung beyond the line from the pivot to the cam.\n"
        "       Swing less, or move the pivot. The program is an angle in radians.",
    ),
    "a face that turns with its cam": (
        lambda: swung("flat", cam={"lift": rise(0.4, 0.9, 0.3) - rise(2.6, 4.4, 0.3)}),
        "[P26] cam 'valve': at 37° of the cam angle its face turns 1.12 times as fast as the cam.\n"
        "       A face must turn slower than its cam. Swing more slowly.",
    ),
    "undercut under a face": (
        lambda: swung("flat", cam={"lift": program(0.25)}),
        "[P26] cam 'valve': its outline is undercut: at 81° of the cam angle its radius of curvature is -0.04247 m.\n"
        "       A face touches only what bulges. Make `base` larger, or swing more slowly.",
    ),
    "too steep": (
        lambda: swung("roller", cam={"pressure_limit": ml.deg(30)}),
        "[P27] cam 'valve': its pressure angle is 35.2° at 201° of the cam angle, its limit 30°.\n"
        "       Make `base` larger, lift more slowly, or move the pivot.",
    ),
    "an arm other than the rocker's": (
        lambda: swung("rolling", cam={"arm": 0.085}),
        "[P28] cam 'valve': its arm is 0.085 m, but 'P' lies 0.09 m from 'wheel.origin'.\n"
        "       Give the arm as the joints have it, or move the marker.",
    ),
    "a face nearer to its pivot": (
        lambda: swung("flat", cam={"offset": 0.002}),
        "[P28] cam 'valve': its offset is 0.002 m, but 'P' lies 0.004 m from its face.\n"
        "       Give the offset as the joints have it, or move the marker.",
    ),
    "a pivot elsewhere": (
        lambda: swung("knife", cam={"pivot": (-0.1, 0.035)}),
        "[P28] cam 'valve': its pivot is 0.105948 m, but 'P' lies 0.096566 m from the cam's axis.\n"
        "       Give the pivot as the joints have it, or move the marker.",
    ),
}


@pytest.mark.parametrize("mistake", SWINGING)
def test_every_mistake_of_a_swing_has_its_words(mistake):
    build, text = SWINGING[mistake]
    with pytest.raises(ml.ModelError) as caught:
        build()
    assert str(caught.value).partition("\n")[2] == text


def test_a_follower_off_its_cam_is_told_so():
    near = sliding("circle", "knife")
    frame = ml.ground(O=(0, 0), guide=ml.marker((0.2, 0), angle=np.pi / 2))
    with pytest.raises(ml.AssemblyError) as caught:
        ml.inverse(near.replace(bodies=[frame, *near.bodies[1:]]), cycle=5)
    assert str(caught.value).partition("\n")[2] == (
        "[K01] cam 'valve': cannot be closed with O = 0.7: 0.16 m stay open, 5.3 of the mechanism's size.\n"
        "       Check where the follower stands: a face has the cam on the side of its marker's −y, an edge or the "
        "middle of a roller must be able to reach the outline; the error's `.best` holds the nearest position."
    )


def test_a_pressure_angle_beyond_its_limit_is_told_with_the_result():
    """Of a follower that swings: what its program would do to one that slides does not hold for it."""
    kind = {"profile": ml.Circle(0.03, (0.01, 0.002)), "roller": 0.012, "pressure_limit": ml.deg(10)}
    mechanism = swinging("circle", "roller").replace(
        pairs=[ml.Cam("valve", "cam.origin", "rocker.tip", **kind)]
    )
    assert "the pressure angle of 'valve' is 19.3° at t = " in ml.inverse(mechanism, cycle=73).status


NORMALS = {
    "no contact": (
        lambda m: ml.simulate(m, until=0.1, events={"off": ml.normal("guide")}),
        "[S03] event 'off': it reads the normal force of 'guide', but no such pair touches.\n"
        "       Known are: valve.",
    ),
    "an effort": (
        lambda m: ml.simulate(
            m.without_drives(), until=0.1, start={"O": 1.0}, efforts={"O": ml.normal("valve")}
        ),
        "[S03] effort at 'O': it reads the normal force of 'valve', which only events may.\n"
        '       Watch it: events={"parts": ml.normal(...)}.',
    ),
    "an actuator": (
        lambda m: m.replace(actuators=[ml.Actuator("O", effort=ml.normal("valve"))], drives=[]),
        "[D07] actuator at 'O': its effort reads `normal(\"valve\")`, which only events of a run may.\n"
        '       Watch it: simulate(..., events={"parts": normal(...)}).',
    ),
    "the cam angle in a drive": (
        lambda m: m.replace(drives=[ml.Motion("O", 3 * ml.cam_angle)]),
        "[D07] drive of 'O': its profile is `3 * cam_angle`, but the cam angle is known to cams and curves alone.\n"
        "       Write `time`, or the position of a joint.",
    ),
}


@pytest.mark.parametrize("mistake", NORMALS)
def test_normal_forces_and_cam_angles_stand_where_they_are_known(mistake):
    ask, text = NORMALS[mistake]
    with pytest.raises(ml.MultiloopError) as caught:
        ask(sliding("circle", "knife"))
    assert str(caught.value).partition("\n")[2] == text


IN_FILES = {
    "a misspelt field": ({"radus": 0.03}, "profile: a Circle has no field 'radus'. Did you mean 'radius'?"),
    "a number": (
        5,
        "profile: 5 is no curve. Write {radius: 0.03, centre: [0.01, 0]} or {x: …, y: …} with expressions "
        "of cam_angle.",
    ),
    "half a curve": (
        {"x": "cos(cam_angle)"},
        "profile: a Curve needs its y. Write {radius: 0.03, centre: [0.01, 0]} or {x: …, y: …} with expressions of "
        "cam_angle.",
    ),
    "an expression that is none": (
        {"radius": "0.03 +"},
        "profile.radius: cannot read `0.03 +` at column 7: invalid syntax. Use numbers, names, + - * / ** and the "
        "functions of the language.",
    ),
}


@pytest.mark.parametrize("mistake", IN_FILES)
def test_every_mistake_in_a_file_has_its_words(mistake):
    profile, text = IN_FILES[mistake]
    with pytest.raises(ml.ModelError) as caught:
        ml.from_data({"kind": "Cam", "name": "c", "first": "a.b", "second": "c.d", "profile": profile})
    (fault,) = caught.value.faults
    assert f"{fault.what} {fault.remedy}".startswith(text)
