"""What can be set from outside, under Triton's names: `tegula.knobs.autotuning.print = True`.

A knob that nothing has set is read from its environment variable at each use: a variable that decides about code counts
for what is compiled from then on, a knob that is set also for kernels compiled before. Knobs of Triton that have no meaning here
are accepted and change nothing; they are not listed.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
import re
from typing import Any, Callable, Generic, Iterator, TypeVar, overload

from . import _native

T = TypeVar("T")


def getenv_bool(name: str, default: bool = False) -> bool:
    """Whether a variable says yes: "1", "true", "on" and "yes" do, in any case."""
    text = os.environ.get(name)
    return default if text is None else text.lower() in ("1", "true", "on", "yes", "y")


class Knob(Generic[T]):
    """An attribute that is what was assigned, else what `read` finds in the environment."""

    def __init__(self, read: Callable[[], T]):
        self.read = read

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, group: None, owner: type) -> Knob[T]: ...
    @overload
    def __get__(self, group: object, owner: type) -> T: ...

    def __get__(self, group: Any, owner: type) -> Any:
        if group is None:
            return self
        return group.__dict__[self.name] if self.name in group.__dict__ else self.read()

    def __set__(self, group: Any, value: T) -> None:
        group.__dict__[self.name] = value
        _native.look_up_again()

    def __delete__(self, group: Any) -> None:
        group.__dict__.pop(self.name, None)
        _native.look_up_again()


def env_bool(name: str, default: bool = False) -> Knob[bool]:
    return Knob(lambda: getenv_bool(name, default))


def env_str(name: str, default: str | None = None) -> Knob[str | None]:
    return Knob(lambda: os.environ.get(name) or default)


class base_knobs:
    """Knobs of one subject. What was assigned can be undone: all by `reset`, that of a block of code by `scope`."""

    @property
    def knobs(self) -> dict[str, Any]:
        """All by their names."""
        names = [name for cls in type(self).__mro__ for name, it in vars(cls).items() if isinstance(it, Knob)]
        return {name: getattr(self, name) for name in names}

    def reset(self) -> base_knobs:
        self.__dict__.clear()
        self.__init__()  # type: ignore[misc]
        _native.look_up_again()
        return self

    def copy(self) -> base_knobs:
        twin = type(self)()
        twin.__dict__.update(self.__dict__)
        return twin

    @contextlib.contextmanager
    def scope(self) -> Iterator[None]:
        before = dict(self.__dict__)
        try:
            yield
        finally:
            self.__dict__.clear()
            self.__dict__.update(before)
            _native.look_up_again()


class HookChain:
    """Functions that are called one after another; false while there are none, so that launches need not ask more."""

    def __init__(self, reversed: bool = False):
        self.calls: list[Callable[..., Any]] = []
        self.reversed = reversed

    def add(self, func: Callable[..., Any]) -> None:
        if func not in self.calls:
            self.calls.append(func)

    def remove(self, func: Callable[..., Any]) -> None:
        if func in self.calls:
            self.calls.remove(func)

    def __bool__(self) -> bool:
        return bool(self.calls)

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        for call in self.calls[::-1] if self.reversed else list(self.calls):
            call(*args, **kwargs)


class CompilationKnobs(base_knobs):
    #: Whether the folder of the cache is left alone: each process compiles what it needs, and keeps nothing.
    always_compile = env_bool("TRITON_ALWAYS_COMPILE")
    dump_ir = env_bool("TRITON_KERNEL_DUMP")
    disable_line_info = env_bool("TRITON_DISABLE_LINE_INFO")
    front_end_debugging = env_bool("TRITON_FRONT_END_DEBUGGING")
    allow_non_constexpr_globals = env_bool("TRITON_ALLOW_NON_CONSTEXPR_GLOBALS")
    #: What the compiler does without, as `tegula compile --without` lists it: "wgmma".
    without: Knob[str] = Knob(lambda: os.environ.get("TEGULA_WITHOUT", ""))
    listener: Any = None


class AutotuningKnobs(base_knobs):
    #: Whether the choices of all tuners are kept on disk, not only of those with `cache_results`.
    cache = env_bool("TRITON_CACHE_AUTOTUNING")
    #: Whether each choice is printed.
    print = env_bool("TRITON_PRINT_AUTOTUNING")
    #: Called once for each choice that was measured or found on disk, with the keywords `fn`, `key`, `best_config`,
    #: `configs_timings`, `duration` (None where it was found) and `cache_hit`.
    listener: Callable[..., Any] | None = None


class RuntimeKnobs(base_knobs):
    #: Whether kernels run on the interpreter.
    interpret = env_bool("TRITON_INTERPRET")
    #: Whether kernels are compiled with `tl.device_assert`.
    debug = env_bool("TRITON_DEBUG")
    sanitize_overflow = env_bool("TRITON_SANITIZE_OVERFLOW", True)
    override_arch = env_str("TRITON_OVERRIDE_ARCH")
    #: Called without arguments for what is about to be compiled: its (key, hash) join the keys of kernels.
    add_stages_inspection_hook: Knob[Callable[[], tuple[str, str]] | None] = Knob(lambda: None)
    #: Whether launches stand in NVTX ranges; asked when the first kernel is decorated.
    nvtx = env_bool("TEGULA_NVTX")

    def __init__(self) -> None:
        self.launch_enter_hook: HookChain | None = HookChain()
        self.launch_exit_hook: HookChain | None = HookChain(reversed=True)
        self.kernel_load_start_hook = HookChain()
        self.kernel_load_end_hook = HookChain(reversed=True)
        #: Called with module, function, name, metadata_group and hash when a loaded kernel is given up.
        self.kernel_unload_hook = HookChain()
        self.jit_cache_hook: Callable[..., Any] | None = None
        self.jit_post_compile_hook: Callable[..., Any] | None = None


class LanguageKnobs(base_knobs):
    #: The precision of products of float32 that say none.
    fp32_default = env_str("TRITON_F32_DEFAULT")
    default_fp_fusion = env_bool("TRITON_DEFAULT_FP_FUSION", True)


@dataclasses.dataclass(frozen=True)
class NvidiaTool:
    """A program of the CUDA toolkit."""

    path: str
    version: str  #: as it says itself: "13.0"

    @staticmethod
    @functools.lru_cache(maxsize=None)
    def at(path: str) -> NvidiaTool | None:
        """The tool at this path, None where nothing there says its version."""
        import subprocess

        try:
            said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10).stdout
        except (OSError, subprocess.SubprocessError):
            return None
        found = re.search(r"release (\d+\.\d+)", said)
        return NvidiaTool(path, found[1]) if found else None


#: Where a toolkit lies if no variable says so.
_TOOLKIT = "/usr/local/cuda"


def _toolkit_program(name: str) -> Knob[NvidiaTool]:
    """The path that a variable says, else the program on the path or in the toolkit. RuntimeError where there is none."""

    def find() -> NvidiaTool:
        import shutil

        homes = (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), _TOOLKIT)
        candidates = [os.environ.get(f"TRITON_{name.upper()}_PATH"), shutil.which(name),
                      *(os.path.join(home, "bin", name) for home in homes if home)]
        for path in candidates:
            tool = NvidiaTool.at(path) if path else None
            if tool is not None:
                return tool
        raise RuntimeError(f"Cannot find {name}")

    return Knob(find)


class NvidiaKnobs(base_knobs):
    ptxas = _toolkit_program("ptxas")
    cuobjdump = _toolkit_program("cuobjdump")
    nvdisasm = _toolkit_program("nvdisasm")
    libdevice_path = env_str("TRITON_LIBDEVICE_PATH")
    libcuda_path = env_str("TRITON_LIBCUDA_PATH")


def _cache_dir() -> str:
    for name in ("TEGULA_CACHE_DIR", "TRITON_CACHE_DIR"):
        if name in os.environ:
            return os.environ[name]
    cache, home = os.environ.get("XDG_CACHE_HOME", ""), os.environ.get("HOME", "")
    if cache.startswith("/"):  # the specification of the XDG folders has relative paths ignored
        return os.path.join(cache, "tegula")
    return os.path.join(home, ".cache", "tegula") if home else ""


class CacheKnobs(base_knobs):
    #: The folder that keeps what was compiled, assembled and tuned, for later processes; "" keeps nothing.
    dir: Knob[str] = Knob(_cache_dir)
    dump_dir = env_str("TRITON_DUMP_DIR")


compilation = CompilationKnobs()
autotuning = AutotuningKnobs()
runtime = RuntimeKnobs()
language = LanguageKnobs()
nvidia = NvidiaKnobs()
cache = CacheKnobs()
#: Of parts of Triton that are not here: what is assigned stays there and changes nothing.
amd, build, proton, redis = base_knobs(), base_knobs(), base_knobs(), base_knobs()
