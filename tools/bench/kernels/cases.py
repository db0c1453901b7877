"""Cases to measure: a kernel on arguments of a shape and type, and the ways to launch it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Mapping

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Tensor:
    """An array argument. `fill` is "random", "nan" for what the kernel is to write, "zeros" for what it adds to, "full" of
    `value`, or "arange" for 0, 1, 2, ...; random whole numbers are of all that an int8 holds, or from 0 up to `below`."""
    dtype: str
    shape: Shape
    fill: str = "random"
    below: int = 0
    value: int = 0

    @property
    def bytes(self) -> int:
        return math.prod(self.shape) * SIZES[self.dtype]


#: The sides of a plain product.
PRODUCT_SIDES = "MxNxK"
#: Bytes of an element.
SIZES = {"fp32": 4, "bf16": 2, "fp16": 2, "i8": 1, "i32": 4, "i64": 8, "fp8e4nv": 1, "fp8e5": 1}


@dataclass(frozen=True)
class Config:
    """One way to launch a kernel: compile-time values, warps, stages; in a case also the grid."""
    values: Mapping[str, Any]
    warps: int = 4
    stages: int = 3
    grid: Shape = (1,)

    def at(self, *grid: int, **values: Any) -> Config:
        """The same on a grid, with more values."""
        return replace(self, grid=grid, values={**self.values, **values})

    @property
    def name(self) -> str:
        """Without the grid, which is another one for each shape."""
        words = [f"{name}={value}" for name, value in sorted(self.values.items())]
        return " ".join([*words, f"num_warps={self.warps}", f"num_stages={self.stages}"])

    def __str__(self) -> str:
        sides = self.grid if len(self.grid) < 2 or self.grid[1] > 1 else self.grid[:1]
        return f"{self.name}, grid {'x'.join(map(str, sides))}"


#: The units of work: bytes that have to be moved, and operations of dots.
BANDWIDTH, COMPUTE = "GB/s", "TFLOPS"


@dataclass
class Case:
    """A kernel on a shape and type. `expected` and `torch` are expressions over the arguments by name, `torch`, and
    the kernel's file as `host`; `library` says what cuBLAS or cuDNN is asked for."""
    name: str
    file: str  # of the kernels' folder, without ".py"
    kernel: str
    dtype: str
    shape: Shape
    arguments: dict[str, Any] = field(default_factory=dict)  # name -> Tensor, int, float or None, in the kernel's order
    output: str = ""
    work: float = 0  # bytes or operations of a launch
    unit: str = BANDWIDTH
    configs: list[Config] = field(default_factory=list)
    expected: str = ""
    torch: str = ""
    library: str = ""
    tolerance: tuple[float, float] = (0, 0)  # relative and absolute
    precision: str = ""  # of fp32 products, where errors are compared
    factors: dict[str, float] = field(default_factory=dict)  # by what an input is multiplied, where that is not 1

    @property
    def label(self) -> str:
        return f"{self.name} {self.dtype} {shape_text(self.shape)}"

    def rate(self, milliseconds: float) -> float:
        """The work in that time in the case's unit."""
        return self.work / milliseconds * (1e-9 if self.unit == COMPUTE else 1e-6)

    def tensor(self, *shape: int, dtype: str = "", fill: str = "random", below: int = 0) -> Tensor:
        """An array of the case's type, unless another is named."""
        return Tensor(dtype or self.dtype, shape, fill, below)

    def written(self, *shape: int, dtype: str = "") -> Tensor:
        return self.tensor(*shape, dtype=dtype, fill="nan")


@dataclass
class Setting:
    """The machine and the choices that cases are made for."""
    #: The configs that the file of a kernel gives it, by file and kernel.
    configs_of: Callable[[str, str], list[Config]]
    multiprocessors: int = 1
    is_small: bool = False  # for the emulator: little work, and one config
    is_sweep: bool = False  # not the kernel's own configs but all that may fit
    #: Values that a sweep tries, by the name of a compile-time value, "num_warps" or "num_stages".
    swept: dict[str, list[int]] = field(default_factory=dict)
    heads: int = 0  # of attentions; 0: as many as make the same work of every length
    #: The module of a kernels' file, for what its host side chooses; None where nothing is to be loaded.
    host_of: Callable[[str], Any] | None = None


@dataclass(frozen=True)
class Entry:
    """A bundled kernel as it is measured."""
    name: str
    file: str
    kernel: str
    sides: str  # what a shape says: "N", "ROWSxN", "MxNxK"
    dtypes: tuple[str, ...]  # measured unless others are asked for
    shapes: tuple[Shape, ...]
    small: Shape  # the shape for the emulator
    #: The shape that `--n=N` means: elements, columns, the sides of a cube; and whether it is to be small.
    of_size: Callable[[int, bool], Shape]
    #: Fills in all that depends on type and shape.
    fill: Callable[[Case, Setting], None]
    unit: str = BANDWIDTH
    other_dtypes: tuple[str, ...] = ()  # what else may be asked for
    typed_shapes: tuple[tuple[Shape, str], ...] = ()  # more shapes, each for one type alone
    has_errors: bool = False  # its errors can be compared with PyTorch's

    @property
    def can_sweep(self) -> bool:
        return self.unit == COMPUTE

    def default_shapes(self, dtype: str) -> list[Shape]:
        return [*self.shapes, *(shape for shape, only in self.typed_shapes if only == dtype)]

    def case(self, dtype: str, shape: Shape, setting: Setting) -> Case:
        """UsageError for a shape that the kernel cannot take."""
        if len(shape) != self.sides.count("x") + 1:
            raise UsageError(f"expected {self.sides} as the shape of `{self.name}`, found {shape_text(shape)}")
        made = Case(self.name, self.file, self.kernel, dtype, shape, unit=self.unit)
        self.fill(made, setting)
        if setting.is_small:
            del made.configs[1:]
        return made


class UsageError(Exception):
    """The command line asks for what there is not."""


def shape_text(shape: Shape) -> str:
    return "x".join(map(str, shape))


def ceildiv(a: int, b: int) -> int:
    return -(-a // b)


def power_of_two(n: int) -> int:
    """The least that is not below `n`."""
    return 1 << (n - 1).bit_length()
