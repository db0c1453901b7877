"""Tensors side by side and taken apart; elements that change places."""

found_in("tl", section="Shape")

@differs("takes numbers too; so do `interleave` and `cat`")
def join(a: Value, b: Value) -> tensor:
    """Two blocks side by side in a new last dimension of size 2; two scalars make a block of two."""

found_in("tl.standard", section="Shape")

def interleave(a: Value, b: Value) -> tensor:
    """The elements of `a` and `b` in turn along the last dimension, which becomes twice as long."""

found_in("tl", section="Creation")

@differs("keeps the order, `can_reorder` or not; takes `dim` as later versions do")
def cat(input: tensor, other: tensor, can_reorder: bool = False, dim: int = 0) -> tensor:
    """The elements of both blocks, one behind the other along `dim`. With `can_reorder` in any order."""

found_in("tl", "tensor", section="Shape")

def split(a: tensor) -> tuple[tensor, tensor]:
    """The two halves of a block whose last dimension has size 2: the inverse of `join`."""

found_in("tl", "tensor", section="Indexing")

def gather(src: tensor, index: tensor, axis: int) -> tensor:
    """Elements of `src` by their place along `axis`: `result[i, j] = src[index[i, j], j]` for axis 0. `index` has the
    sides of `src` but along `axis`."""

found_in("tl")

def _butterfly(input, axis, mask=None): ...
