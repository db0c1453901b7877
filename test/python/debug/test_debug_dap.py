"""`tegula dap` with a client that says what editors say."""

import json
import queue
import subprocess
import threading

import numpy as np
import pytest
from debugger import program

SOURCE = """import triton
import triton.language as tl


@triton.jit
def scale(v, s):
    return v * s


@triton.jit
def k(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i)
    for j in range(n):
        v = scale(v, 2)
    tl.store(out + i, v)
"""
ENDLESS = """import triton


@triton.jit
def k(n):
    while n > 0:
        n += 1
"""
ENDLESS_WORDS = ["kernel.py", "--grid=1", "--arg=n=1"]
WORDS = ["kernel.py", "--grid=2", "--arg", "x=arange:fp32[16]", "--arg", "out=zeros:fp32[16]", "--arg", "n=2", "-D", "B=8"]


class Client:
    def __init__(self, folder, source=SOURCE):
        (folder / "kernel.py").write_text(source)
        self.folder = folder
        self.process = subprocess.Popen([program(), "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
        self.messages, self.events, self.number = queue.Queue(), [], 0
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()

    def _read(self):
        out = self.process.stdout
        while header := out.readline():
            length = int(header.split(b":")[1])
            assert out.readline() == b"\r\n"
            self.messages.put(json.loads(out.read(length)))
        self.messages.put(None)

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, command, **arguments):
        self.number += 1
        text = json.dumps({"seq": self.number, "type": "request", "command": command, "arguments": arguments}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        return self.number

    def ask(self, command, **arguments):
        """The whole response; events before it are kept."""
        number = self.send(command, **arguments)
        while True:
            message = self.messages.get(timeout=60)
            assert message, "the adapter has ended"
            if message["type"] == "response" and message["request_seq"] == number:
                return message
            self.events.append(message)

    def body(self, command, **arguments):
        response = self.ask(command, **arguments)
        assert response["success"], response
        return response["body"]

    def event(self, name):
        """The body of the next event of this name."""
        while True:
            for message in self.events:
                if message.get("event") == name:
                    self.events.remove(message)
                    return message["body"]
            message = self.messages.get(timeout=60)
            assert message, "the adapter has ended"
            self.events.append(message)

    def start(self, words=WORDS, breakpoints=(), filters=("nan", "overflow"), **launch):
        self.body("initialize", adapterID="tegula")
        self.body("launch", args=words, **launch)
        self.event("initialized")
        if breakpoints:
            made = self.body("setBreakpoints", source={"path": str(self.folder / "kernel.py")}, breakpoints=list(breakpoints))
            assert all(one["verified"] for one in made["breakpoints"]), made
        self.body("setExceptionBreakpoints", filters=list(filters))
        self.body("configurationDone")
        return self.event("stopped")

    def frames(self):
        return [(frame["name"], frame["line"]) for frame in self.body("stackTrace", threadId=1)["stackFrames"]]

    def go(self, how, **arguments):
        self.body(how, threadId=1, **arguments)
        return self.event("stopped")

    def begin(self, words, breakpoints=(), **launch):
        """Starts what does not stop by itself."""
        self.body("initialize", adapterID="tegula")
        self.body("launch", args=words, **launch)
        self.event("initialized")
        if breakpoints:
            self.set_breakpoints(*breakpoints)
        self.body("configurationDone")

    def set_breakpoints(self, *breakpoints):
        """What is answered of each breakpoint in the kernel's file."""
        return self.body("setBreakpoints", source={"path": str(self.folder / "kernel.py")}, breakpoints=list(breakpoints))["breakpoints"]

    def outputs(self):
        """The lines that have been shown so far."""
        return [message["body"]["output"].rstrip("\n") for message in self.events if message.get("event") == "output"]

    def finish(self):
        self.body("disconnect")
        assert self.process.wait(timeout=60) == 0


def test_what_it_can(tmp_path):
    with Client(tmp_path) as client:
        can = client.body("initialize", adapterID="tegula")
        for one in ("supportsStepBack", "supportsConditionalBreakpoints", "supportsDataBreakpoints", "supportsConfigurationDoneRequest",
                    "supportsHitConditionalBreakpoints", "supportsLogPoints"):
            assert can[one]
        assert [one["filter"] for one in can["exceptionBreakpointFilters"]] == ["nan", "overflow"]
        client.finish()


def test_a_session_with_a_breakpoint(tmp_path):
    with Client(tmp_path) as client:
        stopped = client.start(breakpoints=[{"line": 7, "condition": "v[1] > 1"}])
        assert stopped["reason"] == "breakpoint" and stopped["hitBreakpointIds"] == [1]
        assert client.frames() == [("scale", 7), ("k", 15)]
        assert client.body("threads")["threads"] == [{"id": 1, "name": "program (0, 0, 0)"}]
        assert client.body("evaluate", expression="s + 1", frameId=2)["result"] == "3"
        assert client.body("evaluate", expression="j", frameId=1)["result"] == "1"
        locals_, arrays = client.body("scopes", frameId=2)["scopes"]
        names = {one["name"]: one for one in client.body("variables", variablesReference=locals_["variablesReference"])["variables"]}
        assert names["v"]["value"] == "fp32[8] min 0 max 14 mean 7" and names["v"]["indexedVariables"] == 8
        page = client.body("variables", variablesReference=names["v"]["variablesReference"], start=2, count=3)["variables"]
        assert [(one["name"], one["value"]) for one in page] == [("[2]", "4"), ("[3]", "6"), ("[4]", "8")]
        shown = client.body("variables", variablesReference=arrays["variablesReference"])["variables"]
        assert {one["name"] for one in shown} == {"x", "out"}
        assert client.go("stepOut")["reason"] == "step" and client.frames() == [("k", 16)]
        assert client.go("stepBack")["reason"] == "step" and client.frames() == [("k", 15)]
        assert client.go("stepIn")["reason"] == "breakpoint" and client.frames()[0] == ("scale", 7)
        assert client.go("continue")["reason"] == "breakpoint"
        assert client.body("threads")["threads"][0]["name"] == "program (1, 0, 0)"
        assert client.go("reverseContinue")["reason"] == "breakpoint"
        assert client.body("threads")["threads"][0]["name"] == "program (0, 0, 0)"
        client.body("setBreakpoints", source={"path": "kernel.py"}, breakpoints=[])
        assert client.go("continue")["reason"] == "end"
        assert client.frames() == [("k", 12)], "the arrays may be looked at where the launch has ended"
        assert client.body("evaluate", expression="out[3]", frameId=1)["result"] == "12"
        client.body("continue", threadId=1)
        client.event("terminated")
        client.finish()


def test_stop_on_entry_and_steps(tmp_path):
    with Client(tmp_path) as client:
        assert client.start(stopOnEntry=True)["reason"] == "step"
        seen = [client.frames()]
        for _ in range(4):
            client.go("next")
            seen.append(client.frames())
        assert seen == [[("k", line)] for line in (12, 13, 14, 15, 14)]
        client.finish()


def test_data_breakpoints_and_the_last_writer(tmp_path):
    with Client(tmp_path) as client:
        client.start(stopOnEntry=True)
        info = client.body("dataBreakpointInfo", name="out[9]")
        assert info["dataId"] == "out[9]"
        assert client.body("dataBreakpointInfo", name="v + 1")["dataId"] is None
        made = client.body("setDataBreakpoints", breakpoints=[{"dataId": "out[9]"}, {"dataId": "out[99]"}])["breakpoints"]
        assert [one["verified"] for one in made] == [True, False]
        stopped = client.go("continue")
        assert stopped["reason"] == "data breakpoint" and client.frames() == [("k", 16)]
        assert client.body("evaluate", expression="out[9]")["result"] == "36"
        client.body("tegula/writer", element="out[3]")
        assert client.event("stopped")["reason"] == "data breakpoint"
        assert client.body("threads")["threads"][0]["name"] == "program (0, 0, 0)"
        assert not client.ask("tegula/writer", element="out[15]")["success"]
        client.finish()


def test_a_wrong_element(tmp_path):
    np.save(tmp_path / "ref.npy", np.arange(16, dtype=np.float32) * 2)
    with Client(tmp_path) as client:
        stopped = client.start([*WORDS, "--expect=out=@ref.npy"])
        assert stopped["reason"] == "exception" and "`out[1]` becomes 4, expected 2" in stopped["text"]
        assert client.frames() == [("k", 16)]
        client.finish()


NANS = """import triton
import triton.language as tl


@triton.jit
def k(x, out, n):
    i = tl.arange(0, 8)
    v = tl.load(x + i)
    v = v / 0
    w = v - v
    tl.store(out + i, w * 2)
"""


def test_a_stored_nan_is_traced_to_where_it_is_made(tmp_path):
    words = ["kernel.py", "--grid=1", "--arg", "x=arange:fp32[8]", "--arg", "out=zeros:fp32[8]", "--arg", "n=2", "--expect=out=zeros:fp32[8],atol=0,rtol=0"]
    for filters in (["nan"], []):
        with Client(tmp_path, NANS) as client:
            text = client.start(words, filters=filters)["text"]
            assert "`out[0]` becomes nan, expected 0; 8 of 8 elements differ; this program makes a NaN first at kernel.py:9, element (0)" in text, text
            client.finish()
    with Client(tmp_path, NANS.replace("v / 0", "v + v")) as client:
        text = client.start([*words[:3], "x=full(nan):fp32[8]", *words[4:]])["text"]
        assert text.endswith("8 of 8 elements differ; no operation of this program makes a NaN: it was loaded, or is a constant")
        client.finish()


def test_exceptions(tmp_path):
    source = SOURCE.replace("v * s", "v / (s - 2)")
    with Client(tmp_path, source) as client:
        stopped = client.start()
        assert stopped["reason"] == "exception" and "is made here" in stopped["text"] and "element (0)" in stopped["text"]
        assert client.frames()[0] == ("scale", 7)
        assert client.body("exceptionInfo", threadId=1)["exceptionId"] == "finding"
        client.finish()
    with Client(tmp_path, source) as client:
        assert client.start(filters=[])["reason"] == "end"
        client.finish()
    with Client(tmp_path, SOURCE.replace("x + i", "x + i + 1")) as client:
        assert client.start()["reason"] == "exception" and client.frames() == [("k", 13)]
        assert client.body("exceptionInfo", threadId=1)["exceptionId"] == "fault"
        assert "after a fault" in client.ask("continue", threadId=1)["message"]
        assert client.go("stepBack")["reason"] == "step"
        client.finish()


def test_the_elements_of_a_tile(tmp_path):
    with Client(tmp_path) as client:
        client.start(breakpoints=[{"line": 16}])
        tile = client.body("tegula/tile", expression="v / (v - 4)")
        assert tile["shape"] == [8] and tile["elements"][:3] == [0, "inf", 2]
        client.finish()


def test_addresses_are_elements_of_arrays(tmp_path):
    source = SOURCE.replace("tl.load(x + i)", "tl.load(x + i)\n    at = x + i")
    with Client(tmp_path, source) as client:
        client.start(breakpoints=[{"line": 17}, {"line": 17, "logMessage": "from {at}"}])
        assert "from pointer<fp32>[8] at x[0] to x[7]" in client.outputs()
        at = client.body("evaluate", expression="at", frameId=1)
        assert at["result"] == "pointer<fp32>[8] at x[0] to x[7]"
        page = client.body("variables", variablesReference=at["variablesReference"], start=3, count=1)["variables"]
        assert page[0]["value"] == "x[3]"
        names = client.body("variables", variablesReference=client.body("scopes", frameId=1)["scopes"][0]["variablesReference"])["variables"]
        assert [(one["value"], one["type"]) for one in names if one["name"] == "out"] == [("out[0]", "pointer<fp32>")]
        client.finish()


def test_what_is_refused_leaves_the_session_alone(tmp_path):
    with Client(tmp_path) as client:
        assert "before a launch" in client.ask("threads")["message"]
        client.body("initialize")
        assert "expected a grid" in client.ask("launch", args=["kernel.py"])["message"]
        assert "no-such.py" in client.ask("launch", args=["no-such.py", "--grid=1"])["message"]
        assert "list of words" in client.ask("launch", args="kernel.py")["message"]
        assert "list of words" in client.ask("launch", args=[1])["message"]
        assert "cannot work in" in client.ask("launch", args=WORDS, cwd="/no/such/folder")["message"]
        client.send_bytes(b"Content-Length: 5\r\n\r\n{nope")
        client.send_bytes(b"Content-Length: 2\r\n\r\n[]")
        client.send_bytes(b"Content-Length: 1000000\r\n\r\n" + b"[" * 1000000)
        client.send_bytes(b"Content-Length: nonsense\r\n\r\n")
        assert client.start(stopOnEntry=True)["reason"] == "step"
        assert "no request `frobnicate`" in client.ask("frobnicate")["message"]
        assert "no name `nothing`" in client.ask("evaluate", expression="nothing")["message"]
        assert not client.ask("evaluate", expression="1 +")["success"]
        assert not client.ask("evaluate")["success"]
        assert "number" in client.ask("variables", variablesReference=12345)["message"]
        made = client.body("setBreakpoints", source={"path": "/else/where.py"}, breakpoints=[{"line": 3}, {}])["breakpoints"]
        assert [one["verified"] for one in made] == [False, False]
        made = client.body("setBreakpoints", source={"path": "kernel.py"}, breakpoints=[{"line": 7, "condition": "1 +"}, {"line": -5}])
        assert [one["verified"] for one in made["breakpoints"]] == [False, True]
        for wrong in ({"hitCondition": "often"}, {"logMessage": "v is {v"}, {"logMessage": "v is {1 +}"}):
            [made] = client.set_breakpoints({"line": 7, **wrong})
            assert not made["verified"] and made["message"].startswith(("expected", "cannot read")), made
        made = client.body("setFunctionBreakpoints", breakpoints=[{"name": "scale"}, {"name": "none"}])["breakpoints"]
        assert [one["verified"] for one in made] == [True, False]
        assert client.frames() == [("k", 12)]
        client.finish()


def test_what_a_client_leaves_empty_is_absent(tmp_path):
    with Client(tmp_path) as client:
        client.body("initialize", adapterID="tegula", linesStartAt1=None)
        assert "list of words" not in client.ask("launch", args=None, program=None)["message"]
        assert client.start(cwd="", program="", stopOnEntry=None, breakpoints=[{"line": 16, "condition": None, "hitCondition": "", "logMessage": None}])["reason"] == "breakpoint"
        client.finish()


def test_exited_comes_before_terminated(tmp_path):
    with Client(tmp_path) as client:
        assert client.start()["reason"] == "end"
        client.body("continue", threadId=1)
        client.event("terminated")
        assert [message["event"] for message in client.events if message["type"] == "event"].count("exited") == 1
        client.finish()


def test_hit_conditions(tmp_path):
    # The loop of two programs comes to line 15 four times.
    with Client(tmp_path) as client:
        client.start(breakpoints=[{"line": 15, "hitCondition": "3"}])
        assert client.body("threads")["threads"][0]["name"] == "program (1, 0, 0)" and client.body("evaluate", expression="j")["result"] == "0"
        assert client.go("continue")["reason"] == "end"
        assert client.go("reverseContinue")["reason"] == "breakpoint"
        assert client.body("threads")["threads"][0]["name"] == "program (1, 0, 0)" and client.body("evaluate", expression="j")["result"] == "0"
        client.finish()
    with Client(tmp_path) as client:
        client.start(breakpoints=[{"line": 15, "hitCondition": ">= 2", "condition": "j == 1"}])
        assert client.body("threads")["threads"][0]["name"] == "program (1, 0, 0)", "hits count where the condition holds"
        client.finish()


def test_hits_are_those_of_the_moment_that_one_has_gone_back_to(tmp_path):
    with Client(tmp_path) as client:
        place = lambda: (client.body("threads")["threads"][0]["name"], client.body("evaluate", expression="j")["result"])
        client.start(breakpoints=[{"line": 15, "hitCondition": ">= 2"}])
        seen = [place()]
        for how in "continue", "continue", "reverseContinue", "continue":
            assert client.go(how)["reason"] == "breakpoint"
            seen.append(place())
        first, second = "program (0, 0, 0)", "program (1, 0, 0)"
        assert seen == [(first, "1"), (second, "0"), (second, "1"), (second, "0"), (second, "1")]
        assert client.go("continue")["reason"] == "end"
        client.finish()


def test_log_messages(tmp_path):
    with Client(tmp_path) as client:
        client.start(breakpoints=[{"line": 15}, {"line": 15, "logMessage": "j = {j}, v[1] = {v[1]}, {{{nothing}}}"}, {"line": 16, "logMessage": "x: {x}, v: {v}", "condition": "pid0 == 1"},
                                  {"line": 14, "logMessage": "once", "hitCondition": "2"}])
        assert client.outputs() == ["j = 0, v[1] = 1, {<no name `nothing` here>}"], "the message does not hide the breakpoint"
        client.set_breakpoints({"line": 15, "logMessage": "{j}"}, {"line": 16, "logMessage": "v: {v}", "condition": "pid0 == 1"}, {"line": 14, "logMessage": "once", "hitCondition": "2"})
        assert client.go("continue")["reason"] == "end"
        ended = client.outputs()
        assert ended[1:-1] == ["1", "once", "0", "1", "v: fp32[8] min 32 max 60 mean 46"] and ended[-1].startswith("all programs have ended")
        [place] = {(message["body"]["source"]["name"], message["body"]["line"]) for message in client.events
                   if message.get("event") == "output" and message["body"]["output"].startswith("v:")}
        assert place == ("kernel.py", 16)
        assert client.go("reverseContinue")["reason"] == "entry" and client.outputs() == ended, "what runs again is not told again"
        client.finish()


@pytest.mark.parametrize("how", ["disconnect", "terminate", "kill", "end of input"])
def test_the_client_may_go_at_any_moment(how, tmp_path):
    with Client(tmp_path, ENDLESS) as client:
        client.begin(ENDLESS_WORDS)  # it runs, and does not end soon
        if how == "kill":
            client.process.terminate()
        elif how == "end of input":
            client.process.stdin.close()
        else:
            client.send(how)
        client.process.wait(timeout=60)


def test_a_program_that_runs_may_be_paused(tmp_path):
    with Client(tmp_path, ENDLESS) as client:
        client.begin(ENDLESS_WORDS)
        client.body("pause", threadId=1)
        assert client.event("stopped")["reason"] == "pause"
        assert client.frames()[0][0] == "k"
        client.finish()


def test_threads_are_told_while_a_program_runs(tmp_path):
    with Client(tmp_path, ENDLESS) as client:
        client.begin(ENDLESS_WORDS)
        assert client.body("threads")["threads"] == [{"id": 1, "name": "programs, running"}]
        assert "the program runs" in client.ask("evaluate", expression="n")["message"]
        assert "the program runs" in client.ask("continue", threadId=1)["message"]
        client.body("pause", threadId=1)
        assert client.event("stopped")["reason"] == "pause" and client.body("threads")["threads"][0]["name"] == "program (0, 0, 0)"
        client.finish()


def test_a_breakpoint_that_is_set_while_a_program_runs_stops_it(tmp_path):
    with Client(tmp_path, ENDLESS) as client:
        client.begin(ENDLESS_WORDS)
        assert client.set_breakpoints({"line": 99}, {"line": 7, "condition": "n < 0"})[1]["verified"]
        assert client.set_breakpoints({"line": 7, "condition": "n > 10"})[0]["verified"]
        assert client.event("stopped")["reason"] == "breakpoint" and client.frames() == [("k", 7)]
        assert not client.events, "a program is stopped for a breakpoint without a word"
        client.finish()


def test_a_breakpoint_that_is_set_during_a_step_is_answered_when_it_is_set(tmp_path):
    source = ENDLESS.replace("def k(n):", "def spin(n):") + "\n\n@triton.jit\ndef k(n):\n    spin(n)\n"
    with Client(tmp_path, source) as client:
        client.start(ENDLESS_WORDS, stopOnEntry=True)
        client.body("next", threadId=1)  # over a call that does not end
        number = client.send("setBreakpoints", source={"path": "kernel.py"}, breakpoints=[{"line": 7}])
        assert client.body("threads")["threads"] and not [one for one in client.events if one.get("request_seq") == number]
        client.body("pause", threadId=1)
        assert client.event("stopped")["reason"] == "pause"
        [response] = [one for one in client.events if one.get("request_seq") == number]
        assert response["body"]["breakpoints"][0]["verified"]
        assert client.go("continue")["reason"] == "breakpoint"
        client.finish()


def test_a_paused_search_does_not_compare_arrays_of_half_a_run(tmp_path):
    source = ENDLESS.replace("n += 1", "n += 1\n        tl.store(out, n)").replace("def k(n)", "def k(out, n)").replace("triton\n", "triton\nimport triton.language as tl\n", 1)
    np.save(tmp_path / "ref.npy", np.zeros(1, dtype=np.int32))
    with Client(tmp_path, source) as client:
        client.begin([*ENDLESS_WORDS, "--arg=out=zeros:i32[1]", "--expect=out=@ref.npy"])
        client.body("pause", threadId=1)
        assert client.event("stopped")["reason"] == "pause"
        client.body("continue", threadId=1)  # from the start
        assert client.body("threads")["threads"][0]["name"] == "programs, running"
        assert client.set_breakpoints({"line": 8, "condition": "n > 10"})[0]["verified"]
        assert client.event("stopped")["reason"] == "breakpoint"
        client.finish()
