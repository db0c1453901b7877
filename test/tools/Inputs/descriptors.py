import triton
import triton.language as tl


@triton.jit
def scale(source, target: tl.tensor_descriptor, factor):
    start = [tl.program_id(0) * source.block_shape[0], tl.program_id(1) * source.block_shape[1]]
    target.store(start, source.load(start) * factor)


@triton.autotune(configs=[triton.Config({"ROWS": 8}), triton.Config({"ROWS": 16})], key=[])
@triton.heuristics({"WIDE": lambda args: args["source"].block_shape[1] > 16})
@triton.jit
def tuned(source, out, ROWS: tl.constexpr, WIDE: tl.constexpr):
    tl.store(out, tl.sum(source.load([0, 0])) + WIDE)
