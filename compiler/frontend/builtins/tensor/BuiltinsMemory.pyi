"""Loads and stores."""

found_in("tl", section="Memory")

def load(pointer: tensor, mask: Value | None = None, other: Value | None = None, boundary_check: Sequence[int] = (),
         padding_option: str = "", cache_modifier: str = "", eviction_policy: str = "",
         volatile: bool = False) -> tensor:
    """Loads from `pointer`, a pointer or a block of pointers.

    Where `mask` is false nothing is read, and the result is `other`, or undefined without one. Both are broadcast
    to the shape of `pointer`. `cache_modifier` is "", ".ca", ".cg", ".cs" or ".cv" and `eviction_policy` "",
    "evict_first" or "evict_last", as in PTX.

    For a block pointer `boundary_check` lists the dimensions whose bounds are checked, and `padding_option` ("",
    "zero", "nan") is the value beyond them.
    """

found_in("tl", "tensor", section="Memory")

def store(pointer: tensor, value: Value, mask: Value | None = None, boundary_check: Sequence[int] = (),
          cache_modifier: str = "", eviction_policy: str = "") -> None:
    """Writes `value`, converted to what `pointer` points to, where `mask` holds.

    `value` and `mask` are broadcast to the shape of `pointer`. `cache_modifier` is "", ".wb", ".cg", ".cs" or ".wt".
    """
