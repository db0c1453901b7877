"""Python's own functions of ranges, dicts and classes, for values known at compile time."""

found_in("python")

@handler("pythonRange")
def range(start, end=None, step=1, num_stages=None, loop_unroll_factor=None, disallow_acc_multi_buffer=False,
          flatten=False, warp_specialize=False, disable_licm=False): ...

def len(value): ...
def str(value): ...
def dict(items=None, **more): ...

@handler("pythonSlice")
def slice(start, stop=None, step=None): ...

@takes_unknown
def isinstance(value, type): ...

@takes_unknown
def getattr(object, name, default=None): ...

def hasattr(object, name): ...

found_in("tl", section="Loops")

@is_class
@handler("hintedRange")
@differs("hints are hints: `flatten` and `warp_specialize` are carried out where they can be, else a remark "
         "says why not")
def range(start: Value, end: Value | None = None, step: Value = 1, num_stages: int | None = None,
          loop_unroll_factor: int | None = None, disallow_acc_multi_buffer: bool = False, flatten: bool = False,
          warp_specialize: bool = False, disable_licm: bool = False) -> Iterator[tensor]:
    """`for i in tl.range(start, end, step)`: Python's `range`, with advice on how to compile the loop.

    `num_stages` is how many iterations' loads run ahead; `loop_unroll_factor` how many iterations become one.
    The other keywords are accepted as hints.
    """

@is_class
def static_range(start: int, end: int | None = None, step: int = 1) -> Iterator[int]:
    """`for i in tl.static_range(start, end, step)`: a loop that is unrolled while compiling. The bounds are known then,
    and so is `i` in each iteration."""

@is_class
def condition(arg: Value, disable_licm: bool = False) -> None:
    """`while tl.condition(c)`: a loop with advice; `disable_licm` leaves in it what could be computed before it."""

found_in("tl")

def _named_tuple(items): ...
def slice(start, stop, step): ...

found_in("dict")

def get(self, key, default=None): ...
def keys(self): ...
def values(self): ...
def items(self): ...
