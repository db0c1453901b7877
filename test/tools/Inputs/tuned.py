import triton
import triton.language as tl


def configs():
    found = []
    for block in [32, 64]:
        found.append(triton.Config({"BLOCK": block}, num_warps=block // 32))
    return found


@triton.autotune(configs=configs(), key=["n"])
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def tuned(x_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    tl.static_print("block", BLOCK)
    tl.store(x_ptr, BLOCK)
    tl.store(x_ptr + 1, EVEN)
    tl.store(x_ptr + 2, n)


@triton.autotune(configs=unknown(), key=["n"])
@triton.jit
def unread(x_ptr, n, BLOCK: tl.constexpr):
    tl.store(x_ptr, BLOCK)


@libentry()
@triton.jit
def plain(x_ptr, BLOCK: tl.constexpr):
    tl.store(x_ptr, BLOCK)


@triton.jit(do_not_specialize=["n"])
def one(x_ptr, n):
    tl.static_print(n)
    tl.store(x_ptr, n)


@triton.heuristics({"num_warps": lambda args: 64})
@triton.jit
def wide(x_ptr):
    tl.store(x_ptr, 1)


@triton.autotune(configs=[triton.Config({"BLOCK": 32}, num_ctas=2, maxnreg=64, pre_hook=lambda nargs: None)], key=[])
@triton.jit
def hooked(x_ptr, BLOCK: tl.constexpr):
    tl.store(x_ptr, BLOCK)
