"""The commands on the `def` of a kernel, Explain and Debug, as an editor carries them out."""

import os
import pathlib
import subprocess
import time

import pytest
from client import Client, everything, uri_of

BIN = pathlib.Path(os.environ["TEGULA_BUILD_DIR"]) / "bin"
SERVER = str(BIN / "tegula-lsp")
KERNELS = sorted((pathlib.Path(__file__).resolve().parents[3] / "kernels").glob("*.py"))

HEAD = "import triton\nimport triton.language as tl\n\n\n"
BODY = '''
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(x_ptr + offsets, value * 2.0, mask=offsets < n)
'''
PLAIN = HEAD + "@triton.jit\ndef scale(x_ptr, n, BLOCK: tl.constexpr):" + BODY
DOCUMENTED = HEAD + '''@triton.jit
def scale(x_ptr, n, BLOCK: tl.constexpr):
    """Doubles.

        tegula run scale.py --grid=2 --arg x_ptr=arange:fp32[100] --arg n=100 -D BLOCK=64 --num-warps=2 --print x_ptr
    """''' + BODY


def begin(**more):
    """A server whose editor has the capabilities in `more`."""
    server = Client(SERVER, initialize=False)
    server.capabilities = server.request("initialize", more or {"capabilities": {}})["capabilities"]
    server.notify("initialized", {})
    return server


@pytest.fixture
def server():
    with begin() as made:
        yield made


def saved(server, folder, text, name="scale.py"):
    """Opens a file with `text` and returns its URI."""
    path = folder / name
    path.write_text(text)
    server.open(text, uri=uri_of(path))
    server.diagnostics(1, uri_of(path))
    return uri_of(path)


def execute(server, command, uri, kernel="scale"):
    """The answer to a command, an error or not."""
    return server.reply(server.begin("workspace/executeCommand", {"command": command, "arguments": [{"uri": uri, "kernel": kernel}]}))


def done(server, *words, **more):
    answer = execute(server, *words, **more)
    assert "error" not in answer, answer
    return answer["result"]


def said(server, method):
    """The next message of a method, waited for."""
    while not (found := [one for one in server.published if one["method"] == method]):
        server.step()
    server.published.remove(found[0])
    return found[0]["params"]


def debugged(configuration, *commands):
    """What the debugger says at `commands` of a launch with the configuration."""
    words = [word for one in commands for word in ("--command", one)]
    ran = subprocess.run([BIN / "tegula", "debug", *configuration["args"], *words], cwd=configuration["cwd"], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_lenses_name_the_commands_that_the_server_has(server, tmp_path):
    uri = saved(server, tmp_path, PLAIN)
    lenses = [one["command"] for one in server.request("textDocument/codeLens", everything(uri)) if one["command"]["command"]]
    assert [one["title"] for one in lenses] == ["Explain", "Debug"]
    assert [one["command"] for one in lenses] == server.capabilities["executeCommandProvider"]["commands"]
    assert all(one["arguments"] == [{"uri": uri, "kernel": "scale"}] for one in lenses)


def test_a_page_counts_the_launch_that_a_docstring_says(tmp_path):
    with begin(capabilities={"window": {"showDocument": {"support": True}}}) as server:
        page = pathlib.Path(done(server, "tegula.explain", saved(server, tmp_path, DOCUMENTED))["page"])
        assert page.name == "scale-scale.html" and page.read_text().startswith("<!")
        assert said(server, "window/showDocument") == {"uri": page.as_uri(), "external": True}
        # The same words on a command line make the same page.
        subprocess.run([BIN / "tegula", "explain", tmp_path / "scale.py", "-k", "scale", f"--html={tmp_path / 'same.html'}"], check=True, capture_output=True)
        assert abs(len((tmp_path / "same.html").read_bytes()) - len(page.read_bytes())) < 200, "but for what says which options it was made with"
        server.request("shutdown", {})
        server.notify("exit", {})
        assert server.process.wait(30) == 0
        assert not page.exists(), "pages go with the server"


def test_an_editor_that_shows_nothing_is_told_where_the_page_is(server, tmp_path):
    page = done(server, "tegula.explain", saved(server, tmp_path, PLAIN))["page"]
    assert said(server, "window/showMessage") == {"type": 3, "message": f"`scale` is explained in {page}"}


def test_what_is_not_saved_is_explained_with_its_imports(server, tmp_path):
    (tmp_path / "sizes.py").write_text("import triton.language as tl\nFACTOR = tl.constexpr(3)\n")
    text = PLAIN.replace("\n\n\n", "\nfrom sizes import FACTOR\n\n\n", 1)
    uri = saved(server, tmp_path, text)
    server.change(text.replace("value * 2.0", "value * FACTOR"), 2, uri)
    server.diagnostics(2, uri)
    assert pathlib.Path(done(server, "tegula.explain", uri)["page"]).is_file()
    server.change(text.replace("value * 2.0", "value * 'no'"), 3, uri)
    wrong = execute(server, "tegula.explain", uri)["error"]["message"]
    assert "<stdin>:10" in wrong and "error: " in wrong


def test_debug_takes_the_launch_of_a_docstring(tmp_path):
    with begin(capabilities={}, initializationOptions={"debugger": True}) as server:
        configuration = done(server, "tegula.debug", saved(server, tmp_path, DOCUMENTED))
        assert configuration == {"type": "tegula", "request": "launch", "name": "scale", "cwd": str(tmp_path), "guessed": [],
                                 "args": ["scale.py", "-k", "scale", "--grid=2", "--arg=x_ptr=arange:fp32[100]", "--arg=n=100", "-D", "BLOCK=64", "--num-warps=2"]}
        assert not [one for one in server.published if one["method"] == "window/showMessage"]
    assert "1 of its programs" not in (out := debugged(configuration, "continue", "print x_ptr[99]")) and "198" in out


def test_debug_makes_arguments_up_and_says_so(server, tmp_path):
    configuration = done(server, "tegula.debug", saved(server, tmp_path, PLAIN))
    assert configuration["guessed"] == ["x_ptr", "n", "BLOCK"]
    line = said(server, "window/showMessage")["message"]
    assert line == "tegula debug " + " ".join(f"'{word}'" if "[" in word else word for word in configuration["args"])
    assert "64" in debugged(configuration, "next", "next", "print n")


def test_what_is_made_up_is_of_the_types_that_a_comment_says(server, tmp_path):
    text = PLAIN.replace("@triton.jit", "# tegula: x_ptr=*fp16:16 n=i64 BLOCK=32 num_warps=1 grid=3\n@triton.jit")
    configuration = done(server, "tegula.debug", saved(server, tmp_path, text))
    assert configuration["args"] == ["scale.py", "-k", "scale", "--grid=3", "--arg=x_ptr=randn:fp16[1048576]", "--arg=n=64:i64", "-D", "BLOCK=32", "--num-warps=1"]
    assert configuration["guessed"] == ["x_ptr", "n"], "their sizes, not their types"


def test_what_cannot_be_made_up_is_said(server, tmp_path):
    text = HEAD + "# tegula: x=**fp32:16\n@triton.jit\ndef first(x):\n    tl.store(tl.load(x).to(tl.pointer_type(tl.float32)), 1.0)\n"
    wrong = execute(server, "tegula.debug", saved(server, tmp_path, text), kernel="first")["error"]["message"]
    assert wrong == "cannot make up an argument for `x`: an array of addresses; a line `tegula run` in a docstring says what `first` is launched with"
    server.open(PLAIN, uri="untitled:one.py")
    wrong = execute(server, "tegula.debug", "untitled:one.py")["error"]["message"]
    assert wrong == "`untitled:one.py` is no file: it can be debugged when it is saved"


@pytest.mark.parametrize("command, arguments, code, message", [
    ("tegula.fly", [{"uri": "file:///a.py", "kernel": "k"}], -32602, "no command `tegula.fly`"),
    ("tegula.debug", [], -32602, "expected an argument with the `uri` of a document and the name of a `kernel`"),
    ("tegula.debug", ["k"], -32602, "expected an argument with the `uri` of a document and the name of a `kernel`"),
    ("tegula.explain", [{"uri": "file:///a.py", "kernel": "k"}], -32803,
     "no kernel `k` in `file:///a.py`: the file is not open, or its text has an error"),
])
def test_commands_that_are_none(server, command, arguments, code, message):
    error = server.reply(server.begin("workspace/executeCommand", {"command": command, "arguments": arguments}))["error"]
    assert (error["code"], error["message"]) == (code, message)


def test_it_ends_while_a_page_is_made(server, tmp_path):
    text = DOCUMENTED.replace("fp32[100]", "fp32[67108864]").replace("n=100", "n=67108864").replace("--grid=2", "--grid=1048576")
    uri = saved(server, tmp_path, text)
    server.begin("workspace/executeCommand", {"command": "tegula.explain", "arguments": [{"uri": uri, "kernel": "scale"}]})
    server.request("textDocument/codeLens", everything(uri))  # others are answered meanwhile
    server.request("shutdown", {})
    server.notify("exit", {})
    began = time.monotonic()
    assert server.process.wait(30) == 0
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda path: path.stem)
def test_bundled_kernels_without_their_docstrings_are_launched(server, tmp_path, kernel):
    """The words that are made up are words that the debugger takes, whatever a kernel's parameters are."""
    path = tmp_path / kernel.name
    text = kernel.read_text().replace("tegula run", "tegula-run").replace("tegula compile", "tegula-compile")
    path.write_text(text)
    server.open(text, uri=(uri := uri_of(path)))
    wrong = [one["message"] for one in server.diagnostics(1, uri)]
    assert all("under the guess" in one for one in wrong)
    names = {one["command"]["arguments"][0]["kernel"] for one in server.request("textDocument/codeLens", everything(uri)) if one["command"]["command"] == "tegula.debug"}
    assert names
    for name in sorted(names):
        configuration = done(server, "tegula.debug", uri, kernel=name)
        assert wrong or f"{kernel.name}:" in debugged(configuration, "next", "where")
