"""Messages and checks at compile time and on the device, and what the author knows about values."""

found_in("tl", section="Debugging")

def static_print(*values: Any, sep: str = " ", end: str = "\n", file: Any = None, flush: bool = False) -> None:
    """Prints while the kernel is compiled: values known then, and the types of others."""

def static_assert(cond: Any, msg: str = "") -> None:
    """An error with the text `msg` while compiling, unless `cond`, which is known then, holds."""

def device_print(prefix: str, *args: Value, hex: bool = False) -> None:
    """Prints `prefix` and the elements of `args` while the kernel runs, each with its place and its program."""

def device_assert(cond: Value, msg: str = "", mask: Value | None = None) -> None:
    """Stops the kernel with `msg` where `cond` is false and `mask` holds; only in kernels compiled for debugging
    (`debug=True`, or TRITON_DEBUG=1)."""

found_in("python")

@takes_unknown
@handler("devicePrint")
def print(prefix, *args, hex=False): ...

found_in("tl", section="Compiler hints")

def assume(cond: Value) -> None: """Promises that `cond` holds; code may be made under this assumption."""

def multiple_of(input: tensor, values: Union[int, Sequence[int]]) -> tensor:
    """Promises that `input` begins, along each dimension, at a multiple of `values`; returns `input`."""

def max_contiguous(input: tensor, values: Union[int, Sequence[int]]) -> tensor:
    """Promises that the first `values` elements of each run of `input` are consecutive; returns `input`."""

def max_constancy(input: tensor, values: Union[int, Sequence[int]]) -> tensor:
    """Promises that the first `values` elements of each run of `input` are equal; returns `input`."""
