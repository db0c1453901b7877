"""Atomics, and the barrier."""

found_in("tl", "tensor", section="Atomics",
         ends="""Returns what was there before. Nothing is done where `mask` is false. `sem` orders it among accesses to memory:
"acq_rel" (the default), "acquire", "release" or "relaxed"; `scope` says for whom: "gpu" (the default), "cta" or "sys".""")

def atomic_add(pointer: tensor, val: Value, mask: Value | None = None, sem: str | None = None,
               scope: str | None = None) -> tensor:
    """Adds `val` to what lies at `pointer`, as one step that no other access divides."""

def atomic_max(pointer: tensor, val: Value, mask: Value | None = None, sem: str | None = None,
               scope: str | None = None) -> tensor:
    """Replaces what lies at `pointer` by the larger of it and `val`, as one step."""

def atomic_min(pointer: tensor, val: Value, mask: Value | None = None, sem: str | None = None,
               scope: str | None = None) -> tensor:
    """Replaces what lies at `pointer` by the smaller of it and `val`, as one step."""

def atomic_and(pointer: tensor, val: Value, mask: Value | None = None, sem: str | None = None,
               scope: str | None = None) -> tensor:
    """Replaces what lies at `pointer` by the bits that it shares with `val`, as one step."""

def atomic_or(pointer: tensor, val: Value, mask: Value | None = None, sem: str | None = None,
              scope: str | None = None) -> tensor:
    """Sets the bits of `val` in what lies at `pointer`, as one step."""

def atomic_xor(pointer: tensor, val: Value, mask: Value | None = None, sem: str | None = None,
               scope: str | None = None) -> tensor:
    """Flips the bits of `val` in what lies at `pointer`, as one step."""

def atomic_xchg(pointer: tensor, val: Value, mask: Value | None = None, sem: str | None = None,
                scope: str | None = None) -> tensor:
    """Puts `val` in the place of what lies at `pointer`, as one step."""

found_in("tl", "tensor", section="Atomics")

@differs("operands become of the type in memory, as those of other atomics: Triton refuses another type")
def atomic_cas(pointer: tensor, cmp: Value, val: Value, sem: str | None = None, scope: str | None = None) -> tensor:
    """Writes `val` to `pointer` where `cmp` lies there, as one step, and returns what lay there. For elements of 16, 32
    or 64 bits; `sem` and `scope` as of `atomic_add`."""

@since("3.9")
def atomic_load(pointer: tensor, mask: Value | None = None, sem: str | None = None, scope: str | None = None) -> tensor:
    """Reads what lies at `pointer`, as one step that no other access divides. Nothing is read where `mask` is false, and
    the result is undefined there. `sem` is "acquire" (the default) or "relaxed", `scope` as of `atomic_add`."""

@since("3.9")
def atomic_store(pointer: tensor, value: Value, mask: Value | None = None, sem: str | None = None,
                 scope: str | None = None) -> None:
    """Writes `value` to `pointer`, as one step. Nothing is done where `mask` is false. `sem` is "release" (the default) or
    "relaxed", `scope` as of `atomic_add`."""

found_in("tl", section="Compiler hints")

def debug_barrier() -> None:
    """All threads of the program wait for each other; what they wrote before is seen by all afterwards."""
