"""`CompiledKernel`: a kernel compiled for the facts of its arguments, as launches and `compile` give it."""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import warnings
from collections import namedtuple
from collections.abc import Iterator, Mapping
from typing import Any, Callable

from ... import _native, knobs
from ...backends.compiler import GPUTarget
from ...compiler.errors import diagnostic_from_native
from ...tools.disasm import get_sass
from ..program import tuples

_count = 0


def compiled_kernels() -> int:
    """Returns how many kernels Tegula has compiled or loaded in this process: a way to be sure that it did."""
    return _count


class Asm(Mapping[str, Any]):
    """The texts of all stages by name, made when they are asked for: Triton's names "ttir", "ttgir", "llir", "ptx",
    "cubin" (bytes), and Tegula's own, "tile", "distributed", "scheduled", "llvm", "llvmir". "sass" is there for those who
    name it: only a CUDA toolkit can tell."""

    STAGES = {"ttir": "tile", "ttgir": "distributed", "llir": "llvmir", "ptx": "ptx", "cubin": "cubin", "tile": "tile",
              "distributed": "distributed", "scheduled": "scheduled", "llvm": "llvm", "llvmir": "llvmir"}

    def __init__(self, variant: Any, machine_code: Callable[[], bytes] | None = None):
        """`machine_code` makes "cubin" where that is another variant's."""
        self._variant = variant
        self._machine_code = machine_code
        self._made: dict[str, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        """The code alone: the stages before it belong to the process that compiled."""
        made = dict(self._made)
        for name in ("ptx", "cubin"):
            try:
                made[name] = self[name]
            except (KeyError, RuntimeError):  # there is no assembler
                continue
        return {"_variant": None, "_machine_code": None, "_made": made}

    def __getitem__(self, name: str) -> Any:
        stage = name if name == "sass" else self.STAGES[name]
        if stage == "sass" and stage not in self._made:
            self._made[stage] = get_sass(self._variant.stage("cubin") if self._variant is not None else self["cubin"])
        if stage not in self._made:
            if self._variant is None:
                raise KeyError(name)
            text = self._machine_code() if stage == "cubin" and self._machine_code else self._variant.stage(stage)
            self._made[stage] = text if stage == "cubin" else text.decode()
        return self._made[stage]

    def __contains__(self, name: object) -> bool:
        return name in (self.STAGES if self._variant is not None else self._made)  # asking does not compile

    def __iter__(self) -> Iterator[str]:
        return iter(self.STAGES if self._variant is not None else self._made)

    def __len__(self) -> int:
        return len(self.STAGES if self._variant is not None else self._made)


class LazyDict:
    """Facts about a launch for hooks: `get()` computes the rest of them on its first call."""

    def __init__(self, data: dict[str, Any]):
        self.data = data
        self.extras: list[tuple[Callable[..., dict[str, Any]], tuple[Any, ...]]] = []

    def add(self, func: Callable[..., dict[str, Any]], args: tuple[Any, ...]) -> None:
        self.extras.append((func, args))

    def get(self) -> dict[str, Any]:
        while self.extras:
            func, args = self.extras.pop(0)
            self.data = {**self.data, **func(*args)}
        return self.data

    def __getitem__(self, name: str) -> Any:
        return self.get()[name]


#: Triton's names. The global scratch memory that Triton keeps for a kernel does not exist: its sizes are 0.
KernelMetadata = namedtuple("KernelMetadata", "name shared num_warps num_stages num_ctas cluster_dims warp_size maxnreg "
                                              "enable_fp_fusion debug launch_cooperative_grid launch_pdl extern_libs tmem_size "
                                              "global_scratch_size profile_scratch_size target arch hash")


def metadata_of(compilation: Any, properties: Mapping[str, Any], digest: str) -> KernelMetadata:
    """Returns Triton's metadata of a kernel that was compiled so, and has these properties."""
    arch = int("".join(filter(str.isdigit, properties["arch"])))
    # The code itself is for single blocks: a launch makes clusters where it asks for them.
    told = {**compilation.triton_options(), "num_warps": properties["num_warps"], "num_stages": properties["num_stages"],
            "num_ctas": 1}
    return KernelMetadata(**told, name=properties["entry"], shared=properties["shared"], cluster_dims=(1, 1, 1),
                          warp_size=32, tmem_size=0, global_scratch_size=0, profile_scratch_size=0,
                          target=GPUTarget("cuda", arch, 32), arch=arch, hash=digest)


def digest_of(asm: Asm, stages: tuple[str, str]) -> str:
    """A digest of a machine's code as text, of the compiler, and of what a program adds to the keys of kernels."""
    return hashlib.sha256("".join((_native.build_id(), *stages, asm["ptx"])).encode()).hexdigest()


class CompiledKernel:
    """A compiled kernel: its code, and all that a launch of it takes.

    Triton's attributes: `asm` (texts by stage), `metadata`, `packed_metadata`, `name`, `hash`, `src`, `shared`,
    `num_warps`; once it is loaded `function` (the CUfunction), `n_regs`, `n_spills`. `kernel[grid](*args)` launches it, for
    callers who know that it fits.

    Its `__dict__` is plain data, so that programs can send it to other processes and put it together again there. It is
    loaded on the current device when it is first launched or `_init_handles` is called: what only compiles touches no device.
    """

    __slots__ = ("_loaded", "_prepared", "_process", "__dict__", "__weakref__")

    def __init__(self, src: Any, metadata: KernelMetadata, asm: Asm, passed: tuple[str, ...],
                 prepared: Callable[[Any], Any]):
        global _count
        _count += 1
        self.src = src
        self.metadata = metadata
        self.asm = asm
        self._passed = passed
        self._prepared = prepared

    def report(self, program: Any) -> None:
        """Shows what compiling had to say: prints of `tl.static_print`, and warnings."""
        for message in map(diagnostic_from_native, program.take_messages()):
            if message.severity == "warning":
                place = f"{message.file}:{message.line}: " if message.file else ""
                warnings.warn(place + message.message, stacklevel=4)
            elif message.severity == "note":
                print(message.message, file=sys.stdout)

    @property
    def name(self) -> str:
        """Returns the kernel's name in the code."""
        return self.metadata.name

    @property
    def hash(self) -> str:
        return self.metadata.hash

    @functools.cached_property
    def shared(self) -> int:
        """Bytes of shared memory. A program that launches the code itself may put a larger number there."""
        return self.metadata.shared

    @property
    def num_warps(self) -> int:
        return self.metadata.num_warps

    @property
    def packed_metadata(self) -> tuple[int, int, int]:
        return self.num_warps, self.num_ctas, self.shared

    @property
    def num_ctas(self) -> int:
        return 1

    @property
    def cluster_dims(self) -> tuple[int, int, int]:
        """Programs that find `num_ctas` here ask for this too."""
        return (1, 1, 1)

    @property
    def kernel(self) -> Any:
        """The machine code, as older versions of Triton call it."""
        return self.asm["cubin"]

    @property
    def n_max_threads(self) -> int:
        return 1024

    #--- loaded ---

    def _place(self) -> tuple[Any, Any] | None:
        """The device on which it is loaded, and what is loaded there."""
        return getattr(self, "_loaded", None)

    def _init_handles(self) -> None:
        """Loads the kernel on the current device, once. OutOfResources where that has too little for it."""
        if self._place() is not None:
            return
        self._process = os.getpid()
        device = _native.current_device()
        prepared = getattr(self, "_prepared", None)
        if prepared is not None:
            self._loaded = (device, prepared(device))
        else:  # of another process
            self._loaded = (device, _native.load(device, self.asm["ptx"], self.asm.get("cubin")))

    def properties(self) -> dict[str, Any] | None:
        """Returns the properties of the code that launches run, as `_native.Variant` has them; None until it is loaded."""
        place = self._place()
        return None if place is None else place[1].properties()

    def _of_variant(self, name: str) -> Any:
        properties = self.properties()
        return None if properties is None else properties[name]

    @property
    def module(self) -> Any:
        """The CUmodule that launches run, which hosts initialise libraries in; None until the kernel is loaded. On other devices
        what is loaded there."""
        place = self._place()
        return None if place is None else self._of_variant("module") or place[1]

    @property
    def function(self) -> int | None:
        return self._of_variant("function")

    @property
    def n_regs(self) -> int | None:
        return self._of_variant("registers")

    @property
    def n_spills(self) -> int | None:
        """Registers of a thread that lie in memory: a word each."""
        bytes_ = self._of_variant("spill_bytes")
        return None if bytes_ is None else bytes_ // 4

    @property
    def device_index(self) -> int:
        place = self._place()
        return 0 if place is None else max(place[0].properties()["ordinal"], 0)

    #--- launching ---

    def launch_metadata(self, grid: tuple[int, ...], stream: int, *args: Any) -> LazyDict | None:
        """Returns the facts about a launch for hooks, with arguments for all parameters; None where there are no hooks."""
        if not knobs.runtime.launch_enter_hook:
            return None
        self._init_handles()
        return self._hook_metadata(grid, stream, dict(zip(self.src.fn.arg_names, args)))

    def _hook_metadata(self, grid: tuple[int, ...], stream: int, bound: dict[str, Any]) -> LazyDict:
        told = LazyDict({"name": self.name, "function": self._of_variant("function"), "stream": stream})
        more = self.src.fn.launch_metadata
        if more is not None:
            told.add(more, (grid, self.metadata, bound))
        return told

    @property
    def run(self) -> Callable[..., None]:
        """Triton's launcher of the kernel: `run(x, y, z, stream, function, packed_metadata, launch_metadata, enter_hook,
        exit_hook, *args)`, with arguments for all parameters."""
        self._init_handles()
        return self._run

    def _run(self, x: int, y: int, z: int, stream: int, function: Any, packed_metadata: Any, launch_metadata: Any,
             enter_hook: Callable[..., Any] | None, exit_hook: Callable[..., Any] | None, *args: Any) -> None:
        if enter_hook:
            enter_hook(launch_metadata)
        self._launch((x, y, z), stream, args)
        if exit_hook:
            exit_hook(launch_metadata)

    def _launch(self, grid: tuple[int, int, int], stream: int, args: tuple[Any, ...]) -> None:
        params = self.src.fn.params
        names = [param.name for param in params]
        passed = [param.name for param in params if not param.is_constexpr]
        if len(args) not in (len(names), len(passed)):
            raise TypeError(f"{self.name}() takes {len(names)} positional arguments, or {len(passed)} without those known when "
                            f"compiling, but {len(args)} were given")
        if len(args) != len(names):
            names = passed
        given = tuple(part for name, arg in zip(names, args) for leaf, part in tuples.leaves(name, arg)
                      if leaf in self._passed)
        self._init_handles()
        device, variant = self._loaded
        variant.launch(device, grid, given, stream)

    def __getitem__(self, grid: Any) -> Callable[..., None]:
        x, y, z = (*grid, 1, 1)[:3] if isinstance(grid, (tuple, list)) else (grid, 1, 1)

        def launch(*args: Any, stream: int | None = None) -> None:
            """Takes the arguments of all parameters, or of those that are not `tl.constexpr`."""
            self._launch((x, y, z), _native.current_stream() if stream is None else stream, args)

        return launch

    #--- copies ---

    def __getstate__(self) -> dict[str, Any]:
        return dict(self.__dict__)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def __copy__(self) -> CompiledKernel:
        return self

    def __deepcopy__(self, memo: Any) -> CompiledKernel:
        return self

    def __repr__(self) -> str:
        return f"CompiledKernel({self.name}, sm_{self.metadata.arch})"

    def __del__(self) -> None:
        # The copy that a fork made is loaded in the parent.
        place, hook = getattr(self, "_loaded", None), knobs.runtime.kernel_unload_hook if knobs is not None else None
        if hook and place is not None and os.getpid() == self._process:
            hook(place[1], place[1].properties()["function"], self.name, {}, self.hash)


class LoadedKernel(CompiledKernel):
    """The result of a launch: a kernel compiled for the facts of its arguments, and loaded on a device. Rare attributes
    are made on first use.

    Its texts are those of the code that launches run. Where that takes implicit arguments, which launches fill in (numbers
    of programs, tensor maps), other launchers cannot run it: `function`, the machine code and `metadata` are of the kernel
    compiled once more without such arguments.
    """

    #: Whether it was made before any launch asked for it.
    is_made_ahead = False

    def __init__(self, function: Any, kernel: Any, variant: Any, device: Any, compilation: Any):
        global _count
        _count += 1
        self._function = function
        self._compilation = compilation
        self._loaded = (device, variant)
        self._process = os.getpid()
        self._passed = tuple(name for name, _ in kernel.parameters())
        self._own = variant.properties()
        self.asm = Asm(variant, lambda: self._for_others.stage("cubin"))

    @functools.cached_property
    def _for_others(self) -> Any:
        """The variant that any launcher can launch."""
        device, variant = self._loaded
        return self._compilation.for_others(device) if self._own["implicit_arguments"] else variant

    @functools.cached_property
    def _properties(self) -> dict[str, Any]:
        return self._for_others.properties()

    @property
    def name(self) -> str:
        return self._own["entry"]

    @property
    def function(self) -> int | None:
        return self._properties["function"]

    @functools.cached_property
    def hash(self) -> str:  # type: ignore[override]
        return digest_of(self.asm, self._compilation.stages)

    @functools.cached_property
    def metadata(self) -> Any:  # type: ignore[override]
        return metadata_of(self._compilation, self._properties, self.hash)

    @functools.cached_property
    def src(self) -> Any:  # type: ignore[override]
        """The kernel with the types, values and facts that it was compiled for, as `compile` takes them."""
        from ...compiler.compiler import ASTSource  # whose `compile` makes kernels of this module

        told = self._compilation
        return ASTSource(self._function, told.signature, told.constants, told.attrs)

    def _launch_metadata(self, x: int, y: int, z: int, stream: int, bound: dict[str, Any]) -> LazyDict:
        """Makes the facts about a launch for hooks; each launch with hooks calls it."""
        return self._hook_metadata((x, y, z), stream, bound)

    def __reduce__(self) -> Any:
        return _recompile, (self._compilation,)  # machine code belongs to a machine: it is compiled again, or found on disk


def _recompile(compilation: Any) -> CompiledKernel:
    return compilation.function.precompile(compilation.types, compilation.values, **compilation.options)
