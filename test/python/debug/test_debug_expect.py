"""How far arrays may be off what is expected of them, and what the debugger says about that."""

import re

import numpy as np
import pytest
from debugger import HEAD, debug

COPY = HEAD + """@triton.jit
def k(x, out, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i))
"""
PRODUCT = HEAD + """@triton.jit
def k(a, b, out, PRECISION: tl.constexpr):
    i = tl.arange(0, 16)
    at = i[:, None] * 16 + i[None, :]
    tl.store(out + at, tl.dot(tl.load(a + at), tl.load(b + at), input_precision=PRECISION))
"""


def compared(folder, kind, off, tolerance="", reference=np.float64):
    """What is said of a copy of ones that are expected to be `1 + off`."""
    words = ["--grid=1", f"--arg=x=full(1):{kind}[64]", f"--arg=out=zeros:{kind}[64]", "-DB=64"]
    return debug(folder, COPY, words, ["continue"], reference={"out": np.full(64, 1 + off, reference)}, tolerance=tolerance)


@pytest.mark.parametrize("kind, allowed", [("fp64", 2**-46), ("fp32", 2**-17), ("fp16", 2**-9), ("bf16", 2**-6), ("fp8e4nv", 2**-2), ("fp8e5", 2**-1)])
def test_tolerances_go_by_the_type(kind, allowed, tmp_path):
    text = compared(tmp_path, kind, 1.75 * allowed)
    assert "all elements are as expected: all 64 of `out` are within atol=" in text
    assert f"rtol={allowed:.3g}, the largest difference is {1.75 * allowed:.3g}\n" in text
    text = compared(tmp_path, kind, -2.25 * allowed)
    assert "64 of 64 elements differ; atol=" in text and f"rtol={allowed:.3g} are allowed, the largest difference is {2.25 * allowed:.3g}\n" in text


def test_the_coarser_of_two_types_counts(tmp_path):
    assert "rtol=0.00195, the largest" in compared(tmp_path, "fp32", 2**-9, reference=np.float16)


@pytest.mark.parametrize("given, says", [
    ("rtol=0.01", "atol=0.0101, rtol=0.01"),
    ("atol=0.01", "atol=0.01, rtol=7.63e-06"),
    ("atol=0.02,rtol=0", "atol=0.02, rtol=0"),
])
def test_one_tolerance_leaves_the_other(given, says, tmp_path):
    assert f"are within {says}, the largest difference is 0.01" in compared(tmp_path, "fp32", 0.01, given)


def test_without_tolerances_elements_are_equal(tmp_path):
    assert compared(tmp_path, "fp32", 0, "atol=0,rtol=0").endswith("as expected: all 64 of `out` are equal\n")
    words = ["--grid=1", "--arg=x=arange:i32[64]", "--arg=out=zeros:i32[64]", "-DB=64"]
    assert debug(tmp_path, COPY, words, ["continue"], reference={"out": np.arange(64)}).endswith("all 64 of `out` are equal\n")


def test_zeros_are_no_softmax(tmp_path):
    softmax = np.random.default_rng(0).dirichlet(np.ones(1000)).astype(np.float32)
    words = ["--grid=4", "--arg=x=zeros:fp32[1000]", "--arg=out=zeros:fp32[1000]", "-DB=256"]
    text = debug(tmp_path, COPY.replace("tl.load(x + i)", "0.0, mask=i < 1000"), words, ["continue"], reference={"out": softmax})
    assert "`out[0]` becomes 0, expected " in text and "1000 of 1000 elements differ" in text


@pytest.mark.parametrize("kind, precision, allowed", [("fp32", "tf32", 2**-9), ("fp32", "ieee", 2**-17), ("fp16", "tf32", 2**-9), ("bf16", "tf32", 2**-6)])
def test_products_are_allowed_what_their_factors_are(kind, precision, allowed, tmp_path):
    words = ["--grid=1", f"--arg=a=full(1):{kind}[16,16]", f"--arg=b=full(1):{kind}[16,16]", "--arg=out=zeros:fp32[16,16]", f"-DPRECISION='{precision}'"]
    text = debug(tmp_path, PRODUCT, words, ["continue"], reference={"out": np.full((16, 16), 16.0)})
    assert f"are within atol={16 * allowed:.3g}, rtol={allowed:.3g}, the largest difference is 0\n" in text


def test_of_several_arrays_each_is_told(tmp_path):
    words = ["--grid=1", "--arg=x=zeros:fp32[64]", "--arg=out=zeros:i32[64]", "-DB=64"]
    text = debug(tmp_path, COPY, words, ["continue"], reference={"out": np.zeros(64, np.int32), "x": np.zeros(64)})
    assert text.endswith(": all 64 of `out` are equal; all 64 of `x` are within atol=0, rtol=7.63e-06, the largest difference is 0\n")


#: Each program stores twice, the second half with a fault in odd programs.
TWICE = HEAD + """@triton.jit
def k(x, out, B: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i) + pid // 2 * 100)
    half = tl.load(x + i, mask=i % B >= B // 2)
    tl.store(out + i, half + pid % 2, mask=i % B >= B // 2)
"""
TWICE_WORDS = ["--grid=4", "--arg=x=arange:fp32[32]", "--arg=out=zeros:fp32[32]", "-DB=8"]
IOTA = {"out": np.arange(32, dtype=np.float32)}


def test_continue_goes_on_to_the_next_store_that_is_wrong(tmp_path):
    text = debug(tmp_path, TWICE, TWICE_WORDS, ["continue"] * 5 + ["rc", "rc"], reference=IOTA)
    shown = re.findall(r"^program \((\d), 0, 0\), kernel.py:(\d+) in k: `(.*?)` becomes (\d+), expected (\d+); 16 of 32 elements differ", text, re.M)
    forward = [("1", "11", "out[12]", "13", "12"), ("2", "9", "out[16]", "116", "16"), ("3", "9", "out[24]", "124", "24"), ("3", "11", "out[28]", "29", "28")]
    assert shown == forward + [forward[3], forward[2]]
    assert "all programs have ended: no more is stored that is not as expected\n" in text


def test_steps_pass_what_is_wrong_and_breakpoints_stop(tmp_path):
    text = debug(tmp_path, TWICE, TWICE_WORDS, ["continue", "break 8", "continue", "continue", "back-over", "next", "where"], reference=IOTA)
    assert re.findall(r"^program \((\d), 0, 0\), kernel.py:(\d+)(?: in k: (`.*?`|break))?", text, re.M) == [
        ("1", "11", "`out[12]`"), ("2", "8", "break"), ("2", "9", "`out[16]`"), ("2", "8", ""), ("2", "9", ""), ("2", "9", "")]


def test_only_the_chosen_program_is_compared(tmp_path):
    text = debug(tmp_path, TWICE, [*TWICE_WORDS, "--program=3"], ["continue", "continue", "continue"], reference=IOTA)
    assert re.findall(r"`(.*?)` becomes", text) == ["out[24]", "out[28]"] and "no more is stored" in text
    text = debug(tmp_path, TWICE, [*TWICE_WORDS, "--program=0"], ["continue"], reference=IOTA)
    assert text == ("all programs have ended, and the only one to stop in writes nothing that is not as expected; "
                    "`out`: 16 of 32 elements differ; atol=0.000138, rtol=7.63e-06 are allowed, the largest difference is 100\n")


#: Sums of columns: a statement reads and one writes what other programs do, too.
SUM = HEAD + """@triton.jit
def k(x, out, B: tl.constexpr):
    pid = tl.program_id(0)
    i = tl.arange(0, B)
    v = tl.load(x + pid * B + i)
    {}
"""


@pytest.mark.parametrize("body, says", [
    ("tl.store(out + i, tl.load(out + i) + v)", "`out[0]` is written by program (0, 0, 0) and read by program (1, 0, 0)"),
    ("tl.store(out + i, v * 0 + 28)", "`out[0]` is written by program (0, 0, 0) and by program (1, 0, 0)"),
    ("y = tl.load(x + 8 + i)\n    tl.store(x + 8 + i, y, mask=pid == 3)\n    tl.atomic_add(out + i, v)", "`x[8]` is read by program (0, 0, 0) and written by program (3, 0, 0)"),
    ("tl.store(x + pid * B + i, v)\n    tl.atomic_add(out + i, tl.load(x + pid * B + i))", "`x[0]` is written and read again by program (0, 0, 0)"),
    ("tl.atomic_add(out + i, v)", ""),
    ("tl.atomic_add(out + i, v)\n    tl.store(x + pid * B + i, v)", ""),
])
def test_where_races_may_be_is_said(body, says, tmp_path):
    words = ["--grid=4", "--arg=x=arange:fp32[32]", "--arg=out=zeros:fp32[8]", "-DB=8"]
    text = debug(tmp_path, SUM.format(body), words, ["continue"], reference={"out": np.arange(8) * 4.0 + 48}, tolerance="atol=100")
    hint = f"; {says}: whether that is a race, `tegula run --device=emulator:3 ...` tells" if says else ""
    assert "all elements are as expected" in text and re.search(r"the largest difference is [\d.]+(.*)\n", text)[1].startswith(hint), text
    assert says or "race" not in text


def test_with_against_races_have_been_looked_for(tmp_path):
    words = ["--grid=4", "--arg=x=arange:fp32[32]", "--arg=out=zeros:fp32[8]", "-DB=8"]
    body = SUM.format("tl.store(out + i, i)")
    assert "is a race" in debug(tmp_path, body, words, ["continue"], reference={"out": np.arange(8.0)})
    assert "is a race" not in debug(tmp_path, body, [*words, "--against"], ["continue"])
