"""Integers that wrap in their type, which `--stop=wrap` stops at."""

import pytest
from debugger import HEAD, debug, places


def wraps(folder, kind, expression, stops="wrap", commands=("continue",)):
    source = HEAD + f"""@triton.jit
def k(x, y, out, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    b = tl.load(y + i)
    c = {expression}
    tl.store(out + i, c)
"""
    words = ["--grid=1", f"--arg=x=arange:{kind}[128]", f"--arg=y=full(100):{kind}[128]", f"--arg=out=zeros:{kind}[128]", "-DB=128"]
    return debug(folder, source, [*words, *([f"--stop={stops}"] if stops else [])], commands)


@pytest.mark.parametrize("kind, expression, says", [
    ("i8", "a * b", "a number of int8 wraps: 2 * 100 becomes -56, at element (2)"),
    ("i8", "a + b", "a number of int8 wraps: 28 + 100 becomes -128, at element (28)"),
    ("u8", "a * b", "a number of uint8 wraps: 3 * 100 becomes 44, at element (3)"),
    ("u8", "a - b", "a number of uint8 wraps: 0 - 100 becomes 156, at element (0)"),
    ("i16", "a * b * b", "a number of int16 wraps: 400 * 100 becomes -25536, at element (4)"),
    ("i32", "a * b * b * b * b", "a number of int32 wraps: 22000000 * 100 becomes -2094967296, at element (22)"),
    ("i64", "a - b * b * b * b * b * b * b * b * b * b", "a number of int64 wraps: 1000000000000000000 * 100 becomes 7766279631452241920, at element (0)"),
])
def test_integers_that_wrap_are_stopped_at(kind, expression, says, tmp_path):
    text = wraps(tmp_path, kind, expression)
    assert says in text and places(text) == [10]


@pytest.mark.parametrize("kind, expression", [("i8", "a - b"), ("u8", "a + b"), ("i32", "a * b"), ("i64", "a * b * b * b"), ("fp16", "a * b * b * b")])
def test_integers_that_fit_are_not(kind, expression, tmp_path):
    assert wraps(tmp_path, kind, expression) == "all programs have ended\n"


def test_it_is_off_unless_asked_for(tmp_path):
    assert wraps(tmp_path, "i8", "a * b", stops="") == "all programs have ended\n"
    assert wraps(tmp_path, "i8", "a * b", stops="nan,overflow") == "all programs have ended\n"
    assert "int8 wraps" in wraps(tmp_path, "i8", "a * b", stops="all")
    assert "int8 wraps" in wraps(tmp_path, "i8", "a * b", stops="", commands=["stop wrap", "continue"])
