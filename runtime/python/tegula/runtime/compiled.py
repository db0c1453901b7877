"""`CompiledKernel`: what a launch returns, a kernel compiled for the facts of its arguments."""

from __future__ import annotations

import functools
import hashlib
import sys
import warnings
from collections import namedtuple
from collections.abc import Iterator, Mapping
from typing import Any, Callable

from .. import _native
from ..compiler.errors import Diagnostic, diagnostic_from_native
from . import tuples

_count = 0


def compiled_kernels() -> int:
    """How many kernels Tegula has compiled or loaded in this process: a way to be sure that it did."""
    return _count


class Asm(Mapping[str, Any]):
    """The texts of all stages by name, made when they are asked for: Triton's names "ttir", "ttgir", "llir", "ptx",
    "cubin" (bytes), and Tegula's own, "tile", "distributed", "scheduled", "llvm", "llvmir". "sass" is there for those who
    name it: only a CUDA toolkit can tell."""

    STAGES = {"ttir": "tile", "ttgir": "distributed", "llir": "llvmir", "ptx": "ptx", "cubin": "cubin", "tile": "tile",
              "distributed": "distributed", "scheduled": "scheduled", "llvm": "llvm", "llvmir": "llvmir"}

    def __init__(self, variant: Any):
        self._variant = variant
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        stage = name if name == "sass" else self.STAGES[name]
        if stage == "sass" and stage not in self._made:
            from ..tools.disasm import get_sass

            self._made[stage] = get_sass(self["cubin"])
        if stage not in self._made:
            text = self._variant.stage(stage)
            self._made[stage] = text if stage == "cubin" else text.decode()
        return self._made[stage]

    def __contains__(self, name: object) -> bool:
        return name in self.STAGES  # asking does not compile

    def __iter__(self) -> Iterator[str]:
        return iter(self.STAGES)

    def __len__(self) -> int:
        return len(self.STAGES)


class LazyDict:
    """What hooks are told of a launch: `get()` computes the rest of it, when it is first asked for."""

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


#: Triton's names. Of what NVIDIA's compiler of Triton keeps beside a kernel there is nothing: its sizes are 0.
KernelMetadata = namedtuple("KernelMetadata", "name shared num_warps num_stages num_ctas cluster_dims warp_size maxnreg "
                                              "enable_fp_fusion debug launch_cooperative_grid launch_pdl tmem_size "
                                              "global_scratch_size profile_scratch_size target arch hash")


class CompiledKernel:
    """A kernel compiled for the facts of its arguments and loaded on a device.

    Triton's attributes: `asm` (texts by stage), `metadata`, `name`, `n_regs`, `n_spills`, `shared`, `num_warps`,
    `function` (the CUfunction), `hash`, `src`; `kernel[grid](*args)` launches it, for callers who know that it fits.
    """

    def __init__(self, function: Any, kernel: Any, variant: Any, device: Any, compilation: Any):
        global _count
        _count += 1
        self._function = function
        self._compilation = compilation
        self._variant = variant
        self._device = device
        self._run_time = {name for name, _ in kernel.parameters()}
        self._properties = variant.properties()
        self.asm = Asm(variant)

    def report(self, program: Any) -> None:
        """Shows what compiling had to say: prints of `tl.static_print`, and warnings."""
        for message in map(diagnostic_from_native, program.take_messages()):
            if message.severity == "warning":
                warnings.warn(_shown(message), stacklevel=4)
            elif message.severity == "note":
                print(message.message, file=sys.stdout)

    @property
    def name(self) -> str:
        return self._properties["entry"]

    @property
    def shared(self) -> int:
        return self._properties["shared"]

    @property
    def num_warps(self) -> int:
        return self._properties["num_warps"]

    @property
    def num_ctas(self) -> int:
        return 1

    @property
    def n_regs(self) -> int:
        return self._properties["registers"]

    @property
    def n_spills(self) -> int:
        """Registers of a thread that lie in memory: a word each."""
        return self._properties["spill_bytes"] // 4

    @property
    def n_max_threads(self) -> int:
        return 1024

    @property
    def function(self) -> int:
        return self._properties["function"]

    @property
    def kernel(self) -> Any:
        """The machine code, as older versions of Triton call it."""
        return self.asm["cubin"]

    @property
    def device_index(self) -> int:
        return max(self._device.properties()["ordinal"], 0)

    @property
    def hash(self) -> str:
        """A digest of the machine's code as text and of the compiler."""
        if "_hash" not in self.__dict__:
            self._hash = hashlib.sha256((_native.build_id() + self.asm["ptx"]).encode()).hexdigest()
        return self._hash

    @property
    def metadata(self) -> Any:
        from ..backends.compiler import GPUTarget

        found = self._properties
        digits = "".join(filter(str.isdigit, found["arch"]))
        told = {**self._compilation.told_options(), "num_warps": self.num_warps, "num_stages": found["num_stages"]}
        return KernelMetadata(**told, name=self.name, shared=self.shared, cluster_dims=(1, 1, 1), warp_size=32, tmem_size=0,
                              global_scratch_size=0, profile_scratch_size=0, target=GPUTarget("cuda", int(digits), 32),
                              arch=int(digits), hash=self.hash)

    @functools.cached_property
    def src(self) -> Any:
        """The kernel with the types, values and facts that it was compiled for, as `compile` takes them."""
        from ..compiler.compiler import ASTSource

        told = self._compilation
        return ASTSource(self._function, told.signature, told.constants, told.attrs)

    def _init_handles(self) -> None:
        """Loads the kernel: it was, when it was compiled."""

    def _launch_metadata(self, x: int, y: int, z: int, stream: int, bound: dict[str, Any]) -> LazyDict:
        """What hooks are told of a launch."""
        told = LazyDict({"name": self.name, "function": self.function, "stream": stream})
        if self._function.launch_metadata is not None:
            told.add(self._function.launch_metadata, ((x, y, z), self.metadata, bound))
        return told

    def __getitem__(self, grid: Any) -> Callable[..., None]:
        sides = (*grid, 1, 1)[:3] if isinstance(grid, (tuple, list)) else (grid, 1, 1)

        def launch(*args: Any, stream: int | None = None) -> None:
            """Takes the arguments of all parameters; those known when compiling are left out."""
            names = self._function.arg_names
            if len(args) != len(names):
                raise TypeError(f"{self.name}() takes {len(names)} positional arguments but {len(args)} were given")
            given = tuple(part for name, arg in zip(names, args) for leaf, part in tuples.leaves(name, arg)
                          if leaf in self._run_time)
            self._variant.launch(self._device, sides, given, _native.current_stream() if stream is None else stream)

        return launch

    def __reduce__(self) -> Any:
        return _again, (self._compilation,)  # machine code belongs to a machine: it is compiled again, or found on disk

    def __copy__(self) -> CompiledKernel:
        return self

    def __deepcopy__(self, memo: Any) -> CompiledKernel:
        return self

    def __repr__(self) -> str:
        return f"CompiledKernel({self.name}, {self._properties['arch']})"


def _again(compilation: Any) -> CompiledKernel:
    return compilation.again()


def _shown(message: Diagnostic) -> str:
    place = f"{message.file}:{message.line}: " if message.file else ""
    return place + message.message
