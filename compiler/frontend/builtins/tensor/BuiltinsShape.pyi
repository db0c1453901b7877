"""Shapes: broadcasting, new dimensions, other orders."""

found_in("tl", "tensor", section="Shape")

def broadcast_to(input: Value, *shape: Any) -> tensor:
    """`input` in `shape`, given as one tuple or as several integers: dimensions of size 1 are repeated. The number of
    dimensions stays; a scalar takes any shape."""

def expand_dims(input: tensor, axis: Union[int, Sequence[int]]) -> tensor:
    """`input` with dimensions of size 1 inserted, so that they stand at `axis` of the result. `x[:, None]` is
    `expand_dims(x, 1)`. Negative axes count from the end."""

def reshape(input: tensor, *shape: Any, can_reorder: bool = False) -> tensor:
    """The elements of `input` in `shape`, given as one tuple or as several integers, in the order of rows.

    With `can_reorder` their order is the compiler's choice, which may save an exchange between threads.
    """

# The parameter `_semantic` is Triton's own: tools look for it to know which convention of builtins they meet.
@handler("reshape")
def view(input: tensor, *shape: Any, _semantic: Any = None) -> tensor: """As `reshape`; the old name."""

def trans(input: tensor, *dims: Any) -> tensor:
    """`input` with its dimensions in the order `dims`; without `dims` the last two change places."""

def permute(input: tensor, *dims: Any) -> tensor:
    """`input` with its dimensions in the order `dims`, given as one tuple or as several integers."""

found_in("tl", section="Shape")

def broadcast(input: Value, other: Value) -> tuple[tensor, tensor]:
    """Both blocks in their common shape: missing dimensions are added in front, those of size 1 are repeated."""

found_in("tl.standard", "tensor", section="Shape")

@handler("expandDims")
@since("3.7")
def unsqueeze(input: tensor, axis: int) -> tensor: """`input` with a dimension of size 1 at `axis`."""

@since("3.7")
def squeeze(input: tensor, dim: int) -> tensor: """`input` without its dimension `dim`, whose size is 1."""

def ravel(x: tensor, can_reorder: bool = False) -> tensor: """The elements of `x` in one dimension."""

found_in("tensor")

def item(input) -> tensor: """The one element of a block of one."""
