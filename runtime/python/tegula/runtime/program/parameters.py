"""The parameters of a jit function as its `def` declares them."""

from __future__ import annotations

import inspect
from typing import Any, Collection, NamedTuple

from ..._native import Given


class Parameter(NamedTuple):
    """A parameter as launches are told of it; `default` counts where `has_default` says so."""

    name: str
    is_constexpr: bool
    has_default: bool
    default: Any
    given: Given


class KernelParam:
    """One parameter. Plain data: it pickles and copies."""

    def __init__(self, num: int, param: inspect.Parameter, do_not_specialize: bool,
                 do_not_specialize_on_alignment: bool):
        self.num = num
        self.name = param.name
        self.default = param.default
        self.has_default = param.default is not inspect.Parameter.empty
        self.is_keyword_only = param.kind is inspect.Parameter.KEYWORD_ONLY
        #: Whether it gathers the arguments that no parameter takes: `*rest`.
        self.is_rest = param.kind is inspect.Parameter.VAR_POSITIONAL
        self.annotation = _spelled(param.annotation)
        self.do_not_specialize = do_not_specialize
        self.do_not_specialize_on_alignment = do_not_specialize_on_alignment

    @property
    def told(self) -> Parameter:
        """The parameter as launches are told of it."""
        given = Given.AS_REST if self.is_rest else Given.BY_NAME if self.is_keyword_only else Given.BY_PLACE
        return Parameter(self.name, self.is_constexpr, self.has_default, self.default, given)

    @property
    def is_constexpr(self) -> bool:
        return "constexpr" in self.annotation

    @property
    def is_const(self) -> bool:
        return "const" in self.annotation and not self.is_constexpr

    @property
    def annotation_type(self) -> str:
        """The type that the annotation names, in the spelling of signatures, or empty."""
        return type_named(self.annotation)


def type_named(annotation: str) -> str:
    """The type that an annotation names as it is spelt, in the spelling of signatures, or empty."""
    name = annotation.strip("\"'").rpartition(".")[2]
    if name.startswith(("int", "uint")):
        name = name.replace("int", "i", 1) if name.startswith("int") else "u" + name[4:]
    name = {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float64": "fp64"}.get(name, name)
    return name if name in ("fp16", "bf16", "fp32", "fp64") or name[:1] in "iu" and name[1:].isdigit() else ""


def _spelled(annotation: Any) -> str:
    if annotation is inspect.Parameter.empty:
        return ""
    if isinstance(annotation, str):
        return annotation
    if isinstance(annotation, type):
        return annotation.__name__
    return str(annotation)


def parameters_of(signature: inspect.Signature, do_not_specialize: Collection[str | int],
                  do_not_specialize_on_alignment: Collection[str | int]) -> list[KernelParam]:
    """All of them in order. What the lists name and is no parameter is left out of account, as in Triton."""
    return [KernelParam(i, param, i in do_not_specialize or param.name in do_not_specialize,
                        i in do_not_specialize_on_alignment or param.name in do_not_specialize_on_alignment)
            for i, param in enumerate(signature.parameters.values())]
