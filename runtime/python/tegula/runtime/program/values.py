"""Describes what a name of a kernel's source means, as the extension module takes it."""

from __future__ import annotations

import builtins
import collections
import functools
import inspect
import math
import sys
import textwrap
import types
from typing import Any, Callable, NamedTuple, Sequence

import tegula

from ... import _native, knobs
from ..._native import ValueKind
from ...language import language_name
from ...language.core import constexpr, dtype, str_to_ty
from .constexpr_function import ConstexprFunction
from .kernel_interface import unwrapped

#: Attributes used of a name, by name: {"inf": {}} for `math.inf`.
Uses = dict[str, Any]


class Value(NamedTuple):
    """A value as the extension module takes it; the fields are those of `tegula_value` in tegula_c.h."""

    kind: ValueKind
    content: Any = None
    text: str | None = None
    names: tuple[str | None, ...] | None = None
    is_constexpr: bool = False


class Functions(NamedTuple):
    """The functions of a program: `number` adds one of `jit` and returns its source, `at` is the inverse;
    `add_host_function` adds one of the host that it may call; `add_class` adds a class of named tuples or an aggregate and
    returns its source."""

    number: Callable[[Any], int]
    at: Callable[[int], Any]
    add_host_function: Callable[[ConstexprFunction], None]
    add_class: Callable[[type], int]


def spelling(kind: Any) -> str:
    """A type in the spelling of signatures: "fp32", "i32", "*bf16", also where what is pointed to is not written."""
    return str(kind.cache_key_part.replace("*k", "*"))


def describe(value: Any, functions: Functions, uses: Uses | None = None, is_constexpr: bool = False) -> Value:
    """Describes `value` to the compiler: of modules, classes and other objects only the attributes in `uses`."""
    if isinstance(value, constexpr):
        return describe(_callable_from_kernels(value.value), functions, uses, True)
    value = _to_builtin(value)
    if isinstance(value, (tuple, list, dict)):
        found = _describe_container(value, functions, is_constexpr)
    else:
        found = _describe_plain(value) or _describe_object(value, functions, uses or {})
    return found._replace(is_constexpr=is_constexpr)


def _callable_from_kernels(value: Any) -> Any:
    """Returns the content of a `tl.constexpr`: a function of Python is one that kernels call while they are compiled."""
    is_python_function = isinstance(value, types.FunctionType) and language_name(value) is None
    return ConstexprFunction(value) if is_python_function and not hasattr(value, "__triton_builtin__") else value


def _callable_of_library(value: Any) -> Any:
    """Returns the function of `jit` that stands for one decorated with `core.extern`; itself for all else."""
    fn = getattr(value, "__tegula_extern__", None) if isinstance(value, types.FunctionType) else None
    if fn is None:
        return value
    if not isinstance(getattr(value, "__tegula_jit__", None), _native.Function):
        from ..extern import ExternFunction  # a function of jit, whose names are described here

        value.__tegula_jit__ = ExternFunction(fn)  # type: ignore[attr-defined]
    return value.__tegula_jit__  # type: ignore[attr-defined]


def _to_builtin(value: Any) -> Any:
    """Converts a number of NumPy to Python's, as kernels see it."""
    numpy = sys.modules.get("numpy")
    return value.item() if numpy is not None and isinstance(value, numpy.generic) else value


def is_plain(value: Any) -> bool:
    """Returns True if the library takes the value of a parameter as such: a number, a string, a scalar type, None, or a
    tuple of them. Everything else reaches a kernel as the meaning of a name."""
    if isinstance(value, constexpr):
        return is_plain(value.value)
    value = _to_builtin(value)
    if isinstance(value, (tuple, list)):
        return not hasattr(type(value), "_fields") and all(map(is_plain, value))
    return value is None or isinstance(value, (bool, int, float, str, dtype))


def needs_attributes(value: Any) -> bool:
    """Returns True if `describe` needs to know which attributes of a value are used: those of a module that is not the
    language's, of a class, of any other object."""
    if isinstance(value, constexpr):
        return needs_attributes(value.value)
    value = _to_builtin(value)
    return not (value is None or value is math
                or isinstance(value, (bool, int, float, str, tuple, list, dict, dtype, ConstexprFunction))
                or unwrapped(value) is not None or language_name(value) is not None or _is_tuple_class(value)
                or is_aggregate(value) or _callable_of_library(value) is not value)


def _is_tuple_class(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields")


def is_aggregate(value: Any) -> bool:
    """Returns True for a class that `tl.core._aggregate` decorates."""
    return isinstance(value, type) and bool(value.__dict__.get("__triton_aggregate__"))


def class_source(cls: Any) -> tuple[str, str, int]:
    """The file, text and first line of what the compiler reads of a class."""
    if not is_aggregate(cls):
        return cls.__module__, _tuple_class_text(cls), 1
    lines, first = inspect.getsourcelines(cls)
    return inspect.getsourcefile(cls) or cls.__module__, textwrap.dedent("".join(lines)), first


def _tuple_class_text(named: Any) -> str:
    """The text of a file that defines a class of named tuples; of its defaults those that a text can hold."""
    lines = []
    for field in named._fields:
        default = named._field_defaults.get(field, ...)
        known = default is None or isinstance(default, (bool, int, float, str))
        lines.append(f"    {field}: object = {default!r}\n" if known else f"    {field}: object\n")
    return f"class {named.__name__}(NamedTuple):\n" + "".join(lines or ["    pass\n"])


def _describe_plain(value: Any) -> Value | None:
    if value is None:
        return Value(ValueKind.NONE)
    if isinstance(value, bool):
        return Value(ValueKind.BOOL, int(value))
    if isinstance(value, int):
        if -(1 << 63) <= value < 1 << 64:
            return Value(ValueKind.INT if value < 1 << 63 else ValueKind.UINT, int(value))
        return Value(ValueKind.UNKNOWN, text="an integer of more than 64 bits")
    if isinstance(value, float):
        return Value(ValueKind.FLOAT, float(value))
    if isinstance(value, str):
        return Value(ValueKind.STRING, text=str(value))
    return Value(ValueKind.DTYPE, text=spelling(value)) if isinstance(value, dtype) else None


def _describe_container(value: Any, functions: Functions, is_constexpr: bool) -> Value:
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            return Value(ValueKind.UNKNOWN, text="a dict whose keys are not all strings")
        kind, held, names = ValueKind.DICT, value.values(), tuple(value)
    else:
        kind, held, names = (ValueKind.LIST if isinstance(value, list) else ValueKind.TUPLE), value, None
    items = tuple(describe(item, functions, None, is_constexpr) for item in held)
    fields = getattr(type(value), "_fields", None)
    if fields is not None:
        return Value(ValueKind.TUPLE, items, type(value).__name__, tuple(fields))
    return Value(kind, items, names=names)


def _describe_object(value: Any, functions: Functions, uses: Uses) -> Value:
    value = _callable_of_library(value)
    if getattr(value, "__triton_builtin__", False) and language_name(value) is None:
        from ..inductor.helpers import counterpart  # made of functions of `jit`, whose names are described here

        value = counterpart(value)
        if language_name(value) is None and isinstance(value, types.FunctionType):
            # The program's own: it computes constants, as there is no builder of IR to hand it.
            value = ConstexprFunction(inspect.unwrap(value))
    function = unwrapped(value)
    if function is not None:
        from ..inductor.helpers import rewrite_for_inductor  # as above

        meant = rewrite_for_inductor(function)
        return Value(ValueKind.FUNCTION, functions.number(meant), meant.definition_name)
    name = language_name(value)
    if name is not None:
        return Value(ValueKind.LANGUAGE, text=name)
    if value is math or getattr(math, getattr(value, "__name__", ""), math) is value:
        return Value(ValueKind.LANGUAGE, text="math" if value is math else f"math.{value.__name__}")
    if isinstance(value, ConstexprFunction):
        functions.add_host_function(value)
        return Value(ValueKind.HOST_FUNCTION, _host_call(value, functions), value.__name__)
    if _is_tuple_class(value) or is_aggregate(value):
        return Value(ValueKind.FUNCTION, functions.add_class(value), value.__name__)
    if uses:
        # An attribute that is not there is an error at its use.
        known = {name: getattr(value, name) for name in uses if hasattr(value, name)}
        # As in Triton, what a module holds may be read although it could change.
        open_to_all = isinstance(value, types.ModuleType)
        items = tuple(describe(item, functions, uses[name], open_to_all) for name, item in known.items())
        return Value(ValueKind.NAMESPACE, items, _named(value).removeprefix("the "), tuple(known))
    return Value(ValueKind.UNKNOWN, text=_named(value))


def _named(value: Any) -> str:
    """Names an object in messages."""
    if isinstance(value, types.ModuleType):
        return f"the module `{value.__name__}`"
    if isinstance(value, type):
        return f"the class `{value.__qualname__}`"
    if isinstance(value, types.FunctionType):
        return f"the function `{value.__qualname__}`, which is not decorated with `@jit`"
    cls = type(value)
    name = cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"
    return ("an " if name[0].lower() in "aeiou" else "a ") + name


#--- functions of the host program ---


def _restore(value: Sequence[Any], functions: Functions) -> Any:
    """The object that a value of the compiler stands for."""
    kind, content, text, names, _ = value
    if kind == ValueKind.DTYPE:
        return str_to_ty(text)
    if kind == ValueKind.FUNCTION:
        return functions.at(content)
    if kind == ValueKind.LANGUAGE:
        root, *attributes = text.split(".")
        return functools.reduce(getattr, attributes, math if root == "math" else tegula)
    if kind in (ValueKind.TUPLE, ValueKind.LIST, ValueKind.DICT, ValueKind.NAMESPACE):
        items = [_restore(item, functions) for item in content]
        if kind == ValueKind.LIST:
            return items
        if kind == ValueKind.TUPLE:
            return _tuple_class(text, names)(*items) if names else tuple(items)
        return dict(zip(names or (), items))
    if kind == ValueKind.BOOL:
        return bool(content)
    return text if kind == ValueKind.STRING else content


@functools.lru_cache(maxsize=None)
def _tuple_class(name: str, fields: tuple[str, ...]) -> Any:
    """The class of a named tuple that comes from a kernel."""
    return collections.namedtuple(name, fields)


def _host_call(function: Callable[..., Any], functions: Functions) -> Callable[..., Value]:
    """The function as the compiler calls it: with described arguments, of which the last have names."""

    def call(arguments: Sequence[Sequence[Any]], names: Sequence[str | None] | None) -> Value:
        named = names or (None,) * len(arguments)
        restored = [_restore(argument, functions) for argument in arguments]
        positional = [value for value, name in zip(restored, named) if name is None]
        keywords = {name: value for value, name in zip(restored, named) if name is not None}
        result = describe(function(*positional, **keywords), functions, is_constexpr=True)
        if result.kind in (ValueKind.UNKNOWN, ValueKind.NAMESPACE):
            raise TypeError(f"it gave {result.text}, which has no meaning in a kernel")
        return result

    return call


def is_python_builtin(name: str, value: Any) -> bool:
    """Returns True if a name means what it means in Python, which the compiler knows."""
    return getattr(builtins, name, None) is value


def may_be_used(value: Any) -> bool:
    """Returns True if a change of a global is noticed: data is; modules and objects with code are not."""
    return not (isinstance(value, (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type))
                or unwrapped(value) is not None or language_name(value) is not None or callable(value)
                and not isinstance(value, constexpr))


def every_global_is_constexpr() -> bool:
    return knobs.compilation.allow_non_constexpr_globals
