"""The thread level of the debugger: breakpoints under conditions, and elements that are watched."""

import re

import pytest
from debugger import HEAD
from test_debug_dap import Client
from test_debug_threads import HELPER, HELPER_WORDS, LOOP, ptx, stops, threads

ADD = HEAD + """@triton.jit
def k(x, out, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i)
    tl.store(out + i, v)
    tl.debug_barrier()
    tl.store(out + i, tl.load(out + i) + 1.5)
"""
ADD_WORDS = ["--grid=2", "--arg=x=arange:fp32[256]", "--arg=out=zeros:fp32[256]", "-DB=128", "--num-warps=4", "--without=packing"]
STORES = """	shl.b32 %r3, %r1, 2;
	mov.u32 %r4, memory;
	add.u32 %r4, %r4, %r3;
	@!%p1 bra $end;
	st.shared.b32 [%r4], %r1;
	st.shared.b32 [%r4], 7;
	cvt.u64.u32 %rd2, %r3;
	add.u64 %rd3, %rd1, %rd2;
	atom.global.add.u32 %r5, [%rd1], 2;
$end:"""


def focus(text):
    """The block, the warp and the lane of each stop."""
    return [tuple(map(int, one)) for one in re.findall(r"^block \((\d+), 0, 0\), warp (\d+), lane (\d+)", text, re.M)]


def test_a_condition_of_the_program_and_the_warp(tmp_path):
    text = threads(tmp_path, HELPER, HELPER_WORDS, ["break 15 if program_id(0) == 1 and warp == 1", "breakpoints", "continue", "continue"])
    assert text.startswith("breakpoint 1: kernel.py:15 if program_id(0) == 1 and warp == 1\n")
    assert [one[:2] for one in focus(text)] == [(1, 1)] and text.endswith("all blocks have ended\n")
    text = threads(tmp_path, HELPER, HELPER_WORDS, ["break 15 warp 0 if pid0 == 1", "continue", "continue"])
    assert [one[:2] for one in focus(text)] == [(1, 0)]


def test_a_condition_of_registers_holds_in_any_lane(tmp_path):
    # %r1 is the thread, %r3 the round of the loop.
    text = ptx(tmp_path, LOOP, ["break ptx 27 if %r1 == 37 and %r3 >= 3", "continue", "registers %r3", "continue", "continue"])
    assert focus(text) == [(0, 1, 5), (0, 1, 5)] and "0x00000003 3" in text
    assert text.endswith("all blocks have ended\n")
    # `all` and `max` are of the lanes that go on.
    text = ptx(tmp_path, LOOP, ["break ptx 27 if all(%r1 > 31) and max(%r3) == 0", "continue", "continue"])
    assert focus(text) == [(0, 1, 0)]
    text = ptx(tmp_path, LOOP, ["break ptx 27 if not %p1 and lane >= 9 and %r3 == 4", "continue", "continue"])
    assert focus(text) == [(0, 1, 9)]
    assert focus(ptx(tmp_path, LOOP, ["break ptx 27 if %laneid == 40 or %r3 % 2 == 7", "continue"])) == []


def test_lanes_that_do_not_go_on_have_no_say(tmp_path):
    body = LOOP.replace("	mov.u32 %r3, 0;", "	setp.lt.u32 %p2, %r1, 16;\n	mov.u32 %r3, 0;\n	@%p2 bra $again;\n	mov.u32 %r3, 100;")
    # Lanes of warp 0 come to the loop with 0 and with 100 in the register, on two paths.
    text = ptx(tmp_path, body, ["break ptx 30 if all(%r3 == 100) and warp == 0", "continue"])
    assert all(lane >= 16 for _, _, lane in focus(text)), text


def test_hits(tmp_path):
    def rounds(words):
        text = ptx(tmp_path, LOOP, [f"break ptx 27 warp 0 {words}", *["continue", "print %r3[0]"] * 5])
        return re.findall(r"^(\d)$", text, re.M)[: len(focus(text))]
    assert rounds("hits 2") == ["1"] and rounds("hits == 3") == ["2"] and rounds("hits >= 4") == ["3", "4"]
    assert rounds("hits > 4") == ["4"] and rounds("hits % 2") == ["1", "3"] and rounds("hits <= 2") == ["0", "1"] and rounds("hits < 2") == ["0"]
    assert rounds("hits 2 if %r3 > 1") == ["3"]
    # Back and again: they count from the start of the launch on.
    text = ptx(tmp_path, LOOP, ["break ptx 27 warp 0 hits 3", "continue", "print %r3[0]", "backi", "backi", "continue", "print %r3[0]"])
    assert re.findall(r"^(\d)$", text, re.M) == ["2", "2"]
    text = ptx(tmp_path, LOOP, ["break ptx 27 warp 0 hits 3", "continue", "continue", "rc", "print %r3[0]"])
    assert re.findall(r"^(\d)$", text, re.M) == ["2"]


@pytest.mark.parametrize("line, says", [
    ("break 15 if", "error: cannot read the condition ` `: expected an expression"),
    ("break 15 if 1 +", "error: cannot read the condition `1 +`: "),
    ("break 15 hits", "error: expected a number of hits from 1, perhaps behind ==, <, <=, >, >= or %, found ``"),
    ("break 15 hits 0", "error: expected a number of hits from 1, perhaps behind ==, <, <=, >, >= or %, found `0`"),
    ("break 15 hits ~3", "error: expected a number of hits from 1, perhaps behind ==, <, <=, >, >= or %, found `~3`"),
    ("watch", "error: expected an element of an array of the launch" ),
    ("watch n", "error: expected an element of an array of the launch, such as `out[3, 17]`"),
    ("watch out[512]", "error: index 512 is outside of a side of 512"),
    ("watch shared", "error: expected an element such as `out[3, 17]`, or `shared` or `global` with ADDRESS [TYPE], found `shared`"),
    ("watch local 0", "error: expected an element such as `out[3, 17]`, or `shared` or `global` with ADDRESS [TYPE], found `local 0`"),
    ("watch shared 0x999999", "of the block's shared memory"),
    ("watch shared %r1", "error: expected a number as an address where no block runs, found `%r1`"),
    ("watch shared 0 fp33", "error: expected a type as "),
    ("watch global 0x10", "error: no allocation holds the 4 bytes at 0x10"),
    ("writer out[7]", "block ("),
    ("writer x[7]", "no thread has written `x[7]` before\n"),
])
def test_messages(tmp_path, line, says):
    text = threads(tmp_path, HELPER, HELPER_WORDS, [line, "print 1 + 2"])
    assert (says in text or line == "watch") and text.endswith("\n3\n"), text
    assert line != "watch" or text.startswith("error: ")


@pytest.mark.parametrize("condition, says", [
    ("nope > 3", "no name `nope` here"),
    ("%r99 > 3", "no name `r99` here"),
    ("%r3 > 3", "it is undefined in all lanes"),
    ("out[:3] > 0", "expected a truth, or one for each of 32 lanes, found 3 elements"),
    ("program_id(3) == 0", "expected 0, 1 or 2 as an axis of `program_id`"),
    ("lane[:3] > out[:2]", "sides of 3 and 2 do not go together"),
])
def test_a_condition_that_cannot_be_computed_stops(tmp_path, condition, says):
    text = ptx(tmp_path, LOOP, [f"break ptx 25 warp 0 if {condition}", "continue", "stepi"])
    assert f"breakpoint 1: the condition `{condition}` cannot be computed: {says}" in text and len(focus(text)) == 2, text


def test_an_element_that_is_watched(tmp_path):
    text = threads(tmp_path, ADD, ADD_WORDS, ["watch out[200]", "breakpoints", "continue", "print out[200]", "continue", "print out[200]", "where", "continue", "rc", "rc", "rc"])
    assert text.startswith("watch 1: out[200]\nwatch 1: out[200]\n")
    found = re.findall(r"^block \(1, 0, 0\), warp (\d), lane (\d+), kernel\.py:(\d+) in k, PTX line \d+: watch 1: `out\[200\]` is written: (\S+) becomes (\S+)\n.*\n +\^\n.*st\.global", text, re.M)
    # Thread 72 of its block: one element a thread, or four.
    assert [one[2:] for one in found] == [("9", "0", "200"), ("11", "200", "201.5"), ("11", "200", "201.5"), ("11", "200", "201.5"), ("9", "0", "200")], text
    assert len({one[:2] for one in found}) <= 2
    assert re.findall(r"^\d+\.?\d*$", text, re.M) == ["200", "201.5"] and text.endswith("nothing has run\n")


def test_watches_go_and_hold_in_one_program_alone(tmp_path):
    text = threads(tmp_path, ADD, [*ADD_WORDS, "--program=0"], ["watch out[200]", "watch out[3]", "delete 1", "breakpoints", "continue", "delete", "continue"])
    assert "watch 2: out[3]\n" in text and "removed all breakpoints and watches\n" in text and len(focus(text)) == 1
    assert focus(threads(tmp_path, ADD, [*ADD_WORDS, "--program=0"], ["watch out[200]", "continue"])) == []


def test_memory_that_is_watched(tmp_path):
    text = ptx(tmp_path, STORES, ["watch shared 0x14", "continue", "shared 0x14 1", "continue", "shared 0x14 1", "continue"])
    assert "watch 1: shared 0x14 i32\n" in text
    assert re.findall(r"warp 0, lane 5, PTX line (\d+): watch 1: `shared 0x14 i32` is written: (\S+) becomes (\S+)", text) == [("29", "undefined", "5"), ("30", "5", "7")]
    assert "0x14: 5\n" in text and "0x14: 7\n" in text and "all blocks have ended" in text


def test_memory_is_gone_at_the_end(tmp_path):
    text = ptx(tmp_path, STORES, ["continue", "watch shared 0", "watch out[0]", "rc"])
    assert "error: all blocks have ended, and their memory with them: `back` and `reverse-continue` go back\nwatch 1: out[0]\n" in text
    assert "`out[0]` is written: 0 becomes 64" in text


def test_an_atomic_that_is_watched_stops_behind_the_last_lane(tmp_path):
    text = ptx(tmp_path, STORES, ["watch out[0]", "continue", "continue"])
    assert "lane 31, PTX line 33: watch 1: `out[0]` is written: 0 becomes 64" in text and len(focus(text)) == 1
    address = re.search(r"%rd1 +(0x[0-9a-f]+)  &out\[0\]", ptx(tmp_path, STORES, ["break ptx 29", "continue", "registers"]))
    assert address
    text = ptx(tmp_path, STORES, ["break ptx 29", "continue", "watch global %rd1 i32", "delete 1", "continue"])
    assert "becomes 64" in text and "watch 2: global 0x" in text


def test_the_last_writer(tmp_path):
    text = threads(tmp_path, ADD, ADD_WORDS, ["writer out[200]", "print out[200]", "writer out[200]", "print out[200]", "writer out[200]", "print out[200]", "where"])
    assert len(re.findall(r"`out\[200\]` is written: 200 becomes 201\.5", text)) == 1
    assert "no thread has written `out[200]` before\n" in text
    assert re.findall(r"^\d+\.?\d*$", text, re.M) == ["201.5", "200", "200"]
    # One stays where one was.
    assert len(re.findall(r"`out\[200\]` is written: 0 becomes 200$", text, re.M)) == 2


def test_steps_go_on_from_a_watch(tmp_path):
    text = ptx(tmp_path, STORES, ["watch shared 0x14", "continue", "stepi", "backi", "backi", "warps"])
    assert stops(text)[:2] == [(0, 29), (0, 30)]


def test_a_store_of_the_bulk_copy_engine(tmp_path):
    source = HEAD + """@triton.jit
def k(x, out, N: tl.constexpr, B: tl.constexpr):
    a = tl.make_tensor_descriptor(x, [N, N], [N, 1], [B, B])
    b = tl.make_tensor_descriptor(out, [N, N], [N, 1], [B, B])
    b.store([0, 0], a.load([0, 0]) * 2.0)
"""
    words = ["--grid=1", "--arg=x=arange:fp32[32,32]", "--arg=out=zeros:fp32[32,32]", "-DN=32", "-DB=32"]
    text = threads(tmp_path, source, words, ["watch out[3, 4]", "continue", "print out[3, 4]", "continue", "writer out[3, 4]", "print out[3, 4]"])
    assert "`out[3, 4]` is written: 0 becomes 200" in text and text.endswith("\n200\n") and "all blocks have ended" in text, text


def test_conditions_and_watches_over_dap(tmp_path):
    words = ["kernel.py", *ADD_WORDS, "--device=emulator"]
    with Client(tmp_path, ADD) as client:
        client.body("initialize")
        client.body("launch", args=words)
        assert client.event("capabilities")["capabilities"]["supportsHitConditionalBreakpoints"]
        client.event("initialized")
        made = client.body("setBreakpoints", source={"path": str(tmp_path / "kernel.py")}, breakpoints=[
            {"line": 9, "condition": "program_id(0) == 1", "hitCondition": "2"}, {"line": 9, "condition": "1 +"}, {"line": 9, "hitCondition": "x"}])["breakpoints"]
        assert [one["verified"] for one in made] == [True, False, False]
        assert "cannot read the condition `1 +`" in made[1]["message"] and "expected a number of hits" in made[2]["message"]
        assert client.body("dataBreakpointInfo", name="out[200]") == {
            "dataId": "out[200]", "description": "out[200]", "accessTypes": ["write"], "canPersist": True}
        assert client.body("dataBreakpointInfo", name="shared 0 fp32")["dataId"] in ("shared 0x0 fp32", None)
        nothing = client.body("dataBreakpointInfo", name="out")
        assert nothing["dataId"] is None and "expected an element" in nothing["description"]
        made = client.body("setDataBreakpoints", breakpoints=[{"dataId": "out[200]"}, {"dataId": "out[999]"}, {}])["breakpoints"]
        assert [one["verified"] for one in made] == [True, False, False] and "outside of a side of 256" in made[1]["message"]
        client.body("configurationDone")
        stopped = client.event("stopped")
        seen = [stopped["reason"]]
        while seen[-1] != "end":
            if seen[-1] == "data breakpoint":
                assert re.match(r"block \(1, 0, 0\), warp \d, lane \d+: `out\[200\]` is written: \S+ becomes \S+, by kernel\.py:(9|11) in k, PTX line \d+$", stopped["text"])
                assert stopped["hitBreakpointIds"] == [made[0]["id"]]
            stopped = client.go("continue")
            seen.append(stopped["reason"])
        assert sorted(seen) == ["breakpoint", "data breakpoint", "data breakpoint", "end"]
        client.body("tegula/writer", element="out[200]")
        assert client.event("stopped")["reason"] == "data breakpoint"
        assert "no thread has written" in client.ask("tegula/writer", element="x[3]")["message"]
        assert "expected an element" in client.ask("tegula/writer", element="x")["message"]
        client.finish()


def test_conditions_of_functions_and_instructions_over_dap(tmp_path):
    with Client(tmp_path, HELPER) as client:
        client.body("initialize")
        client.body("launch", args=["kernel.py", *HELPER_WORDS, "--device=emulator"])
        client.event("initialized")
        client.body("setFunctionBreakpoints", breakpoints=[{"name": "twice", "condition": "warp == 1 and pid0 == 0"}])
        client.body("configurationDone")
        assert client.event("stopped")["threadId"] == 2
        frame = client.body("stackTrace", threadId=2)["stackFrames"][0]
        client.body("setFunctionBreakpoints", breakpoints=[])
        made = client.body("setInstructionBreakpoints", breakpoints=[{"instructionReference": frame["instructionPointerReference"], "condition": "warp == 1"}])
        assert made["breakpoints"][0]["verified"]
        assert client.go("continue")["threadId"] == 2 and client.go("continue")["reason"] == "end"
        client.finish()
