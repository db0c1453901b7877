"""The language server in a real editor: Neovim without a window, with the configuration that EDITORS.md shows."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ["TEGULA_BUILD_DIR"])
NVIM = shutil.which("nvim")

pytestmark = pytest.mark.skipif(not NVIM, reason="Neovim is not installed")

TEXT = """import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(x_ptr + offsets, vlaue)
"""

#: What a user would do by hand: wait for the message, look at a type, go to a definition, apply the fix.
SCRIPT = """
local out = {}
local function wait(condition) assert(vim.wait(20000, condition, 20), 'waited for too long') end
wait(function() return #vim.diagnostic.get(0) > 0 end)
for _, one in ipairs(vim.diagnostic.get(0)) do table.insert(out, {one.lnum, one.col, one.message}) end
local function ask(method, line, character, more)
  local params = {textDocument = vim.lsp.util.make_text_document_params(), position = {line = line, character = character}}
  local answers = vim.lsp.buf_request_sync(0, method, vim.tbl_extend('force', params, more or {}), 20000)
  for _, answer in pairs(answers) do return answer.result end
end
local definition = ask('textDocument/definition', 7, 20)
local range = {start = {line = 8, character = 0}, ['end'] = {line = 8, character = 0}}
local actions = ask('textDocument/codeAction', 8, 30, {range = range, context = {diagnostics = {}}})
local client = vim.lsp.buf_get_clients(0)[next(vim.lsp.buf_get_clients(0))]
vim.lsp.util.apply_workspace_edit(actions[1].edit, client.offset_encoding)
wait(function() return #vim.diagnostic.get(0) == 0 end)
local hover = ask('textDocument/hover', 6, 5)
local line = vim.api.nvim_buf_get_lines(0, 8, 9, true)[1]
vim.fn.writefile({vim.fn.json_encode({diagnostics = out, hover = hover, definition = definition, line = line})}, RESULT)
vim.cmd('qa!')
"""


def configuration():
    """The lines of Lua that the page shows."""
    page = (ROOT / "tools" / "tegula" / "EDITORS.md").read_text()
    return page.split("```lua\n")[1].split("```")[0]


def test_neovim_shows_what_is_wrong_and_mends_it(tmp_path):
    kernel, result = tmp_path / "kernel.py", tmp_path / "result.json"
    kernel.write_text(TEXT)
    (tmp_path / "init.lua").write_text(configuration())
    (tmp_path / "try.lua").write_text(f"local RESULT = {json.dumps(str(result))}\n" + SCRIPT)
    environment = {**os.environ, "PATH": f"{BUILD / 'bin'}:{os.environ['PATH']}", "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path),
                   "XDG_STATE_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run([NVIM, "--headless", "-u", str(tmp_path / "init.lua"), "-i", "NONE", str(kernel), "-c",
                           f"luafile {tmp_path / 'try.lua'}", "-c", "cquit"],
                          capture_output=True, text=True, timeout=120, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(result.read_text())
    [[line, column, message]] = found["diagnostics"]
    assert (line, column) == (8, 30) and message == "name `vlaue` is not defined\nhelp: did you mean `value`?"
    assert "offsets: int32[1024]" in found["hover"]["contents"]["value"]
    assert found["definition"]["range"]["start"] == {"line": 5, "character": 11}
    assert found["line"] == "    tl.store(x_ptr + offsets, value)"
