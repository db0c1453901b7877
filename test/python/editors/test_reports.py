"""Kernels that were compiled in the background, in editors: layouts, costs, resources, missed optimisations."""

import os
import pathlib
import subprocess
import time

import pytest
from client import Client, everything, uri_of

BIN = pathlib.Path(os.environ["TEGULA_BUILD_DIR"]) / "bin"
SERVER = str(BIN / "tegula-lsp")
KERNELS = pathlib.Path(__file__).resolve().parents[3] / "kernels"
URI = "file:///tmp/kernel.py"
HEAD = "import triton\nimport triton.language as tl\n\n"
STRIDED = HEAD + '''
# tegula: x_ptr=*fp32:16 y_ptr=*fp32:16 stride=i32 n=i32 BLOCK=256
@triton.jit
def strided(x_ptr, y_ptr, stride, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    mask = at < n
    apart = x_ptr + at * stride
    x = tl.load(apart, mask=mask)
    tl.store(y_ptr + at, x + 1, mask=mask)
'''
LOOP = HEAD + '''
# tegula: a_ptr=*fp16:16 c_ptr=*fp32:16 K=i32:16 num_warps=4
@triton.jit
def product(a_ptr, c_ptr, K):
    rows, columns = tl.arange(0, 64)[:, None], tl.arange(0, 64)[None, :]
    acc = tl.zeros((64, 64), tl.float32)
    for k in range(0, K, 64):
        a = tl.load(a_ptr + rows * 64 + columns + k)
        acc = tl.dot(a, a, acc)
    tl.store(c_ptr + rows * 64 + columns, acc)
'''


@pytest.fixture
def server():
    with Client(SERVER) as made:
        yield made


def reports(server, version=1, uri=URI):
    """The diagnostics of a version once its kernels are compiled: the second that are published for it."""
    server.diagnostics(version, uri)
    return server.diagnostics(version, uri)


def hover(server, text, needle, skip=0, uri=URI):
    found = server.at("hover", text, needle, uri=uri, skip=skip)
    return found["contents"]["value"] if found else ""


def lenses(server, uri=URI):
    return [(lens["range"]["start"]["line"] + 1, lens["command"]["title"])
            for lens in server.request("textDocument/codeLens", {"textDocument": {"uri": uri}}) if not lens["command"]["command"]]


def test_hover_shows_layouts_facts_and_costs(server):
    server.open(STRIDED)
    server.diagnostics()
    assert "layout" not in hover(server, STRIDED, "x = tl.load"), "nothing is compiled for a request"
    server.diagnostics()
    text = hover(server, STRIDED, "x = tl.load")
    assert "x: fp32[256]" in text and "layout `{register = [" in text and "} : [256]`, 2 registers a thread" in text
    assert "line 11 in `strided`: loads 1024 bytes each time; 4 bytes a thread an access; " in text
    assert "machine instruction" in text or "of PTX" in text
    text = hover(server, STRIDED, "at = tl.arange")
    assert "neighbours in a row 256" in text
    text = hover(server, STRIDED, "apart = ")
    assert "apart: pointer<fp32>[256]" in text and "no wider accesses because `stride` is not known to be 1 (line 7); change: " in text


def test_missed_optimisations_are_hints(server):
    server.open(STRIDED)
    hints = reports(server)
    assert hints and all(one["severity"] == 4 for one in hints)
    [load] = [one for one in hints if one["message"].startswith("load: ")]
    assert load["range"]["start"]["line"] == 10
    assert "\nbecause " in load["message"] and "\nchange: " in load["message"] and "under the guess" not in load["message"]
    [cause] = load["relatedInformation"]
    assert "`stride`" in cause["message"] and cause["location"] == {"uri": URI, "range": cause["location"]["range"]}
    assert cause["location"]["range"]["start"]["line"] == 6
    assert server.request("textDocument/codeAction", everything()) == []


def test_hints_under_a_guess_say_so(server):
    text = STRIDED.replace("# tegula: x_ptr=*fp32:16 y_ptr=*fp32:16 stride=i32 n=i32 BLOCK=256\n", "")
    server.open(text)
    hints = reports(server)
    assert hints and all("\nunder the guess `x_ptr=*fp32:16`, " in one["message"] for one in hints)
    assert "under a guess" in hover(server, text, "x = tl.load")
    assert any("(under a guess)" in title for _, title in lenses(server))


def test_what_is_known_stays_in_lines_that_are_as_they_were(server):
    server.open(STRIDED)
    before = reports(server)
    text = STRIDED.replace("\n\n# tegula", "\n\n\n\n\n# tegula")
    server.change(text, 2)
    after = server.diagnostics(2)
    assert [(one["message"], one["range"]["start"]["line"] + 3) for one in before] == [(one["message"], one["range"]["start"]["line"]) for one in after]
    assert "layout `" in hover(server, text, "x = tl.load")
    text = text.replace("    x = tl.load(apart, mask=mask)\n", "    x = tl.load(y_ptr + at, mask=mask)\n")
    server.change(text, 3)
    assert not [one for one in server.diagnostics(3) if one["message"].startswith("load: ") and "`stride`" in str(one)]


def test_lenses_show_resources_and_iterations_in_flight(server):
    server.open(LOOP)
    reports(server)
    assert lenses(server)[0][1].startswith("sm_90a; comment in line 5: ")
    shown = dict(lenses(server)[1:])
    assert shown[7].startswith("4 warps · ") and " bytes of shared memory · " in shown[7] and " a multiprocessor, limited by " in shown[7]
    assert shown[10] == "3 iterations in flight, 24576 bytes of shared memory"
    text = LOOP.replace("K=i32:16 num_warps=4", "K=i32:16 num_warps=4 num_stages=1")
    server.change(text, 2)
    reports(server, 2)
    assert dict(lenses(server)[1:])[10].startswith("not pipelined: ")


def test_only_kernels_without_errors_are_compiled(server):
    text = LOOP + STRIDED.replace(HEAD, "").replace("at < n", "at < m")
    server.open(text)
    told = reports(server)
    assert [one["message"].split("\n")[0] for one in told if one["severity"] == 1] == ["name `m` is not defined"]
    assert len([line for line, title in lenses(server) if "warps · " in title]) == 1
    server.change("(" + text, 2)
    server.diagnostics(2)
    assert "error" not in server.reply(server.begin("textDocument/codeLens", {"textDocument": {"uri": URI}}))


def test_typing_ends_what_is_compiled(server):
    path = KERNELS / "matmul.py"
    text, uri, took = path.read_text(), uri_of(path), []
    server.open(text, uri=uri)
    server.diagnostics(1, uri)
    for version in range(2, 30):
        time.sleep(0.16 if version % 2 else 0.02)  # now and then a compilation has begun
        began = time.monotonic()
        server.change(text + f"\n# {version}\n", version, uri=uri)
        server.diagnostics(version, uri)
        took.append(time.monotonic() - began)
    told = [message["params"]["version"] for message in server.published if message["method"] == "textDocument/publishDiagnostics"]
    assert told == sorted(told), "an older version is never told behind a newer one"
    took.sort()
    assert took[len(took) // 2] < 1


def test_editors_are_told_that_lenses_have_changed():
    with Client(SERVER, initialize=False) as server:
        server.request("initialize", {"capabilities": {"workspace": {"codeLens": {"refreshSupport": True}}}})
        server.notify("initialized", {})
        server.open(LOOP)
        reports(server)
        while not (asked := [one for one in server.published if one["method"] == "workspace/codeLens/refresh"]):
            server.step()
        server.send(id=asked[0]["id"], result=None)
        assert len(lenses(server)) == 3


def test_it_ends_while_it_compiles():
    for wait in 0, 0.16, 0.2, 0.3:
        with Client(SERVER) as server:
            server.open((KERNELS / "matmul.py").read_text())
            server.diagnostics()
            time.sleep(wait)
            server.request("shutdown", {})
            server.notify("exit", {})
            assert server.process.wait(30) == 0


def test_recorded_launches_say_what_a_kernel_is_checked_for(tmp_path):
    source, record = tmp_path / "strided.py", tmp_path / "record.jsonl"
    text = STRIDED.replace("# tegula: x_ptr=*fp32:16 y_ptr=*fp32:16 stride=i32 n=i32 BLOCK=256\n", "")
    source.write_text(text)
    uri = uri_of(source)
    with Client(SERVER, initialize=False) as server:
        server.request("initialize", {"capabilities": {}, "initializationOptions": {"record": str(record)}})
        server.notify("initialized", {})
        server.open(text, uri=uri)
        server.diagnostics(1, uri)
        assert "guessed: " in lenses(server, uri)[0][1], "the file is not there yet"
        for block in 64, 128:
            subprocess.run([BIN / "tegula", "run", source, "--device=emulator", "--grid=1", "-D", f"BLOCK={block}", "--arg", "x_ptr=randn:fp16[2048]",
                            "--arg", "y_ptr=zeros:fp32[128]", "--arg", "stride=16", "--arg", "n=100"], check=True, env={**os.environ, "TEGULA_RECORD": str(record)})
        server.change(text + "\n", 2, uri=uri)
        server.diagnostics(2, uri)
        assert lenses(server, uri)[0][1] == "sm_90a; recorded launch: x_ptr=*fp16:16 y_ptr=*fp32:16 stride=i32:16+ n=i32+ BLOCK=128", "the last one counts"
        # A comment counts more, and what the kernel no longer has is passed over.
        server.change(text.replace("@triton.jit", "# tegula: n=i64\n@triton.jit").replace("stride, n", "step, n").replace("* stride", "* step"), 3, uri=uri)
        server.diagnostics(3, uri)
        title = lenses(server, uri)[0][1]
        assert "comment in line 5: n=i64" in title and "recorded launch: x_ptr=*fp16:16 y_ptr=*fp32:16 BLOCK=128" in title and "guessed: step=" in title
        record.write_text("{not json\n" + record.read_text()[:400])
        server.change(text, 4, uri=uri)
        server.diagnostics(4, uri)
        assert "guessed: " in lenses(server, uri)[0][1]
