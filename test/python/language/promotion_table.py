"""Which type two operands meet in, and what comes of them: the cases, and what the golden file says of each.

A case is an expression with an operand of each of two types, or of a type and a number. The golden file holds the type
of its result in Triton 3.6, or that it is refused, and a checksum of sixteen results. This recorded it, on a GPU:

    python3 test/python/language/promotion_table.py test/python/language/golden/promotions-3.6.txt

Expressions whose result is approximate on a GPU have results in the place of the checksum, in a list behind the tables.
"""

from __future__ import annotations

import dataclasses
import itertools
import pathlib
import re
import zlib

import numpy as np

#: Names in the tables, and in the language.
TYPES = {
    "i1": "int1", "i8": "int8", "u8": "uint8", "i16": "int16", "u16": "uint16", "i32": "int32", "u32": "uint32", "i64": "int64",
    "u64": "uint64", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "e5": "float8e5", "e4": "float8e4nv"
}
FLOATS = ("f16", "bf16", "f32", "f64", "e5", "e4")
NARROW = ("e5", "e4")
NUMBERS = ("0", "3", "200", "70000", "2**40", "2**63", "-1", "-70000", "-2**40", "True", "0.5", "0.1", "-3.0", "1e300", "float('inf')")
UNLIKE_ALL = ("1e300", "float('inf')", "-3.0", "2**63")
COUNT = 16

#: `a` and `b` are operands; of `sa` the first is a scalar that was loaded.
OPERATORS = ("+", "-", "*", "/", "//", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=")
PAIRS = tuple(f"a {op} b" for op in OPERATORS) + (
    "a and b", "a or b", "a.logical_and(b)", "a.logical_or(b)", "tl.add(a, b)", "tl.sub(a, b)", "tl.mul(a, b)", "tl.minimum(a, b)",
    "tl.maximum(a, b)", "tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL)", "tl.clamp(a, b, b)", "tl.where(c, a, b)",
    "tl.fma(a, b, a)", "tl.fdiv(a, b)", "tl.div_rn(a, b)", "tl.umulhi(a, b)", "tl.cdiv(a, b)", "sa + b", "sa / b", "sa < b",
    "tl.maximum(sa, b)", "tl.where(c, sa, b)", "stored(q, i, a, b)", "added(q, i, a, b)", "greatest(q, i, a, b)", "both(q, i, a, b)",
    "exchanged(q, i, a, b)", "swapped(q, i, a, b)", "otherwise(p, i, b)", "tl.join(a, b)", "tl.cat(a, b, can_reorder=True)",
    "tl.interleave(a, b)", "product(a, b)", "libdevice.pow(a, b)", "libdevice.atan2(a, b)", "libdevice.fmod(a, b)",
    "libdevice.copysign(a, b)", "libdevice.mulhi(a, b)", "libdevice.ldexp(a, b)", "libdevice.max(a, b)")
#: The second operand is a type.
CASTS = ("a.to(B)", "tl.cast(a, B)", "tl.full([16], a0, B)")
SINGLE = ("-a", "+a", "~a", "not a", "tl.abs(a)", "tl.floor(a)", "tl.exp(a)", "tl.exp2(a)", "tl.log(a)", "tl.log2(a)", "tl.sin(a)",
          "tl.sqrt(a)", "tl.sqrt_rn(a)", "tl.rsqrt(a)", "tl.erf(a)", "tl.sigmoid(a)", "tl.softmax(a)", "a.exp()", "a.floor()",
          "a.abs()", "tl.sum(a)", "tl.sum(a, 0, dtype=tl.float64)", "tl.max(a, 0)", "tl.min(a, 0)", "tl.argmax(a, 0)", "tl.argmin(a, 0)", "tl.xor_sum(a, 0)", "tl.reduce_or(a, 0)", "tl.cumsum(a, 0)",
          "tl.cumsum(a, 0, dtype=tl.float32)", "tl.cumprod(a, 0)", "tl.sort(a)", "tl.topk(a, 4)", "tl.flip(a, 0)", "tl.histogram(a, 8)",
          "tl.zeros_like(a)", "tl.to_tensor(a)", "libdevice.abs(a)", "libdevice.sqrt(a)", "libdevice.isnan(a)", "libdevice.ffs(a)",
          "tl.rand(a, i)", "tl.rand(3, a)", "tl.randint(3, a)", "tl.randn(3, a)")
#: What comes of these is approximate on a GPU, or an order of its own.
LOOSE = re.compile(r"/ b|% b|fdiv|exp|log|sin|rsqrt|sqrt\(|erf|sigmoid|softmax|pow|atan2|fmod|randn")
#: Of these only the type is looked at: results of other shapes, or undefined ones.
TYPES_ONLY = re.compile(r"join|cat|interleave|product|topk|histogram|greatest")
SHIFTS = re.compile(r"<<|>>|ldexp")
#: Where a float may become an integer, which is defined for what fits only.
SMALL = re.compile(r"stored|added|greatest|both|exchanged|swapped|otherwise|\.to\(|cast|full|tl\.rand|histogram|cumprod|sum|sort")

HELPERS = '''
@triton.jit
def stored(q, i, a, b):
    tl.store(q + i, b)
    tl.debug_barrier()
    return tl.load(q + i)


@triton.jit
def added(q, i, a, b):
    tl.store(q + i, a)
    tl.debug_barrier()
    tl.atomic_add(q + i, b)
    tl.debug_barrier()
    return tl.load(q + i)


@triton.jit
def greatest(q, i, a, b):
    tl.store(q + i, a)
    tl.debug_barrier()
    return tl.atomic_max(q + i, b)


@triton.jit
def both(q, i, a, b):
    tl.store(q + i, a)
    tl.debug_barrier()
    tl.atomic_and(q + i, b)
    tl.debug_barrier()
    return tl.load(q + i)


@triton.jit
def exchanged(q, i, a, b):
    tl.store(q + i, a)
    tl.debug_barrier()
    tl.atomic_xchg(q + i, b)
    tl.debug_barrier()
    return tl.load(q + i)


@triton.jit
def swapped(q, i, a, b):
    tl.store(q + i, a)
    tl.debug_barrier()
    tl.atomic_cas(q + i, a, b)
    tl.debug_barrier()
    return tl.load(q + i)


@triton.jit
def otherwise(p, i, b):
    return tl.load(p + i, mask=i < 8, other=b)


@triton.jit
def product(a, b):
    return tl.dot(tl.broadcast_to(a[:, None], [16, 32]), tl.broadcast_to(b[None, :], [32, 16]))

'''


@dataclasses.dataclass(frozen=True)
class Case:
    """`expression` with an operand `a` of type `left` and `b` of type `right`; either may be a number, `right` a type to cast to or
    nothing."""
    expression: str
    left: str
    right: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.expression, self.left, self.right

    @property
    def kind(self) -> str:
        """The type of the tensor operand that decides which arrays the case reads."""
        return self.left if self.left in TYPES else self.right

    @property
    def is_loose(self) -> bool:
        return bool(LOOSE.search(self.expression))

    @property
    def has_values(self) -> bool:
        if TYPES_ONLY.search(self.expression):
            return False
        # A shift by more than there is is undefined; so is a quotient by zero.
        numbers = [side for side in (self.left, self.right) if side in NUMBERS]
        if SHIFTS.search(self.expression) and (numbers and numbers[0] not in ("3", "True") or {self.left, self.right} <= {"i1", "True"}):
            return False
        if re.search(r"/ b|//|% b|div|fmod", self.expression) and self.right == "0":
            return False
        if re.search(r"//|% b|cdiv", self.expression) and self.right == "-1":
            return False
        if SMALL.search(self.expression) and self.right in UNLIKE_ALL:
            return False  # no integer is like it
        if {self.left, self.right} & {*NARROW} and not SMALL.search(self.expression):
            return False  # Triton has no arithmetic on them that a GPU could carry out
        if self.expression.startswith("tl.full") and self.left in NUMBERS:
            return self.left in ("0", "3", "True")
        return True

    def text(self) -> str:
        """The expression over `x_*`, `y_*` and numbers. Words of the language that hold an `a` or a `b` stay."""
        def operand(match: re.Match) -> str:
            word = match.group(0)
            if word == "B":
                return f"tl.{TYPES[self.right]}"
            if word in ("a", "a0"):
                return f"x_{self.left}" if self.left in TYPES else f"({self.left})" if self.left.startswith("-") else self.left
            if word == "sa":
                return f"s_{self.left}"
            if word == "b":
                return f"y_{self.right}" if self.right in TYPES else self.right
            return f"{word}_{self.kind}" if word in ("p", "q") else word
        return re.sub(r"(?<![\w.])(a0|sa|[abBpq])(?!\w|=)", operand, self.expression)


def cases() -> list[Case]:
    found = []
    for expression in PAIRS:
        found += [Case(expression, a, b) for a, b in itertools.product(TYPES, TYPES)]
        if "sa" in expression:
            continue
        found += [Case(expression, a, number) for a, number in itertools.product(TYPES, NUMBERS)]
        if not re.search(r"\ba\.|\(q|\(p", expression):
            found += [Case(expression, number, b) for number, b in itertools.product(NUMBERS, TYPES)]
    for expression in CASTS:
        lefts = ("i1", "i32", *NUMBERS) if "full" in expression else TYPES
        found += [Case(expression, a, b) for a, b in itertools.product(lefts, TYPES) if "full" not in expression or a in NUMBERS]
    found += [Case(expression, a, "") for expression in SINGLE for a in TYPES]
    return found


#--- what the cases read ---


def bits_of(kind: str, values: np.ndarray) -> np.ndarray:
    """Numbers, each of which the type has or rounds to, as unsigned words of its bits."""
    if kind in FLOATS:
        wide = np.asarray(values, np.float64)
        if kind == "f64":
            return wide.view(np.uint64)
        if kind == "f32":
            return wide.astype(np.float32).view(np.uint32)
        if kind == "bf16":
            return (wide.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
        half = wide.astype(np.float16).view(np.uint16)
        if kind == "f16":
            return half
        if kind == "e5":
            return (half >> 8).astype(np.uint8)
        # Numbers with three bits of fraction between 2^-6 and 448, and zeros.
        sign, rest = (half >> 15).astype(np.uint8), (half & 0x7FFF).astype(np.int32)
        return np.where(rest == 0, sign << 7, sign << 7 | np.clip((rest >> 7) - (8 << 3), 0, 126)).astype(np.uint8)
    width = 8 if kind == "i1" else int(kind[1:])
    words = [int(value) & (1 << width) - 1 for value in values]
    return np.array(words, dtype=f"uint{width}")


def values_of(kind: str, variant: str) -> list:
    """Sixteen numbers: `x` and `y` with what is special in the type, `shift` and `small` of those that every type has."""
    if kind == "i1":
        return {"y": [1] * 16}.get(variant, [0, 1, 1, 0] * 4)
    small = [0, 1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 0, 5, 6, 1, 4]
    if variant == "shift":
        return [float(v) for v in small] if kind in FLOATS else small
    if variant == "small":
        if kind in FLOATS:
            return [0.0, 1, 2, 3, 1.5, 5, 6, 7, 0.5, 2, 3, 0, 5, 6, 1, 4]
        return small if kind[0] == "u" else [0, 1, 2, 3, -1, 5, -6, 7, 1, 2, -3, 0, 5, 6, 1, -4]
    if kind in NARROW:
        x = [0.0, -0.0, 1, -1, 0.5, -3, 2, 3.5, 5, 7, -6, 96, 1.25, 0.25, -1.75, 14]
        return x if variant == "x" else [1.0, 2, -0.5, 4, 0.25, -2, 1, 8, 2, -1, 16, 0.5, -4, 2, 1, -8]
    if kind in FLOATS:
        x = [0.0, -0.0, 1, -1, 0.1, -3.25, 2, 1000, np.inf, -np.inf, np.nan, 5, 7, 127, 1e-7, -60000]
        return x if variant == "x" else [1.0, 2, -0.5, 4, 0.25, -2, 1, 8, 2, 1, 2, np.inf, np.nan, 0.5, -4, -64]
    width = int(kind[1:])
    if kind[0] == "u":
        top = (1 << width) - 1
        x = [0, 1, 2, 3, 5, 7, 100, 127, 128, 200, 255, top, top >> 1, (top >> 1) + 1, top - 1, 6]
        return x if variant == "x" else [1, 2, 3, 5, 7, 11, 1, 2, 100, 255, top, top, 3, 2, top >> 1, 6]
    top = (1 << width - 1) - 1
    x = [0, 1, 2, 3, -1, -7, 100, 127, -128, -100, 55, top, -top - 1, top - 1, -top, 6]
    return x if variant == "x" else [1, 2, 3, -5, 7, -11, 1, 2, 100, -3, top, top, 3, -2, top >> 1, -6]


def variants(expression: str) -> tuple[str, str]:
    if SHIFTS.search(expression):
        return "x", "shift"
    return ("small", "small") if SMALL.search(expression) else ("x", "y")


def inputs(case: Case) -> dict[str, tuple[str, np.ndarray]]:
    """The arrays of a kernel that holds the case: type and bits by the parameter's name."""
    first, second = variants(case.expression)
    if case.left in NUMBERS and SHIFTS.search(case.expression):
        first = "shift"
    arrays = {}
    for kind in TYPES:
        arrays[f"px_{kind}"] = (kind, bits_of(kind, values_of(kind, first)))
        arrays[f"py_{kind}"] = (kind, bits_of(kind, values_of(kind, second)))
        arrays[f"q_{kind}"] = (kind, bits_of(kind, [0] * 16))
    return arrays


#--- kernels of cases ---

_NAMED = {"x": r"\bx_(\w+)", "y": r"\by_(\w+)", "s": r"\bs_(\w+)", "p": r"\bp_(\w+)", "q": r"\bq_(\w+)"}


def parameters(texts: list[str]) -> list[str]:
    """The arrays that expressions read, in a fixed order."""
    joined = "\n".join(texts)
    used = {letter: set(re.findall(pattern, joined)) & set(TYPES) for letter, pattern in _NAMED.items()}
    names = [f"px_{kind}" for kind in TYPES if kind in used["x"] | used["s"] | used["p"]]
    names += [f"py_{kind}" for kind in TYPES if kind in used["y"]]
    return names + [f"q_{kind}" for kind in TYPES if kind in used["q"]]


def source(name: str, texts: list[str], recorder: str) -> str:
    """A kernel that hands what each expression gives to `recorder(result, index, ...)`."""
    lines = ["@triton.jit", f"def {name}({', '.join([*parameters(texts), 'types', 'bits'])}):", "    i = tl.arange(0, 16)", "    c = i < 9"]
    joined = "\n".join(texts)
    for letter, array in (("x", "px"), ("y", "py"), ("s", "px")):
        for kind in TYPES:
            if re.search(rf"\b{letter}_{kind}\b", joined):
                place = f"{array}_{kind} + 4" if letter == "s" else f"{array}_{kind} + i"
                lines.append(f"    {letter}_{kind} = tl.load({place})")
    for kind in TYPES:
        if re.search(rf"\bp_{kind}\b", joined):
            lines.append(f"    p_{kind} = px_{kind}")
    lines += [f"    {recorder.format(text=text, index=index)}" for index, text in enumerate(texts)]
    return "\n".join(lines) + "\n\n\n"


def record_source() -> str:
    """The helper that stores which type a result has, and its bits if it has a value for each of the sixteen."""
    lines = ["@triton.jit", "def record(r, types, bits, i, INDEX: tl.constexpr, VALUES: tl.constexpr):"]
    for code, (kind, name) in enumerate(TYPES.items()):
        lines.append(f"    {'el' if code else ''}if r.dtype == tl.{name}:")
        lines.append(f"        tl.store(types + INDEX, {code + 1})")
        if kind in FLOATS:
            width = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}.get(kind, 8)
            lines += ["        if VALUES:", f"            tl.store(bits + INDEX * 16 + i, r.to(tl.int{width}, bitcast=True).to(tl.int64))"]
        else:
            lines += ["        if VALUES:", "            tl.store(bits + INDEX * 16 + i, r.to(tl.int64))"]
    return "\n".join(lines) + "\n\n\n"


def module_text(package: str, kernels: str) -> str:
    return (f"import {package} as triton\nimport {package}.language as tl\nfrom {package}.language.extra import libdevice\n\n"
            + HELPERS + record_source() + kernels)


#--- what is written down ---


def canonical(kind: str, words: np.ndarray) -> np.ndarray:
    """Bits as unsigned words of the type's width, all NaNs the same."""
    width = {"i1": 1, "bf16": 16, "e5": 8, "e4": 8}.get(kind) or int(kind[1:])
    words = words.astype(np.int64).view(np.uint64) & np.uint64((1 << width) - 1)
    layout = {"f16": (10, 5), "bf16": (7, 8), "f32": (23, 8), "f64": (52, 11), "e5": (2, 5)}.get(kind)
    if layout:
        fraction, exponent = layout
        top = ((1 << exponent) - 1) << fraction
        words = np.where((words & np.uint64((1 << width - 1) - 1)) > np.uint64(top), np.uint64(top + 1), words)
    return words


def checksum(kind: str, words: np.ndarray) -> str:
    return f"{zlib.crc32(canonical(kind, words).tobytes()) & 0xFFFFF:05x}"


def as_numbers(kind: str, words: np.ndarray) -> list[float]:
    words = canonical(kind, words)
    if kind == "f64":
        return words.view(np.float64).tolist()
    if kind == "f32":
        return words.astype(np.uint32).view(np.float32).astype(float).tolist()
    if kind == "f16":
        return words.astype(np.uint16).view(np.float16).astype(float).tolist()
    if kind == "bf16":
        return (words.astype(np.uint32) << 16).view(np.float32).astype(float).tolist()
    if kind == "i1":
        return words.astype(float).tolist()
    if kind[0] == "i":
        width = int(kind[1:])
        return [float(int(w) - (1 << width) if int(w) >> width - 1 else int(w)) for w in words]
    return words.astype(float).tolist()


@dataclasses.dataclass
class Answer:
    """What comes of a case: the result's type or "-" if it is refused, a checksum or numbers if it has values."""
    kind: str
    sum: str = ""
    numbers: tuple[float, ...] = ()

    @property
    def cell(self) -> str:
        return f"{self.kind}:{self.sum}" if self.sum else f"{self.kind}~" if self.numbers else self.kind


def answer(case: Case, code: int, words: np.ndarray) -> Answer:
    kind = list(TYPES)[code - 1]
    if not case.has_values:
        return Answer(kind)
    if case.is_loose and kind in FLOATS:
        return Answer(kind, numbers=tuple(as_numbers(kind, words))[:12]) if kind not in NARROW else Answer(kind)
    return Answer(kind, checksum(kind, words))


def tables() -> list[tuple[str, list[str], list[str]]]:
    """The tables of the golden file: expression, rows, columns."""
    found = []
    for expression in PAIRS:
        found.append((expression, list(TYPES), list(TYPES)))
        if "sa" not in expression:
            found.append((expression, list(TYPES), list(NUMBERS)))
            if not re.search(r"\ba\.|\(q|\(p", expression):
                found.append((expression, list(NUMBERS), list(TYPES)))
    for expression in CASTS:
        found.append((expression, list(NUMBERS if "full" in expression else TYPES), list(TYPES)))
    return found


def write(path: pathlib.Path, answers: dict[tuple[str, str, str], Answer], version: str) -> None:
    lines = [f"# Triton {version}: the type of a result and a checksum of sixteen values, `-` where it is refused", "# made by promotion_table.py", ""]
    for expression, rows, columns in tables():
        body = [[row, *(answers[expression, row, column].cell for column in columns)] for row in rows]
        head = ["", *columns]
        widths = [max(len(line[at]) for line in [head, *body]) for at in range(len(head))]
        lines += [f"## {expression}"]
        lines += ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in [head, *body]] + [""]
    lines.append("## one operand")
    width = max(map(len, SINGLE))
    lines.append("  ".join(["".ljust(width), *(kind.ljust(10) for kind in TYPES)]).rstrip())
    for expression in SINGLE:
        lines.append("  ".join([expression.ljust(width), *(answers[expression, kind, ""].cell.ljust(10) for kind in TYPES)]).rstrip())
    lines += ["", "## numbers of approximate results"]
    for key, found in answers.items():
        if found.numbers:
            lines.append(f"{' | '.join(key)} = {' '.join(f'{number:.8g}' for number in found.numbers)}")
    path.write_text("\n".join(lines) + "\n")


def read(path: pathlib.Path) -> dict[tuple[str, str, str], Answer]:
    answers: dict[tuple[str, str, str], Answer] = {}
    expression, columns = "", []
    for line in path.read_text().splitlines():
        if line.startswith("## "):
            expression, columns = line[3:], []
        elif not line or line.startswith("#"):
            continue
        elif expression == "numbers of approximate results":
            key, numbers = line.rsplit(" = ", 1)
            answers[tuple(key.rsplit(" | ", 2))].numbers = tuple(map(float, numbers.split()))
        elif not columns:
            columns = line.split()
        else:
            cells = re.split(r" {2,}", line.strip())
            for column, cell in zip(columns, cells[1:]):
                kind, _, total = cell.rstrip("~").partition(":")
                key = (cells[0], column, "") if expression == "one operand" else (expression, cells[0], column)
                answers[key] = Answer(kind, total)
    return answers


#--- recording, with Triton on a GPU ---


def _types_by_triton(chunk: list[Case], folder: str, at: str) -> dict[Case, str]:
    """The type of each case by Triton's front end, which is quick; "-" if it refuses."""
    import importlib.util

    import triton
    import triton.language as tl
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import ASTSource, make_backend
    from triton._C.libtriton import ir

    noted: list[str] = []

    @tl.core.builtin
    def note(r, _semantic=None):
        noted.append(str(_semantic.to_tensor(r).type.scalar))

    path = pathlib.Path(folder, f"types{at}.py")
    path.write_text(module_text("triton", "".join(source(f"k{n}", [case.text()], "note({text})") for n, case in enumerate(chunk))))
    spec = importlib.util.spec_from_file_location(f"types{at}", path)
    module = importlib.util.module_from_spec(spec)
    module.note = note
    spec.loader.exec_module(module)
    target = GPUTarget("cuda", 90, 32)
    backend = make_backend(target)
    options = backend.parse_options({})
    short = {"int1": "i1", "fp16": "f16", "bf16": "bf16", "fp32": "f32", "fp64": "f64", "fp8e5": "e5", "fp8e4nv": "e4",
             **{f"int{w}": f"i{w}" for w in (8, 16, 32, 64)}, **{f"uint{w}": f"u{w}" for w in (8, 16, 32, 64)}}
    pointer = {"i1": "*i1", "e5": "*fp8e5", "e4": "*fp8e4nv", "f16": "*fp16", "bf16": "*bf16", "f32": "*fp32", "f64": "*fp64"}
    found = {}
    for n, case in enumerate(chunk):
        function = getattr(module, f"k{n}")
        names = parameters([case.text()])
        signature = {name: pointer.get(name.split("_")[1], "*" + name.split("_")[1]) for name in names}
        signature |= {"types": "*i32", "bits": "*i64"}
        noted.clear()
        try:
            context = ir.context()
            ir.load_dialects(context)
            backend.load_dialects(context)
            ASTSource(function, signature).make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
            found[case] = short.get(noted[-1], "?" + noted[-1])
        except Exception:
            found[case] = "-"
    return found


def kernel(group: list[Case]) -> str:
    """One kernel for cases that read the same arrays."""
    text = source("k", [case.text() for case in group], "record({text}, types, bits, i, {index}, VALUES_{index})")
    for index, case in enumerate(group):
        text = text.replace(f"VALUES_{index})", f"{case.has_values})")
    return text


def groups(found: list[Case], count: int = 40) -> list[list[Case]]:
    """Cases that read the same arrays, few enough for one kernel."""
    by: dict[tuple, list[Case]] = {}
    for case in found:
        first = variants(case.expression), case.left in NUMBERS and bool(SHIFTS.search(case.expression))
        is_narrow = bool({case.left, case.right} & {*NARROW})
        by.setdefault((first, case.kind, is_narrow), []).append(case)
    return [group[at:at + count] for group in by.values() for at in range(0, len(group), count)]


def _values_by_triton(group: list[Case], folder: str, name: str) -> dict[Case, Answer]:
    import importlib.util

    import torch

    path = pathlib.Path(folder, f"{name}.py")
    path.write_text(module_text("triton", kernel(group)))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    torch_names = {"e5": "float8_e5m2", "e4": "float8_e4m3fn", "i1": "bool"}
    arrays = inputs(group[0])
    arguments = []
    for parameter in parameters([case.text() for case in group]):
        kind, bits = arrays[parameter]
        tensor = torch.from_numpy(bits.copy().view(f"int{bits.itemsize * 8}")).cuda()
        arguments.append(tensor.view(getattr(torch, torch_names.get(kind, TYPES[kind]))))
    types = torch.zeros(len(group), dtype=torch.int32, device="cuda")
    bits = torch.zeros(len(group) * COUNT, dtype=torch.int64, device="cuda")
    module.k[(1,)](*arguments, types, bits, num_warps=1)
    torch.cuda.synchronize()
    words = bits.cpu().numpy().reshape(-1, COUNT)
    return {case: answer(case, int(code), words[n]) for n, (case, code) in enumerate(zip(group, types.cpu().tolist())) if code}


def _serve(pipe, folder: str, at: int) -> None:
    """A process that answers: groups of cases come through the pipe, their answers or an error go back."""
    number = 0
    while (job := pipe.recv()) is not None:
        how, group = job
        number += 1
        try:
            pipe.send(_types_by_triton(group, folder, f"{at}_{number}") if how == "types" else
                      _values_by_triton(group, folder, f"values{at}_{number}"))
        except Exception as error:
            pipe.send(str(error).strip().splitlines()[-1:])


class _Processes:
    """Jobs for processes that may die of one: what takes a process along is halved until it is one case."""

    def __init__(self, jobs: list, folder: str, done):
        import collections
        import threading

        self.left, self.folder, self.done, self.lock = collections.deque(jobs), folder, done, threading.Lock()

    def run(self, count: int) -> None:
        import threading

        threads = [threading.Thread(target=self._work, args=(at,)) for at in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _work(self, at: int) -> None:
        import multiprocessing

        context, process = multiprocessing.get_context("spawn"), None
        while True:
            try:
                how, group = self.left.popleft()
            except IndexError:
                break
            if process is None:
                ours, theirs = context.Pipe()
                process = context.Process(target=_serve, args=(theirs, self.folder, at), daemon=True)
                process.start()
                theirs.close()
            try:
                ours.send((how, group))
                found = ours.recv() if ours.poll(120) else ["takes too long"]
            except (EOFError, BrokenPipeError, ConnectionResetError):
                found = ["crashes"]
            if isinstance(found, dict):
                with self.lock:
                    self.done(found)
                continue
            if found[:1] in (["crashes"], ["takes too long"]) or "CUDA error" in str(found):
                process.kill()
                process = None
            if len(group) > 1:
                self.left.extend([(how, group[:len(group) // 2]), (how, group[len(group) // 2:])])
            else:
                print("no values:", group[0].key, found, flush=True)
        if process:
            process.kill()


def record(path: pathlib.Path, processes: int = 16) -> None:
    import tempfile
    import time

    import triton

    every, start = cases(), time.time()
    with tempfile.TemporaryDirectory() as folder:
        kinds: dict[Case, str] = {}
        _Processes([("types", every[at::processes * 4]) for at in range(processes * 4)], folder, kinds.update).run(processes)
        print(f"{len(every)} cases, {sum(kind != '-' for kind in kinds.values())} accepted, {time.time() - start:.0f} s", flush=True)
        answers = {case.key: Answer(kinds.get(case, "-")) for case in every}
        write(path, answers, triton.__version__)

        def note(part: dict[Case, Answer]) -> None:
            for case, found in part.items():
                if found.kind != kinds[case]:
                    print("two types:", case.key, kinds[case], found.kind)
                answers[case.key] = found

        accepted = groups([case for case in every if kinds.get(case, "-") in TYPES])
        print(len(accepted), "kernels", flush=True)
        _Processes([("values", group) for group in accepted], folder, note).run(processes)
    write(path, answers, triton.__version__)
    print(f"{time.time() - start:.0f} s")


if __name__ == "__main__":
    import sys

    record(pathlib.Path(sys.argv[1]))
