"""The thread level of the debugger: warps, PTX and registers of a launch on the emulator."""

import random
import re
import string

import pytest
from debugger import HEAD, debug

#: A kernel's file with a helper that it may call.
TWICE = HEAD + """@triton.jit
def twice(v):
    w = v + v
    return w


"""
HELPER = TWICE + """@triton.jit
def k(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i)
    top = tl.max(v, 0)
    s = twice(v)
    for j in range(n):
        s += top * j
    tl.store(out + i, s)
"""
HELPER_WORDS = ["--grid=2", "--arg=x=arange:fp32[512]", "--arg=out=zeros:fp32[512]", "--arg=n=3", "-DB=256", "--num-warps=2",
                "--without=packing"]
OUTSIDE = HEAD + """@triton.jit
def k(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    tl.store(out + i, v + 1)
"""

PTX = """// Tegula kernel 1
// kernel   k
// source   nowhere.py
// entry    k
// target   sm_90a
// block    64 threads
// shared   0 bytes
// programs 1 in a block
// param    *i32 out
//
.version 8.4
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 k_param_0)
.reqntid 64, 1, 1
{
	.reg .pred %p<3>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<4>;
	.shared .align 4 .b8 memory[128];
	mov.u32 %r1, %tid.x;
	shr.u32 %r2, %r1, 5;
	ld.param.u64 %rd1, [k_param_0];
	setp.eq.u32 %p1, %r2, 0;
BODY
	ret;
}
"""
DEADLOCK = """	@%p1 bra $first;
	bar.sync 1, 64;
	bra.uni $meet;
$first:
	bar.sync 2, 64;
$meet:"""
RACE = """	st.shared.b32 [memory], %r2;"""
LOOP = """	mov.u32 %r3, 0;
$again:
	add.u32 %r3, %r3, 1;
	setp.lt.u32 %p2, %r3, 5;
	@%p2 bra $again;
	mul.wide.u32 %rd2, %r1, 4;
	add.u64 %rd3, %rd1, %rd2;
	st.global.b32 [%rd3], %r3;"""
PARTS = """	and.b32 %r3, %r1, 1;
	setp.eq.u32 %p2, %r3, 0;
	@%p2 bra $even;
	add.u32 %r4, %r1, 100;
	bra.uni $join;
$even:
	add.u32 %r4, %r1, 200;
$join:
	st.shared.b32 [memory+64], 7;"""
PTX_WORDS = ["--grid=1", "--arg=out=zeros:i32[64]"]


def threads(folder, source, words, commands=(), script=None, status=0, device="emulator"):
    """Returns all that the debugger says of a kernel, or of PTX."""
    return debug(folder, source, [*words, f"--device={device}"], commands, script, status=status)


def ptx(folder, body, commands=(), script=None, words=PTX_WORDS, status=0):
    return threads(folder, PTX.replace("BODY", body), words, commands, script, status)


def stops(text):
    """The warp and the line of the PTX of each stop."""
    return [(int(warp), int(line)) for warp, line in re.findall(r"^block .*?warp (\d+),.* PTX line (\d+)", text, re.M)]


def lanes(text, name):
    """Returns the values of a register in its 32 lanes, as shown."""
    shown = text[text.rindex(f"\n{name}: ") :].split("\n")[2:10] if f"\n{name}: " in text else text.split("\n")[1:9]
    return [one.strip() for line in shown for one in re.findall(r"\d+  (\S+(?: \S+)?)", line)]


def test_a_breakpoint_stops_each_warp_once(tmp_path):
    text = threads(tmp_path, HELPER, HELPER_WORDS, ["break 15", "continue", "continue", "continue", "continue", "delete", "continue"])
    assert "breakpoint 1: kernel.py:15" in text and text.endswith("all blocks have ended\n")
    assert re.findall(r"^block \((\d), 0, 0\), warp (\d)", text, re.M) in (
        [("0", "0"), ("0", "1"), ("1", "0"), ("1", "1")], [("0", "1"), ("0", "0"), ("1", "1"), ("1", "0")],
        [("0", "0"), ("0", "1"), ("1", "1"), ("1", "0")], [("0", "1"), ("0", "0"), ("1", "0"), ("1", "1")])


def test_a_call_site_is_a_place_of_what_it_calls(tmp_path):
    text = threads(tmp_path, HELPER, HELPER_WORDS, ["break twice", "continue", "frames", "delete", "back", "break 16", "continue", "frames"])
    assert "> 1  kernel.py:7 in twice\n  0  kernel.py:16 in k" in text
    # The line of the call has no code of its own: it is where the helper's begins.
    assert text.count("kernel.py:7 in twice, PTX line") == 2


def test_breakpoints_of_one_warp_and_program(tmp_path):
    words = [*HELPER_WORDS, "--program=1"]
    text = threads(tmp_path, HELPER, words, ["break 15 warp 1", "continue", "continue", "break 15 warp 2"])
    assert re.findall(r"^block \((\d), 0, 0\), warp (\d)", text, re.M) == [("1", "1")]
    assert "all blocks have ended" in text and "error: expected a warp below 2, found `2`" in text


def test_statements_without_code_stand_for_the_next(tmp_path):
    text = threads(tmp_path, HELPER, HELPER_WORDS, ["break 11", "break 100", "break 3"])
    assert "breakpoint 1: kernel.py:" in text
    assert "error: no instruction comes from line 100 of `kernel.py`, or from those behind it in its function" in text


def test_warps_and_lanes(tmp_path):
    text = threads(tmp_path, HELPER, HELPER_WORDS, ["break 15", "continue", "warps", "warp 1", "lane 5", "print %tid.x", "warp 2", "lane 32"])
    assert re.search(r"^> +\d  kernel\.py:15 in k, PTX line \d+, 32 lanes$", text, re.M)
    assert "warp 1, lane 5\n" in text and "u32[32] min 32 max 63 mean 47.5" in text
    assert "error: expected a warp below 2, found `2`" in text and "error: expected a lane below 32, found `32`" in text


def test_registers_against_what_is_known(tmp_path):
    text = ptx(tmp_path, LOOP, ["break ptx 25 warp 1", "continue", "registers %r1", "registers %r2", "registers %p1", "print r1 - %laneid", "print max(%rd1)", "print out[2] * 0"])
    assert lanes(text, "%r1") == [f"{32 + lane:#010x} {32 + lane}" for lane in range(32)]
    assert lanes(text, "%r2") == ["0x00000001 1"] * 32 and lanes(text, "%p1") == ["False"] * 32
    assert "int[32] min 32 max 32 mean 32" in text and text.endswith("\n0\n")
    lane = ptx(tmp_path, LOOP, ["break ptx 32", "continue", "lane 3", "registers"])
    assert "%r3      0x00000005 5\n" in lane and re.search(r"%rd3 +0x[0-9a-f]{16}  &out\[\d+\]\n", lane)


def test_floats_are_shown_as_such(tmp_path):
    text = threads(tmp_path, HELPER, HELPER_WORDS, ["break twice", "continue", "stepi", "registers"])
    assert re.search(r"^%r\d+ +0x[0-9a-f]{8} \d+(\.\d+)?$", text, re.M)
    assert re.search(r"add(\.rn)?\.f32", text)


def test_stepping_instructions(tmp_path):
    text = ptx(tmp_path, LOOP, ["stepi", *["stepi"] * 12])
    seen = stops(text)
    warp = seen[0][0]
    loop = [27, 28, 29]
    assert seen == [(warp, line) for line in [21, 22, 23, 24, 25, *loop, *loop, *loop[:2]]]
    assert "PTX line 25\n   25  \tmov.u32 %r3, 0;" in text


def test_the_end_of_a_warp(tmp_path):
    text = ptx(tmp_path, LOOP, ["break ptx 25 warp 0", "continue", *["stepi"] * 150])
    assert "PTX line 33\n" in text and "all blocks have ended" in text
    assert "all blocks have ended: `back` and `reverse-continue` go back" in text


def test_back_shows_what_forward_has_shown(tmp_path):
    look = ["warps", "registers", "registers %r3"]
    def walk(move, times):
        return [line for _ in range(times) for line in (move, *look)]
    text = ptx(tmp_path, LOOP, script="\n".join(walk("stepi", 12) + ["stepi"] + walk("backi", 12) + ["backi"]))
    shown = re.split(r"^(?=block |nothing has run)", text, flags=re.M)[1:]
    forward, back = shown[:12], shown[13:25]
    assert back == forward[::-1] and shown[25].startswith("nothing has run")


def test_back_and_reverse_continue(tmp_path):
    text = threads(tmp_path, HELPER, HELPER_WORDS, ["break 15", *["continue"] * 5, "rc", "rc", "back", "continue"])
    places = stops(text)
    assert places[4] == places[3] and places[5] == places[2] and places[7] == places[5]


def test_reruns_are_equal(tmp_path):
    commands = ["break 18", *["continue", "warps", "registers"] * 4, "continue"]
    runs = {threads(tmp_path, HELPER, HELPER_WORDS, commands, device=device) for device in ["emulator:2"] * 3}
    assert len(runs) == 1 and "schedule 1" in runs.pop()


def test_a_lane_out_of_bounds(tmp_path):
    words = ["--grid=1", "--arg=x=arange:fp32[64]", "--arg=out=zeros:fp32[40]", "-DB=64", "--num-warps=2", "--without=packing"]
    text = threads(tmp_path, OUTSIDE, words, ["continue", "print out[39]", "print %tid.x", "stepi", "backi", "print x[3]"])
    found = re.search(r"^block \(0, 0, 0\), warp 1, lane (\d+), kernel\.py:9 in k, PTX line \d+: fault: .*`out\[40\]`", text, re.M)
    assert found, text
    assert "tl.store(out + i, v + 1)" in text and "st.global" in text
    assert "error: the launch cannot go on after a fault" in text and text.endswith("\n3\n")
    # Back in front of the store, the same instruction has not run.
    assert len(stops(text)) == 2 and stops(text)[0] == stops(text)[1]


def test_a_race_of_two_warps(tmp_path):
    text = ptx(tmp_path, RACE, ["continue", "shared 0 1 i32", "warps"])
    assert re.search(r"^block .*PTX line 25: fault: race", text, re.M)
    assert re.search(r"^0x0: [01]$", text, re.M) and ", fault, 32 lanes" in text


def test_a_deadlock(tmp_path):
    text = ptx(tmp_path, DEADLOCK, ["continue", "warps"])
    assert re.search(r"^block .*: fault: deadlock: ", text, re.M)
    assert "0  PTX line 29, fault, 32 lanes" in text and "warp 0 waits at barrier 2 (32 of 64 threads arrived)" in text
    assert "waits at barrier 1 (32 of 64 threads arrived)" in text


def test_paths_of_a_branch(tmp_path):
    text = ptx(tmp_path, PARTS, ["break ptx 28", "break ptx 31", "continue", "warps", "registers %r4", "continue", "continue", "continue", "continue"])
    assert re.search(r"lanes 0x(aaaaaaaa|55555555) of 0xffffffff", text)
    assert "undefined" in text


def test_memory(tmp_path):
    text = ptx(tmp_path, PARTS, ["break ptx 34 warp 0", "continue", "shared 64 2", "shared 0x7c 2", "global %rd1 4 i32", "global 0x10", "local 0", "shared",
                                 "shared %r9", "shared %r4 1", "shared 0 9999", "shared 0 1 fp33", "global %rd2"])
    assert "0x40: 7 undefined\n" in text and ": 0 0 0 0\n" in text
    for says in ("the 8 bytes at 0x7c are outside of the 128 bytes of the block's shared memory", "no allocation holds the 32 bytes at 0x10",
                 "of the lane's local memory", "expected ADDRESS [COUNT [TYPE]]", "expected a number or a register as an address, found `%r9`",
                 "expected at most 4096 elements, found 9999", "expected a type as ", "expected a number or a register as an address, found `%rd2`"):
        assert says in text, says


def test_listing(tmp_path):
    text = threads(tmp_path, HELPER, HELPER_WORDS, ["ptx", "list", "break twice", "continue", "ptx", "list", "ptx 1", "ptx 0", "list 7", "list x"])
    assert "error: no block runs" in text
    assert re.search(r"^kernel\.py:7  w = v \+ v\n> +\d+  ", text, re.M) and ">    7      w = v + v" in text
    assert "    1  // Tegula kernel 1" in text and "error: expected a line of the PTX from 1 to " in text and "error: expected a line, found `x`" in text


def test_numbers_of_the_launch(tmp_path):
    text = threads(tmp_path, HELPER, [*HELPER_WORDS, "--program=1"], ["break 15", "continue", "print n + pid0", "arrays", "print out[3, 4]", "print nope", "print"])
    assert "\n4\n" in text and "x: fp32[512] min 0 max 511" in text
    assert "error: expected at most 1 indices, found 2" in text and "error: no name `nope` here: arrays, numbers of the launch and registers have names" in text and "error: cannot read ``" in text


def test_programs_that_share_a_block(tmp_path):
    words = [one for one in HELPER_WORDS if one != "--without=packing"]
    text = threads(tmp_path, HELPER.replace("tl.max(v, 0)", "v"), [*(one for one in words if "num-warps" not in one), "--program=1"], ["break 15", "continue", "where"])
    assert "program (1, 0, 0)" in text or "block (1, 0, 0)" in text


def test_what_programs_print_is_shown_once(tmp_path):
    source = HELPER.replace("    top = ", "    tl.device_print(\"v\", n)\n    top = ")
    text = threads(tmp_path, source, ["--grid=1", *HELPER_WORDS[1:]], ["break 16", "continue", "back", "continue", "rc", "continue", "continue"])
    # Once a thread, however often the launch has run.
    assert len(re.findall(r"^pid \(0, 0, 0\) .*v: 3$", text, re.M)) == 64


def test_from_the_tile_level(tmp_path):
    text = debug(tmp_path, HELPER, HELPER_WORDS, ["threads", "break twice if pid0 == 1", "continue", "threads", "frames", "leave", "next", "threads", "quit", "next"])
    assert "error: no program runs: `step` to a statement first" in text
    assert re.search(r"^block \(1, 0, 0\), warp \d, lane 0, kernel\.py:7 in twice, PTX line \d+$", text, re.M)
    assert text.count("program (1, 0, 0), kernel.py:7 in twice: breakpoint 1") == 2
    assert re.search(r"^program \(1, 0, 0\), kernel\.py:17 in k", text, re.M)
    assert re.search(r"^block \(1, 0, 0\), warp \d, lane 0, kernel\.py:17 in k, PTX line \d+$", text, re.M)


@pytest.mark.parametrize("words, says", [
    (["--device=cuda"], "expected interpret, emulator or emulator:N as the device to debug on, found `cuda`"),
    (["--device=emulatr"], "did you mean `emulator`"),
    (["--device=emulator:x"], "expected the device"),
    (["--device=emulator", "--stop=nan"], "--stop is of the tile level: leave --device out"),
    (["--device=emulator", "--against"], "--against is of the tile level"),
    (["--device=emulator", "--expect=out=zeros:fp32[512]"], "--expect is of the tile level"),
    (["--device=emulator", "--program=7"], "it has no program 7"),
])
def test_wrong_options(tmp_path, words, says):
    assert says in debug(tmp_path, HELPER, [*HELPER_WORDS, *words], status=2)


@pytest.mark.parametrize("line, says", [
    ("frobnicate", "error: no command `frobnicate`; `help` lists them"),
    ("brek 7", "did you mean `break`"),
    ("break", "error: expected a line, FILE:LINE, the name of a function of `kernel.py` or `ptx LINE`, found ``"),
    ("break nope", "found `nope`"),
    ("break ptx x", "error: expected a line of the PTX, found `x`"),
    ("break ptx 99999", "error: no instruction is at or after line 99999 of the PTX"),
    ("break other.py:3", "error: no instruction comes from line 3 of `other.py`"),
    ("delete 9", "error: no breakpoint `9`"),
    ("breakpoints", "no breakpoints"),
    ("program 9", "it has no program 9"),
    ("registers", "error: no block runs"),
    ("shared 0", "error: no block runs"),
    ("back", "nothing has run"),
    ("backi", "nothing has run"),
    ("reverse-continue", "nothing has run"),
    ("help", "stepi, si"),
])
def test_messages(tmp_path, line, says):
    assert says in threads(tmp_path, HELPER, HELPER_WORDS, [line])


def test_registers_that_are_none(tmp_path):
    assert "error: no register `%zz` is used by the code" in ptx(tmp_path, LOOP, ["stepi", "registers %zz"])
    assert "error: the launch" not in ptx(tmp_path, LOOP, ["stepi", "registers %clock %laneid, %p1"])


def test_a_file_that_is_no_kernel(tmp_path):
    assert "error" in threads(tmp_path, "// Tegula kernel 1\nnothing\n", PTX_WORDS, status=1)


def test_hostile_input(tmp_path):
    rng = random.Random(5)
    verbs = ["break", "break 15 if", "break ptx 27 hits", "watch", "watch shared", "writer", "warp", "lane", "registers", "print", "shared", "global", "local", "ptx", "list", "program", "delete", "stepi", "step", "next", "out",
             "back", "backi", "rc", "continue", "warps", "frames", "where", "nexti", "arrays"]
    lines = []
    for _ in range(150):
        junk = "".join(rng.choice(string.printable.replace("\n", "").replace("\r", "").replace("q", "")) for _ in range(rng.randrange(12)))
        lines.append(rng.choice(["", rng.choice(verbs) + " "]) + rng.choice([junk, str(rng.randrange(-5, 99999999999)), "%r1", ""]))
    text = ptx(tmp_path, LOOP, script="\n".join([*lines, "where"]))
    assert "error:" in text


def test_registers_that_are_written_where_a_name_is_made(tmp_path):
    text = threads(tmp_path, HELPER, HELPER_WORDS, ["break 16", "continue", "registers v", "registers w nope", "print v"])
    found = re.search(r"^written where `v` is made, kernel\.py:14:9, in the order of the code:\n((?:%r.*\n)+)written where `w`", text, re.M)
    assert found, text
    lane = re.search(r"warp (\d), lane (\d+)", text)
    first = 4 * (32 * int(lane[1]) + int(lane[2]))
    assert [float(line.split()[2]) for line in found[1].splitlines()] == [first, first + 1, first + 2, first + 3]
    assert "error: no register `nope` is used by the code" in text and "fp32[256] min 0 max 255" in text


def test_a_program_that_is_refused_leaves_the_one_before(tmp_path):
    text = threads(tmp_path, HELPER, HELPER_WORDS, ["program 1", "program 9", "break 13", "continue", "continue", "continue"])
    assert "error: the grid is 2,1,1: it has no program 9" in text
    assert text.count("block (1, 0, 0), warp") == 2 and "block (0, 0, 0), warp" not in text


PERSISTENT = HEAD + """@triton.jit
def k(x, counts, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.atomic_add(counts + v, 1, mask=i < n, sem="relaxed")
"""


def test_programs_of_a_persistent_kernel_cannot_be_chosen(tmp_path):
    words = ["--grid=8", "--arg=x=randint(0,64):i32[8192]", "--arg=counts=zeros:i32[64]", "--arg=n=8192", "-DBLOCK=1024"]
    text = threads(tmp_path, PERSISTENT, words, ["program 3", "break 9", "continue", "print pid0", "print n"])
    assert "error: `k` is persistent, its blocks run one program after another\n" in text
    assert "breakpoint 1\n" in text and "error: no name `pid0` here" in text and text.endswith("\n8192\n")
    assert "leave --program out" in threads(tmp_path, PERSISTENT, [*words, "--program=3"], status=2)
    text = debug(tmp_path, PERSISTENT, words, ["break 9 if pid0 == 3", "continue", "threads", "leave"])
    assert "`k` is persistent, its blocks run one program after another: this is the first to come here\nblock (0, 0, 0)" in text


ORDERED = HEAD + """@triton.jit
def k(a, b, c, K, lda: tl.constexpr, ldb: tl.constexpr, ldc: tl.constexpr, B: tl.constexpr):
    m = tl.program_id(1) * B + tl.arange(0, B)
    n = tl.program_id(0) * B + tl.arange(0, B)
    i = tl.arange(0, 32)
    sums = tl.zeros((B, B), tl.float32)
    for first in range(0, K, 32):
        x = tl.load(a + m[:, None] * lda + (first + i)[None, :])
        y = tl.load(b + (first + i)[:, None] * ldb + n[None, :])
        sums = tl.dot(x, y, sums)
    tl.store(c + m[:, None] * ldc + n[None, :], sums.to(tl.float16))
"""


def test_programs_in_an_order_of_the_compilers_have_no_numbers(tmp_path):
    words = ["--grid=4,4", *(f"--arg={name}=randn:fp16[256,256]" for name in "abc"), "--arg=K=64", "-DB=64",
             *(f"-D{name}=256" for name in ("lda", "ldb", "ldc"))]
    text = threads(tmp_path, ORDERED, words, ["program 3", "break 15 if program_id(0) == 1", "break 15", "continue", "continue", "print pid0"])
    assert "error: programs of `k` follow each other in groups of rows, so that a block's number is not its program's\n" in text
    assert "it is not known here which program this is" in text and "error: no name `pid0` here" in text and ", program (" not in text
    assert "groups of rows" in threads(tmp_path, ORDERED, [*words, "--program=3"], status=2)
