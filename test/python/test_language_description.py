"""`compiler/frontend/language.py`: what it makes of a description, and what it refuses."""

import ast
import pathlib
import subprocess
import sys

import pytest

LANGUAGE = pathlib.Path(__file__).resolve().parents[2] / "compiler" / "frontend" / "language.py"


def table_of(tmp_path, text):
    description, out = tmp_path / "Some.pyi", tmp_path / "Some.inc"
    description.write_text(text)
    done = subprocess.run([sys.executable, LANGUAGE, "table", description, out], capture_output=True, text=True)
    return done.stderr.replace(f"{description}:", "") or out.read_text()


def test_a_row_has_its_places_its_parameters_and_its_handler(tmp_path):
    table = table_of(tmp_path, """
found_in("tl.math", "tensor", section="Mathematics")

@takes_unknown
def make_it(x, *rest, y: int = 1, z, _semantic=None, **more) -> tensor: ...

@handler("other")
def int(): ...

def Class(): ...
def xor(): ...
""")
    assert '{.name = "x"}, {.name = "rest", .required = false, .rest = true}, ' in table
    assert '{.name = "y", .required = false, .keywordOnly = true}, {.name = "z", .keywordOnly = true}, ' in table
    assert '{.name = "more", .required = false, .keywords = true}};' in table and "_semantic" not in table
    assert '{"make_it", InLanguage | InMath | OnTensor, parameters0, handlerOf<makeIt>, true, "tl."},' in table
    assert '{"int", InLanguage | InMath | OnTensor, {}, handlerOf<other>, false, "tl."},' in table
    assert ", handlerOf<class_>, " in table and ", handlerOf<xor_>, " in table


def test_a_function_that_rounds_each_way_is_a_row_each(tmp_path):
    table = table_of(tmp_path, """
found_in("tl.extra.libdevice", rounded=["rz", "ru"])

def add(x: Value, y: Value) -> tensor: "The sum"
""")
    assert '{"add_rz", InLibdevice, parameters0, handlerOf<add>, false, "libdevice."},' in table
    assert '{"add_ru", InLibdevice, parameters1, handlerOf<add>, false, "libdevice."},' in table
    assert "add_rn" not in table


def test_python_sees_what_says_a_type(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "some.py.in").write_text('class Base:\n    found_in("tensor")\n\n\nfound_in("tl.math")\n')
    subprocess.run([sys.executable, LANGUAGE, "stubs", tmp_path / "in", tmp_path], check=True)
    made = ast.parse((tmp_path / "some.py").read_text())
    methods = {node.name: node for node in made.body[0].body}
    functions = {node.name: node for node in made.body if isinstance(node, ast.FunctionDef)}
    assert ast.unparse(methods["sqrt"].args) == "self" and ast.get_docstring(methods["sqrt"]) == "As `tl.sqrt`."
    assert ast.unparse(functions["fma"].args) == "x: Value, y: Value, z: Value"
    assert ast.get_docstring(functions["fma"]) == "`x * y + z`, rounded once."
    assert "__add__" in methods and "__rlt__" not in methods and "fma" not in methods and "load" not in functions
    assert ast.literal_eval(made.body[-1].value) == list(functions)


@pytest.mark.parametrize("text, error", [
    ("found_in('tl.maths')\n\ndef f(): ...", "3: error: `f`: unknown place `tl.maths`"),
    ("found_in('python')\n\n@diffrs('so')\ndef f(): ...", "4: error: `f`: unknown fact `diffrs`"),
    ("found_in('tl')\n\ndef f() -> None: ...",
     "3: error: `f`: expected a section of `LANGUAGE.md`: `found_in(..., section=...)`"),
])
def test_what_nobody_would_read_is_refused(tmp_path, text, error):
    assert table_of(tmp_path, text).strip() == error
