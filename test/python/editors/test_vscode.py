"""The extension in Visual Studio Code itself, that is code-server in a browser, as a user meets it.

Runs where TEGULA_CODE_SERVER names code-server's executable, and packages the extension by npm. tools/vscode/README.md says how.
"""

import os
import pathlib
import shutil

import pytest

if not os.environ.get("TEGULA_CODE_SERVER"):
    pytest.skip("TEGULA_CODE_SERVER names no code-server", allow_module_level=True)
pytest.importorskip("selenium")
for program in ("chromium", "chromedriver", "npm"):
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed", allow_module_level=True)

from vscode import Editor, Keys, package  # noqa: E402: it needs selenium

BIN = pathlib.Path(os.environ["TEGULA_BUILD_DIR"]) / "bin"

WRONG = """import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(x_ptr + offsets, vlaue)
"""

#: A launch is in the docstring of the first kernel; of the second one it is made up.
SCALE = '''import triton
import triton.language as tl


@triton.jit
def scale(x, out, rows, B: tl.constexpr):
    """Scales rows by their numbers.

        tegula run scale.py -k scale --grid=2 --arg x=arange:fp32[4,16] --arg out=zeros:fp32[4,16] --arg rows=4 -D B=16
    """
    row = tl.program_id(0) * 2 + tl.arange(0, 2)
    at = row[:, None] * B + tl.arange(0, B)[None, :]
    value = tl.load(x + at, mask=row[:, None] < rows)
    scaled = value * row[:, None]
    tl.store(out + at, scaled, mask=row[:, None] < rows)


@triton.jit
def double(p, n, B: tl.constexpr):
    at = tl.arange(0, B)
    twice = 2 * tl.load(p + at, mask=at < n)
    tl.store(p + at, twice, mask=at < n)
'''


@pytest.fixture(scope="module")
def extension(tmp_path_factory):
    return package(tmp_path_factory.mktemp("package"))


@pytest.fixture(scope="module")
def editor(extension, tmp_path_factory):
    folder = tmp_path_factory.mktemp("work")
    (folder / "wrong.py").write_text(WRONG)
    (folder / "scale.py").write_text(SCALE)
    made = Editor(os.environ["TEGULA_CODE_SERVER"], extension, folder, tmp_path_factory.mktemp("data"),
                  {"tegula.server": str(BIN / "tegula-lsp"), "workbench.colorTheme": "Default Light Modern"})
    yield made
    made.close()


def stopped(editor, line):
    """Waits until the debugger stands at a line."""
    editor.wait(".debug-call-stack .monaco-list-row", f"{line}:")
    editor.wait(".debug-top-stack-frame-line, .debug-top-stack-frame-column")


def ended(editor):
    """Waits until nothing is debugged."""
    editor.until(lambda: not any(one.is_displayed() for one in editor.find(".debug-toolbar")), "the session ends")


def test_an_error_is_shown_and_mended(editor):
    editor.open("wrong.py", 9)
    editor.wait(".squiggly-error")
    editor.press(Keys.F8)
    editor.wait(".marker-widget", "name `vlaue` is not defined")
    editor.press(Keys.ESCAPE)
    editor.press(Keys.CONTROL, ".")
    editor.wait(".action-widget .monaco-list-row.focused", "write `value`")
    editor.press(Keys.ENTER)
    editor.wait(".view-line", "tl.store(x_ptr + offsets, value)")
    editor.until(lambda: not editor.find(".squiggly-error"), "the error is gone")


def test_explain_shows_the_page_in_the_colours_of_the_editor(editor):
    editor.open("scale.py", 12)
    editor.wait(".codelens-decoration", "command in line 9")
    editor.click(".codelens-decoration a", "Explain")

    def colours():
        with editor.webview("html[data-shown]"):
            editor.wait("h1", "scale")
            assert len(editor.find("[role=tab]")) >= 6
            return editor.driver.execute_script("const s = getComputedStyle(document.body); return [s.backgroundColor, s.padding]")

    assert colours() == ["rgb(250, 249, 247)", "0px"]
    editor.command("Preferences: Toggle between Light/Dark Themes")
    editor.until(lambda: colours() == ["rgb(23, 24, 27)", "0px"], "the page is dark")
    editor.command("Preferences: Toggle between Light/Dark Themes")
    editor.until(lambda: colours() == ["rgb(250, 249, 247)", "0px"], "the page is light")
    editor.click(".tab", "scale.py")
    editor.command("Tegula: Explain the kernel")
    editor.until(lambda: editor.find(".tab.active", "Explain scale"), "the page is in front again")
    assert len(editor.find(".tab", "Explain scale")) == 1, "a kernel has one panel"


def test_debug_stops_at_a_breakpoint_and_draws_a_tile(editor):
    editor.click(".tab", "scale.py")
    editor.at(14)
    editor.press(Keys.F9)
    editor.click(".codelens-decoration a", "Debug")
    stopped(editor, 14)
    editor.wait(".debug-variables .monaco-list-row", "value")
    editor.press(Keys.F10)
    stopped(editor, 15)
    editor.menu(editor.wait(".debug-variables .monaco-list-row", "scaled"), "Show as a heatmap")
    with editor.webview("canvas[aria-label*=scaled]"):
        editor.find("canvas")[0].click()
        editor.press(Keys.HOME)
        editor.press(Keys.ARROW_DOWN)
        editor.wait("#element", "scaled[1, 0] = 16")
        editor.press(Keys.END)
        editor.wait("#element", "scaled[1, 15] = 31")
        assert len(editor.find("table tr")) == 3
    editor.command("Debug: Continue")
    stopped(editor, 14)
    editor.command("Debug: Step Over")
    with editor.webview("canvas[aria-label*=scaled]"):
        editor.wait("#element", "scaled[1, 15] = 189")
    editor.press(Keys.SHIFT, Keys.F5)
    ended(editor)


def test_f5_asks_for_what_is_guessed(editor):
    editor.click(".tab", "scale.py")
    editor.at(22)
    editor.press(Keys.F9)
    editor.press(Keys.F5)
    editor.wait(".quick-input-widget", "Guessed: p, n, B")
    box = editor.wait(".quick-input-box input")
    assert "-k double" in box.get_property("value")
    editor.type("arange:fp32[64]")
    assert "p=arange:fp32[64] " in box.get_property("value")
    editor.press(Keys.ENTER)
    stopped(editor, 22)
    editor.wait(".debug-variables .monaco-list-row", "twice")
    editor.press(Keys.F5)
    editor.wait(".repl", "all programs have ended")
    editor.press(Keys.F5)
    ended(editor)
