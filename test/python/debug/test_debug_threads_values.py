"""Tile values in the registers of threads, as the thread level of the debugger finds them."""

import re

import pytest
from debugger import HEAD, debug
from test_debug_threads import TWICE

SUMS = TWICE + """@triton.jit
def k(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i)
    s = twice(v)
    for j in range(n):
        s += v * j
    tl.store(out + i, s)
"""
SUMS_WORDS = ["--grid=2", "--arg=x=arange:fp32[512]", "--arg=out=zeros:fp32[512]", "--arg=n=3", "-DB=256", "--without=packing"]

PRODUCT = HEAD + """@triton.jit
def k(a, b, out, K, M: tl.constexpr, N: tl.constexpr, B: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    s = tl.arange(0, B)
    acc = tl.zeros((M, N), tl.float32)
    for at in range(0, K, B):
        x = tl.load(a + m[:, None] * K + at + s[None, :])
        y = tl.load(b + (at + s)[:, None] * N + n[None, :])
        acc = tl.dot(x, y, acc)
    most = tl.max(acc, 1)
    shifted = acc - most[:, None]
    tl.store(out + m[:, None] * N + n[None, :], shifted, mask=(m * m)[:, None] < K * K)
"""
PRODUCT_WORDS = ["--grid=1", "--arg=a=randn:fp16[16,64]", "--arg=b=randn:fp16[64,32]", "--arg=out=zeros:fp32[16,32]", "--arg=K=64",
                 "-DM=16", "-DN=32", "-DB=32", "--num-warps=1"]


def printed(folder, source, words, names, first="0"):
    """What `print` says of names once the first element of `out` is written: registers keep what they were given."""
    out = debug(folder, source, [*words, "--device=emulator"], [f"watch out[{first}]", "continue", *(f"print {name}" for name in names)])
    return dict(zip(names, values(out)))


def values(out):
    """The tensors that `print` shows."""
    return re.findall(r"^(?:fp32|i32)\[[\d, ]+\] .*(?:\n[ \[].*)*$", out, re.M)


def numbers(text):
    """The elements that `print` shows."""
    return [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?", text.split("\n", 1)[1])]


def test_a_tile_is_put_together_from_the_registers_of_its_program(tmp_path):
    shown = printed(tmp_path, SUMS, [*SUMS_WORDS, "--num-warps=1"], ["s", "v"])
    # s = x * (2 + 0 + 1 + 2)
    assert shown["s"] == "fp32[256] min 0 max 1275 mean 637.5\n[0, 5, 10, 15, ..., 1260, 1265, 1270, 1275]"
    assert shown["v"] == "fp32[256] min 0 max 255 mean 127.5\n[0, 1, 2, 3, ..., 252, 253, 254, 255]"


def test_warps_that_have_not_come_there_leave_their_elements_undefined(tmp_path):
    out = debug(tmp_path, SUMS, [*SUMS_WORDS, "--num-warps=2", "--device=emulator"], ["break 18", "continue", "continue", "print s"])
    assert re.search(r"^fp32\[256\] min .*, 128 undefined$", out, re.M), out


def test_values_are_known_where_programs_that_are_none_jump_over_them(tmp_path):
    """Where small programs share a block, those behind the last one go to the end, where `watch` stops."""
    source = HEAD + """@triton.jit
def k(x, out, n, limit, B: tl.constexpr):
    at = tl.program_id(0) * n + tl.arange(0, B)
    inside = tl.arange(0, B) < n
    v = tl.load(x + at, mask=inside, other=0.0)
    norm = tl.sum(v, 0)
    scaled = v * tl.minimum(limit, norm)
    tl.store(out + at, scaled, mask=inside)
"""
    words = ["--grid=3", "--arg=x=arange:fp32[3,100]", "--arg=out=zeros:fp32[3,100]", "--arg=n=100", "--arg=limit=2.0", "-DB=128",
             "--device=emulator"]
    out = debug(tmp_path, source, words, ["watch out[1, 5]", "continue", "values"])
    assert "program (1, 0, 0)" in out
    assert re.search(r"^norm     14950$", out, re.M), out
    assert re.search(r"^scaled   fp32\[128\] min 0 max 398 mean [\d.]+$", out, re.M), out
    assert re.search(r"^v        fp32\[128\] min 0 max 199 mean [\d.]+$", out, re.M), out


def test_a_register_says_which_element_it_holds(tmp_path):
    out = debug(tmp_path, SUMS, [*SUMS_WORDS, "--num-warps=2", "--device=emulator"],
                ["break 18", "continue", "continue", "lane 3", "registers"])
    for name, factor in [("s", 5), ("v", 1)]:
        held = re.findall(rf" (\S+)  {name}\[(\d+)\]$", out, re.M)
        assert [float(number) for number, _ in held] == [factor * float(index) for _, index in held], out
        assert len(held) == 4, out
    # A splat of the offset, which is 0, has the place of `i` and its type.
    assert all(int(number) == int(index) for number, index in re.findall(r" (\S+)  i\[(\d+)\]$", out, re.M)), out


@pytest.mark.parametrize("k", [16, 64, 96])
def test_names_have_the_values_of_the_tile_level(tmp_path, k):
    names = ["acc", "most", "shifted"]
    words = [word.replace("64", str(k)) for word in PRODUCT_WORDS]
    words = [word.replace("-DB=32", "-DB=16") for word in words]
    tile = debug(tmp_path, PRODUCT, words, ["break 17", "continue", *(f"print {name}" for name in names)])
    shown = printed(tmp_path, PRODUCT, words, names, "15, 31")
    for name, text in zip(names, values(tile)):
        assert "undefined" not in shown[name], shown
        assert numbers(shown[name]) == pytest.approx(numbers(text), rel=2e-3, abs=2e-3), name


def test_a_mask_is_not_taken_for_what_is_loaded_under_it(tmp_path):
    source = SUMS.replace("tl.load(x + i)", "tl.load(x + i, mask=i < n * 100, other=0.0)")
    out = debug(tmp_path, source, [*SUMS_WORDS, "--num-warps=1", "--device=emulator"], ["watch out[0]", "continue", "values"])
    assert re.search(r"^v        fp32\[256\] min 0 max 255", out, re.M), out


def test_locals_are_the_names_that_registers_hold(tmp_path):
    shown = [debug(tmp_path, SUMS, [*SUMS_WORDS, "--num-warps=1", "--device=emulator"], ["watch out[0]", "continue", command]) for command in ("values", "locals")]
    assert shown[0] == shown[1] and "error" not in shown[0]


def test_all_names_that_registers_hold_are_listed(tmp_path):
    out = debug(tmp_path, SUMS, [*SUMS_WORDS, "--num-warps=1", "--device=emulator"], ["values", "watch out[0]", "continue", "values"])
    assert "error: no block runs" in out or "no register is known" in out, out
    assert re.search(r"^s        fp32\[256\] min 0 max 1275 mean 637\.5\nv        fp32\[256\] min 0 max 255", out, re.M), out


def test_without_registers_the_message_says_where_tiles_are_known(tmp_path):
    out = debug(tmp_path, SUMS, [*SUMS_WORDS, "--num-warps=1", "--device=emulator"], ["break 13", "continue", "print s"])
    assert "error: no name `s` here" in out and "where registers hold them" in out
