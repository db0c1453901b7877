"""Facts about a compilation before it begins: for `repr`, which names the kernel, and for the hooks
`knobs.runtime.jit_cache_hook` and `jit_post_compile_hook`."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import json
from typing import Any, Callable, Iterator, Mapping, NamedTuple

from ... import knobs
from ...backends.nvidia.compiler import CUDAOptions
from ...language.core import _unwrap_if_constexpr, dtype
from ..driver import driver
from ..program import tuples
from ..program.kernel_interface import unwrapped
from ..program.values import spelling
from .options import kernel_options


class SpecializationProxy(NamedTuple):
    """The argument of `repr`: compile-time values and types, by names of parameters."""

    constants: dict[str, Any]
    signature: dict[str, Any]


@dataclasses.dataclass(frozen=True)
class JitFunctionInfo:
    """The function, as hooks are told of it."""

    module: str
    name: str
    jit_function: Any


class Compilation:
    """A kernel that is about to be compiled for `types` of its run-time parameters, in the spelling of signatures, with
    compile-time values and options."""

    def __init__(self, function: Any, types: Mapping[str, str], values: Mapping[str, Any], options: Mapping[str, Any],
                 is_warmup: bool = False):
        self.function = function
        self.is_warmup = is_warmup
        self.types = {name: text for name, text in types.items() if text}
        self.values = dict(values)
        self.options = {name: value for name, value in options.items() if value is not None}
        #: What the library is told of the options, as knobs were.
        self._resolved = kernel_options(function, self.options)
        #: What a program adds to the keys of kernels that are compiled now.
        self.stages = stages_key()

    @functools.cached_property
    def _sorted(self) -> SpecializationProxy:
        """Separates compile-time values from passed ones: an integer 1 and None are the former though they are passed."""
        constants: dict[str, Any] = {}
        signature: dict[str, Any] = {}
        for param in self.function.params:
            value = self.values.get(param.name, param.default if param.has_default else None)
            if param.name in self.types:
                kind, is_known, text = self.types[param.name].partition("=")
                signature[param.name] = "constexpr" if is_known or kind == "none" else _without_facts(kind)
                if is_known or kind == "none":
                    constants[param.name] = int(text) if is_known else None
            elif not param.is_constexpr and isinstance(value, tuple):
                kinds = {name: _without_facts(kind) for name, kind in self.types.items()}
                signature[param.name] = tuples.with_types(param.name, value, kinds)
            else:
                signature[param.name] = "constexpr"
                constants[param.name] = _unwrap_if_constexpr(value)
        return SpecializationProxy(constants, signature)

    @property
    def constants(self) -> dict[str, Any]:
        return self._sorted.constants

    @property
    def signature(self) -> dict[str, Any]:
        return self._sorted.signature

    @property
    def aligned(self) -> list[str]:
        """The parameters known to be multiples of 16."""
        return [name for name, text in self.types.items() if _is_aligned(text) and name in self.signature]

    @property
    def attrs(self) -> dict[tuple[int, ...], list[list[Any]]]:
        """The same as Triton tells it, by the places of parameters, and of what tuples hold."""
        places = self._places()
        paths: list[tuple[int, ...]] = [(places[name],) for name in self.aligned]
        paths += [path for path, name, _ in self._of_tuples() if _is_aligned(self.types.get(name, ""))]
        return {path: [["tt.divisibility", 16]] for path in paths}

    def _of_tuples(self) -> Iterator[tuple[tuple[int, ...], str, Any]]:
        """Yields the items of tuples among the arguments, by their places; descriptors are one thing to Triton."""
        for param in self.function.params:
            form = self.values.get(param.name)
            if not param.is_constexpr and isinstance(form, tuple) and not tuples.has_descriptor(form):
                yield from tuples.paths((param.num,), param.name, form)

    def _known_in_tuples(self) -> dict[tuple[int, ...], Any]:
        """Returns the compile-time items of tuples, an integer 1 that is passed among them."""
        known = {}
        for path, name, value in self._of_tuples():
            is_known, text = self.types.get(name, "").partition("=")[1:]
            if value is not tuples.RUN_TIME or is_known:
                known[path] = int(text) if is_known else value
        return known

    def for_others(self, device: Any) -> Any:
        """The kernel compiled as it was, but with no parameters that only Tegula's launches can fill in."""
        kernel = self.function._kernel_for(self.values, {**self.options, "without": for_any_launcher(self.options)})
        return kernel.prepare_typed(device, tuple(self.types[name] for name, _ in kernel.parameters()), self.entry)

    def __reduce__(self) -> Any:
        return Compilation, (self.function, self.types, self.values, self.options, self.is_warmup)

    @property
    def entry(self) -> str | None:
        """Returns the kernel's name in the code, by the function's `repr`, or its `__name__` where a program has changed
        that; None for the name in the source."""
        named, name = self.function.repr, self.function.__name__
        if named is not None and not getattr(named, "is_default", False):
            name = str(named(SpecializationProxy(dict(self.constants), dict(self.signature)))).rpartition(".")[2]
        return None if name == self.function.definition_name else name

    def _places(self) -> dict[str, int]:
        return {param.name: param.num for param in self.function.params}

    def triton_options(self) -> dict[str, Any]:
        """Returns the options that it is compiled with, by Triton's names."""
        resolved = self._resolved
        return {"num_warps": resolved.num_warps or CUDAOptions.num_warps, "num_stages": resolved.num_stages or CUDAOptions.num_stages,
                "num_ctas": resolved.num_ctas, "maxnreg": resolved.max_registers or None, "enable_fp_fusion": not resolved.no_fp_fusion,
                "debug": resolved.debug, "launch_cooperative_grid": resolved.launch_cooperative_grid,
                "launch_pdl": resolved.launch_pdl, "extern_libs": resolved.extern_libs}

    def specialization_data(self) -> str:
        """All of it as JSON, which `JITFunction.preload` takes."""
        places = self._places()
        options = {name: value for name, value in self.triton_options().items() if value is not None}
        constants = self._known_in_tuples()
        constants.update(((places[name],), value) for name, value in self.constants.items())
        return json.dumps({
            "name": self.function._fn_name, "signature": self.signature,
            "constant_keys": [list(path) for path in constants],
            "constant_vals": [_as_json(value) for value in constants.values()],
            "attrs_keys": [list(path) for path in self.attrs], "attrs_vals": list(self.attrs.values()),
            "types": self.types, "options": options, "key": self.key(), "target": current_target(),
        })

    def key(self) -> str:
        """Returns the key that distinguishes the kernels of a function."""
        facts = [(name, kind, name in self.aligned) for name, kind in self.signature.items()]
        return str((facts, [(name, repr(value)) for name, value in self.constants.items()],
                    sorted(self.triton_options().items()), self._resolved._replace(num_warps=0, num_stages=0), self.stages))

    def call_hook(self, hook: Callable[..., Any] | None) -> bool:
        """Calls a hook; returns True if it says that the kernel need not be compiled."""
        if hook is None:
            return False
        places, options = self._places(), self.triton_options()
        constants = {(places[name],): value for name, value in self.constants.items()}
        arguments = ", ".join(f"{name}: {kind}" for name, kind in self.signature.items())
        shown = ", ".join(f"{name}={options[name]}" for name in ("num_warps", "num_ctas", "num_stages", "enable_fp_fusion",
                                                                 "launch_cooperative_grid"))
        key, name = self.key(), self.function.__qualname__
        compiled = {"key": key, "signature": self.signature, "device": driver.active.get_current_device(),
                    "constants": constants, **options, "configs": [self.attrs],
                    "specialization_data": self.specialization_data(), "is_warmup": self.is_warmup}
        return bool(hook(key=key, repr=f"{name}[{shown}]({arguments})",
                         fn=JitFunctionInfo(self.function.__module__, name, self.function), compile=compiled,
                         is_manual_warmup=self.is_warmup, already_compiled=False))


def current_target() -> dict[str, Any]:
    """The target of launches now, as specialization data has it."""
    return dict(driver.active.get_current_target()._asdict())


def stages_key() -> tuple[str, str]:
    """Returns the result of `knobs.runtime.add_stages_inspection_hook` for keys of kernels; hooks that want arguments, as
    those for Triton 3.6 do, have stages to add, of which there are none here."""
    hook = knobs.runtime.add_stages_inspection_hook
    if hook is None:
        return "", ""
    try:
        inspect.signature(hook).bind()
    except TypeError:
        return "", ""
    return hook()


def for_any_launcher(options: Mapping[str, Any]) -> str:
    """Returns the features that a kernel is compiled without if others are to launch its code: with a block for each
    program, and with no parameters but its own."""
    return ",".join(filter(None, (options.get("without") or knobs.compilation.without, "packing", "persist", "spread", "tma")))


def _without_facts(kind: str) -> str:
    """A type in the spelling of signatures without what is known of its values."""
    return kind.partition("=")[0].partition(":")[0].removesuffix("+")


def _is_aligned(text: str) -> bool:
    """Returns True if a type, as signatures spell it, is of multiples of 16."""
    return text.removesuffix("+").endswith(":16")


def _as_json(value: Any) -> Any:
    if isinstance(value, dtype):
        return spelling(value)
    function = unwrapped(value)
    if function is not None:
        return {"jit_function": f"{function.__module__}:{function.__qualname__}"}
    return value if isinstance(value, (bool, int, float, str, type(None), tuple, list, dict)) else str(value)
