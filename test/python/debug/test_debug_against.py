"""`--against`: the first statement that stores something else than the compiled kernel does on the emulator."""

import re
import subprocess

import pytest
from debugger import HEAD, debug, places, program
from test_debug_dap import Client
from test_debug_walk import KERNELS

# The first store's values are loaded again and overwritten: at the end nothing of them is left.
TWICE = HEAD + """@triton.jit
def k(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i)
    for j in range(n):
        tl.store(out + i, v * 3.0 + j)
        tl.debug_barrier()
        v = tl.load(out + i) * 0.0 + v
    tl.debug_barrier()
    tl.store(out + i, v)
"""
WORDS = ["--grid=2", "--arg=x=arange:fp32[128]", "--arg=out=zeros:fp32[128]", "--arg=n=3", "-DB=64"]
SIGNATURE = ["--sig", "x=*fp32:16", "--sig", "out=*fp32:16", "--sig", "n=i32", "-DB=64"]
HISTOGRAM = HEAD + """@triton.jit
def k(x, counts, sums, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.atomic_add(counts + v, 1, mask=i < n, sem="relaxed")
    tl.atomic_add(sums, tl.sum(v.to(tl.float32) * 0.5, 0))
"""
HISTOGRAM_WORDS = ["--grid=8", "--arg=x=randint(0,15):i32[1000]", "--arg=counts=zeros:i32[16]", "--arg=sums=zeros:fp32[1]", "--arg=n=1000", "-DB=128"]
LOCK = HEAD + """@triton.jit
def k(out, lock):
    pid = tl.program_id(0)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    old = tl.load(out)
    tl.store(out, old * 2 + pid)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)
"""


def compiled(folder, source, signature, *changes):
    """Writes the PTX of a kernel with some of its text changed, and returns what `--against` is then."""
    (folder / "kernel.py").write_text(source)
    done = subprocess.run([program(), "compile", "kernel.py", *signature, "-o", "edited.ptx"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    text = (folder / "edited.ptx").read_text()
    for old, new in changes:
        assert re.search(old, text), text
        text = re.sub(old, new, text, count=1)
    (folder / "edited.ptx").write_text(text)
    return "--against=edited.ptx"


@pytest.mark.parametrize("name", KERNELS)
def test_equal_sides_are_said_to_be(name, tmp_path):
    source, words = KERNELS[name]
    text = debug(tmp_path, source, [*words, "--against", "--stop=none"], ["continue"])
    assert re.search(r"; \d+ stores? to \d+ elements? compared, none differs from the emulator's$", text, re.M), text


def test_a_store_that_a_later_one_hides(tmp_path):
    against = compiled(tmp_path, TWICE, SIGNATURE, ("0f40400000", "0f40800000"))
    text = debug(tmp_path, TWICE, [*WORDS, against], ["continue", "print j", "back"])
    assert places(text)[0] == 10 and "program (0, 0, 0)" in text
    assert re.search(r"kernel\.py:10 in k: `out\[1\]` becomes 3, on the emulator 4 by line \d+ of the PTX; 63 of the 64 elements that are written here differ\n", text), text
    assert "\n0\n" in text
    # The same launch with the code as it is.
    assert "8 stores to 128 elements compared, none differs" in debug(tmp_path, TWICE, [*WORDS, "--against"], ["continue"])


def test_a_product_that_is_fused_is_no_difference(tmp_path):
    against = compiled(tmp_path, TWICE, SIGNATURE, ("0f40400000", "0f40400001"))
    assert "none differs" in debug(tmp_path, TWICE, [*WORDS, against], ["continue"])


def test_one_program_alone_goes_wrong(tmp_path):
    # The second program alone adds something to what it stores.
    source = TWICE.replace("* 3.0 + j", "+ tl.where(tl.program_id(0) == 1, 5.0, 0.0)")
    against = compiled(tmp_path, source, SIGNATURE, ("0f40A00000", "0f41A00000"))
    text = debug(tmp_path, source, [*WORDS, against], ["continue", "print i[0]"])
    assert "program (1, 0, 0), kernel.py:10 in k: `out[64]` becomes 69, on the emulator 84 by line" in text and text.endswith("\n64\n")


def test_the_stop_over_dap(tmp_path):
    against = compiled(tmp_path, TWICE, SIGNATURE, ("0f40400000", "0f40800000"))
    with Client(tmp_path, TWICE) as client:
        stopped = client.start(["kernel.py", *WORDS, against])
        assert stopped["reason"] == "exception" and stopped["text"].startswith("`out[1]` becomes 3, on the emulator 4 by line ")
        assert client.frames() == [("k", 10)] and client.body("exceptionInfo", threadId=1)["exceptionId"] == "difference"
        client.finish()
    with Client(tmp_path, TWICE) as client:
        stopped = client.start(["kernel.py", *WORDS, "--against"])
        assert stopped["reason"] == "end" and "none differs from the emulator's" in stopped["text"]
        client.finish()


def test_atomics_of_any_order_are_no_difference(tmp_path):
    text = debug(tmp_path, HISTOGRAM, [*HISTOGRAM_WORDS, "--against"], ["continue"])
    assert "all elements are as expected; " in text and "compared, none differs" in text, text
    text = debug(tmp_path, HISTOGRAM, [*HISTOGRAM_WORDS, "--against", "--without=packing"], ["continue"])
    assert "compared, none differs" in text, text


def test_an_atomic_with_another_operand(tmp_path):
    signature = ["--sig", "x=*i32:16", "--sig", "counts=*i32:16", "--sig", "sums=*fp32:16", "--sig", "n=i32", "-DB=128"]
    against = compiled(tmp_path, HISTOGRAM, signature, ("0f3F000000", "0f3F800000"))
    text = debug(tmp_path, HISTOGRAM, [*HISTOGRAM_WORDS, against], ["continue"])
    assert re.search(r"program \(0, 0, 0\), kernel\.py:10 in k: `sums\[0\]` is combined with (\d+\.?\d*), on the emulator with \d+\.?\d* by line \d+ of the PTX\n", text), text


def test_what_depends_on_the_order_of_programs_is_left_out(tmp_path):
    text = debug(tmp_path, LOCK, ["--grid=2", "--arg=out=zeros:i32[1]", "--arg=lock=zeros:i32[1]", "--against"], ["continue"])
    assert "left out whose stores depend on the order of programs" in text or "`out[0]` becomes" in text, text


def test_a_store_that_is_missing_and_one_too_many(tmp_path):
    against = compiled(tmp_path, TWICE, SIGNATURE, (r"(?s)(.*)\n[^\n]*st\.global[^\n]*", r"\1"))
    text = debug(tmp_path, TWICE, [*WORDS, against], ["continue"])
    assert places(text) == [14] and "`out[0]` becomes 0, on the emulator 2 by line" in text, text
    less = TWICE.replace("    tl.store(out + i, v)\n", "    tl.store(out + i, v, mask=i < 100)\n")
    against = compiled(tmp_path, TWICE.replace("range(n)", "range(0)"), SIGNATURE)
    text = debug(tmp_path, less.replace("range(n)", "range(0)"), [*WORDS, against], ["continue"])
    assert "`out[100]` becomes 100 on the emulator by line" in text and "which no program does here" in text, text


def test_too_many_stores_are_compared_at_the_end(tmp_path):
    source = HEAD + """@triton.jit
def k(out, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, (i % 100).to(tl.int8))
"""
    text = debug(tmp_path, source, ["--grid=130", "--arg=out=zeros:i8[4259840]", "-DB=32768", "--against"], ["continue"])
    assert text.endswith("all programs have ended, and all elements are as expected; the stores are too many to be compared one by one\n")


def test_tolerances_are_those_of_expect(tmp_path):
    against = compiled(tmp_path, TWICE, SIGNATURE, ("0f40400000", "0f40400001"))
    text = debug(tmp_path, TWICE, [*WORDS, against, "--expect=out=arange:fp32[128],atol=0,rtol=0"], ["continue"])
    assert "`out[1]` becomes 3, on the emulator 3 by" in text or "`out[3]` becomes" in text or "`out[5]` becomes" in text, text


def test_only_the_chosen_program_is_compared(tmp_path):
    against = compiled(tmp_path, TWICE, SIGNATURE, ("0f40400000", "0f40800000"))
    for chosen in (0, 1):
        text = debug(tmp_path, TWICE, [*WORDS, against, f"--program={chosen}"], ["continue"])
        assert f"\nprogram ({chosen}, 0, 0), kernel.py:10 in k: " in text and "on the emulator" in text
    source = TWICE.replace("v * 3.0 + j", "v * 3.0 + j * (tl.program_id(0) + 1)")
    against = compiled(tmp_path, source, SIGNATURE, ("setp.lt.s32", "setp.le.s32")) if False else compiled(tmp_path, TWICE, SIGNATURE)
    text = debug(tmp_path, source, [*WORDS, against, "--program=0"], ["continue"])
    assert "compared, none of the only program to stop in differs from the emulator's" in text
    assert "program (1, 0, 0)" in debug(tmp_path, source, [*WORDS, against], ["continue"])


@pytest.mark.parametrize("against, says, status", [
    ("--against=none.ptx", "cannot read `none.ptx`", 1),
    ("--against=kernel.py", "expected PTX behind `--against=`, found `kernel.py`, which is a file of kernels", 2),
    ("--against=other.ptx", "`other.ptx` holds the kernel `other`, but `k` is debugged", 2),
    ("--against=more.ptx", "`more.ptx` needs a value for `more`", 2),
])
def test_files_that_are_wrong(against, says, status, tmp_path):
    compiled(tmp_path, TWICE.replace("def k(", "def other("), SIGNATURE)
    (tmp_path / "edited.ptx").rename(tmp_path / "other.ptx")
    compiled(tmp_path, TWICE.replace("(x, out, n,", "(x, out, n, more,").replace("range(n)", "range(n + more)"), [*SIGNATURE, "--sig", "more=i32"])
    (tmp_path / "edited.ptx").rename(tmp_path / "more.ptx")
    assert says in debug(tmp_path, TWICE, [*WORDS, against], status=status)
