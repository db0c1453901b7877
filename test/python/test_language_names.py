"""The stubs of `tegula.language` say what the compiler knows: the same names with the same parameters."""

import importlib
import inspect
import os
import re
import subprocess
import typing

import pytest

import tegula.language as tl
from tegula.language import language_name

BUILD = os.environ.get("TEGULA_BUILD_DIR",
                       os.path.join(os.path.dirname(__file__), "..", "..", "build", "release"))
PRINTER = os.path.join(BUILD, "bin", "language-names")
if not os.path.exists(PRINTER):
    pytest.skip("language-names is not built", allow_module_level=True)

#: Where the names of each namespace are looked up.
NAMESPACES = {
    "triton.language": tl,
    "triton.language.math": tl.math,
    "triton.language.extra.libdevice": tl.extra.libdevice,
    "triton.language.extra.cuda": tl.extra.cuda,
    "triton.language.target_info": tl.target_info,
    "triton.language.tensor": tl.tensor,
    "triton.language.dtype": tl.dtype,
}


def compiler_names():
    lines = subprocess.run([PRINTER], check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [line.split("\t") for line in lines]
    return dict(rows)


NAMES = compiler_names()
# Of the types only those of blocks have it.
NAMES.pop("triton.language.dtype.get_block_shapes", None)
# In Python `triton.language.core` alone has this decorator; for the compiler the two are one.
NAMES.pop("triton.language.extern", None)


def stub_of(name):
    space, _, last = name.rpartition(".")
    return getattr(NAMESPACES[space], last)


def stub_parameters(stub, is_member):
    """As the compiler prints them; without `self` of a member and without what is Triton's own (`_semantic`)."""
    target = stub.__init__ if isinstance(stub, type) else stub
    parameters = [parameter for parameter in inspect.signature(target).parameters.values()
                  if not parameter.name.startswith("_")]
    names = [("*" if parameter.kind is parameter.VAR_POSITIONAL else "") + parameter.name for parameter in parameters]
    return names[1:] if is_member or isinstance(stub, type) else names


#: Classes that annotate and compare: the compiler does not let kernels make objects of them.
_NOT_CALLED = {"tensor", "const", "tensor_descriptor", "dtype", "tuple"}


def test_the_compiler_s_names_have_stubs():
    shared = [name for name in NAMES if name.rpartition(".")[0] in NAMESPACES]
    assert len(shared) > 300
    assert [name for name in shared if not hasattr(NAMESPACES[name.rpartition(".")[0]], name.rpartition(".")[2])] == []


def test_stubs_have_the_compiler_s_parameters():
    wrong = []
    for name, parameters in NAMES.items():
        space, _, last = name.rpartition(".")
        if space not in NAMESPACES or last in _NOT_CALLED:
            continue
        is_member = space in ("triton.language.tensor", "triton.language.dtype")
        expected = [parameter for parameter in parameters.split(", ") if parameter][is_member:]
        is_static = isinstance(inspect.getattr_static(NAMESPACES[space], last), staticmethod)
        found = stub_parameters(stub_of(name), is_member and not is_static)
        if found != expected:
            wrong.append((name, found, expected))
    assert wrong == []


def public_functions():
    for space, where in NAMESPACES.items():
        if space == "triton.language.dtype":
            continue  # its other methods are the host's
        for last, value in sorted(vars(where).items()):
            name = language_name(value)
            if not last.startswith("_") and name and not isinstance(value, type(os)) and name.startswith(space):
                yield name


def test_stubs_are_known_to_the_compiler():
    # Classes and namespaces that are no functions: the compiler has them elsewhere.
    others = {"triton.language.PropagateNan"}
    members = {name for name in public_functions() if "._" in name}
    assert sorted(set(public_functions()) - set(NAMES) - others - members) == []


#: What no kernel has a use for.
_UNTESTED = {"is_dtype"}


def test_every_function_is_tested():
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "language")
    words = set()
    for name in os.listdir(folder):
        if name.endswith(".py"):
            with open(os.path.join(folder, name)) as file:
                words.update(re.findall(r"\w+", file.read()))
    with open(os.path.join(folder, "golden", "libdevice.txt")) as file:  # each line is a test of a function
        words.update(line.partition("(")[0] for line in file)
    known = {name.rpartition(".")[2] for name in NAMES if name.rpartition(".")[0] in NAMESPACES}
    assert sorted(known - words - _UNTESTED) == []


def test_all_names_of_the_language_are_there():
    for name in tl.__all__:
        assert hasattr(tl, name), name
    assert len(set(tl.__all__)) == len(tl.__all__)


def test_a_stub_says_where_it_belongs():
    with pytest.raises(ValueError, match=r"`tl.load` is part of the language of kernels.*`@jit`"):
        tl.load(0)
    with pytest.raises(ValueError, match=r"`tl.extra.libdevice.tanh`"):
        tl.extra.libdevice.tanh(1.0)
    with pytest.raises(ValueError, match=r"`tl.static_range`"):
        tl.static_range(3)
    with pytest.raises(ValueError, match=r"`tl.tensor.sum`"):
        tl.tensor.sum(None)


def test_every_stub_has_a_meaning():
    for name in tl.__all__:
        value = getattr(tl, name)
        if callable(value) and language_name(value) and not isinstance(value, type):
            assert value.__doc__ and value.__doc__.strip(), name


def test_every_annotation_means_a_type():
    for name in sorted(set(public_functions())):
        value = stub_of(name)
        if not isinstance(value, type) and callable(value):
            assert typing.get_type_hints(value) is not None


def test_triton_s_names_are_where_programs_import_them():
    for path, names in {
            "tegula.language.core": "view builtin _aggregate constexpr _unwrap_if_constexpr get_int_dtype dtype",
            "tegula.language.standard": "_log2 sum cdiv zeros",
            "tegula.language.extra.libdevice": "tanh fma_rn llrint double2float_ru",
            "tegula.language.extra.cuda": "libdevice gdc_wait gdc_launch_dependents globaltimer smid",
            "tegula.language.random": "philox_impl randint4x N_ROUNDS_DEFAULT",
    }.items():
        module = importlib.import_module(path)
        for name in names.split():
            assert hasattr(module, name), f"{path}.{name}"
    assert "_semantic" in inspect.signature(tl.core.view).parameters
    assert tl.math.exp is tl.exp and tl.extra.cuda.libdevice is tl.extra.libdevice
