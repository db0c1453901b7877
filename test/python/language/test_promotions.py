"""The type and the bits of every operator and every function of two operands, compared with Triton 3.6's."""

import importlib.util
import math
import os
import pathlib
import re
import tempfile

import numpy as np
import promotion_table as table
import pytest
from harness import INTERPRETED, ON_GPU, Array, launch, storage

GOLDEN = table.read(pathlib.Path(__file__).parent / "golden" / "promotions-3.6.txt")
#: What is taken though Triton refuses it: expressions, types, and why. LANGUAGE.md has it too.
TAKEN = [
    (r"a and b|a or b|a.logical_and|a.logical_or|not a", "", "a number counts as a truth, as in Python"),
    (r"tl.fdiv|tl.div_rn", "", "types meet as under `/`"),
    (r"swapped", "", "operands become of the type in memory, as those of other atomics"),
    (r"libdevice", "", "types meet as under operators, which libraries expect"),
    (r"stored|otherwise|exchanged|added|greatest|both|a.to|tl.cast", r"\be[45]\b", "integers and floats of eight bits convert, by way of fp32"),
    (r"a [-+*/%] b|tl.(add|sub|mul|where)", r"\be[45]\b", "a number gives way to 8-bit floats, as to others"),
    (r"tl.full", "", "a number wraps, or becomes an 8-bit float, as in a cast"),
    (r"tl.(join|interleave|cat)", r"(^| )(-?[\d.]|True|float)", "a number is a tensor, as in functions of arithmetic"),
    (r"tl.(rand|randint|randn)", r"\be[45]\b", "8-bit floats convert to integers"),
    (r"[+]a", "", "harmless"),
    (r"tl.to_tensor", "", "there since Triton 3.7"),
    (r"tl.clamp", "", "integers are clamped, as later versions do"),
]
#: What is refused though Triton takes it.
REFUSED = [(r"a.(exp|floor)", r"^(e4|e5)", "methods of 8-bit floats take what the functions do")]
#: What is known to differ where both take it: expressions, second operand and type of the result, and why.
OTHER = [
    (r"tl.arg(max|min)", "", "a NaN loses, in whichever order elements meet: Triton's answer depends on the order"),
    (r"tl.clamp", "^0 ", "the sign of a zero between two zeros: Triton has an instruction for -x and x that takes the number's"),
]
if INTERPRETED:
    OTHER.append((r"a % b", r" f(16|32|64)$", "the remainder is exact there; a device computes x - trunc(x / y) * y"))
#: One case in so many is looked at, of those that are refused one in four times as many; all with TEGULA_TEST_ALL=1.
SHARE = 1 if os.environ.get("TEGULA_TEST_ALL") else 2 if INTERPRETED else 8


def module_of(text: str):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "kernels.py")
        path.write_text(table.module_text("tegula", text))
        spec = importlib.util.spec_from_file_location("kernels", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module


def elements(kind: str, bits: np.ndarray) -> Array:
    name = table.TYPES[kind]
    return Array(name, bits.copy().view(storage(name)))


def answers_of(group: list[table.Case]) -> dict[table.Case, table.Answer]:
    """What comes of cases that read the same arrays. A case that is refused is "-"; its group is halved to find it."""
    kernel = module_of(table.kernel(group)).k
    arrays = table.inputs(group[0])
    types, bits = Array("int32", np.zeros(len(group), np.int32)), Array("int64", np.zeros(len(group) * table.COUNT, np.int64))
    wanted = [arrays[name] for name in table.parameters([case.text() for case in group])]
    try:
        launch(kernel, *(elements(kind, stored) for kind, stored in wanted), types, bits, num_warps=1)
    except Exception:
        if len(group) == 1:
            return {group[0]: table.Answer("-")}
        middle = len(group) // 2
        return answers_of(group[:middle]) | answers_of(group[middle:])
    words = bits.stored.reshape(-1, table.COUNT)
    return {case: table.answer(case, int(code), words[n]) for n, (case, code) in enumerate(zip(group, types.stored))}


def is_like(case: table.Case, found: table.Answer, expected: table.Answer) -> bool:
    if found.kind != expected.kind:
        return False
    if expected.numbers and found.numbers:
        tolerance = {"f16": 2e-3, "bf16": 1.6e-2, "f32": 4e-6}.get(found.kind, 5e-8)  # of eight digits
        return all(math.isclose(a, b, rel_tol=tolerance, abs_tol=1e-7) or (math.isnan(a) and math.isnan(b))
                   for a, b in zip(found.numbers, expected.numbers))
    return not expected.sum or not found.sum or found.sum == expected.sum


def is_among(case: table.Case, list_: list[tuple[str, str, str]], types: str) -> bool:
    return any(re.match(pattern, case.expression) and re.search(kinds, types) for pattern, kinds, _ in list_)


def is_left_out(case: table.Case) -> bool:
    return is_among(case, TAKEN if GOLDEN[case.key].kind == "-" else REFUSED, f"{case.left} {case.right}")


def is_other(case: table.Case, found: table.Answer, expected: table.Answer) -> bool:
    return found.kind == expected.kind and is_among(case, OTHER, f"{case.right} {found.kind}")


def told(case: table.Case, found: table.Answer, expected: table.Answer) -> str:
    of = f" {found.numbers} not {expected.numbers}" if found.kind == expected.kind and expected.numbers else ""
    return f"{case.expression:34} a: {case.left:8} b: {case.right:8} {found.cell} not {expected.cell}{of}"


@pytest.mark.parametrize("expression", dict.fromkeys([*table.PAIRS, *table.CASTS, *table.SINGLE]))
def test_types_and_bits_are_those_of_triton(expression):
    every = [case for case in table.cases() if case.expression == expression and case.key in GOLDEN]
    every = [case for case in every if not is_left_out(case)]
    found = {}
    for group in table.groups([case for case in every if GOLDEN[case.key].kind != "-"])[::SHARE]:
        found |= answers_of(group)
    for case in [case for case in every if GOLDEN[case.key].kind == "-"][::SHARE if SHARE == 1 else 4 * SHARE]:
        found |= answers_of([case])
    wrong = [told(case, answer, GOLDEN[case.key]) for case, answer in found.items()
             if not is_like(case, answer, GOLDEN[case.key]) and not is_other(case, answer, GOLDEN[case.key])]
    assert not wrong, f"{len(wrong)} of {len(found)} differ:\n" + "\n".join(wrong)
