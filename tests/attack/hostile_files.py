"""Malicious mechanism files, each with the expected error; very large ones are written only when they are used."""

HEAD = "kind: Mechanism\nname: m\nplanar: true\n"
PENDULUM = (
    f"{HEAD}bodies: [{{kind: Body, name: ground}}, {{kind: Body, name: b, mass: 1}}]\n"
    "joints: [{kind: Revolute, name: A, first: ground.origin, second: b.origin}]\n"
)


def aliases(levels):
    """Ten aliases of ten aliases of …: 460 bytes that stand for 10^levels numbers."""
    rows = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    rows += [
        f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 10)}]" if k < levels else f"kind: *a{k - 1}"
        for k in range(1, levels + 1)
    ]
    return "\n".join(rows)


def chain(links):
    """Links in a row, in YAML."""
    bodies = "".join(f"- {{kind: Body, name: b{k}, mass: 1}}\n" for k in range(links))
    joints = "".join(
        f"- {{kind: Revolute, name: j{k}, first: {f'b{k - 1}' if k else 'ground'}.origin, second: b{k}.origin}}\n"
        for k in range(links)
    )
    return f"{HEAD}bodies:\n- {{kind: Body, name: ground}}\n{bodies}joints:\n{joints}"


def pendulum_driven_by(points):
    """A pendulum whose drive is a table with this number of points."""
    times = ", ".join(f"{k / 1000}" for k in range(points))
    values = ", ".join(f"{k % 7}" for k in range(points))
    return f"{PENDULUM}drives: [{{kind: Motion, of: A, profile: 'table([{times}], [{values}])'}}]\n"


WHEELS = (
    "kind: Mechanism\nname: m\nbodies:\n"
    "- {kind: Body, name: ground, markers: {a: {point: [0, 0, 0], z: [0, 0]}, b: [0.3, 0, 0]}}\n"
    "- {kind: Body, name: p, mass: 1, inertia: [1, 1, 1]}\n- {kind: Body, name: w, mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n- {kind: Revolute, name: A, first: ground.a, second: p.origin}\n"
    "- {kind: Revolute, name: B, first: ground.b, second: w.origin}\n"
    "pairs: [{kind: Gear, name: mesh, first: p.origin, second: w.origin, teeth: [20, 40]}]\n"
)
"""A pair of gears, one with an invalid axis."""


QUICK = {
    "a gear on an invalid axis": (".yaml", WHEELS, ("[M06]", "'a'", "2")),
    "friction with an empty list": (
        ".yaml",
        f"{PENDULUM}loads: [{{kind: Friction, name: f, joint: A, coefficient: [], radius: 0.1}}]\n",
        ("[L08]", "0"),
    ),
    "a joint whose name is a list": (".yaml", PENDULUM.replace("name: A", "name: [A]"), ("[M91]",)),
    "nested aliases": (".yaml", aliases(9), ("[F01]", "6", "10", "150,000")),
    "a list for a key": (".yaml", "[a, b]: c\n", ("[F01]", "1", "'a'", "'b'")),
    "a mapping for a key": (".yaml", "? {a: b}\n: c\n", ("[F01]", "'a'", "'b'")),
    "a tag that does not fit": (".yaml", f"{HEAD}gravity: !!int x\n", ("[F01]", "4", "10", "'x'")),
    "a tag for yes and no": (".yaml", "kind: Mechanism\nplanar: !!bool x\n", ("[F01]", "'x'")),
    "a merge key": (".yaml", "a: &a {x: 1}\nb: {<<: *a}\n", ("[F01]", "2", "5")),
    "a key that comes twice": (".yaml", f"{HEAD}name: n\n", ("[F01]", "'name'")),
    "a tag for a date": (".yaml", f"{HEAD}gravity: !!timestamp x\n", ("[F01]", "'x'")),
    "no such day": (".yaml", f"{HEAD}gravity: 2001-02-30\n", ("[F01]", "'2001-02-30'")),
    "many digits": (".yaml", f"{HEAD}gravity: [0, {'9' * 4301}]\n", ("[F01]", "4", "14", "4,301")),
    "many digits in JSON": (
        ".json",
        f'{{"kind": "Mechanism", "name": "m", "gravity": [0, {"9" * 4301}]}}',
        ("[M91]", "inf"),
    ),
    "many digits in an expression": (".yaml", f"{HEAD}gravity: ['{'9' * 4301}']\n", ("[M91]", "9999")),
    "deep lists": (".yaml", "[" * 100_000, ("[F01]", "1", "41", "40")),
    "deep lists in lines": (".yaml", "- " * 5000, ("[F01]", "1", "81", "40")),
    "deep lists in JSON": (".json", "[" * 100_000, ("[F01]", "1", "41", "40")),
    "deep brackets": (".yaml", f"{HEAD}gravity: ['{'(' * 50_000}1']\n", ("[M91]", "201")),
    "a long sum": (".yaml", f"{HEAD}gravity: ['{'1+' * 50_000}1']\n", ("[M91]",)),
    "a list inside itself": (".yaml", "&a [*a]\n", ("[F01]", "1", "5", "'a'")),
    "a mapping inside itself": (".yaml", "kind: &a {kind: *a}\n", ("[F01]", "1", "17", "'a'")),
    "a bracket for a field": (".yaml", f"{HEAD}'[': 1\n", ("[M91]", "4", "'['")),
    "brackets in a part": (
        ".yaml",
        f"{HEAD}bodies: [{{kind: Body, name: b, 'x[0]': 1, markers: {{'m[': {{'p[': 1, point: 0}}}}}}]\n",
        ("[M91]", "[M10]", "'m['", "'p['"),
    ),
    "a terminal's orders": (
        ".yaml",
        'kind: Mechanism\nname: "\\e[31mred"\nplanar: true\n',
        ("[M02]", "'\\x1b[31mred'"),
    ),
    "a terminal's orders for a field": (".yaml", f'{HEAD}"\\e]0;x\\a": 1\n', ("[M91]", "'\\x1b]0;x\\x07'")),
    "a terminal's orders for a parameter": (
        ".yaml",
        PENDULUM.replace("mass: 1", "mass: 'parameter(\"\\x1b[2J\", 1)'"),
        ("[M02]", "'\\x1b[2J'"),
    ),
    "a huge length": (
        ".yaml",
        PENDULUM.replace("mass: 1", "mass: 1, com: [1.0e+158, 0]"),
        ("[M05]", "1e+158"),
    ),
    "a huge gravity": (".yaml", f"{PENDULUM}gravity: [0, -1.0e+300]\n", ("[M05]", "-1e+300")),
}
"""By name: the file extension, the content, and the expected parts of the error."""

HUGE = {
    "unknown fields": (".yaml", lambda: HEAD + "".join(f"f{k}: 1\n" for k in range(70_000))),
    "more fields than are read": (".yaml", lambda: HEAD + "".join(f"f{k}: 1\n" for k in range(100_000))),
    "unknown fields of markers": (
        ".yaml",
        lambda: (
            f"{HEAD}bodies: [{{kind: Body, name: b, markers: "
            f"{{{', '.join(f'f{k}: {{q: 1}}' for k in range(35_000))}}}}}]"
        ),
    ),
    "a table of a million points": (".yaml", lambda: pendulum_driven_by(1_000_000)),
    "a chain": (".yaml", lambda: chain(7000)),
    "joints to nowhere": (".yaml", lambda: chain(7000).replace("second: b", "second: c")),
    "an inertia of many words": (
        ".yaml",
        lambda: f"{HEAD}bodies: [{{kind: Body, name: b, inertia: [{'x, ' * 140_000}]}}]",
    ),
    "many brackets": (".json", lambda: f"[{'[],' * 10_000_000}[]]"),
    "many quotes": (".json", lambda: '"' * 10_000_000),
    "a long word": (".yaml", lambda: f"kind: {'x' * 31_000_000}"),
    "more than is read": (".yaml", lambda: f"kind: {'x' * 33_000_000}"),
}
"""Contents of tens of megabytes, which are generated when they are used."""
