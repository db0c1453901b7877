"""`tl.reduce` and `tl.associative_scan`: elements are combined by a function of the user's."""

found_in("tl", "tensor", section="Reduction")

def reduce(input: Any, axis: int | None, combine_fn: Callable, keep_dims: bool = False) -> Any:
    """Combines the elements along `axis`, or all of them, by the jit function `combine_fn` of two elements, which is
    associative. For a tuple of tensors of one shape it takes and returns as many elements.

    With `keep_dims` the axis stays with size 1. Lowered to shuffles within warps and shared memory between them.
    """

found_in("tl", "tensor", section="Scan")

def associative_scan(input: Any, axis: int, combine_fn: Callable, reverse: bool = False) -> Any:
    """For each element the combination by `combine_fn` of all up to it along `axis`; with `reverse` from the end."""

found_in("tl", "tensor", section="Sorting")

def histogram(input: tensor, num_bins: int, mask: Value | None = None) -> tensor:
    """Counts the occurrences of 0 to `num_bins - 1` in a one-dimensional block of integers, where `mask` holds."""

found_in("tl")

def _axis_index(input, axis=None): ...
