"""`jit`: functions of Python as kernels.

A launch is the work of `_native.Function`, on which `JITFunction` is built; here is what happens once: a function is
decorated, its source and what it uses become a program, compile-time values become a kernel of it.
"""

from __future__ import annotations

import __future__
import ast
import atexit
import copy
import functools
import hashlib
import importlib
import inspect
import json
import re
import textwrap
import threading
import weakref
from typing import Any, Callable, Collection, Mapping, Sequence, TypeVar, overload

from .. import _native, knobs
from ..compiler.errors import CompilationError
from ..language.core import str_to_ty
from . import devices as devices  # tells the extension module which device and stream are the current ones
from .cache import set_library_cache_dir
from .launch import arguments as arguments, nvtx  # the first tells the extension module how objects are passed
from .launch.compilation import Compilation, current_target
from .launch.compiled import LoadedKernel
from .launch.device_caches import DeviceCaches
from .launch.options import OPTIONS, kernel_options
from .program import error_chain
from .program.dtypes import type_canonicalisation_dict
from .program.kernel_interface import JITCallable, KernelInterface, unwrapped
from .program.parameters import KernelParam, parameters_of, type_named
from .program.source import FunctionText, Program, mark_generated
from .program.tuples import RUN_TIME, from_types
from .program.values import class_source, is_plain

T = TypeVar("T")

#: Attributes that belong to a process.
_OF_THIS_PROCESS = ("_program", "_hash_lock", "_compiled", "_given", "_constants", "pre_run_hooks", "signature")


class _Named:
    """The default of `repr`: the kernel's name."""

    is_default = True

    def __init__(self, name: str):
        self.name = name

    def __call__(self, _: Any) -> str:
        return self.name


class _Launched(type):
    """The type of `JITFunction` and of what is derived from it. The quick way of a launch does not ask for `run`: a class
    with another one, its own or put there by a program, goes the plain way."""

    def __setattr__(cls, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        cls._update_getitem(name)

    def __delattr__(cls, name: str) -> None:
        super().__delattr__(name)
        cls._update_getitem(name)

    def _update_getitem(cls, name: str) -> None:
        if name != "run":
            return
        if getattr(cls, "run") is not _native.Function.run:
            type.__setattr__(cls, "__getitem__", KernelInterface.__getitem__)
        elif "__getitem__" in cls.__dict__:
            type.__delattr__(cls, "__getitem__")


class JITFunction(_native.Function, JITCallable, KernelInterface[T], metaclass=_Launched):
    """A kernel, or a function that kernels call.

    Triton's attributes: `fn`, `src`, `arg_names`, `params`, `signature`, `constexprs`, `cache_key`, `hash`,
    `used_global_vals` ({(name, id of the globals): (value, globals)} of what was compiled in), `__globals__`.
    """

    #: Programs written for older versions of Triton set these.
    cache_hook: Any = None
    compiled_hook: Any = None
    __name__: str
    __qualname__: str
    __wrapped__: Any

    def __init__(self, fn: Callable[..., T], version: Any = None, do_not_specialize: Sequence[str | int] | None = None,
                 do_not_specialize_on_alignment: Sequence[str | int] | None = None, debug: bool | None = None,
                 noinline: bool | None = None, repr: Callable[[Any], str] | None = None,
                 launch_metadata: Callable[..., Any] | None = None):
        if not inspect.isfunction(fn):
            raise TypeError(f"expected a function to decorate with `@jit`, found {type(fn).__name__}")
        self.fn: Any = fn
        self.version = version
        self.debug = debug
        self.noinline = noinline
        self.launch_metadata = launch_metadata
        self.repr: Any = _Named(fn.__name__) if repr is None else repr
        self.signature = inspect.signature(fn)
        self.params: list[KernelParam] = parameters_of(self.signature, do_not_specialize or (),
                                                       do_not_specialize_on_alignment or ())
        self.do_not_specialize = do_not_specialize
        self.do_not_specialize_on_alignment = do_not_specialize_on_alignment
        self._text = FunctionText.of(fn)
        self.__globals__: Any = inspect.unwrap(fn).__globals__
        functools.update_wrapper(self, fn, updated=())
        del self.__wrapped__  # tools take what has it for the function itself
        self.hash: str | None = None
        self.used_global_vals: Any = {}
        self.pre_run_hooks: list[Callable[..., Any]] = []
        self._prepare()

    def _prepare(self) -> None:
        """Makes the part that is not kept in pickles."""
        self._hash_lock: Any = threading.RLock()
        self._program: Any = None
        self._compiled: list[Any] = []
        self._constants: dict[tuple[str, int], tuple[Any, Any]] = {}
        #: Functions that launches have passed: with another source of theirs it is another kernel.
        self._given: weakref.WeakSet[Any] = weakref.WeakSet()
        error_chain.remember(self)
        self._configure(tuple(param.told for param in self.params), OPTIONS)

    #--- source ---

    @property
    def arg_names(self) -> list[str]:
        return [param.name for param in self.params]

    @property
    def constexprs(self) -> list[int]:
        """The places of the compile-time parameters."""
        return [param.num for param in self.params if param.is_constexpr]

    @property
    def definition_name(self) -> str:
        """The name that the source gives the function."""
        return self.definition().name if self._text.names is None else self._text.name

    def names(self) -> frozenset[str] | None:
        """The names that the source takes from outside, where they are known without parsing it: not where a parameter has
        an annotation in quotation marks, whose names only a parser finds."""
        if self._text.names is None or self.fn is None:
            return None
        quoted = bool(inspect.unwrap(self.fn).__code__.co_flags & __future__.annotations.compiler_flag)
        is_text = any(isinstance(value, str) and (not quoted or value[:1] in "'\"")
                      for value in self.fn.__annotations__.values())
        return None if is_text else self._text.names

    @property
    def src(self) -> str:
        """The source from `def` on, not indented."""
        return textwrap.dedent(self._text.text)

    @src.setter
    def src(self, value: str) -> None:
        raise AttributeError("Cannot set attribute 'src' directly. Use '_unsafe_update_src()' and manually clear `.hash` "
                             "of all callers instead.")

    @property
    def raw_src(self) -> list[str]:
        """The lines of the source as they stand in the file. What a program assigns is for those who ask: `src` is compiled."""
        return self.__dict__.get("_shown_lines", self._text.lines)

    @raw_src.setter
    def raw_src(self, lines: Sequence[str]) -> None:
        self._shown_lines = list(lines)

    @property
    def starting_line_number(self) -> int:
        """The line of `def`. A program that has written the source says so of which line it is to be."""
        return self._text.first_line

    @starting_line_number.setter
    def starting_line_number(self, line: int) -> None:
        self._replace_text(self._text.lines, line)

    def _unsafe_update_src(self, new_src: str) -> None:
        """Puts another source in the place of the function's. Functions that call it keep what they compiled."""
        self._replace_text(new_src.splitlines(keepends=True), self._text.first_line)

    def _replace_text(self, lines: list[str], first_line: int) -> None:
        self._text = FunctionText(self._text.path, lines, first_line)
        self._is_written = True
        self.hash = None
        self.used_global_vals = {}
        self._constants = {}
        self._watch([])
        for function in error_chain.decorated():
            if self in function._given:
                function._forget_compiled()
        self.__dict__.pop("_definition", None)
        self._prepare()

    def definition(self) -> ast.FunctionDef:
        """The parsed function. What does not parse is the compiler's to say: here it has no names."""
        if "_definition" not in self.__dict__:
            try:
                found = ast.parse(self.src).body[0]
            except SyntaxError:
                name = re.search(r"def\s+(\w+)", self.src)
                found = ast.parse(f"def {name[1] if name else self.__name__}(): pass").body[0]
            assert isinstance(found, ast.FunctionDef)
            self._definition = found
        return self._definition

    def closure(self) -> dict[str, Any]:
        """Returns the variables that the function has captured from functions around it."""
        inner = inspect.unwrap(self.fn) if self.fn is not None else None
        cells = dict(zip(inner.__code__.co_freevars, inner.__closure__ or ())) if inner is not None else {}
        found = {}
        for name, cell in cells.items():
            try:
                found[name] = cell.cell_contents
            except ValueError:  # not assigned yet: an error at its use
                continue
        return found

    def get_capture_scope(self) -> dict[str, Any]:
        """Returns the possible meanings of the function's names: its globals, and the variables it has captured."""
        return {**(self.__globals__ or {}), **self.closure()}

    @property
    def path(self) -> str:
        """The file of the source; of one that a program has written, the file that it says the code is from."""
        if "_is_written" in self.__dict__ and self.fn is not None:
            return inspect.unwrap(self.fn).__code__.co_filename
        return self._text.path

    @property
    def file_name(self) -> str:
        return self._text.path

    @property
    def def_file_line_number(self) -> int:
        """The line of `def`, from 1."""
        return self._text.first_line

    @property
    def def_file_col_number(self) -> int:
        """The column of `def`, from 1."""
        first = self._text.lines[0]
        return len(first) - len(first.lstrip()) + 1

    def decorator(self, outside: Collection[str] = ()) -> str:
        """Returns the line in front of `def` for the compiler: of the parameters but for those in `outside`."""
        names = [param.name if param.name not in outside else "" for param in self.params]
        skip = [name for name, param in zip(names, self.params) if name and param.do_not_specialize]
        unaligned = [name for name, param in zip(names, self.params) if name and param.do_not_specialize_on_alignment]
        said = [f"do_not_specialize={skip!r}"] if skip else []
        said += [f"do_not_specialize_on_alignment={unaligned!r}"] if unaligned else []
        said += ["noinline=True"] if self.noinline else []
        used = getattr(self, "_must_use_result", False)
        said += [f"must_use_result={used!r}"] if used else []
        return "@triton.jit" + (f"({', '.join(said)})" if said else "") + "\n"

    def compiled_text(self) -> tuple[str, int]:
        """Text and first line of what is compiled: a decorator of known form, whatever stands there in the file, and the
        function as it is written."""
        lines = self._text.lines
        indent = lines[0][:len(lines[0]) - len(lines[0].lstrip())]
        return indent + mark_generated(self.decorator()) + self._text.text, self._text.first_line - 1

    #--- program ---

    def program(self) -> Any:
        """The function with all that it uses, collected at its first use."""
        with self._hash_lock or threading.RLock():
            if self._program is None:
                self._program = Program(self)
            return self._program

    def _watch(self, used: list[tuple[dict[str, Any], str, Any]], constants: Mapping[str, Any] = {}) -> None:
        """Launches from now on compare these globals with what they were, and what these `tl.constexpr` hold."""
        known = self.used_global_vals or {}
        self.used_global_vals = {**{(name, id(space)): (value, space) for space, name, value in used}, **known}
        self._constants = {**{(name, id(it)): (it, it.value) for name, it in constants.items()}, **self._constants}
        self._watch_globals(tuple((space, name, value) for (name, _), (value, space) in self.used_global_vals.items())
                            + tuple((vars(it), "value", value) for it, value in self._constants.values()))

    def _changed_global(self, name: str, old: Any, new: Any) -> None:
        for (constant, _), (it, value) in self._constants.items():
            if name == "value" and value is old and it.value is new:
                name, old, new = constant, type(it)(old), it
        raise RuntimeError(f"Global variable {name} has changed since we compiled this kernel, from {old} to {new}")

    @property
    def cache_key(self) -> str:
        """A digest of the source, of the functions that it calls and of the globals that it reads."""
        if self.hash is None:
            program = self.program()
            # Names are found in no order.
            own, *used = [(function.__module__, function.src, function.noinline) for function in program.functions]
            parts: list[Any] = [own, *sorted(used, key=repr)]
            parts += [(function.__module__, function.src, None) for function in program.host_functions]
            parts += [(cls.__module__, class_source(cls)[1], None) for cls in program.classes]
            globals_read = sorted((name, repr(value)) for _, name, value in program.used_globals)
            digest = hashlib.sha256(repr((parts, globals_read, self.starting_line_number)).encode())
            self.hash = digest.hexdigest()
        return self.hash

    def _is_annotated_elsewhere(self) -> bool:
        """Returns True if a parameter has a type that its source does not say: programs set `__annotations__`, and name
        types."""
        typed = {param.name: param.annotation_type for param in self.params if param.annotation_type}
        if not typed:
            return False
        arguments = self.definition().args
        written = {argument.arg: type_named(ast.unparse(argument.annotation))
                   for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
                   if argument.annotation is not None}
        return any(written.get(name) != kind for name, kind in typed.items())

    def _check_specialized(self) -> None:
        """CompilationError where a parameter is to be known when compiling, and not to be compiled for."""
        for param in self.params:
            if param.is_constexpr and (param.do_not_specialize or param.do_not_specialize_on_alignment):
                raise CompilationError(f"{param.name} marked as constexpr and listed in do_not_specialize/"
                                       "do_not_specialize_on_alignment: it can be one of them")

    def _kernel_for(self, values: dict[str, Any], options: dict[str, Any]) -> Any:
        """The kernel with these compile-time values and options; called at the first launch that has them."""
        self._check_specialized()
        forms = {param.name: values[param.name] for param in self.params
                 if not param.is_constexpr and isinstance(values.get(param.name), tuple)}
        plain = {name: value for name, value in values.items() if name not in forms and is_plain(value)}
        fixed = {name: value for name, value in values.items() if name not in plain and name not in forms}
        needs_caller = fixed or forms or self._is_annotated_elsewhere()
        program = Program(self, fixed, forms) if needs_caller else self.program()
        named = tuple((name, program.describe(value)) for name, value in plain.items())
        self._watch(program.used_globals, program.used_constants)
        self._given.update(function for value in fixed.values() for function in [unwrapped(value)] if function is not None)
        return program.finish().kernel(self.definition_name, named, **kernel_options(self, options)._asdict())

    def _before_compile(self, kernel: Any, types: str, values: dict[str, Any], options: dict[str, Any],
                        is_warmup: bool) -> Any:
        """Called before a variant is made for these types of the kernel's parameters, a line each: what its code is to call
        the kernel, and what `_compiled_kernel` is given. None where a hook says that it need not be made."""
        names = (name for name, _ in kernel.parameters())
        compilation = Compilation(self, dict(zip(names, types.split("\n"))), values, options, is_warmup)
        return self._begin(compilation, asks=self._find_precompiled(compilation) is None)

    def _find_precompiled(self, compilation: Any) -> Any:
        """The kernel of this compilation, where `precompile` or `preload` has made it."""
        return next((it for it in self._compiled if it.is_made_ahead and it._compilation.types == compilation.types
                     and it._compilation.key() == compilation.key()), None)

    def _begin(self, compilation: Any, asks: bool) -> tuple[str | None, Any] | None:
        set_library_cache_dir()
        if asks and compilation.call_hook(knobs.runtime.jit_cache_hook):
            return None
        return compilation.entry, compilation

    def _compiled_kernel(self, kernel: Any, variant: Any, device: Any, compilation: Any) -> Any:
        """Returns the result of a launch; called once for each variant."""
        known = self._find_precompiled(compilation)
        if known is not None and known._loaded[0] is device:
            return known
        compiled = LoadedKernel(self, kernel, variant, device, compilation)
        self._compiled.append(compiled)
        compiled.report(kernel.program())
        if knobs.runtime.kernel_load_start_hook:
            knobs.runtime.kernel_load_start_hook(None, None, compiled.name, {}, compiled.hash)
        if knobs.runtime.kernel_load_end_hook:
            knobs.runtime.kernel_load_end_hook(None, variant.properties()["function"], compiled.name, {}, compiled.hash)
        compilation.call_hook(knobs.runtime.jit_post_compile_hook)
        return compiled

    #--- launching ---

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name == "run":
            self._use_own_run(True)
        elif name == "hash" and value is None:
            self._program = None  # what the function uses is looked at again

    def __delattr__(self, name: str) -> None:
        super().__delattr__(name)
        if name == "run":
            self._use_own_run(False)

    def _launcher(self, grid: Any) -> Callable[..., Any]:
        return KernelInterface.__getitem__(self, grid)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("Cannot call @triton.jit'd outside of the scope of a kernel")

    def precompile(self, types: dict[str, str], constexprs: dict[str, Any] | None = None, **options: Any) -> Any:
        """Compiles for parameters of these types, in the spelling of signatures ("*fp32:16" is aligned to 16 bytes,
        "i32=1" is 1), with these compile-time values, and launches nothing. Launches with such arguments find it."""
        device = _native.current_device()
        kernel = self._kernel_for(constexprs or {}, options)
        wanted = [name for name, _ in kernel.parameters()]
        unknown, missing = [name for name in types if name not in wanted], [name for name in wanted if name not in types]
        if unknown or missing:
            raise TypeError(f"{self.__name__}: expected the types of {wanted}, found those of {list(types)}")
        begun = self._begin(Compilation(self, types, constexprs or {}, options, is_warmup=True), asks=True)
        if begun is None:
            return None
        entry, compilation = begun
        variant = kernel.prepare_typed(device, tuple(types[name] for name in wanted), entry)
        compiled = self._compiled_kernel(kernel, variant, device, compilation)
        compiled.is_made_ahead = True
        return compiled

    def preload(self, specialization_data: str) -> Any:
        """Compiles what an earlier run was told of as JSON: `name`, `signature`, constants and attributes by the places of
        their parameters, and `options`. RuntimeError where it was another function's, or for another target."""
        told = json.loads(specialization_data)
        if told["name"] != self._fn_name:
            raise RuntimeError(f"Specialization data is for {told['name']} but trying to preload for {self._fn_name}")
        target = current_target()
        if told.get("target", target) != target:
            raise RuntimeError(f"Specialization data is for {told['target']} but trying to preload for {target}")
        constants = {tuple(path): _constant(value) for path, value in zip(told["constant_keys"], told["constant_vals"])}
        types: dict[str, str] = {}
        constexprs: dict[str, Any] = {}
        for param in self.params:
            path, kind = (param.num,), told["signature"][param.name]
            if param.is_constexpr:
                constexprs[param.name] = constants.get(path)
            elif kind == "constexpr":  # passed by launches, and known all the same
                types[param.name] = "none" if constants.get(path) is None else f"i32={constants[path]}"
            else:
                form = from_types(path, param.name, kind, constants, types)
                if form is not RUN_TIME:
                    constexprs[param.name] = form
        for path, facts in zip(told["attrs_keys"], told["attrs_vals"]):
            name = "__".join([self.params[path[0]].name, *map(str, path[1:])])
            if name in types and ["tt.divisibility", 16] in facts:
                types[name] += ":16"
        types.update(told.get("types", {}))  # with facts that Triton does not tell
        return self.precompile(types, constexprs, **told["options"])

    def add_pre_run_hook(self, hook: Callable[..., Any]) -> None:
        """Calls `hook(*args, **kwargs)` before each launch."""
        self.pre_run_hooks.append(hook)
        self._call_hooks(True)

    def _run_hooks(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        for hook in self.pre_run_hooks:
            hook(*args, **kwargs)

    @property
    def device_caches(self) -> DeviceCaches:
        """Returns the compiled kernels by device: each a tuple whose first is {key: kernel}."""
        return DeviceCaches(self, self._compiled)

    def _forget_compiled(self, device: int | None = None) -> None:
        """Forgets the kernels of a device, or all."""
        self._compiled = [] if device is None else [it for it in self._compiled if it.device_index != device]
        self._forget()

    @property
    def _fn_name(self) -> str:
        return self.__dict__.get("_given_name") or f"{self.__module__}.{self.__qualname__}"

    @_fn_name.setter
    def _fn_name(self, name: str) -> None:
        self._given_name = name

    def __repr__(self) -> str:
        return f"JITFunction({self._fn_name})"

    #--- copies ---

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name not in _OF_THIS_PROCESS}
        # Neither can travel; without them the source is there, and what it uses is not.
        return {**state, "fn": None, "__globals__": None, "used_global_vals": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.pre_run_hooks = []
        self._prepare()

    def __reduce_ex__(self, protocol: Any) -> Any:
        if self.fn is not None and _importable(self.__module__, self.__qualname__, self):
            return _import, (self.__module__, self.__qualname__)
        return _unpickled, (type(self),), self.__getstate__()

    def __deepcopy__(self, memo: dict[int, Any]) -> JITFunction[T]:
        twin = type(self).__new__(type(self))
        memo[id(self)] = twin
        kept = {name: value for name, value in self.__dict__.items() if name not in _OF_THIS_PROCESS}
        twin.__setstate__({**kept, "params": copy.copy(self.params), "signature": self.__dict__.get("signature")})
        return twin

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "__getitem__" not in cls.__dict__:
            cls._update_getitem("run")


def _constant(told: Any) -> Any:
    """A compile-time value that JSON has kept: types are their names there, functions where they are found."""
    if isinstance(told, dict) and "jit_function" in told:
        told = told["jit_function"]  # "module:qualname"; up to Triton 3.6 "module.qualname"
        module, _, name = told.partition(":") if ":" in told else told.rpartition(".")
        return _import(module, name)
    if isinstance(told, str) and told in type_canonicalisation_dict.values():
        return str_to_ty(told)
    return tuple(map(_constant, told)) if isinstance(told, list) else told


def _import(module: str, qualified: str) -> Any:
    return unwrapped(functools.reduce(getattr, qualified.split("."), importlib.import_module(module)))


def _importable(module: str, qualified: str, function: JITFunction[Any]) -> bool:
    try:
        return _import(module, qualified) is function
    except (ImportError, AttributeError):
        return False


def _unpickled(cls: Any) -> Any:
    return cls.__new__(cls)


def get_jit_fn_file_line(fn: Any) -> tuple[str, int]:
    """The file of a kernel and the line of its `def`, also within tuners and heuristics."""
    function = unwrapped(fn)
    if function is None:
        raise TypeError(f"expected a kernel, found {type(fn).__name__}")
    return function.path, function.starting_line_number


@overload
def jit(fn: Callable[..., T]) -> JITFunction[T]: ...
@overload
def jit(*, version: Any = None, repr: Callable[[Any], str] | None = None,
        launch_metadata: Callable[..., Any] | None = None, do_not_specialize: Sequence[str | int] | None = None,
        do_not_specialize_on_alignment: Sequence[str | int] | None = None, debug: bool | None = None,
        noinline: bool | None = None) -> Callable[[Callable[..., T]], JITFunction[T]]: ...


def jit(fn: Any = None, **options: Any) -> Any:
    """Decorates a function: it becomes a kernel, launched as `kernel[grid](...)`, or a function that kernels call.

    `do_not_specialize` names parameters (or counts them) whose values kernels are not compiled for anew,
    `do_not_specialize_on_alignment` those whose divisibility by 16 does not matter; `debug` keeps `tl.device_assert`;
    `noinline` makes calls of it calls; `repr(specialization)` names what profilers see; `launch_metadata(grid, kernel,
    args)` tells them about a launch.
    """
    if fn is None:
        return lambda function: jit(function, **options)
    return fn if isinstance(fn, JITFunction) else JITFunction(fn, **options)


#: What Triton has in this module and Tegula elsewhere.
_HOMES = {"ConstexprFunction": "program.constexpr_function", "JitFunctionInfo": "launch.compilation", "MockTensor": "program.tensors",
          "TensorWrapper": "program.tensors", "constexpr_function": "program.constexpr_function", "mangle_type": "launch.specialization",
          "native_specialize_impl": "launch.specialization", "reinterpret": "program.tensors"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module("." + _HOMES[name], __package__), name)


def _connect() -> None:
    _native.set_error_factory(error_chain.from_native)
    _native.set_main_thread(threading.main_thread().ident or 0)
    atexit.register(_native.wait_for_abandoned)
    _native.set_launch_hooks(knobs.runtime.__dict__)
    if knobs.runtime.nvtx:
        nvtx.install()


_connect()
