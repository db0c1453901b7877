import triton
import triton.language as tl


@triton.jit
def values(x, n, big, f):
    i = tl.load(x + tl.arange(0, 16))
    tl.device_print("x", i)
    tl.device_print("grid ", tl.reshape(i, (4, 4)))
    tl.device_print("hex:", -i - 1, hex=True)
    tl.device_print("wide: ", -i.to(tl.int64) - 1, hex=True)
    tl.device_print("half", i.to(tl.float16))
    tl.device_print("unsigned", (-i).to(tl.uint8))
    tl.device_print("bool", i < 8)
    tl.device_print("", i, i + 3)
    tl.device_print("at", x + i)
    tl.device_print("n", n)
    print("big", big)
    tl.device_print("f", f)
    tl.device_print("100% done")
