"""Going forward and back through programs: the same statement shows the same values, whichever way one came."""

import re

import pytest
from debugger import HEAD, debug, places


LOOP = HEAD + """@triton.jit
def k(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    acc = tl.zeros((B,), tl.float32)
    for j in range(n):
        acc += tl.load(x + i) * j
    tl.store(out + i, acc)
"""
HELPERS = HEAD + """@triton.jit
def inner(v, s):
    w = v * s
    return w + 1


@triton.jit
def outer(v):
    a = inner(v, 2)
    b = inner(a, 3)
    return b


@triton.jit
def k(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    for j in range(2):
        v = outer(v)
    tl.store(out + i, v)
"""
BRANCHES = HEAD + """@triton.jit
def clip(v, n):
    if n > 2:
        return v
    return v * 0


@triton.jit
def k(x, out, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    if tl.program_id(0) == 0:
        v += 1
    else:
        v -= 1
    w = clip(v, n)
    while n > 0:
        n -= 1
        w += n
    tl.store(out + tl.program_id(0) * B + i, w)
"""
SUMS = HEAD + """@triton.jit
def k(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i[:, None] * B + i[None, :])
    total = tl.sum(a, 1)
    top = tl.max(a,
                 1)
    tl.atomic_add(out + i, total - top)
    tl.device_print("row", i)
"""
TUPLES = HEAD + """@triton.jit
def both(a, b):
    return a + b, a - b


@triton.jit
def k(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    t = both(tl.load(x + i), 2)
    p = tl.make_block_ptr(out, (B,), (1,), (0,), (B,), (0,))
    tl.store(p, t[0] * t[1])
"""
KERNELS = {
    "loop": (LOOP, ["--grid=2", "--arg=x=arange:fp32[16]", "--arg=out=empty:fp32[16]", "--arg=n=3", "-DB=8"]),
    "helpers": (HELPERS, ["--grid=1", "--arg=x=arange:fp32[8]", "--arg=out=empty:fp32[8]", "-DB=8"]),
    "branches": (BRANCHES, ["--grid=2", "--arg=x=arange:fp32[8]", "--arg=out=empty:fp32[16]", "--arg=n=3", "-DB=8"]),
    "early_return": (BRANCHES, ["--grid=2", "--arg=x=arange:fp32[8]", "--arg=out=empty:fp32[16]", "--arg=n=2", "-DB=8"]),
    "sums": (SUMS, ["--grid=1", "--arg=x=arange:fp32[8,8]", "--arg=out=zeros:fp32[8]", "-DB=8"]),
    "tuples": (TUPLES, ["--grid=1", "--arg=x=arange:fp32[8]", "--arg=out=empty:fp32[8]", "-DB=8"]),
}
LOOK = ["frames", "locals", "arrays"]


def states(text):
    """Returns all that was shown from one stop to the next, without the addresses, which no run shares."""
    parts = re.split(r"^(?=program |nothing has run|all programs have ended)", text, flags=re.M)
    return [re.sub(r"0x[0-9a-f]+", "ADDRESS", part) for part in parts if part.strip()]


@pytest.mark.parametrize("name", KERNELS)
def test_back_shows_what_forward_has_shown(name, tmp_path):
    source, words = KERNELS[name]
    count = len(places(debug(tmp_path, source, words, script="step\n" * 200).split("error:")[0]))
    assert count >= 5
    # The programs' own lines are printed once, on the way forward.
    def walk(move, times):
        return [move, *LOOK] * times
    text = debug(tmp_path, source, words, script="\n".join(walk("step", count) + ["step"] + walk("back", count) + ["back"]))
    text = re.sub(r"^pid .*\n", "", text, flags=re.M)
    shown = states(text)
    forward, back = shown[:count], shown[count + 1 : 2 * count + 1]
    assert len(forward) == len(back) == count
    assert back == forward[::-1]
    assert shown[count].startswith("all programs have ended") and shown[-1].startswith("nothing has run")


@pytest.mark.parametrize("name", KERNELS)
def test_over_and_back_over_are_of_one_call(name, tmp_path):
    source, words = KERNELS[name]
    text = debug(tmp_path, source, words, script="step\n" + "next\n" * 60)
    forward = places(text)
    assert all("in k" in line for line in text.splitlines() if line.startswith("program "))
    back = places(debug(tmp_path, source, words, script="continue\n" + "back-over\n" * (len(forward) + 1)))
    assert back == forward[::-1]


def test_stepping_into_and_out_of_helpers(tmp_path):
    source, words = KERNELS["helpers"]
    text = debug(tmp_path, source, words, ["break inner", "continue", "frames", "locals", "out", "frame 0", "locals", "print v[2]"])
    assert places(text) == [7, 14]
    assert "kernel.py:7 in inner" in text and "kernel.py:13 in outer" in text and "kernel.py:23 in k" in text
    assert "s: 2\n" in text and "j: 0\n" in text and text.endswith("2\n")


def test_breakpoints_in_loops_with_conditions(tmp_path):
    source, words = KERNELS["loop"]
    text = debug(tmp_path, source, words, ["break 10 if j == 2 and pid0 == 1 and tl.program_id(0) == 1", "continue", "print j", "print acc[:3]", "continue"])
    assert places(text) == [10]
    assert "program (1, 0, 0)" in text and "[8, 9, 10]" in text and "all programs have ended" in text


def test_breakpoints_behind_an_early_return(tmp_path):
    source, words = KERNELS["early_return"]
    text = debug(tmp_path, source, words, ["break 9", "continue", "frames"])
    assert places(text) == [9] and "in clip" in text
    source, words = KERNELS["branches"]
    assert places(debug(tmp_path, source, words, ["break 9", "continue"])) == []


def test_reverse_continue_comes_to_the_breakpoint_before(tmp_path):
    source, words = KERNELS["loop"]
    text = debug(tmp_path, source, words, ["break 10", *["continue"] * 5, "print j", "rc", "print j", "rc", "rc", "print j", "rc", "rc"])
    assert places(text) == [10] * 5 + [10] * 4
    assert re.findall(r"^\d$", text, re.M) == ["1", "0", "1"] and text.rstrip().endswith("nothing has run")


def test_one_program_alone(tmp_path):
    source, words = KERNELS["loop"]
    text = debug(tmp_path, source, [*words, "--program=1"], script="step\n" * 20)
    assert set(re.findall(r"^program (\(.*?\))", text, re.M)) == {"(1, 0, 0)"}


def test_watches_and_last_writers(tmp_path):
    source, words = KERNELS["branches"]
    text = debug(tmp_path, source, words, ["watch out[9]", "continue", "print out[9]", "delete", "continue", "writer out[2]", "writer out[2]"])
    assert "watch 1: `out[9]` is written" in text and "no program has written `out[2]` before" in text
    assert places(text) == [24, 24]
    assert re.findall(r"^program (\(.*?\))", text, re.M) == ["(1, 0, 0)", "(0, 0, 0)"]


def test_lines_that_programs_print_are_shown_once(tmp_path):
    source, words = KERNELS["sums"]
    text = debug(tmp_path, source, words, ["continue", "back", "back", "continue", "rc"])
    assert len(re.findall(r"^pid \(0, 0, 0\) idx \(3\)", text, re.M)) == 1


def test_statements_of_several_lines_are_one(tmp_path):
    source, words = KERNELS["sums"]
    assert places(debug(tmp_path, source, words, script="step\n" * 20)) == [7, 8, 9, 10, 12, 13]


def test_parts_of_tuples(tmp_path):
    source, words = KERNELS["tuples"]
    text = debug(tmp_path, source, words, ["break 15", "continue", "print t[1][:2]", "print t[0][-1]", "locals"])
    assert "[-2, -1]" in text and "\n9\n" in text and "p: block pointer to fp32[8]" in text


ADDRESSES = HEAD + """@triton.jit
def k(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    row = out + 3 * B
    after = x + i
    before = x - 1
    tl.store(row + i, tl.load(after, mask=i < 8))
"""


@pytest.mark.parametrize("expression, shown", [
    ("row", "out[3, 0]"),
    ("before", "x[-1] of 8"),
    ("after", "pointer<fp32>[16] at x[0] to x[15] of 8\n[x[0], x[1], x[2], x[3], ..., x[12] of 8, x[13] of 8, x[14] of 8, x[15] of 8]"),
    ("after[2]", "x[2]"),
    ("row + 2", "out[3, 2]"),
    ("2 + row - 16", "out[2, 2]"),
    ("before + i", "pointer<fp32>[16] at x[-1] of 8 to x[14] of 8\n[x[-1] of 8, x[0], x[1], x[2], ..., x[11] of 8, x[12] of 8, x[13] of 8, x[14] of 8]"),
    ("after[4:6]", "pointer<fp32>[2] at x[4] to x[5]\n[x[4], x[5]]"),
])
def test_addresses_are_elements_of_arrays(expression, shown, tmp_path):
    words = ["--grid=1", "-D", "B=16", "--arg", "x=zeros:fp32[8]", "--arg", "out=zeros:fp32[4,16]"]
    text = debug(tmp_path, ADDRESSES, words, ["break 11", "continue", f"print {expression}", "locals"])
    assert f"\n{shown}\n" in text
    assert "row: pointer<fp32> at out[3, 0]\nafter: pointer<fp32>[16] at x[0] to x[15] of 8\nbefore: pointer<fp32> at x[-1] of 8\n" in text


TYPES = HEAD + """@triton.jit
def k(x, q, out):
    i = tl.arange(0, 4)
    v = tl.load(x + i)
    u = tl.load(q + i)
    m = i[:, None] * 4 + i[None, :]
    tl.store(out + i, v)
"""


@pytest.mark.parametrize("expression, shown", [
    ("v * v", "fp16[4] min inf max inf mean inf, 4 infinite"),
    ("v * 2", "fp16[4] min 600 max 600 mean 600"),
    ("v.to(tl.float32) * v", "fp32[4] min 90000 max 90000 mean 90000"),
    ("v / 7", "fp32[4] min 42.85714 max 42.85714 mean 42.85714"),
    ("v + 0.1", "fp16[4] min 300 max 300 mean 300"),
    ("i * 1000000000", "int32[4] min -1294967296 max 2000000000 mean 4.262582e+08"),
    ("i.to(tl.int64) * 1000000000", "int64[4] min 0 max 3000000000 mean 1.5e+09"),
    ("i / 2", "fp32[4] min 0 max 1.5 mean 0.75"),
    ("u - 1", "uint8[4] min 255 max 255 mean 255"),
    ("-u", "uint8[4] min 0 max 0 mean 0"),
    ("u + i", "int32[4] min 0 max 3 mean 1.5"),
    ("tl.sum(m, 0)", "int32[4] min 24 max 36 mean 30"),
    ("sum(m, axis=-1)", "int32[4] min 6 max 54 mean 30"),
    ("tl.max(m, 1)", "int32[4] min 3 max 15 mean 9"),
    ("max(m, 9)", "int32[4, 4] min 9 max 15 mean 10.3125"),
    ("tl.where(i < 2, v, 1)", "fp16[4] min 1 max 300 mean 150.5"),
    ("sum(v * 300)", "inf"),
    ("1 + 2 ** 70", "1.180592e+21"),
    ("tl.sum(m, 2)", "error: a value of 2 sides has no axis 2"),
    ("tl.exp(v, axis=0)", "error: `exp` has no axis"),
    ("v.to(float33)", "error: expected a type such as `tl.float32` behind `to`"),
    ("u // i.to(tl.int8)", "error: Cannot use it with uint8 and int8 because they have different signedness"),
])
def test_expressions_compute_in_the_types_of_the_kernel(expression, shown, tmp_path):
    words = ["--grid=1", "--arg", "x=full(300):fp16[4]", "--arg", "q=zeros:u8[4]", "--arg", "out=zeros:fp16[4]"]
    text = debug(tmp_path, TYPES, words, ["break 11", "continue", f"print {expression}"])
    assert text.split("tl.store(out + i, v)\n")[-1].split("\n")[0] == shown


def test_conditions_of_tensors_are_those_of_the_kernel(tmp_path):
    source = HEAD + """@triton.jit
def k(out, n):
    i = tl.arange(0, 8)
    mask = i < n
    a = not mask
    b = mask and i > 2
    c = mask or i > 6
    rows = i[:, None] + i[None, :]
    tl.store(out + i, a.to(tl.int32) + b.to(tl.int32) + c.to(tl.int32))
"""
    words = ["--grid=1", "--arg=out=zeros:i32[8]", "--arg=n=5"]
    shown = ["not mask", "a", "mask and i > 2", "b", "mask or i > 6", "c", "(i[:, None] + i[None, :])[1:3, ::4]", "rows[1:3, ::4]"]
    text = debug(tmp_path, source, words, ["break 13", "continue", *(f"print {each}" for each in shown)])
    elements = re.findall(r"^\[.*\]$", text, re.M)
    assert len(elements) == len(shown) and elements[::2] == elements[1::2], text
    assert elements[4] == "[True, True, True, True, True, False, False, True]" and elements[6] == "[[1, 5], [2, 6]]"
