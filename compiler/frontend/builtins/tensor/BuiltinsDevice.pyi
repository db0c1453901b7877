"""PTX by hand, special registers, and the hand-over between launches."""

found_in("tl", section="PTX and scalar code")

@differs("not on the interpreter")
def inline_asm_elementwise(asm: str, constraints: str, args: Sequence[Value], dtype: Any, is_pure: bool,
                           pack: int) -> Any:
    """Runs PTX for each element, or each `pack` elements, of `args`, which are broadcast to a common shape.

    `constraints` are those of LLVM's inline assembly, results first ("=r,r,r"). A tuple of types as `dtype` gives
    as many results. `is_pure` says that nothing but the results depends on it. A scalar result may differ by thread, where the
    PTX asks for its number or, unless pure, reads memory: what all threads do together is refused under a branch on it.
    """

found_in("tl.extra.cuda")

def globaltimer() -> tensor: """Nanoseconds of the device's clock: int64."""
def smid() -> tensor: """The number of the multiprocessor on which the program runs: int32."""

def gdc_wait() -> None:
    """Waits until the kernel launched before has written what this one reads (programmatic dependent launch)."""

def gdc_launch_dependents() -> None: """Lets the kernel launched next begin (programmatic dependent launch)."""
