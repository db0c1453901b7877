"""The number of the program, and new tensors."""

found_in("tl", section="Programming model")

def program_id(axis: int) -> tensor:
    """The index of this program in the grid along `axis` (0, 1 or 2): an int32, the block index of CUDA."""

def num_programs(axis: int) -> tensor: """The number of programs in the grid along `axis` (0, 1 or 2): an int32."""

found_in("tl", section="Creation")

def arange(start: int, end: int) -> tensor:
    """The int32s from `start` to `end - 1` as a block.

    Both bounds are known at compile time, and their difference is a power of two.
    """

@differs("a number wraps where the type does not hold it, and may become an 8-bit float")
def full(shape: Sequence[int], value: Value, dtype: Type) -> tensor:
    """A block of `shape` in which every element is `value`, converted to `dtype`. `[]` as shape gives a scalar."""

@since("3.7")
def to_tensor(x: Value) -> tensor:
    """A number as a scalar of a kernel: int32 where it fits, else uint32, int64 or uint64; float32 where its range
    suffices, else float64. A tensor stays what it is."""

found_in("tl", "tensor", section="Creation")

@differs("integers and 8-bit floats convert to each other")
def cast(input: Value, dtype: Type, fp_downcast_rounding: str | None = None, bitcast: bool = False) -> tensor:
    """`input` converted to `dtype`.

    Floats become shorter floats by rounding to nearest even, or towards zero where `fp_downcast_rounding` is
    "rtz"; floats become integers by truncation; anything becomes `int1` by comparing it with zero.
    With `bitcast` the bits stay and only the type changes; both types have then the same width.
    """

found_in("tensor")

@handler("cast")
def to(input, dtype: Type, fp_downcast_rounding: str | None = None, bitcast: bool = False) -> tensor:
    """Converted to `dtype`; see `tl.cast`."""
