"""`tl.map_elementwise`: a function of the user's, evaluated on scalars into the region of an op that runs it."""

found_in("tl", section="PTX and scalar code")

@differs("the function reads and writes no memory")
def map_elementwise(scalar_fn: Any, *args: Value, pack: int = 1) -> Any:
    """Calls a jit function of scalars for each element, with control flow of its own; `pack` elements a call."""
