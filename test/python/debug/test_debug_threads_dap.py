"""`tegula dap` at the thread level: warps are threads, PTX is the disassembly."""

import json

from test_debug_dap import Client
from test_debug_threads import HELPER, HELPER_WORDS, OUTSIDE

WORDS = ["kernel.py", *HELPER_WORDS, "--device=emulator"]
ENDLESS = """import triton
import triton.language as tl


@triton.jit
def k(out, n):
    while n != 0:
        n += 2
        tl.store(out, n)
"""
ENDLESS_WORDS = ["kernel.py", "--grid=1", "--arg=n=1", "--arg=out=zeros:i32[1]", "--device=emulator"]
FINE = {"granularity": "instruction"}


def place(client, thread):
    """The name, the line and the instruction of a warp's innermost frame, and its number."""
    frame = client.body("stackTrace", threadId=thread)["stackFrames"][0]
    return frame["name"], frame["line"], int(frame["instructionPointerReference"], 0), frame["id"]


def scopes(client, frame):
    made = client.body("scopes", frameId=frame)["scopes"]
    return {one["name"]: client.body("variables", variablesReference=one["variablesReference"])["variables"] for one in made}


def test_what_it_can(tmp_path):
    with Client(tmp_path, HELPER) as client:
        can = client.body("initialize", adapterID="tegula")
        assert not can.get("supportsDisassembleRequest")
        client.body("launch", args=WORDS)
        more = client.event("capabilities")["capabilities"]
        assert more["supportsDisassembleRequest"] and more["supportsInstructionBreakpoints"] and more["supportsSteppingGranularity"]
        # Abilities of both levels are said once.
        assert can["supportsDataBreakpoints"] and can["supportsConditionalBreakpoints"] and can["supportsHitConditionalBreakpoints"] and can["supportsLogPoints"]
        assert more.get("supportsDataBreakpoints", True) and more.get("supportsConditionalBreakpoints", True)
        client.event("initialized")
        client.finish()


def test_warps_are_threads(tmp_path):
    with Client(tmp_path, HELPER) as client:
        stopped = client.start(WORDS, breakpoints=[{"line": 7}])
        assert stopped["reason"] == "breakpoint" and stopped["allThreadsStopped"]
        thread = stopped["threadId"]
        threads = client.body("threads")["threads"]
        assert [one["id"] for one in threads] == [1, 2] and threads[thread - 1]["name"].startswith(f"warp {thread - 1}: kernel.py:7 in twice")
        name, line, at, frame = place(client, thread)
        assert (name, line) == ("twice", 7)
        frames = client.body("stackTrace", threadId=thread)["stackFrames"]
        assert [(one["name"], one["line"]) for one in frames] == [("twice", 7), ("k", 16)]
        shown = scopes(client, frame)
        assert list(shown) == ["Values", "Registers of lane 0", "Lanes", "Arrays"] and {one["name"] for one in shown["Arrays"]} == {"x", "out"}
        assert all(one["name"].startswith("%") for one in shown["Registers of lane 0"]) and len(shown["Lanes"]) == 32
        lane = client.body("variables", variablesReference=shown["Lanes"][5]["variablesReference"])["variables"]
        assert [one["name"] for one in lane] == [one["name"] for one in shown["Registers of lane 0"]]
        assert client.body("evaluate", expression="%tid.x[3]", frameId=frame)["result"] == str(32 * (thread - 1) + 3)
        assert client.body("evaluate", expression="n", frameId=frame)["result"] == "3"
        assert "32 lanes" in client.body("evaluate", expression="warps", context="repl")["result"]
        client.body("tegula/lane", lane=7)
        assert "Registers of lane 7" in scopes(client, frame)
        assert not client.ask("tegula/lane", lane=32)["success"] and not client.ask("evaluate", expression="nope")["success"]
        client.finish()


def test_instructions(tmp_path):
    with Client(tmp_path, HELPER) as client:
        stopped = client.start(WORDS, stopOnEntry=True)
        thread = stopped["threadId"]
        _, _, at, _ = place(client, thread)
        listed = client.body("disassemble", memoryReference=hex(at), instructionOffset=-3, instructionCount=12)["instructions"]
        assert len(listed) == 12 and int(listed[3]["address"], 0) == at and listed[3]["line"] and listed[0]["presentationHint"] == "invalid"
        assert client.body("disassemble", memoryReference="nonsense", instructionCount=2)["instructions"]
        assert client.go("stepIn", **FINE)["reason"] == "step"
        assert place(client, thread)[2] == int(listed[4]["address"], 0)
        assert client.go("stepIn", **FINE)["reason"] == "step"
        assert client.go("stepBack", **FINE)["reason"] == "step" and place(client, thread)[2] == int(listed[4]["address"], 0)
        wanted = int(listed[8]["address"], 0)
        made = client.body("setInstructionBreakpoints", breakpoints=[{"instructionReference": hex(wanted)}, {"instructionReference": "0xfffff"}])["breakpoints"]
        assert [one["verified"] for one in made] == [True, False] and int(made[0]["instructionReference"], 0) == wanted
        stopped = client.go("continue")
        assert stopped["reason"] == "breakpoint" and place(client, stopped["threadId"])[2] == wanted
        client.body("setInstructionBreakpoints", breakpoints=[])
        assert client.go("next")["reason"] == "step" and client.go("stepOut")["reason"] == "end"
        assert client.body("threads")["threads"] == [{"id": 1, "name": "launch of k"}]
        assert client.frames() == [("k", 13)], "the arrays may be looked at where the launch has ended"
        assert list(scopes(client, 1024)) == ["Arrays"]
        client.body("continue", threadId=1)
        client.event("terminated")
        client.finish()


def test_names_of_threads_have_no_folders(tmp_path):
    with Client(tmp_path, HELPER) as client:
        stopped = client.start([str(tmp_path / "kernel.py"), *WORDS[1:]], breakpoints=[{"line": 7}])
        assert client.body("threads")["threads"][stopped["threadId"] - 1]["name"].startswith(f"warp {stopped['threadId'] - 1}: kernel.py:7 in twice")
        client.finish()


def test_the_elements_of_a_tile(tmp_path):
    with Client(tmp_path, HELPER) as client:
        client.start(WORDS, breakpoints=[{"line": 7}])
        tile = client.body("tegula/tile", expression="out")
        assert tile["shape"] == [len(tile["elements"])] and set(tile["elements"]) == {0}
        assert "no name `nothing`" in client.ask("tegula/tile", expression="nothing")["message"]
        client.finish()


def test_a_fault_with_its_lane(tmp_path):
    words = ["kernel.py", "--grid=1", "--arg=x=arange:fp32[64]", "--arg=out=zeros:fp32[40]", "-DB=64", "--num-warps=2", "--without=packing", "--device=emulator"]
    with Client(tmp_path, OUTSIDE) as client:
        stopped = client.start(words)
        assert stopped["reason"] == "exception" and "warp 1, lane" in stopped["text"] and "`out[40]`" in stopped["text"]
        assert client.body("exceptionInfo", threadId=2)["exceptionId"] == "fault" and place(client, 2)[1] == 9
        assert "after a fault" in client.ask("continue", threadId=2)["message"]
        assert client.go("stepBack", **FINE)["reason"] == "step"
        client.finish()


def test_wrong_words_and_requests(tmp_path):
    with Client(tmp_path, HELPER) as client:
        client.body("initialize")
        assert "to debug on" in client.ask("launch", args=[*WORDS[:-1], "--device=cuda"])["message"]
        client.finish()
    with Client(tmp_path, HELPER) as client:
        client.start(WORDS, breakpoints=[{"line": 15}])
        assert client.body("setDataBreakpoints", breakpoints=[]) == {"breakpoints": []}
        made = client.body("setBreakpoints", source={"path": "other.py"}, breakpoints=[{"line": 3}, {}, 4])["breakpoints"]
        assert [one["verified"] for one in made] == [False, False, False] and "no instruction" in made[0]["message"]
        assert client.body("setFunctionBreakpoints", breakpoints=[{"name": "twice"}, {"name": "nope"}])["breakpoints"][1]["verified"] is False
        for command in ("stackTrace", "scopes", "variables", "evaluate", "disassemble", "threads", "exceptionInfo", "tegula/lane", "tegula/tile"):
            for odd in ({}, {"threadId": -4, "frameId": 1 << 60, "lane": 1 << 60, "instructionCount": 1 << 60, "offset": -(1 << 60), "instructionOffset": 1 << 60,
                             "memoryReference": "0x" + "f" * 40, "variablesReference": 9999, "expression": "((", "startFrame": 1 << 60}):
                assert json.dumps(client.ask(command, **odd))
        client.body("pause", threadId=1)
        client.finish()


def test_pause(tmp_path):
    with Client(tmp_path, ENDLESS) as client:
        client.begin(ENDLESS_WORDS)
        assert client.body("threads")["threads"] == [{"id": 1, "name": "launch of k"}], "while it runs"
        client.body("pause", threadId=1)
        stopped = client.event("stopped")
        assert stopped["reason"] == "pause" and len(client.body("threads")["threads"]) == 4
        client.body("continue", threadId=stopped["threadId"])
        assert client.body("threads")["threads"][3] == {"id": 4, "name": "warp 3: running"}
        client.body("pause", threadId=4)
        assert client.event("stopped")["reason"] == "pause"
        # On the way back as well: by running again, which may take long.
        client.send("reverseContinue", threadId=1)
        client.body("pause", threadId=1)
        assert client.event("stopped")["reason"] in ("pause", "entry")
        client.finish()


def test_a_breakpoint_that_is_set_while_a_launch_runs_stops_it(tmp_path):
    with Client(tmp_path, ENDLESS) as client:
        client.begin(ENDLESS_WORDS)
        assert client.set_breakpoints({"line": 9, "condition": "warp == 2"})[0]["verified"]
        stopped = client.event("stopped")
        assert stopped["reason"] == "breakpoint" and stopped["threadId"] == 3
        client.finish()


def test_log_messages(tmp_path):
    with Client(tmp_path, HELPER) as client:
        client.begin(WORDS, [{"line": 15, "logMessage": "warp {warp}: {%tid.x[0]}", "condition": "warp == 1"},
                             {"line": 16, "logMessage": "second", "hitCondition": "2"}])
        assert client.event("stopped")["reason"] == "end"
        shown = client.outputs()
        assert shown.count("warp 1: 32") >= 1 and shown.count("second") == 1 and "warp 0: 0" not in shown
        assert client.go("reverseContinue")["reason"] == "entry" and client.outputs() == shown, "what runs again is not told again"
        client.finish()
