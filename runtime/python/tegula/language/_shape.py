"""Functions of the language that rearrange blocks: shapes, orders, parts."""

from __future__ import annotations

from typing import Any, Sequence, Union

from ._stub import builtin
from ._tensor import Value, tensor


@builtin
def broadcast(input: Value, other: Value) -> tuple[tensor, tensor]:
    """Both blocks in their common shape: missing dimensions are added in front, those of size 1 are repeated."""


@builtin
def broadcast_to(input: Value, *shape: Any) -> tensor:
    """`input` in `shape`, given as one tuple or as several integers: dimensions of size 1 are repeated. The number of
    dimensions stays; a scalar takes any shape."""


@builtin
def expand_dims(input: tensor, axis: Union[int, Sequence[int]]) -> tensor:
    """`input` with dimensions of size 1 inserted, so that they stand at `axis` of the result. `x[:, None]` is
    `expand_dims(x, 1)`. Negative axes count from the end."""


@builtin
def squeeze(input: tensor, dim: int) -> tensor:
    """`input` without its dimension `dim`, whose size is 1."""


@builtin
def unsqueeze(input: tensor, axis: int) -> tensor:
    """`input` with a dimension of size 1 at `axis`."""


@builtin
def reshape(input: tensor, *shape: Any, can_reorder: bool = False) -> tensor:
    """The elements of `input` in `shape`, given as one tuple or as several integers, in the order of rows.

    With `can_reorder` their order is the compiler's choice, which may save an exchange between threads.
    """


# The parameter `_semantic` is Triton's own: tools look for it to know which convention of builtins they meet.
@builtin
def view(input: tensor, *shape: Any, _semantic: Any = None) -> tensor:
    """As `reshape`; the old name."""


@builtin
def ravel(x: tensor, can_reorder: bool = False) -> tensor:
    """The elements of `x` in one dimension."""


@builtin
def trans(input: tensor, *dims: Any) -> tensor:
    """`input` with its dimensions in the order `dims`; without `dims` the last two change places."""


@builtin
def permute(input: tensor, *dims: Any) -> tensor:
    """`input` with its dimensions in the order `dims`, given as one tuple or as several integers."""


@builtin
def join(a: Value, b: Value) -> tensor:
    """Two blocks side by side in a new last dimension of size 2; two scalars make a block of two."""


@builtin
def interleave(a: Value, b: Value) -> tensor:
    """The elements of `a` and `b` in turn along the last dimension, which becomes twice as long."""


@builtin
def split(a: tensor) -> tuple[tensor, tensor]:
    """The two halves of a block whose last dimension has size 2: the inverse of `join`."""


@builtin
def gather(src: tensor, index: tensor, axis: int) -> tensor:
    """Elements of `src` by their place along `axis`: `result[i, j] = src[index[i, j], j]` for axis 0. `index` has the
    sides of `src` but along `axis`."""


@builtin
def flip(x: tensor, dim: int | None = None) -> tensor:
    """`x` in reverse order along `dim`, by default the last dimension."""


@builtin
def where(condition: Value, x: Value, y: Value) -> tensor:
    """`x` where `condition` holds and `y` elsewhere, element by element, broadcast and promoted to a common type.

    Both are evaluated everywhere: to read memory under a condition, give `load` a mask.
    """


@builtin
def map_elementwise(scalar_fn: Any, *args: Value, pack: int = 1) -> Any:
    """Calls a jit function of scalars for each element, with control flow of its own; `pack` elements a call."""


@builtin
def inline_asm_elementwise(asm: str, constraints: str, args: Sequence[Value], dtype: Any, is_pure: bool,
                           pack: int) -> Any:
    """Runs PTX for each element, or each `pack` elements, of `args`, which are broadcast to a common shape.

    `constraints` are those of LLVM's inline assembly, results first ("=r,r,r"). A tuple of types as `dtype` gives
    as many results. `is_pure` says that nothing but the results depends on it.
    """
