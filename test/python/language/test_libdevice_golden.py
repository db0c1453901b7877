"""Results of libdevice compared with CUDA's own, as `libdevice_table.py` recorded them: bits where results are exact,
classes and signs where they are special, and as many units apart as the errors of both allow where they are rounded.

Triton has CUDA's functions of fp32 take subnormal numbers for zero (`enable_reflect_ftz`); ours do not, so that rows with
one say nothing.
"""

import math
from pathlib import Path

import numpy as np
import pytest
from harness import Array
from libdevice_calls import apply
from libdevice_functions import by_name, from_bits, place
from libdevice_table import arguments, canonical, read

_RECORDED = read(Path(__file__).parent / "golden" / "libdevice.txt")
_KINDS = {"fp32": "float32", "fp64": "float64", "int1": "int32"}
_LEAST = float(np.finfo(np.float32).tiny)

#: Functions that CUDA approximates more coarsely than anybody relies on; ours are the accurate ones.
_LOOSE = {"fast_cosf", "fast_dividef", "fast_exp10f", "fast_expf", "fast_fdividef", "fast_log10f", "fast_log2f", "fast_logf",
          "fast_powf", "fast_sinf", "fast_tanf", "rcp64h"}


def flushed(signature, values) -> bool:
    """Whether CUDA's fp32 meets a subnormal number, perhaps one that would have been rounded to the least normal one."""
    return "fp32" in (*signature.arguments, signature.result) and any(
        isinstance(value, float) and 0 < abs(value) <= _LEAST for value in values)


def allowed(signature, row) -> float:
    """Units between the two: the errors of both, and of CUDA's alone where ours are less."""
    if signature.name == "pow" and signature.arguments[1] == "int32":
        return 4 + abs(row[1])  # a product of so many
    if signature.name == "yn" and signature.result == "fp32":
        return 5 + math.ceil(2 + 2.5 * row[0])
    if (signature.name, signature.result) == ("sqrt", "fp32"):
        return 1  # Triton asks for the approximate root
    function = by_name().get(signature.name)
    bound = function and function.bounds[signature.result == "fp64"]
    return 2 * bound if bound else 0


def differs(signature, row, found: float, recorded: float) -> bool:
    kind, function = _KINDS[signature.result], by_name().get(signature.name)
    if math.isnan(recorded) or math.isnan(found):
        # CUDA's recurrence of jn meets infinities where the argument is next to nothing.
        return not (math.isnan(recorded) and (math.isnan(found) or signature.name == "jn"))
    if signature.name == "yn" and row[1] == 0:
        return found != -math.inf  # the pole, of which CUDA's recurrence gives either sign at -0
    if function and function.absolute and (bound := function.absolute(kind, *row)):
        return abs(found - recorded) > 2 * bound
    if function and function.unstated and function.unstated(kind, *row):
        return abs(found - recorded) > 1e-6 if kind == "float32" else abs(found - recorded) > 1e-14
    if recorded == 0 or math.isinf(recorded):
        same = found == recorded and math.copysign(1, found) == math.copysign(1, recorded)
        return not same and abs(place(kind, found) - place(kind, recorded)) > allowed(signature, row)
    if function and function.bounds[kind == "float64"] is None:
        return abs(found - recorded) > 1e-9 * abs(recorded)  # nothing is stated
    return abs(place(kind, found) - place(kind, recorded)) > allowed(signature, row)


@pytest.mark.parametrize("signature", [one for one in _RECORDED if one.name not in _LOOSE], ids=lambda one: one.key)
def test_as_cuda_has_it(signature):
    recorded = _RECORDED[signature]
    columns = [Array(_KINDS.get(kind, kind), words.view(_KINDS.get(kind, kind)))
               for kind, words in zip(signature.arguments, arguments(signature, len(recorded)))]
    found = apply(signature.name, *columns, result=_KINDS.get(signature.result, signature.result)).stored
    rows = [tuple(column.stored[i].item() for column in columns) for i in range(len(recorded))]
    wrong = []
    for row, value, words in zip(rows, found, recorded):
        if signature.result in ("fp32", "fp64"):
            kind = _KINDS[signature.result]
            known = from_bits(kind, int(canonical(signature.result, np.array([words]))[0]))
            bad = not flushed(signature, (*row, known, float(value))) and differs(signature, row, float(value), known)
        else:
            known = words
            same = bool(value) == bool(words) if signature.result == "int1" else \
                int(value) % 2**(8 * words.itemsize) == int(words)
            bad = not same and not flushed(signature, row)
        if bad:
            wrong.append(f"{signature.name}{row} = {value!r}, not {known!r}")
    assert not wrong, "\n".join(wrong[:10])
