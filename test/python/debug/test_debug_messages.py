"""Messages of the debugger about what it cannot do; it always goes on."""

import random
import re
import string

import numpy as np
import pytest
from debugger import HEAD, debug
from test_debug_walk import KERNELS, LOOP

SOURCE, WORDS = KERNELS["loop"]


@pytest.mark.parametrize("line, says", [
    ("frobnicate", "error: no command `frobnicate`; `help` lists them"),
    ("brake 3", "error: no command `brake`; did you mean `break`?; `help` lists them"),
    ("break", "error: expected a line, FILE:LINE or the name of a function of `kernel.py`, found ``"),
    ("break 0", "error: expected a line, FILE:LINE or the name of a function"),
    ("break 99", "error: no statement of a function is at or after line 99 of `kernel.py`"),
    ("break other.py:3", "error: no file `other.py` takes part"),
    ("break nothing", "found `nothing`"),
    ("break 9 if 1 +", "error: cannot read the condition `1 +`: "),
    ("break 9 if", "error: cannot read the condition ``"),
    ("watch x", "error: expected an element of an array of the launch, such as `out[3, 17]`"),
    ("watch out[99]", "error: index 99 is outside of a side of 16"),
    ("watch out[1, 2]", "error: expected at most 1 indices, found 2"),
    ("watch out[:2]", "error: expected one element, with an index for each of 1 sides"),
    ("watch out[0.5]", "error: expected a whole number as an index"),
    ("delete 7", "error: no breakpoint `7`"),
    ("print", "error: expected an expression to print"),
    ("print nothing", "error: no name `nothing` here"),
    ("print 1 +", "error: cannot read `1 +`: "),
    ("print x.y", "error: no name `x.y` here"),
    ("print [1]", "error: expected names, numbers, operators, slices and functions"),
    ("print 1 @ 2", "error: `@` does not go with these values"),
    ("print 1 in 2", "error: `in` does not go with these values"),
    ("print ~1.5", "error: `~` does not go with this value"),
    ("print f(1)", "error: no function `f` of 1 values"),
    ("print max(a=1)", "error: functions take values without names here"),
    ("print x[::0]", "error: expected a positive step, found 0"),
    ("print (x[:4] + x[:3])", "error: sides of 4 and 3 do not go together"),
    ("print " + "(" * 150 + "1" + ")" * 150, "1"),
    ("print " + "-" * 180 + "1", "1"),
    ("print x[0] + 10", "10"),
    ("print 7 // 2 + 2 ** 3", "11"),
    ("print not 1 > 2", "True"),
    ("locals", "error: no program has begun: `step` goes to the first statement"),
    ("frames", "error: no program has begun: `step` goes to the first statement"),
    ("rc", "there is nothing to stop at before: nothing has run"),
    ("print expected(out)", "error: nothing is expected of `out`: `--expect` says what"),
    ("print expected(n)", "error: expected an array of the launch, such as `expected(out)[3, :8]`"),
    ("print tl.load(x + 3)", "error: `load` does not work here: an array has its elements by their numbers, `x_ptr[3, :8]`"),
    ("print x[x > 99]", "fp32[0]"),
    ("print x[x[:3] > 1]", "error: a mask goes with a value that has the same sides"),
    ("frame 3", "error: no call `3`: `frames` lists them"),
    ("program 7", "error: the grid is 2,1,1: it has no program 7"),
    ("program x", "error: expected "),
    ("program 1,2,3,4", "error: expected a program as X[,Y[,Z]], found `1,2,3,4`"),
    ("stop nun", "error: expected nan, overflow, wrap, all or none to stop at, found `nun`; did you mean `nan`?"),
    ("writer n", "error: expected an element of an array of the launch"),
    ("list 99", "error: no statement of a function is at or after line 99"),
    ("breakpoints", "no breakpoints"),
])
def test_what_cannot_be_done_is_said(line, says, tmp_path):
    text = debug(tmp_path, SOURCE, WORDS, [line, "where"])
    assert says in text and text.rstrip().endswith("nothing has run")


def test_errors_that_need_a_program(tmp_path):
    text = debug(tmp_path, SOURCE, WORDS, ["step", "locals", "break 10 if nothing > 3", "continue", "print i[9]", "print x", "print B", "locals"])
    assert "breakpoint 1: the condition `nothing > 3` cannot be computed: no name `nothing` here" in text
    assert "index 9 is outside of a side of 8" in text and "fp32[16] min 0 max 15" in text and "x: pointer<fp32> at x[0]\n" in text
    assert "\n8\n" in text


def test_masks_indices_and_differences_of_pointers(tmp_path):
    at = HEAD + """@triton.jit
def k(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    ptrs = x + i[:, None] * 100 + i[None, :] + 7
    odd = i % 2 == 1
    tl.store(out + i, tl.load(x + i), mask=odd)
"""
    lines = ["break 10", "continue", "print x[odd]", "print i[i > 5]", "print x[i[:3] + 4]", "print x[i]", "print x[i + 9]", "print (ptrs - x)[1:3, 0:2]",
             "print (ptrs - ptrs)[3, 3]", "print (x - ptrs)[0, 0]", "print (x - out)[5]", "print ptrs[odd]", "print ptrs[i]", "print (i + 1)[2]"]
    text = debug(tmp_path, at, ["--grid=1", "--arg=x=arange:fp32[16]", "--arg=out=zeros:fp32[16]", "-DB=8"], lines)
    assert "error: a mask goes with a value that has the same sides" in text
    assert "\n[6, 7]\n" in text and "\n[4, 5, 6]\n" in text and "\n[0, 1, 2, 3, 4, 5, 6, 7]\n" in text
    assert "error: index 16 is outside of a side of 16" in text and "\n[[107, 108], [207, 208]]\n0\n-7\n5\nerror: a mask" in text
    assert "error: several indices go with a value that has one side\n3\n" in text


def test_what_is_expected_may_be_printed(tmp_path):
    lines = ["continue", "print expected(out)[2:4]", "print max(abs(out[:8] - expected(out)[:8]))", "print expected(out[2])"]
    text = debug(tmp_path, SOURCE, WORDS, lines, reference={"out": np.arange(16) * 4.0})
    assert "\nfp64[2] min 8 max 12 mean 10\n[8, 12]\n7\nerror: expected an array of the launch" in text


def test_the_end_and_a_fault_say_how_to_go_on(tmp_path):
    text = debug(tmp_path, SOURCE, WORDS, ["continue", "next", "rc"])
    assert "all programs have ended\nerror: all programs have ended: `back` and `reverse-continue` go back\nthere is nothing to stop at before: nothing has run\n" in text
    assert "error: all programs have ended: `back` goes to the last statement" in debug(tmp_path, SOURCE, WORDS, ["continue", "locals"])
    faulty = SOURCE.replace("x + i", "x + i + 9")
    text = debug(tmp_path, faulty, WORDS, ["continue", "step", "back", "where"])
    assert "fault: load of 4 bytes" in text and "error: the program cannot go on after a fault" in text
    assert text.rstrip().endswith("for j in range(n):")


def test_break_list_and_delete(tmp_path):
    text = debug(tmp_path, SOURCE, WORDS, ["break 5", "break k", "break kernel.py:9 if j > 1", "watch out[2]", "breakpoints", "delete 2", "breakpoints",
                                           "delete", "breakpoints", "list", "list 10", "help"])
    assert "breakpoint 1: kernel.py:7\n" in text and "breakpoint 3: kernel.py:9 if j > 1\nwatch 4: out[2]\n" in text
    assert "removed all breakpoints and watches\nno breakpoints\n" in text and ">   10          acc += " in text
    assert "go back to the statement that has written an element last" in text


def test_a_script_and_standard_input(tmp_path):
    (tmp_path / "commands.txt").write_text("# a comment\nstep\n\nprint 1 + 1\nquit\nprint 7\n")
    text = debug(tmp_path, SOURCE, [*WORDS, "--script=commands.txt"], script="print 9\n")
    assert text.endswith("\n2\n") and text.count("program (0, 0, 0)") == 1
    assert debug(tmp_path, SOURCE, WORDS, script="print 9").endswith("9\n")


@pytest.mark.parametrize("words, says, status", [
    ([*WORDS, "--program=2"], "the grid is 2,1,1: it has no program 2", 2),
    ([*WORDS, "--stop=all,nun"], "expected nan, overflow, wrap, all or none to stop at, found `nun`", 2),
    ([*WORDS, "--expect=put=@ref.npy"], "`put` after `--expect` is no array argument; did you mean `out`?", 2),
    ([*WORDS, "--expect=out=3"], "expected an array for `--expect out`, such as `@ref.npy`, found `3`", 2),
    ([*WORDS, "--expect=out=zeros:fp32[4]"], "expected fp32[16] for `--expect out`, as the argument is, found fp32[4]", 2),
    ([*WORDS, "--expect=out=zeros:i32[16]"], "expected fp32[16] for `--expect out`, as the argument is, found i32[16]", 2),
    ([*WORDS, "--expect=out=zeros:fp32[16],atol=-1"], "expected a number that is not negative behind `atol=`, found `-1`", 2),
    ([*WORDS, "--expect=out=zeros:fp32[16],tol=3"], "expected `atol=` or `rtol=` behind the array of `--expect out`, found `tol=3`", 2),
    ([*WORDS, "--expect=out=@none.npy"], "cannot read `none.npy`", 1),
    ([*WORDS, "--script=none.txt"], "cannot read `none.txt`", 1),
    (WORDS[1:], "expected a grid: --grid=X[,Y[,Z]], or a line `tegula run` in the text of FILE", 2),
    ([*WORDS, "-k", "none"], "error: `kernel.py` has no kernel `none`, but `k`", 2),
    ([*WORDS[:2], *WORDS[3:]], "needs a value for `out`", 2),
])
def test_options_that_are_wrong(words, says, status, tmp_path):
    assert says in debug(tmp_path, SOURCE, words, status=status)


def test_the_launch_of_a_docstring(tmp_path):
    line = '"""Copies.\n\n    tegula run kernel.py ' + " ".join(f"'{word}'" for word in WORDS) + ' --device=emulator --print out\n"""\n'
    text = debug(tmp_path, line + SOURCE, [], ["continue"])
    assert text == debug(tmp_path, SOURCE, WORDS, ["continue"])
    assert "has no option `--gird`" in debug(tmp_path, line.replace("--grid", "--gird") + SOURCE, [], status=2)
    assert "expected a grid" in debug(tmp_path, line + SOURCE, ["--arg=n=3"], status=2), "what is given in part is completed by nothing"


def test_a_file_that_is_no_kernel(tmp_path):
    assert "expected" in debug(tmp_path, "@triton.jit\ndef k(:\n", WORDS, status=1)
    assert "the tile level needs a file of kernels" in debug(tmp_path, "// Tegula stage tile\nmodule {}\n", [*WORDS], status=2)


def test_against_the_emulator(tmp_path):
    text = debug(tmp_path, SOURCE, [*WORDS, "--against"], ["continue"])
    assert text == ("the emulator has run the launch\nall programs have ended, and all elements are as expected; "
                    "2 stores to 16 elements compared, none differs from the emulator's\n")
    # A product that the emulator rounds once is no difference.
    fused = LOOP.replace("* j", "* 1.1")
    assert "all elements are as expected" in debug(tmp_path, fused, [*WORDS, "--against"], ["continue"])
    # Threads of one program write one element: which is last, nothing says.
    race = HEAD + """@triton.jit
def k(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(out + i, tl.load(x + i))
    tl.store(out + (i ^ 127), tl.load(x + i))
    y = tl.load(out + i)
    tl.store(x + i, y)
"""
    text = debug(tmp_path, race, ["--grid=1", "--arg=x=arange:fp32[128]", "--arg=out=zeros:fp32[128]", "-DB=128", "--against"], ["continue"])
    assert text.startswith("on the emulator: ") and "kernel.py:" in text, text


def test_a_reference_that_is_more_exact_and_one_of_words(tmp_path):
    half = HEAD + """@triton.jit
def k(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(out + i, tl.load(x + i) / 3)
"""
    for kind in ("fp16", "bf16"):
        words = ["--grid=1", f"--arg=x=arange:{kind}[64]", f"--arg=out=zeros:{kind}[64]", "-DB=64"]
        third = {"out": np.arange(64, dtype=np.float64) / 3}
        assert "all elements are as expected" in debug(tmp_path, half, words, ["continue"], reference=third)
        third["out"][9] *= 1.2
        assert "`out[9]` becomes 3, expected 3.6; 1 of 64 elements differ" in debug(tmp_path, half, words, ["continue"], reference=third)
    words = (np.arange(64, dtype=np.float32) / 3).view(np.uint32) >> 16
    assert "all elements are as expected" in debug(tmp_path, half, ["--grid=1", "--arg=x=arange:bf16[64]", "--arg=out=zeros:bf16[64]", "-DB=64"],
                                                   ["continue"], reference={"out": words.astype(np.uint16)})


def test_random_lines_end_nothing(tmp_path):
    random.seed(7)
    words = "continue next step out back back-over rc break watch delete print locals frames frame where list program stop writer arrays".split()
    parts = ["out[3]", "x", "i", "acc[2:5]", "if", "j == 1", "9", "-1", "(", "]", "all", "nan", "1,0", "kernel.py:9", "\x00", "é", "'", "max(", "1e400", "9" * 40]
    lines = []
    for _ in range(400):
        kind = random.random()
        if kind < 0.1:
            lines.append("".join(random.choice(string.printable.replace("\n", "").replace("\r", "")) for _ in range(random.randrange(60))))
        else:
            lines.append(" ".join([random.choice(words), *random.choices(parts, k=random.randrange(4))]))
    script = "\n".join(line for line in lines if line.strip() not in ("quit", "q", "exit")) + "\nwhere\nprint 40 + 2\n"
    text = debug(tmp_path, SOURCE, WORDS, script=script)
    assert text.endswith("42\n")
    assert len(re.findall(r"^program \(", text, re.M)) > 10, "moves took place"


@pytest.mark.parametrize("command, shown", [
    ("next 2", "program (0, 0, 0), kernel.py:"),
    ("next 0", "error: expected how many times to `next`, found `0`"),
    ("step many", "error: expected how many times to `step`, found `many`"),
    ("print n +", "error: cannot read `n +`: expected an expression, which ends too early"),
])
def test_commands_with_numbers_and_ends(command, shown, tmp_path):
    assert shown in debug(tmp_path, SOURCE, WORDS, [command, "exit", "print 7"])


def test_two_steps_at_once_are_two_steps(tmp_path):
    one = debug(tmp_path, SOURCE, WORDS, ["step", "step", "step", "locals"])
    assert one.endswith(debug(tmp_path, SOURCE, WORDS, ["step 3", "locals"]))
