from compat import HAS_TRITON

try:
    import triton
    import triton.language as tl
except ImportError:
    triton = None

if HAS_TRITON:

    @triton.jit
    def conditional(x):
        tl.store(x, 1)
else:
    conditional = None


class Kernels:
    @staticmethod
    @triton.jit
    def inside(x):
        tl.store(x, 2)


def make(n):
    scale = tl.constexpr(3)

    @triton.jit
    def scaled(x):
        tl.store(x, scale)

    @triton.jit
    def captured(x):
        tl.store(x, n)

    return scaled, captured
