"""What is measured: a kernel on arguments of a shape and type, and the ways to launch it."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Tensor:
    """An array argument. `fill` is "random", "nan" for what the kernel is to write, or "zeros" for what it adds to;
    random whole numbers are of all that an int8 holds, or from 0 up to `below`."""
    dtype: str
    shape: tuple
    fill: str = "random"
    below: int = 0


@dataclass(frozen=True)
class Config:
    """One way to launch a kernel: compile-time values, warps, the grid, stages."""
    constants: tuple
    warps: int
    programs: tuple
    stages: int = 3
    text: str = ""


@dataclass
class Case:
    """A kernel on a shape and type. `expected` and `torch` are expressions over the arguments by name, `torch`, and
    the kernel's file as `host`; `library` says what cuBLAS or cuDNN is asked for."""
    name: str
    file: str
    entry: str
    dtype: str
    shape: tuple
    arguments: dict  # name -> Tensor, int, float or None, in the kernel's order
    output: str
    configs: list
    expected: str = ""
    torch: str = ""
    library: str = ""
    bytes: int = 0  # that have to be moved; 0 where that is not what takes the time
    tolerance: tuple = (0, 0)  # relative and absolute
    precision: str = ""  # of fp32 products, where errors are compared
    factors: dict = field(default_factory=dict)  # name -> by what an input is multiplied, 1 where it is missing

    def label(self):
        return f"{self.name} {self.dtype} {'x'.join(map(str, self.shape))}"


def ceildiv(a, b):
    return -(-a // b)


def argument_of(planned):
    if "dtype" in planned:
        return Tensor(planned["dtype"], tuple(planned["shape"]), planned["fill"], planned["below"])
    return planned["int"] if "int" in planned else float(planned["float"]) if "float" in planned else None


def case_of(planned):
    """A case as the plan of `tegula bench` has it."""
    configs = [Config(tuple(c["constants"].items()), c["warps"], tuple(c["grid"]), c["stages"], c["text"])
               for c in planned["configs"]]
    same = ("name", "file", "entry", "dtype", "output", "expected", "torch", "library", "bytes")
    return Case(**{key: planned[key] for key in same}, shape=tuple(planned["shape"]), configs=configs,
                arguments={a["name"]: argument_of(a) for a in planned["arguments"]},
                tolerance=tuple(planned["tolerance"]))
