"""Synonyms of public names, and errors for unknown attributes and arguments that suggest the correct name.

Users of other programs look for `torque`, `Hinge` or `mechanism.simulate()`. Each table maps a public name to its names
in other programs. A synonym may belong to several public names; a message suggests the names that the object has.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial, wraps
from typing import TYPE_CHECKING, Any, ClassVar, ParamSpec, TypeVar

from multiloop.model.faults import name_text, short_repr, suggestion

Given = ParamSpec("Given")
Returned = TypeVar("Returned")

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
"""For each class, its synonyms in other programs, separated by spaces, in lower case without underscores or hyphens."""

REQUIRED_ARGUMENTS = {"damper": "damping", "dashpot": "damping"}
"""For some synonyms of classes, the argument without which the suggested class is not what the synonym names: for
"damper" the class Spring is suggested, which is a damper only if `damping` is given."""

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
    "constraint_map": "constraintjacobian nullspace",
    "compile": "codegen generatecode jit",
    "load": "read open fromfile",
    "save": "write dump export tofile",
}
"""For each public function, its synonyms in other programs, separated by spaces."""

ARGUMENT_SYNONYMS = {
    "until": "t tend duration stoptime finaltime endtime tfinal tstop tmax tspan time",
    "samples": "t dt deltat timestep teval npoints points count outputtimes times",
    "t": "time times instants samples tspan",
    "step": "dt stepsize timestep h",
    "state": "q q0 x0 start position positions configuration initialstate",
    "start": "q q0 x0 y0 initial initialstate initialposition initialconditions position positions",
    "rates": "v v0 qd qdot qd0 velocity velocities speed speeds",
    "accelerations": "a qdd qddot acceleration",
    "efforts": "tau torque torques force forces controls inputs",
    "parameters": "params values designs",
    "rtol": "tol tolerance atol",
    "integrator": "solver",
}
"""For each argument of public functions, its synonyms in other programs, separated by spaces."""

ARGUMENT_ADVICE = {
    (
        "batch",
        "state",
    ): "`batch` follows a prescribed motion; for a single state call `inverse(…, state=)` for each design.",
}
"""For a pair (function, argument): advice on this argument, which users expect but the function does not have."""

_DERIVATIVES = 'see "Jacobian, mass matrix and bias forces" in docs/coming_from.md.'

ADVICE = {
    "jacobian": (
        'Its columns are `forward(mechanism, state, rates={"joint": 1.0}).velocity("body.marker")`, one for each '
        "joint: see docs/howto/tool_jacobian.md. `constraint_map` relates the rates of all joints "
        "to the independent ones; the loop Jacobian is `J` of `State.matrices`."
    ),
    "mass_matrix": (
        "It is `I` of `State.matrices`; as compiled code of an open chain write "
        f'`compile(mechanism).derivative("inverse", "tau", "a")`; {_DERIVATIVES}'
    ),
    "bias_forces": f"Write `compile(mechanism).inverse(q, v, a)[0]` with a = 0; {_DERIVATIVES}",
}
"""Advice for quantities that no function or attribute returns directly."""

ADVICE_SYNONYMS = {
    "jacobian": "jacobian jac tooljacobian markerjacobian geometricjacobian pointjacobian",
    "mass_matrix": "massmatrix inertiamatrix crba generalizedinertia",
    "bias_forces": "biasforces bias coriolis nonlineareffects gravityvector",
}
"""For each quantity in ADVICE, its synonyms in other programs, separated by spaces."""

MARKER_ADVICE = {
    "velocity": 'For a marker write `forward(mechanism, state).velocity("body.marker")`.',
    "velocities": 'For a marker write `forward(mechanism, state).velocity("body.marker")`.',
    "angularvelocity": 'For a body write `forward(mechanism, state).angular_velocity("body")`.',
}
"""For attributes that a State lacks, the call that returns them: a State contains the rates of joints only."""

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
    "status": "message messages success ok",
    "warnings": "warning",
    "constraint_violation": "residual error constrainterror drift closureerror",
    "kinetic_energy": "energy kineticenergies",
    "potential_energy": "energy",
    "energy_balance": "losses efficiency",
    "frequencies": "frequency naturalfrequencies naturalfrequency eigenfrequencies omega",
    "poles": "eigenvalues",
    "shapes": "modes modeshapes eigenvectors",
    "matrices": "constraintmatrix convectivematrix coriolismatrix orthogonalcomplement complement noc denoc gicm",
    "eta": "modalcoordinates elasticcoordinates",
    "deflection": "bending displacement",
    "mobility": "dof degreesoffreedom",
    "mass": "m weight",
    "com": "centreofmass centerofmass masscentre masscenter cog",
    "replace": "copy modify update",
    "with_parameters": "parameters setparameters substitute",
}
"""For each attribute or method of results, its synonyms in other programs, separated by spaces."""


def _names_by_synonym(table: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """For each synonym, the public names that it may mean, in the order of the table."""
    found: dict[str, tuple[str, ...]] = {}
    for name, others in table.items():
        for other in others.split():
            found[other] = (*found.get(other, ()), name)
    return found


TYPES, FUNCTIONS, ATTRIBUTES, ARGUMENTS, QUANTITIES = map(
    _names_by_synonym,
    (TYPE_SYNONYMS, FUNCTION_SYNONYMS, ATTRIBUTE_SYNONYMS, ARGUMENT_SYNONYMS, ADVICE_SYNONYMS),
)


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def suggest_kind(kind: str, known: Iterable[str]) -> str:
    """A remedy for an unknown type: the class of which `kind` is a synonym, otherwise the most similar class name."""
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
        f"Did you mean '{name}'? Give its `{REQUIRED_ARGUMENTS[plain]}`."
        if plain in REQUIRED_ARGUMENTS
        else f"Did you mean '{name}'?"
    )


def suggest_public_name(name: str, known: Iterable[str]) -> str:
    """A remedy for an unknown name in `multiloop`: names of which `name` is a synonym, else the most similar name."""
    names = list(known)
    if advice := _advice(name):
        return advice
    exact = any(one.casefold() == name.casefold() for one in names)
    found = [one for one in FUNCTIONS.get(_plain(name), ()) if one in names]
    return _use(found) if found and not exact else suggest_kind(name, names)


def suggest_attribute(name: str, known: Iterable[str]) -> str:
    """A remedy for an unknown attribute: attributes of which `name` is a synonym, otherwise the most similar one."""
    names = list(known)
    found = [one for one in ATTRIBUTES.get(_plain(name), ()) if one in names]
    return _use(found) if found else suggestion(name, names)


def suggest_argument(function: str, name: str, known: Iterable[str]) -> str:
    """A remedy for an unknown argument of a function: arguments of which `name` is a synonym, otherwise the most
    similar one."""
    if (function, name) in ARGUMENT_ADVICE:
        return ARGUMENT_ADVICE[function, name]
    names = list(known)
    found = [one for one in ARGUMENTS.get(_plain(name), ()) if one in names]
    return _use(found) if found else suggestion(name, names)


def _advice(name: str) -> str:
    """The advice for a quantity that no function or attribute returns directly; empty for any other name."""
    return next((ADVICE[quantity] for quantity in QUANTITIES.get(_plain(name), ())), "")


def _use(names: list[str]) -> str:
    return f"Use {' or '.join(repr(name) for name in names[:3])}."


def attribute_error(thing: Any, name: str) -> AttributeError:
    """The AttributeError for an unknown attribute of an object, with a suggestion."""
    called, kind = vars(thing).get("name"), type(thing).__name__
    noun = kind.removesuffix("History").lower() if kind.endswith("History") else kind
    subject = f"{noun} '{called}'" if isinstance(called, str) else noun
    if name.startswith("_"):
        return AttributeError(
            f"{subject} has no '{name}'."
        )  # no suggestion: Python and other libraries test for names with a leading underscore
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
    remedy = suggest_attribute(name, known) if found else _advice(name) or suggest_attribute(name, known)
    if kind == "State" and plain in MARKER_ADVICE:
        remedy = f"{remedy} {MARKER_ADVICE[plain]}"
    return AttributeError(f"{subject} has no '{name}'. {remedy}")


class SuggestsAttributes:
    """Base class of objects whose error for an unknown attribute suggests a known attribute.

    `_elsewhere` maps names that users look for in the class to the expression that they should write instead.
    """

    _elsewhere: ClassVar[Mapping[str, str]] = {}

    if not TYPE_CHECKING:  # the type checker reports unknown attributes itself

        def __getattr__(self, name: str) -> Any:
            if hasattr(type(self), name):  # the property raised an AttributeError, which is raised again
                return object.__getattribute__(self, name)
            raise attribute_error(self, name)


class ArgumentList:
    """The arguments of a function or class, with which the arguments of a call are compared.

    `parameters` are the parameters of its signature, without `self`.
    """

    def __init__(self, parameters: Iterable[inspect.Parameter]) -> None:
        listed = tuple(parameters)
        kinds = {one.kind for one in listed}
        self.more_positional = inspect.Parameter.VAR_POSITIONAL in kinds
        self.more_keywords = inspect.Parameter.VAR_KEYWORD in kinds
        named = [one for one in listed if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
        self.names = tuple(one.name for one in named)
        self.ordered = tuple(one.name for one in named if one.kind is not one.KEYWORD_ONLY)
        self.required = tuple(one.name for one in named if one.default is one.empty)
        self._known, self._required = frozenset(self.names), frozenset(self.required)

    def accepts(self, arguments: Sequence[Any], options: Mapping[str, Any]) -> bool:
        """Whether the positional `arguments` and the keyword arguments `options` of a call match the parameters."""
        by_position = self.ordered[: len(arguments)]
        return (
            (len(arguments) == len(by_position) or self.more_positional)
            and (options.keys() <= self._known or self.more_keywords)
            and options.keys().isdisjoint(by_position)
            and self._required.issubset((*by_position, *options))
        )

    def error(
        self,
        called: str,
        arguments: Sequence[Any],
        options: Mapping[str, Any],
        suggest: Callable[[str, Iterable[str]], str],
    ) -> TypeError:
        """The TypeError for a call whose arguments are not accepted.

        Args:
            called: the subject of the message: a function, "simulate()", or the object to be created, "Body 'crank'".
            arguments: the arguments given by position.
            options: the arguments given by keyword.
            suggest: function of an unknown name and the known names that returns the remedy.
        """
        ordered, by_position = self.ordered, self.ordered[: len(arguments)]
        for name in options if not self.more_keywords else ():
            if name not in self._known:
                return TypeError(f"{called} has no argument '{name}'. {suggest(name, self.names)}")
        if len(arguments) > len(ordered) and not self.more_positional:
            keywords = [name for name in self.names if name not in ordered]
            return _surplus_argument_error(called, keywords, len(ordered), arguments)
        for name in by_position:
            if name in options:
                what = f"the argument '{name}' is given twice, by position and by keyword"
                return TypeError(f"{called}: {what}. Remove one of the two values.")
        missing = [name for name in self.required if name not in {*by_position, *options}]
        listed, verb = " and ".join(f"'{name}'" for name in missing), "is" if len(missing) == 1 else "are"
        noun = "argument" if len(missing) == 1 else "arguments"
        form = ", ".join(name if name in ordered else f"{name}=…" for name in self.required)
        subject = called.partition(" ")[0].removesuffix("()")
        return TypeError(f"{called}: the {noun} {listed} {verb} missing. Write {subject}({form}).")


def _surplus_argument_error(
    called: str, keywords: list[str], most: int, arguments: Sequence[Any]
) -> TypeError:
    """The TypeError for a call with more than `most` positional `arguments`; `called` is the subject of the message,
    and `keywords` are the names of the keyword-only ones."""
    if not keywords:
        return TypeError(f"{called} takes at most {most} arguments, but {len(arguments)} are given.")
    names = ", ".join(f"{name}=" for name in keywords)
    return TypeError(f"{called} got {short_repr(arguments[most])} without a keyword. Use one of {names}.")


def suggest_keywords(function: Callable[Given, Returned]) -> Callable[Given, Returned]:
    """Decorate a function so that the error for an invalid argument names the function and suggests an argument."""
    known = ArgumentList(inspect.signature(function).parameters.values())
    suggest = partial(suggest_argument, function.__name__)

    @wraps(function)
    def called(*arguments: Given.args, **options: Given.kwargs) -> Returned:
        if not known.accepts(arguments, options):
            raise known.error(f"{function.__name__}()", arguments, options, suggest)
        return function(*arguments, **options)

    return called


@lru_cache(maxsize=512)
def _arguments_of(initialiser: Callable[..., None]) -> ArgumentList:
    """The arguments of a method `__init__`, without `self`."""
    return ArgumentList(tuple(inspect.signature(initialiser).parameters.values())[1:])


class SuggestsArguments:
    """Base class of objects whose error for an invalid argument names the object and suggests an argument."""

    if not TYPE_CHECKING:  # the type checker compares arguments with the parameters of __init__

        def __new__(cls, *arguments: Any, **options: Any) -> Any:
            if arguments or options:  # pickle and pydantic pass no arguments, but set the fields afterwards
                known = _arguments_of(cls.__init__)
                if not known.accepts(arguments, options):
                    first = arguments[0] if arguments else options.get(known.names[0] if known.names else "")
                    called = (
                        f"{cls.__name__} '{name_text(first)}'" if isinstance(first, str) else cls.__name__
                    )
                    raise known.error(called, arguments, options, suggest_attribute)
            return super().__new__(cls)
