"""Invalid files: descriptions of the test models, damaged by bytes, by tokens and by structure.

File number n is always the same: its random numbers are drawn from the seed n.
"""

import json
import re
from copy import deepcopy
from functools import cache
from math import inf, nan
from random import Random

import yaml
from support.items import ITEMS
from zoo import ZOO

import multiloop as ml

LARGE = ("ladder-20", "6-UPS", "delta", "excavator", "ladder-5")
SOURCES = {name: entry.build for name, entry in ZOO.items() if name not in LARGE}
SOURCES |= {item.name: item.build for item in ITEMS}
NAMES = list(SOURCES)
"""The smaller mechanisms, and one for every type of pair and load, so that all fields of files occur."""

ESCAPE, OVERRIDE = "\x1b[2J\x1b[31m", "\u202e"

SIGNS = "[]{}:,-?&*!|>'\"%@`#~<=()+/\\."

PLAIN = """
1e999 -1e999 NaN .nan .inf -.inf Infinity 1e158 -1e158 1e300 1e-320 0 -0 -1 0x7fffffffffffffff 1_000 0o7 1:30
!!int !!float !!bool !!null !!binary !!set !!omap !!timestamp !!python/object:os.system !x &a *a <<
2001-02-30 2001-99-99T99:99:99 null true yes on ~ time pi 1/0 0**-1 sqrt(-1) log(0) 2**2**2**2**99
kind Mechanism Body Pin ground ground.A origin com position('A') rate('nowhere',7) parameter('L',1) parameter('L',2)
table([0,1],[0,1]) table([1,0],[0,1]) table([0,1],[1e308,-1e308])
"""

LONG = ["9" * 401, "9" * 4301, "(" * 300, "-" * 2000, "a" * 5000, "a." * 500]

ODD = ["", " ", "\t", "\n", "\r", "\0", ESCAPE, OVERRIDE, "\ufeff", "\ud7ff", "é", "名", "𝒙"]

WORDS = [*SIGNS, *PLAIN.split(), *LONG, *ODD]
"""Replacements of a token."""


def nested(depth):
    found = []
    for _ in range(depth):
        found = [found]
    return found


SMALL = (
    None,
    True,
    False,
    0,
    1,
    -1,
    10**400,
    -(10**30),
    0.0,
    -0.0,
    1e-320,
    1e158,
    -1e158,
    1e300,
    inf,
    -inf,
    nan,
)
SAID = (
    "",
    " ",
    "x",
    "[",
    "a[b]",
    "ground",
    "ground.origin",
    "com.com",
    ".",
    "/",
    ESCAPE,
    OVERRIDE,
    "a" * 3000,
)
HELD = (
    [],
    {},
    [[]],
    [{}],
    {"": ""},
    {"[": 1},
    [None],
    [0] * 3000,
    nested(30),
    {"kind": "Body"},
    {"kind": "Mechanism"},
)
VALUES = [*SMALL, *SAID, *HELD, *(word for word in WORDS if len(word) > 3)]
"""Replacements of a field or an entry."""

EXTREME = (
    0.0,
    -1.0,
    1e-320,
    5e-324,
    1e-158,
    1e-60,
    1e-9,
    1e9,
    1e16,
    1e59,
    -1e59,
    1e61,
    1e154,
    1e200,
    1.7e308,
    10**400,
)
COMPUTED = """
1/0 0/0 1e200*1e200 1e-200*1e-200 parameter('L',0) parameter('L',1e40) exp(700) sqrt(0-1) 0*time time**0.5 1/time
tan(time) 2**0.5 abs(-3)
"""
NUMBERS = [*EXTREME, *COMPUTED.split()]
"""Replacements of a number."""


@cache
def text_of(name, ending):
    """A test model as the text of a file."""
    data = ml.to_data(SOURCES[name]())
    if ending == ".json":
        return json.dumps(data, indent=1)
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, default_flow_style=None, width=110)


def damaged_file(number):
    """The ending of a file's name and its bytes."""
    draw = Random(number)
    ending, name = draw.choice((".yaml", ".yaml", ".json")), draw.choice(NAMES)
    damage = draw.choice((by_bytes, by_tokens, by_tokens, by_structure, by_structure, by_numbers))
    return ending, damage(draw, name, ending)


def by_bytes(draw, name, ending):
    """Bits flipped, bytes inserted, pieces removed, repeated, or taken from another file."""
    content = bytearray(text_of(name, ending).encode())
    for _ in range(draw.randint(1, 8)):
        at = draw.randrange(len(content) + 1)
        piece = content[at : at + draw.choice((1, 1, 3, 20, 200))]
        match draw.randrange(6):
            case 0 if piece:
                content[at] ^= 1 << draw.randrange(8)
            case 1:
                content[at:at] = draw.randbytes(draw.choice((1, 1, 2, 5)))
            case 2:
                del content[at : at + len(piece)]
            case 3:
                content[at:at] = piece * draw.choice((1, 2, 50))
            case 4:
                other = text_of(draw.choice(NAMES), ending).encode()
                start = draw.randrange(len(other))
                content[at:at] = other[start : start + 100]
            case 5 if draw.random() < 0.2:
                del content[at:]
    return bytes(content)


def by_tokens(draw, name, ending):
    """Words, numbers and signs replaced, moved, repeated or omitted."""
    tokens = re.findall(r"[\w.+-]+|\s+|.", text_of(name, ending), re.DOTALL)
    for _ in range(draw.randint(1, 6)):
        at, other = draw.randrange(len(tokens)), draw.randrange(len(tokens))
        match draw.randrange(5):
            case 0 | 1:
                tokens[at] = draw.choice(WORDS)
            case 2:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 3:
                tokens[at:at] = [tokens[other]] * draw.choice((1, 2, 30))
            case 4 if len(tokens) > 2:
                del tokens[at]
    return "".join(tokens).encode("utf-8", "surrogatepass")


def by_structure(draw, name, ending):
    """Fields and entries replaced, renamed, exchanged, repeated or omitted; the text itself remains valid."""
    data = json.loads(text_of(name, ".json"))
    for _ in range(draw.randint(1, 5)):
        _change(draw, data)
    return json.dumps(data, indent=draw.choice((None, 1))).encode()


def by_numbers(draw, name, ending):
    """Valid numbers and expressions with implausible values."""
    data = json.loads(text_of(name, ".json"))
    numbers = [
        (holder, key)
        for holder in _holders(data)
        for key in (holder if isinstance(holder, dict) else range(len(holder)))
        if isinstance(holder[key], float)
    ]
    for holder, key in draw.sample(numbers, min(len(numbers), draw.randint(1, 3))):
        holder[key] = draw.choice(NUMBERS)
    return json.dumps(data).encode()


def _change(draw, data):
    """One change, at any depth."""
    holders = list(_holders(data))
    holder = draw.choice(holders)
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    if not keys:
        return
    key, other = draw.choice(keys), draw.choice(holders)
    match draw.randrange(6):
        case 0 | 1:
            holder[key] = deepcopy(draw.choice(VALUES))
        case 2:
            del holder[key]
        case 3 if isinstance(holder, dict):
            holder[draw.choice((f"{key}s", f"{key}"[1:], *WORDS))] = holder.pop(key)
        case 4:
            holder[key] = deepcopy(other)
        case 5 if isinstance(holder, list):
            holder[key:key] = [deepcopy(holder[key])] * draw.choice((1, 2, 40))


def _holders(data):
    """Every list and mapping."""
    if isinstance(data, dict | list):
        yield data
        for part in data.values() if isinstance(data, dict) else data:
            yield from _holders(part)
