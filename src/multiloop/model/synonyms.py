"""Synonyms of public names, and the errors for unknown attributes that suggest the name to use.

Users of other programs look for `torque`, `Hinge` or `mechanism.simulate()`. The tables map each public name to what it
is called elsewhere; a synonym may belong to several names, of which those are suggested that the object has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from multiloop.model.faults import suggestion

TYPE_SYNONYMS = {
    "Revolute": "hinge pivot pin pinjoint hingejoint revolutejoint rotary rotational rotation turning bearing",
    "Prismatic": "slider slide sliding sliderjoint translational translation linear piston guide bore",
    "Cylindrical": "cylinder sleeve sleevebearing",
    "Spherical": "ball balljoint ballandsocket socket rodend",
    "Universal": "cardan cardanjoint hooke hookes hookejoint ujoint gimbal",
    "Helical": "screw screwjoint thread leadscrew spindle",
    "Fixed": "weld welded weldjoint rigid rigidjoint clamp clamped glue",
    "Free": "floating float sixdof freejoint",
    "Planar": "planarjoint plane",
    "Pin": "multipin commonpin",
    "Rope": "string cable tether wire",
    "Distance": "rope string cable binarylink twoforce twoforcemember",
    "Backlash": "clearance play",
    "Cam": "camfollower follower tappet camcontact",
    "PointOnCurve": "slot pininslot pointcurve curve2d",
    "Rolling": "wheel roll rollingcontact disc",
    "RollingBall": "marble sphere rollingsphere ballonplane",
    "Skate": "knifeedge knife blade runner keel sled",
    "Relation": "gearbox coupler coupling constraint",
    "Gear": "gears gearpair spurgear spur helicalgear planetary planet",
    "Bevel": "bevelgear bevelgears",
    "Rack": "rackandpinion rackpinion",
    "Worm": "wormgear wormdrive",
    "Belt": "pulley vbelt timingbelt",
    "Body": "link bar part base frame rigidbody",
    "Motion": "drive driver profile prescribed",
    "Actuator": "motor servo engine",
    "Spring": "damper dashpot springdamper shockabsorber strut",
    "JointSpring": "torsionspring rotationalspring torsionalspring",
    "Torque": "moment couple",
    "Force": "pointforce push pull",
    "Stop": "endstop limitstop jointlimit",
    "Freewheel": "clutch overrunningclutch ratchet",
    "Mechanism": "model system multibody multibodysystem machine robot",
}
"""Synonyms by the name of the class, in lower case without spaces, underscores or hyphens."""

ARGUMENTS = {"damper": "damping", "dashpot": "damping"}
"""Synonyms of a class that need one of its arguments."""

FUNCTION_SYNONYMS = {
    "inverse": "solve dynamics kinematics inversedynamics inversekinematics rnea kinetostatics",
    "forward": "solve dynamics forwarddynamics aba accelerations",
    "simulate": "dynamics run integrate simulation transient timeintegration",
    "assemble": "kinematics positionanalysis initialposition forwardkinematics",
    "equilibrium": "static statics staticequilibrium trim staticanalysis",
    "eigenmodes": "modal modalanalysis naturalfrequency naturalfrequencies eigenfrequencies eigenvalues vibration",
    "linearise": "linearize linearization linearisation linearmodel statespace",
    "analyse": "analyze analysis mobility dof degreesoffreedom gruebler",
    "batch": "sweep parametersweep montecarlo designs",
    "branches": "assemblymodes configurations circuits closures",
    "periodic": "limitcycle orbit periodicorbit shooting",
    "constraint_map": "jacobian constraintjacobian",
    "compile": "codegen generatecode jit",
    "load": "read open fromfile",
    "save": "write dump export tofile",
}
"""Synonyms of functions."""

ATTRIBUTE_SYNONYMS = {
    "effort": "torque moment force tau actuation drivetorque motortorque driveforce jointtorque",
    "torque": "effort moment",
    "force": "reaction reactions forces jointforce constraintforce bearingforce effort tension",
    "moment": "reaction reactions moments reactionmoment torque",
    "load": "bearingload resultant magnitude forcemagnitude",
    "position": "angle angles angularposition displacement q coordinate coordinates positions theta phi",
    "positions": "position angle angles q coordinates configuration",
    "rate": "speed velocity angularvelocity angularspeed qdot qd omega rates",
    "rates": "rate speed speeds velocity velocities qdot qd",
    "acceleration": "angularacceleration qddot qdd alpha accelerations",
    "time": "t times instants",
    "joints": "joint connections",
    "bodies": "body links parts rigidbodies",
    "links": "bodies flexiblebodies beams",
    "pairs": "constraints couplings gears cams",
    "drives": "motions motion drivers prescribed",
    "actuators": "motors actuation",
    "loads": "forces springs torques dampers friction contacts",
    "plot": "show figure chart graph",
    "film": "animate animation movie video",
    "draw": "plot show picture figure",
    "to_table": "dataframe todataframe todf pandas table",
    "dataset": "xarray toxarray todataset",
    "write": "save export tocsv savecsv tonetcdf tofile",
    "status": "warnings message messages success ok",
    "constraint_violation": "residual error constrainterror drift closureerror",
    "kinetic_energy": "energy kineticenergies",
    "potential_energy": "energy",
    "energy_balance": "losses efficiency",
    "frequencies": "frequency naturalfrequencies naturalfrequency eigenfrequencies omega",
    "poles": "eigenvalues",
    "shapes": "modes modeshapes eigenvectors",
    "eta": "modalcoordinates elasticcoordinates",
    "deflection": "bending displacement",
    "mobility": "dof degreesoffreedom",
    "mass": "m weight",
    "com": "centreofmass centerofmass masscentre masscenter cog",
    "replace": "copy modify update",
    "with_parameters": "parameters setparameters substitute",
}
"""Synonyms of attributes and methods."""


def _inverted(table: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The names by synonym, in the order of the table."""
    found: dict[str, tuple[str, ...]] = {}
    for name, others in table.items():
        for other in others.split():
            found[other] = (*found.get(other, ()), name)
    return found


TYPES, FUNCTIONS, ATTRIBUTES = map(_inverted, (TYPE_SYNONYMS, FUNCTION_SYNONYMS, ATTRIBUTE_SYNONYMS))


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def suggest_kind(kind: str, known: Iterable[str]) -> str:
    """A remedy for an unknown type: the class of the same meaning, else the nearest spelling."""
    names = list(known)
    alike = next((name for name in names if name.casefold() == kind.casefold()), None)
    if alike is not None:
        return f"Did you mean '{alike}'?"
    plain = _plain(kind)
    found = TYPES.get(plain) or TYPES.get(plain.removesuffix("joint")) or ()
    name = next((name for name in found if name in names), None)
    if name is None:
        return suggestion(kind, names)
    return (
        f"Did you mean '{name}'? Give its `{ARGUMENTS[plain]}`."
        if plain in ARGUMENTS
        else f"Did you mean '{name}'?"
    )


def suggest_public_name(name: str, known: Iterable[str]) -> str:
    """A remedy for an unknown name of `multiloop`: one of the same meaning, else the nearest spelling."""
    names = list(known)
    exact = any(one.casefold() == name.casefold() for one in names)
    found = [one for one in FUNCTIONS.get(_plain(name), ()) if one in names]
    return _use(found) if found and not exact else suggest_kind(name, names)


def suggest_attribute(name: str, known: Iterable[str]) -> str:
    """A remedy for an unknown attribute: the attribute of the same meaning, else the nearest spelling."""
    names = list(known)
    found = [one for one in ATTRIBUTES.get(_plain(name), ()) if one in names]
    return _use(found) if found else suggestion(name, names)


def _use(names: list[str]) -> str:
    return f"Use {' or '.join(repr(name) for name in names[:3])}."


def attribute_error(thing: Any, name: str) -> AttributeError:
    """The error for an unknown attribute of an object, with a suggestion."""
    called, kind = vars(thing).get("name"), type(thing).__name__
    noun = kind.removesuffix("History").lower() if kind.endswith("History") else kind
    subject = f"{noun} '{called}'" if isinstance(called, str) else noun
    if name.startswith("_"):
        return AttributeError(f"{subject} has no '{name}'.")  # Python and other libraries look up such names
    plain = _plain(name)
    known = [one for one in dir(thing) if not one.startswith("_")]
    found = [one for one in ATTRIBUTES.get(plain, ()) if one in known]
    elsewhere: Mapping[str, str] = getattr(type(thing), "_elsewhere", {})
    meant = [
        elsewhere[one]
        for one in (name, *FUNCTIONS.get(plain, ()), *ATTRIBUTES.get(plain, ()))
        if one in elsewhere
    ]
    if meant and not found:
        return AttributeError(f"{subject} has no '{name}'. Write {' or '.join(meant[:2])}.")
    return AttributeError(f"{subject} has no '{name}'. {suggest_attribute(name, known)}")


class SuggestsAttributes:
    """Base class of objects whose unknown attributes raise an error that suggests a known one.

    `_elsewhere` maps names that users look for here to what they should write.
    """

    _elsewhere: ClassVar[Mapping[str, str]] = {}

    if not TYPE_CHECKING:  # the type checker reports unknown attributes itself

        def __getattr__(self, name: str) -> Any:
            if hasattr(type(self), name):  # a property raised an AttributeError: raise it again
                return object.__getattribute__(self, name)
            raise attribute_error(self, name)
