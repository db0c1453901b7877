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

    def finish(self):
        self.body("disconnect")
        assert self.process.wait(timeout=60) == 0


def test_what_it_can(tmp_path):
    with Client(tmp_path) as client:
        can = client.body("initialize", adapterID="tegula")
        for one in ("supportsStepBack", "supportsConditionalBreakpoints", "supportsDataBreakpoints", "supportsConfigurationDoneRequest"):
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
        made = client.body("setFunctionBreakpoints", breakpoints=[{"name": "scale"}, {"name": "none"}])["breakpoints"]
        assert [one["verified"] for one in made] == [True, False]
        assert client.frames() == [("k", 12)]
        client.finish()


@pytest.mark.parametrize("how", ["disconnect", "terminate", "kill", "end of input"])
def test_the_client_may_go_at_any_moment(how, tmp_path):
    with Client(tmp_path, ENDLESS) as client:
        client.body("initialize")
        client.body("launch", args=["kernel.py", "--grid=1", "--arg", "n=1"])
        client.event("initialized")
        client.body("configurationDone")  # it runs, and does not end soon
        if how == "kill":
            client.process.terminate()
        elif how == "end of input":
            client.process.stdin.close()
        else:
            client.send(how)
        client.process.wait(timeout=60)


def test_a_program_that_runs_may_be_paused(tmp_path):
    with Client(tmp_path, ENDLESS) as client:
        client.body("initialize")
        client.body("launch", args=["kernel.py", "--grid=1", "--arg", "n=1"])
        client.event("initialized")
        client.body("configurationDone")
        client.body("pause", threadId=1)
        assert client.event("stopped")["reason"] == "pause"
        assert client.frames()[0][0] == "k"
        client.finish()
