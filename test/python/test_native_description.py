"""`_native.pyi` says of the extension module what is there."""

import ast
import enum
import pathlib
import types

import tegula
from tegula import _native


def described():
    path = pathlib.Path(tegula.__file__).with_name("_native.pyi")
    return ast.parse(path.read_text()).body


def test_enumerations_have_the_members_of_the_extension():
    stated = {node.targets[0].id: node.value.args[1].value.split() for node in described() if isinstance(node, ast.Assign)}
    there = {name: list(value.__members__) for name, value in vars(_native).items()
             if isinstance(value, type) and issubclass(value, enum.IntEnum)}
    assert stated == there and "ValueKind" in there


def test_functions_are_those_of_the_extension():
    stated = {node.name for node in described() if isinstance(node, ast.FunctionDef)}
    assert stated == {name for name, value in vars(_native).items() if isinstance(value, types.BuiltinFunctionType)}
