"""`tl.tensor`: the values of a kernel, for annotations, `isinstance` and editors."""

from __future__ import annotations

import builtins
from typing import Any, Callable, Sequence, Union

from ._constexpr import base_value, constexpr
from ._stub import builtin, language_class, outside_kernel
from ._types import dtype as Type

#: What an operand may be: a tensor, or a number that becomes one of the other operand's type.
Value = Union["tensor", constexpr, int, float, bool]


@language_class
class tensor(base_value):
    """A block of values, or one value, while a kernel runs. Kernels get tensors from functions of the language.

    Operators work element by element; operands are broadcast to a common shape and promoted to a common type.
    A method `x.f(...)` is `tl.f(x, ...)`.
    """

    #: The sides, each a `constexpr`; empty for a scalar.
    shape: builtins.tuple
    #: The type of the elements.
    dtype: Type
    #: The type with the shape: a `block_type`, or `dtype` of a scalar.
    type: Type
    #: How many elements there are.
    numel: constexpr

    def __init__(self, *args: Any, **kwargs: Any):
        outside_kernel("tl.tensor")

    @property
    def T(self) -> tensor:
        """The block with its last two dimensions swapped."""
        outside_kernel("tl.tensor.T")

    # Arithmetic.
    @builtin
    def __add__(self, other: Value) -> tensor: ...
    @builtin
    def __radd__(self, other: Value) -> tensor: ...
    @builtin
    def __sub__(self, other: Value) -> tensor: ...
    @builtin
    def __rsub__(self, other: Value) -> tensor: ...
    @builtin
    def __mul__(self, other: Value) -> tensor: ...
    @builtin
    def __rmul__(self, other: Value) -> tensor: ...
    @builtin
    def __truediv__(self, other: Value) -> tensor: ...
    @builtin
    def __rtruediv__(self, other: Value) -> tensor: ...
    @builtin
    def __floordiv__(self, other: Value) -> tensor: ...
    @builtin
    def __rfloordiv__(self, other: Value) -> tensor: ...
    @builtin
    def __mod__(self, other: Value) -> tensor: ...
    @builtin
    def __rmod__(self, other: Value) -> tensor: ...
    @builtin
    def __neg__(self) -> tensor: ...

    # Bits.
    @builtin
    def __invert__(self) -> tensor: ...
    @builtin
    def __and__(self, other: Value) -> tensor: ...
    @builtin
    def __rand__(self, other: Value) -> tensor: ...
    @builtin
    def __or__(self, other: Value) -> tensor: ...
    @builtin
    def __ror__(self, other: Value) -> tensor: ...
    @builtin
    def __xor__(self, other: Value) -> tensor: ...
    @builtin
    def __rxor__(self, other: Value) -> tensor: ...
    @builtin
    def __lshift__(self, other: Value) -> tensor: ...
    @builtin
    def __rlshift__(self, other: Value) -> tensor: ...
    @builtin
    def __rshift__(self, other: Value) -> tensor: ...
    @builtin
    def __rrshift__(self, other: Value) -> tensor: ...

    # Comparisons: a block of `tl.int1`.
    @builtin
    def __lt__(self, other: Value) -> tensor: ...
    @builtin
    def __le__(self, other: Value) -> tensor: ...
    @builtin
    def __gt__(self, other: Value) -> tensor: ...
    @builtin
    def __ge__(self, other: Value) -> tensor: ...
    @builtin
    def __eq__(self, other: Value) -> tensor: ...  # type: ignore[override]
    @builtin
    def __ne__(self, other: Value) -> tensor: ...  # type: ignore[override]

    @builtin
    def __getitem__(self, index: Any) -> tensor:
        """Adds dimensions of size 1: `x[:, None]`. Only `None` and `:` are indices."""

    @builtin
    def logical_and(self, other: Value) -> tensor:
        """`self and other` of truths, element by element."""

    @builtin
    def logical_or(self, other: Value) -> tensor:
        """`self or other` of truths, element by element."""

    # Types.
    @builtin
    def to(self, dtype: Type, fp_downcast_rounding: str | None = None, bitcast: bool = False) -> tensor:
        """Converted to `dtype`; see `tl.cast`."""

    @builtin
    def cast(self, dtype: Type, fp_downcast_rounding: str | None = None, bitcast: bool = False) -> tensor:
        """As `tl.cast`."""

    @builtin
    def item(self) -> tensor:
        """The one element of a block of one."""

    # Shapes.
    @builtin
    def broadcast_to(self, *shape: Any) -> tensor:
        """As `tl.broadcast_to`."""

    @builtin
    def expand_dims(self, axis: Union[int, Sequence[int]]) -> tensor:
        """As `tl.expand_dims`."""

    @builtin
    def squeeze(self, dim: int) -> tensor:
        """As `tl.squeeze`."""

    @builtin
    def unsqueeze(self, axis: int) -> tensor:
        """As `tl.unsqueeze`."""

    @builtin
    def reshape(self, *shape: Any, can_reorder: bool = False) -> tensor:
        """As `tl.reshape`."""

    @builtin
    def view(self, *shape: Any) -> tensor:
        """As `tl.view`."""

    @builtin
    def ravel(self, can_reorder: bool = False) -> tensor:
        """As `tl.ravel`."""

    @builtin
    def trans(self, *dims: Any) -> tensor:
        """As `tl.trans`."""

    @builtin
    def permute(self, *dims: Any) -> tensor:
        """As `tl.permute`."""

    @builtin
    def split(self) -> builtins.tuple[tensor, tensor]:
        """As `tl.split`."""

    @builtin
    def gather(self, index: tensor, axis: int) -> tensor:
        """As `tl.gather`."""

    @builtin
    def flip(self, dim: int | None = None) -> tensor:
        """As `tl.flip`."""

    # Memory: `self` is a pointer or a block of pointers.
    @builtin
    def store(self, value: Value, mask: Value | None = None, boundary_check: Sequence[int] = (),
              cache_modifier: str = "", eviction_policy: str = "") -> None:
        """As `tl.store`."""

    @builtin
    def advance(self, offsets: Sequence[Value]) -> tensor:
        """As `tl.advance`."""

    @builtin
    def atomic_add(self, val: Value, mask: Value | None = None, sem: str | None = None,
                   scope: str | None = None) -> tensor:
        """As `tl.atomic_add`."""

    @builtin
    def atomic_max(self, val: Value, mask: Value | None = None, sem: str | None = None,
                   scope: str | None = None) -> tensor:
        """As `tl.atomic_max`."""

    @builtin
    def atomic_min(self, val: Value, mask: Value | None = None, sem: str | None = None,
                   scope: str | None = None) -> tensor:
        """As `tl.atomic_min`."""

    @builtin
    def atomic_and(self, val: Value, mask: Value | None = None, sem: str | None = None,
                   scope: str | None = None) -> tensor:
        """As `tl.atomic_and`."""

    @builtin
    def atomic_or(self, val: Value, mask: Value | None = None, sem: str | None = None,
                  scope: str | None = None) -> tensor:
        """As `tl.atomic_or`."""

    @builtin
    def atomic_xor(self, val: Value, mask: Value | None = None, sem: str | None = None,
                   scope: str | None = None) -> tensor:
        """As `tl.atomic_xor`."""

    @builtin
    def atomic_xchg(self, val: Value, mask: Value | None = None, sem: str | None = None,
                    scope: str | None = None) -> tensor:
        """As `tl.atomic_xchg`."""

    @builtin
    def atomic_cas(self, cmp: Value, val: Value, sem: str | None = None, scope: str | None = None) -> tensor:
        """As `tl.atomic_cas`."""

    @builtin
    def atomic_load(self, mask: Value | None = None, sem: str | None = None, scope: str | None = None) -> tensor:
        """As `tl.atomic_load`."""

    @builtin
    def atomic_store(self, value: Value, mask: Value | None = None, sem: str | None = None,
                     scope: str | None = None) -> None:
        """As `tl.atomic_store`."""

    @builtin
    def atomic_poll(self, expected_value: Value, sem: str | None = None, scope: str | None = None,
                    timeout_ns: int | None = None) -> tensor:
        """As `tl.atomic_poll`."""

    # Mathematics.
    @builtin
    def abs(self) -> tensor: ...
    @builtin
    def ceil(self) -> tensor: ...
    @builtin
    def cos(self) -> tensor: ...
    @builtin
    def erf(self) -> tensor: ...
    @builtin
    def exp(self) -> tensor: ...
    @builtin
    def exp2(self) -> tensor: ...
    @builtin
    def floor(self) -> tensor: ...
    @builtin
    def log(self) -> tensor: ...
    @builtin
    def log2(self) -> tensor: ...
    @builtin
    def rsqrt(self) -> tensor: ...
    @builtin
    def sigmoid(self) -> tensor: ...
    @builtin
    def sin(self) -> tensor: ...
    @builtin
    def sqrt(self) -> tensor: ...
    @builtin
    def sqrt_rn(self) -> tensor: ...
    @builtin
    def uint_to_uniform_float(self) -> tensor: ...

    @builtin
    def cdiv(self, div: Value) -> tensor:
        """As `tl.cdiv`."""

    # Along an axis.
    @builtin
    def reduce(self, axis: int | None, combine_fn: Callable, keep_dims: bool = False) -> tensor:
        """As `tl.reduce`."""

    @builtin
    def associative_scan(self, axis: int, combine_fn: Callable, reverse: bool = False) -> tensor:
        """As `tl.associative_scan`."""

    @builtin
    def sum(self, axis: int | None = None, keep_dims: bool = False, dtype: Type | None = None) -> tensor:
        """As `tl.sum`."""

    @builtin
    def max(self, axis: int | None = None, return_indices: bool = False,
            return_indices_tie_break_left: bool = True, keep_dims: bool = False) -> tensor:
        """As `tl.max`."""

    @builtin
    def min(self, axis: int | None = None, return_indices: bool = False,
            return_indices_tie_break_left: bool = True, keep_dims: bool = False) -> tensor:
        """As `tl.min`."""

    @builtin
    def argmax(self, axis: int, tie_break_left: bool = True, keep_dims: bool = False) -> tensor:
        """As `tl.argmax`."""

    @builtin
    def argmin(self, axis: int, tie_break_left: bool = True, keep_dims: bool = False) -> tensor:
        """As `tl.argmin`."""

    @builtin
    def xor_sum(self, axis: int | None = None, keep_dims: bool = False) -> tensor:
        """As `tl.xor_sum`."""

    @builtin
    def reduce_or(self, axis: int, keep_dims: bool = False) -> tensor:
        """As `tl.reduce_or`."""

    @builtin
    def softmax(self, dim: int | None = None, keep_dims: bool = False, ieee_rounding: bool = False) -> tensor:
        """As `tl.softmax`."""

    @builtin
    def cumsum(self, axis: int = 0, reverse: bool = False, dtype: Type | None = None) -> tensor:
        """As `tl.cumsum`."""

    @builtin
    def cumprod(self, axis: int = 0, reverse: bool = False) -> tensor:
        """As `tl.cumprod`."""

    @builtin
    def sort(self, dim: int | None = None, descending: bool = False) -> tensor:
        """As `tl.sort`."""

    @builtin
    def topk(self, k: int, dim: int | None = None, descending: bool = True) -> tensor:
        """As `tl.topk`."""

    @builtin
    def histogram(self, num_bins: int, mask: Value | None = None) -> tensor:
        """As `tl.histogram`."""

    def __hash__(self) -> int:
        return id(self)


@language_class
class tensor_descriptor(base_value):
    """A tensor in memory that a kernel reads and writes by blocks; made by `tl.make_tensor_descriptor`, or on the
    host by `TensorDescriptor`."""

    #: The sides of the tensor, its strides in elements, the sides of a block, the type of an element.
    shape: builtins.tuple
    strides: builtins.tuple
    block_shape: list
    dtype: Type

    def __init__(self, *args: Any, **kwargs: Any):
        outside_kernel("tl.tensor_descriptor")

    @builtin
    def load(self, offsets: Sequence[Value]) -> tensor:
        """The block that begins at `offsets`; what lies outside of the tensor is the padding."""

    @builtin
    def store(self, offsets: Sequence[Value], value: tensor) -> None:
        """Writes the block that begins at `offsets`; what lies outside of the tensor is dropped."""

    @builtin
    def gather(self, *args: Any) -> tensor:
        """The rows `x_offsets` of a matrix, from column `y_offset` on."""

    @builtin
    def scatter(self, value: tensor, *args: Any) -> None:
        """Writes rows that `gather` would read."""

    @builtin
    def atomic_add(self, offsets: Sequence[Value], value: tensor) -> None:
        """Adds the block to what lies there; nothing is returned. So do the other `atomic_` methods."""

    @builtin
    def atomic_min(self, offsets: Sequence[Value], value: tensor) -> None: ...
    @builtin
    def atomic_max(self, offsets: Sequence[Value], value: tensor) -> None: ...
    @builtin
    def atomic_and(self, offsets: Sequence[Value], value: tensor) -> None: ...
    @builtin
    def atomic_or(self, offsets: Sequence[Value], value: tensor) -> None: ...
    @builtin
    def atomic_xor(self, offsets: Sequence[Value], value: tensor) -> None: ...


#: The name of its type in annotations.
tensor_descriptor_base = tensor_descriptor
