"""Quick fixes: each is taken as an editor does, and what it was about is gone."""

import os
import pathlib

import pytest
from client import Client, everything

SERVER = str(pathlib.Path(os.environ["TEGULA_BUILD_DIR"]) / "bin" / "tegula-lsp")
URI = "file:///tmp/kernel.py"
IMPORTS = "import triton\nimport triton.language as tl\n"
KERNEL = IMPORTS + '''
# tegula: x_ptr=*fp32:16 h_ptr=*fp16:16 m_ptr=*i32:16 q_ptr=*u8:16 n=i32 BLOCK=128
@triton.jit
def kernel(x_ptr, h_ptr, m_ptr, q_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    h = tl.load(h_ptr + at)
    m = tl.load(m_ptr + at)
    square = tl.reshape(tl.join(h, h), (16, 16))
    BODY
'''


def kernel(body):
    return KERNEL.replace("BODY", body)


@pytest.fixture(scope="module")
def server():
    with Client(SERVER) as made:
        made.version = 0
        yield made


def show(server, text):
    """Shows a version of the document and returns what is said of it."""
    server.version += 1
    if server.version == 1:
        server.open(text)
    else:
        server.change(text, server.version)
    return server.diagnostics(server.version)


def offset(text, position):
    lines = text.split("\n")
    units = lines[position["line"]].encode("utf-16-le")[:2 * position["character"]].decode("utf-16-le")
    return sum(len(line) + 1 for line in lines[:position["line"]]) + len(units)


def taken(text, action):
    """The text with the edits of an action made, the last first."""
    [edits] = action["edit"]["changes"].values()
    for edit in sorted(edits, key=lambda one: offset(text, one["range"]["start"]), reverse=True):
        text = text[:offset(text, edit["range"]["start"])] + edit["newText"] + text[offset(text, edit["range"]["end"]):]
    return text


def changed(server, text, title):
    found = show(server, text)
    actions = {one["title"]: one for one in server.request("textDocument/codeAction", everything())}
    assert title in actions, (list(actions), found)
    return taken(text, actions[title]), actions[title]


# The line of a kernel, the title of the fix, the line behind it; certain fixes with a mark.
BODIES = {
    "name": ("y = tl.exp(squar)", "write `square`", "y = tl.exp(square)", True),
    "likely name": ("y = tl.exp(sqare2)", "write `square`", "y = tl.exp(square)", False),
    "attribute": ("y = tl.expp(x)", "write `exp`", "y = tl.exp(x)", False),
    "keyword": ("y = tl.load(x_ptr + at, maks=at < n)", "write `mask`", "y = tl.load(x_ptr + at, mask=at < n)", False),
    "word of the language": ("y = arange(0, BLOCK)", "write `tl.arange`", "y = tl.arange(0, BLOCK)", True),
    "type of the language": ("y = x.to(float16)", "write `tl.float16`", "y = x.to(tl.float16)", True),
    "method": ("y = m.float()", "write `to(tl.float32)`", "y = m.to(tl.float32)", True),
    "size": ("tl.static_print(x.size())", "write `shape`", "tl.static_print(x.shape)", True),
    "element of a pointer": ("y = x_ptr[at]", "read it by `tl.load`", "y = tl.load(x_ptr + at)", True),
    "element at a sum": ("y = x_ptr[at + n] * 2", "read it by `tl.load`", "y = tl.load(x_ptr + at + n) * 2", True),
    "element at a choice": ("y = x_ptr[at & 7]", "read it by `tl.load`", "y = tl.load(x_ptr + (at & 7))", True),
    "element at a call": ("y = x_ptr[tl.arange(0, BLOCK)]", "read it by `tl.load`", "y = tl.load(x_ptr + tl.arange(0, BLOCK))", True),
    "assigned element": ("x_ptr[at] = x + 1", "write it by `tl.store`", "tl.store(x_ptr + at, x + 1)", True),
    "mask": ("y = tl.load(x_ptr + at, mask=m)", "write `m != 0`", "y = tl.load(x_ptr + at, mask=m != 0)", False),
    "mask of a sum": ("y = tl.load(x_ptr + at, mask=m & 1)", "write `(m & 1) != 0`", "y = tl.load(x_ptr + at, mask=(m & 1) != 0)", False),
    "condition of where": ("y = tl.where(m, x, 0.0)", "write `m != 0`", "y = tl.where(m != 0, x, 0.0)", True),
    "argument of a function": ("y = tl.erf(h)", "write `h.to(tl.float32)`", "y = tl.erf(h.to(tl.float32))", True),
    "sum as an argument": ("y = tl.erf(x=h + h)", "write `(h + h).to(tl.float32)`", "y = tl.erf(x=(h + h).to(tl.float32))", True),
    "power": ("y = x ** x", "write `libdevice.pow(...)`", "y = libdevice.pow(x, x)", False),
    "product": ("y = square @ square", "write `tl.dot(...)`", "y = tl.dot(square, square)", False),
    "none": ("if n == None:\n        return", "write `is`", "if n is None:\n        return", True),
    "not none": ("if n != None:\n        return", "write `is not`", "if n is not None:\n        return", True),
    "type as a function": ("y = tl.float32(m)", "convert it with `tl.cast`", "y = tl.cast(m, tl.float32)", True),
    "int": ("y = int(x)", "convert it with `.to(tl.int32)`", "y = (x).to(tl.int32)", False),
    "float": ("y = float(m)", "convert it with `.to(tl.float32)`", "y = (m).to(tl.float32)", False),
    "offset": ("y = tl.load(x_ptr + n / 2)", "convert it with `.to(tl.int32)`", "y = tl.load(x_ptr + (n / 2).to(tl.int32))", False),
    "size of a range": ("y = tl.arange(0, 48)", "write `64`", "y = tl.arange(0, 64)", False),
    "size known at launch": ("y = tl.arange(0, n)", "declare `n` as `tl.constexpr`", None, False),
    "hints of a range": ("for i in range(0, 4, num_stages=2):\n        pass", "write `tl.range`",
                         "for i in tl.range(0, 4, num_stages=2):\n        pass", True),
    "types of a product": ("y = tl.dot(square, square.to(tl.float32))", "write `square.to(tl.float32).to(square.dtype)`",
                           "y = tl.dot(square, square.to(tl.float32).to(square.dtype))", False),
    "accumulator": ("y = tl.dot(square, square, acc=square, out_dtype=tl.float32)", "write `tl.float16`",
                    "y = tl.dot(square, square, acc=square, out_dtype=tl.float16)", False),
    "precision": ("y = tl.dot(square, square, input_precision='ieeee')", "write `ieee`", "y = tl.dot(square, square, input_precision='ieee')", True),
    "carried type": ("acc = h\n    for i in range(n):\n        acc = acc + x", "write `(acc + x).to(acc.dtype)`",
                     "acc = h\n    for i in range(n):\n        acc = (acc + x).to(acc.dtype)", False),
    "condition of one element": ("if tl.full((1,), n, tl.int32) > 0:\n        return", "write `(tl.full((1,), n, tl.int32) > 0).item()`",
                                 "if (tl.full((1,), n, tl.int32) > 0).item():\n        return", True),
    "block pointer": ("p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (64,), (0,))\n    y = tl.load(p, mask=at < n)", "write `boundary_check=(0,)`",
                      "p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (64,), (0,))\n    y = tl.load(p, boundary_check=(0,))", False),
    "colon": ("if n > 3\n        return", "add `:`", "if n > 3:\n        return", True),
    "comparison": ("if n = 3:\n        return", "write `==`", "if n == 3:\n        return", False),
    "old print": ("print n, 3", "write `print(...)`", "print(n, 3)", True),
    "blank": ("y = x +\u00a0x", "write a plain blank", "y = x + x", True),
    "quotes": ("tl.static_assert(True, \u201cé\U0001F600\u201d)", "write plain quotes", 'tl.static_assert(True, "é\U0001F600")', True),
    "brace": ('tl.static_print(f"}")', "write `}}`", 'tl.static_print(f"}}")', True),
    "octal": ("y = 017", "write `0o17`", "y = 0o17", False),
    "zeros": ("y = 017", "write `17`", "y = 17", False),
    "indentation": ("if n > 3:\n        return\n      return", "indent by 4", None, False),
}


@pytest.mark.parametrize("case", BODIES)
def test_a_fix_of_a_line(server, case):
    line, title, after, is_certain = BODIES[case]
    text, action = changed(server, kernel(line), title)
    if after is not None:
        wanted = kernel(after)
        if "libdevice" in after:
            wanted = "from triton.language.extra import libdevice\n" + wanted
        assert text == wanted
    if case not in ("likely name", "attribute", "keyword"):
        assert action["isPreferred"] == is_certain
    [about] = action["diagnostics"]
    assert about["message"] not in [one["message"] for one in show(server, text)], "the fix mends it"


def test_what_an_import_gives(server):
    text, action = changed(server, kernel("y = x").replace("import triton.language as tl\n", ""), "add `import triton.language as tl`")
    assert text == "import triton.language as tl\n" + kernel("y = x").replace("import triton.language as tl\n", "")
    assert action["isPreferred"] and show(server, text) == []
    text, _ = changed(server, '"""Doc."""\nfrom __future__ import annotations\n\n\n' + kernel("y = libdevice.sin(x)"),
                      "add `from triton.language.extra import libdevice`")
    assert text.startswith('"""Doc."""\nfrom __future__ import annotations\n\n\nfrom triton.language.extra import libdevice\nimport triton\n')
    assert show(server, text) == []


@pytest.mark.parametrize("line, title, after", [("y = math.exp(x)", "write `tl.exp`", "y = tl.exp(x)"), ("y = torch.exp(x)", "write `tl.exp`", "y = tl.exp(x)"),
                                                ("y = x.to(dtype=torch.half)", "write `tl.float16`", "y = x.to(dtype=tl.float16)"),
                                                ("y = torch.matmul(square, square)", "write `tl.dot`", "y = tl.dot(square, square)"),
                                                ("y = math.erfc(x)", "write `libdevice.erfc`", "y = libdevice.erfc(x)")])
def test_words_of_other_modules(server, line, title, after):
    head = "import math\nimport torch\n"
    text, action = changed(server, head + kernel(line), title)
    wanted = head + kernel(after)
    assert text == ("from triton.language.extra import libdevice\n" if "libdevice" in after else "") + wanted
    assert action["isPreferred"] and show(server, text) == []


def test_a_constant_of_the_file(server):
    text, _ = changed(server, "WIDTH = 3 + 4\n" + kernel("y = x * WIDTH"), "write `WIDTH = tl.constexpr(...)`")
    assert text.startswith("WIDTH = tl.constexpr(3 + 4)\n")


def test_functions_that_are_no_kernels(server):
    helper = "\n\ndef twice(v):\n    return v + v\n"
    text, _ = changed(server, kernel("y = twice(x)") + helper, "add `@triton.jit`")
    assert text == kernel("y = twice(x)") + helper.replace("def", "@triton.jit\ndef") and show(server, text) == []
    text, _ = changed(server, kernel("y = twice(3)") + helper, "add `@triton.constexpr_function`")
    assert show(server, text) == []


def test_arguments_by_their_own_names(server):
    helper = "\n\n@triton.jit\ndef scaled(v, n):\n    return v * n\n"
    text, _ = changed(server, kernel("y = scaled(x)") + helper, "add `n=n`")
    assert "y = scaled(x, n=n)" in text and show(server, text) == []


def test_launches_and_decorators(server):
    helper = "\n\n@triton.jit\ndef twice(v):\n    return v + v\n"
    text, _ = changed(server, kernel("y = twice[(1,)](x)") + helper, "call the function directly")
    assert "y = twice(x)" in text and show(server, text) == []
    order = kernel("y = x").replace("@triton.jit\n", '@triton.jit\n@triton.autotune([triton.Config({"BLOCK": 64})],\n                 key=[])\n')
    text, action = changed(server, order, "put it above `@triton.jit`")
    assert '@triton.autotune([triton.Config({"BLOCK": 64})],\n                 key=[])\n@triton.jit\ndef kernel(' in text
    assert action["isPreferred"] and show(server, text) == []
    text, _ = changed(server, order.replace("key=[]", "key=[], warmpu=3").replace("@triton.jit\n@", "@").replace("\ndef", "\n@triton.jit\ndef"),
                      "write `warmup`")
    assert "warmup=3" in text
    text, _ = changed(server, order.replace('"BLOCK"', '"BLOK"').replace("@triton.jit\n@", "@").replace("\ndef", "\n@triton.jit\ndef"), "write `BLOCK`")
    assert '"BLOCK": 64' in text


def test_the_comment_that_says_what_is_guessed(server):
    text = IMPORTS + "@triton.jit\ndef kernel(x, BLOCK: tl.constexpr):\n    tl.static_assert(BLOCK == 48)\n    tl.store(x + tl.arange(0, BLOCK), 1)\n"
    after, action = changed(server, text, "say what the kernel is checked for")
    assert after == text.replace("@triton.jit", "# tegula: x=*i32:16 BLOCK=1024\n@triton.jit") or "# tegula: x=" in after
    assert not action["isPreferred"] and [one["severity"] for one in show(server, after)] == [1], "what was a warning is an error"


def test_fixes_of_libraries_and_other_files_are_not_offered(server, tmp_path):
    show(server, kernel("y = tl.softmax(m_ptr)"))
    assert server.request("textDocument/codeAction", everything()) == []
    (tmp_path / "helpers.py").write_text(IMPORTS + "@triton.jit\ndef scaled(v):\n    return math.exp(v)\n")
    uri = (tmp_path / "kernel.py").as_uri()
    server.open("from helpers import scaled\n" + kernel("y = scaled(x)"), uri=uri)
    assert server.diagnostics(uri=uri)
    assert server.request("textDocument/codeAction", everything(uri)) == []
