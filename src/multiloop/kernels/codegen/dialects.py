"""Dialects of generated code: text of numbers and operations in scalar C, vector C and CUDA.

The same writer is used for all targets; a dialect is a small table. Scalar C computes one instance, vector C as many
instances at a time as a register holds (with the vector sine and cosine of the C library), CUDA one instance per
thread.

Theory: docs/theory/14-compiled-kernels.md, section 14.3.
"""

from __future__ import annotations

from dataclasses import dataclass, field

ARITHMETIC = {
    "add": "{0} + {1}",
    "sub": "{0} - {1}",
    "mul": "{0} * {1}",
    "div": "{0} / {1}",
    "neg": "-{0}",
    "sq": "{0} * {0}",
    "twice": "{0} + {0}",
    "assign": "{0}",
}
"""Operations that are written alike for scalars and vectors."""

UNARY_FUNCTIONS = (
    "sqrt",
    "floor",
    "ceil",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "log",
)
"""Operations of one argument that are functions of the same name in the C library."""

BINARY_FUNCTIONS = ("atan2", "fmin", "fmax", "copysign", "pow")

VECTOR_MACROS = {8: "__AVX512F__", 4: "__AVX2__"}
"""Macros by which compilers report vector registers, by their number of doubles, the widest first."""


@dataclass(frozen=True)
class Dialect:
    """A target: its number type, the lines before the first function, and the expression of each operation."""

    name: str
    real: str
    width: int
    head: str
    constant: str  # format string, with {0} for the number
    forms: dict[str, str] = field(default_factory=dict)
    batches_sines: bool = False  # sines and cosines of the inputs are computed together
    linkage: str = ""  # qualifiers of a function of one instance
    part_linkage: str = (
        '__attribute__((noinline, visibility("hidden"))) '  # qualifiers of a part of a long function
    )

    def form(self, operation: str) -> str:
        """The expression of an operation with {0}, {1} for its operands."""
        if operation in self.forms:
            return self.forms[operation]
        if operation in ARITHMETIC:
            return ARITHMETIC[operation]
        raise KeyError(f"operation '{operation}' has no form in {self.name}")


def _scalar_functions(real: str) -> dict[str, str]:
    """Expressions of operations on scalars."""
    forms = {name: f"{name}({{0}})" for name in UNARY_FUNCTIONS}
    forms |= {name: f"{name}({{0}}, {{1}})" for name in BINARY_FUNCTIONS}
    return forms | {
        "inv": "1.0 / {0}",
        "constpow": "pow({0}, {1})",
        "fabs": "fabs({0})",
        "sign": f"({real})(({{0}} > 0) - ({{0}} < 0))",
        "lt": f"({real})({{0}} < {{1}})",
        "le": f"({real})({{0}} <= {{1}})",
        "eq": f"({real})({{0}} == {{1}})",
        "ne": f"({real})({{0}} != {{1}})",
        "not": f"({real})({{0}} == 0)",
        "and": f"({real})(({{0}} != 0) && ({{1}} != 0))",
        "or": f"({real})(({{0}} != 0) || ({{1}} != 0))",
        "if_else_zero": "({0} != 0 ? {1} : 0.0)",
    }


def scalar_forms() -> dict[str, str]:
    """Expressions of all operations on doubles."""
    return ARITHMETIC | _scalar_functions("double")


VECTOR_GUARD = """#ifndef {0}
#error "{0} is not defined: vector functions of {1} doubles would be called by another convention"
#endif
"""
"""Rejects compilation for vectors that are narrower than those of the called functions."""

SINE_BATCH_HEAD = """typedef double W __attribute__((vector_size({bytes})));
typedef double L __attribute__((vector_size({bytes}), aligned(8)));
W {sin}(W); W {cos}(W);
static inline void sines_and_cosines(int n, const double *angle, double *sine, double *cosine) {{
    for (int k = 0; k < n; k += {width}) {{
        const W x = *(const L *)(angle + k);
        *(L *)(sine + k) = {sin}(x);
        *(L *)(cosine + k) = {cos}(x);
    }}
}}
"""


def scalar_dialect(width: int = 1) -> Dialect:
    """Scalar C; with vector functions of `width` doubles, the sines and cosines of angles are computed together."""
    head = "#include <math.h>\n"
    if width > 1:
        head += VECTOR_GUARD.format(VECTOR_MACROS[width], width)
        head += SINE_BATCH_HEAD.format(bytes=8 * width, width=width, **vector_functions(width))
    return Dialect("scalar C", "double", 1, head, "{0}", _scalar_functions("double"), width > 1)


CUDA_HEAD = """#define restrict __restrict__
#ifndef INFINITY
#define INFINITY __longlong_as_double(0x7ff0000000000000LL)
#define NAN __longlong_as_double(0x7ff8000000000000LL)
#endif

/* sin(angle + quarters pi/2) without a branch: pi/2 taken off in three parts, then the polynomials of fdlibm.
 * Within 1.4e-16 up to 4e9 rad. The sine and the cosine of one angle share their work. */
__device__ __forceinline__ double turned(double angle, int quarters) {
    const double shifted = fma(angle, 0.6366197723675814, 6755399441055744.0);
    const double turns = shifted - 6755399441055744.0;
    double r = fma(-turns, 1.5707963267948966, angle);
    r = fma(-turns, 6.123233995736766e-17, r);
    r = fma(-turns, -1.4973849048591698e-33, r);
    const double s = r * r;
    double p = fma(s, 1.58969099521155010221e-10, -2.50507602534068634195e-08);
    p = fma(s, p, 2.75573137070700676789e-06);
    p = fma(s, p, -1.98412698298579493134e-04);
    p = fma(s, p, 8.33333333332248946124e-03);
    p = fma(s, p, -1.66666666666666324348e-01);
    const double sine = fma(r * s, p, r);
    double c = fma(s, -1.13596475577881948265e-11, 2.08757232129817482790e-09);
    c = fma(s, c, -2.75573143513906633035e-07);
    c = fma(s, c, 2.48015872894767294178e-05);
    c = fma(s, c, -1.38888888888741095749e-03);
    c = fma(s, c, 4.16666666666666019037e-02);
    const double cosine = fma(s, fma(s, c, -0.5), 1.0);
    const int quadrant = __double2loint(shifted) + quarters;
    const double found = quadrant & 1 ? cosine : sine;
    return quadrant & 2 ? -found : found;
}

/* 1 / x without a branch, from the hardware's first 20 bits; denormal numbers count as zero. */
__device__ __forceinline__ double reciprocal(double x) {
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    double e = fma(-x, y, 1.0);
    e = fma(e, e, e);
    return e == e ? fma(y, e, y) : y;
}
"""


def cuda_dialect() -> Dialect:
    """CUDA C++, one instance per thread."""
    forms = _scalar_functions("double") | {
        "sin": "turned({0}, 0)",
        "cos": "turned({0}, 1)",
        "inv": "reciprocal({0})",
        "div": "{0} * reciprocal({1})",
    }
    return Dialect(
        "CUDA",
        "double",
        1,
        CUDA_HEAD,
        "{0}",
        forms,
        linkage="__device__ __forceinline__ ",
        part_linkage="static __device__ __noinline__ ",
    )


def vector_functions(width: int) -> dict[str, str]:
    """Names of the functions in glibc's vector library (maximum error 4 units in the last place)."""
    letter = {8: "e", 4: "d"}[width]
    return {name: f"_ZGV{letter}N{width}v_{name}" for name in ("sin", "cos")}


VECTOR_HEAD = """#include <math.h>
typedef double V __attribute__((vector_size({bytes})));
typedef double U __attribute__((vector_size({bytes}), aligned(8)));
typedef long long M __attribute__((vector_size({bytes})));
V {sin}(V); V {cos}(V);
static inline V all(double x) {{ V r; for (int i = 0; i < {width}; i++) r[i] = x; return r; }}
static inline V chosen(M where, V x) {{ return (V)((M)x & where); }}
static inline V larger(V x, V y) {{ M m = (x > y) | (y != y); return (V)(((M)x & m) | ((M)y & ~m)); }}
static inline V smaller(V x, V y) {{ M m = (x < y) | (y != y); return (V)(((M)x & m) | ((M)y & ~m)); }}
static inline V magnitude(V x) {{ return (V)((M)x & ~(M)all(-0.0)); }}
static inline V signed_as(V x, V y) {{ M s = (M)all(-0.0); return (V)(((M)x & ~s) | ((M)y & s)); }}
"""

LANE_BY_LANE = (
    "static inline V v_{0}(V x) {{ V r; for (int i = 0; i < {1}; i++) r[i] = {0}(x[i]); return r; }}\n"
)
LANES_OF_TWO = (
    "static inline V v_{0}(V x, V y) "
    "{{ V r; for (int i = 0; i < {1}; i++) r[i] = {0}(x[i], y[i]); return r; }}\n"
)


def vector_dialect(width: int) -> Dialect:
    """Vector C with `width` doubles at a time (8 with AVX-512, 4 with AVX2)."""
    names = vector_functions(width)
    head = VECTOR_GUARD.format(VECTOR_MACROS[width], width)
    head += VECTOR_HEAD.format(bytes=8 * width, width=width, **names)
    others = [name for name in UNARY_FUNCTIONS if name not in names]
    head += "".join(LANE_BY_LANE.format(name, width) for name in others)
    head += "".join(LANES_OF_TWO.format(name, width) for name in ("atan2", "pow"))
    forms = {name: f"{symbol}({{0}})" for name, symbol in names.items()}
    forms |= {name: f"v_{name}({{0}})" for name in others}
    forms |= {
        "atan2": "v_atan2({0}, {1})",
        "pow": "v_pow({0}, {1})",
        "constpow": "v_pow({0}, {1})",
        "fmin": "smaller({0}, {1})",
        "fmax": "larger({0}, {1})",
        "copysign": "signed_as({0}, {1})",
        "fabs": "magnitude({0})",
        "inv": "all(1.0) / {0}",
        "sign": "(chosen({0} > 0, all(1.0)) - chosen({0} < 0, all(1.0)))",
        "lt": "chosen({0} < {1}, all(1.0))",
        "le": "chosen({0} <= {1}, all(1.0))",
        "eq": "chosen({0} == {1}, all(1.0))",
        "ne": "chosen({0} != {1}, all(1.0))",
        "not": "chosen({0} == 0, all(1.0))",
        "and": "chosen(({0} != 0) & ({1} != 0), all(1.0))",
        "or": "chosen(({0} != 0) | ({1} != 0), all(1.0))",
        "if_else_zero": "chosen({0} != 0, {1})",
    }
    return Dialect(f"vector C, {width} wide", "V", width, head, "all({0})", forms, linkage="static ")
