"""Products of matrices: what `tl.dot` takes, which type it sums in, and how precise products of fp32 are."""

found_in("tl", section="Linear algebra")

@differs("sums of 8-bit floats keep fp32 whatever `max_num_imprecise_acc` says on targets without such units")
def dot(input: tensor, other: tensor, acc: tensor | None = None, input_precision: str | None = None,
        allow_tf32: bool | None = None, max_num_imprecise_acc: int | None = None,
        out_dtype: Type | None = None) -> tensor:
    """The product of an [M, K] and a [K, N] matrix, or of stacks of them, added to `acc`.

    Lowered to the matrix units. Both operands have one type (two types of 8-bit floats go together); floats are
    summed in float32, or float16 where `out_dtype` or the type of `acc` says so, 8-bit integers in int32. K is at least
    what 32 bytes hold.
    `input_precision` is about float32 operands: "tf32" (the default), "tf32x3" or "ieee". `allow_tf32=False` is the old
    spelling of "ieee". `max_num_imprecise_acc` bounds how many products of 8-bit floats the matrix unit sums by itself.
    """
