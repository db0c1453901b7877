"""Errors: Triton's types and texts, our diagnostics, and that they travel."""

import copy
import pickle

import pytest

import tegula as triton
from tegula.compiler.errors import CompilationError, CompileTimeAssertionFailure, UnsupportedLanguageConstruct
from tegula.runtime.errors import AutotunerError, DeviceError, InterpreterError, KernelFault, OutOfResources, PTXASError
from tegula.runtime.program.error_chain import from_native

NOTE = (0, "declared here", "k.py", 2, 1, 4, "x = 1", "", ())
ERROR = (2, "no such name", "k.py", 7, 5, 9, "    abcd", "did you mean `abc`?", (NOTE,))


def test_out_of_resources():
    error = OutOfResources(300000, 232448, "shared memory")
    assert str(error).startswith("out of resource: shared memory, Required: 300000, Hardware limit: 232448")
    for twin in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert (twin.required, twin.limit, twin.name) == (300000, 232448, "shared memory") and str(twin) == str(error)


@pytest.mark.parametrize("kind, text", [(PTXASError, "PTXAS error: no"), (InterpreterError, "no")])
def test_texts(kind, text):
    error = pickle.loads(pickle.dumps(kind("no")))
    assert str(error) == text and error.error_message == "no"


def test_all_are_triton_s():
    for kind in (OutOfResources, PTXASError, InterpreterError, AutotunerError, CompilationError, KernelFault):
        assert issubclass(kind, triton.TritonError)
    assert triton.OutOfResources is OutOfResources and triton.CompilationError is CompilationError
    assert issubclass(UnsupportedLanguageConstruct, CompilationError)


def test_a_compilation_error_carries_the_diagnostics():
    error = from_native(2, "k.py:7:5: error: no such name", [ERROR], None)
    assert type(error) is CompilationError and str(error) == "k.py:7:5: error: no such name"
    found = error.diagnostics[0]
    assert (found.severity, found.message, found.file, found.line, found.column) == ("error", "no such name", "k.py", 7, 5)
    assert found.help == "did you mean `abc`?" and found.notes[0].message == "declared here"
    assert found.notes[0].severity == "note"
    assert error.error_message == "no such name" and error.node.lineno == 7 and error.node.col_offset == 4
    for twin in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert twin.diagnostics == error.diagnostics and str(twin) == str(error)


def test_a_failed_static_assertion_has_a_type_of_its_own():
    error = from_native(2, "text", [(2, "static assertion failed: no", "", 0, 0, 0, "", "", ())], None)
    assert type(error) is CompileTimeAssertionFailure and error.node is None


@pytest.mark.parametrize("kind, resource, expected", [
    (1, None, ValueError), (3, None, DeviceError), (4, None, DeviceError), (4, ("threads", 9, 8), OutOfResources),
    (5, None, DeviceError), (6, None, KernelFault), (7, None, OSError)])
def test_failures_of_the_library(kind, resource, expected):
    assert type(from_native(kind, "why", [], resource)) is expected
