"""Kernels with one planted fault each: the line that ends in `# HERE`, and the commands of the debugger that lead to it.

What is wrong in a result is shown by a reference, made with NumPy from the same arguments.
"""

import dataclasses

import numpy as np
from debugger import HEAD


@dataclasses.dataclass
class Planted:
    name: str
    source: str
    grid: str
    arguments: list  # words of the command line
    commands: list  # one to three
    says: str  # part of what the debugger shows at the end
    reference: object = None  # a function of nothing: arrays by name; None where the fault shows itself
    options: tuple = ()

    def text(self):
        return HEAD + self.source.strip("\n") + "\n"

    def line(self):
        lines = [number for number, line in enumerate(self.text().splitlines(), 1) if line.endswith("# HERE")]
        assert len(lines) == 1, self.name
        return lines[0]


def jit(parameters, *body, helpers=""):
    return helpers + f"@triton.jit\ndef k({parameters}):\n" + "".join(f"    {line}\n" for line in body)


def jit_debug(*parts):
    return jit(*parts).replace("@triton.jit", "@triton.jit(debug=True)")


IOTA = np.arange(64, dtype=np.float32)
CONTINUE = ["continue"]
ALL = []


def planted(name, source, arguments, says, commands=CONTINUE, grid="1", reference=None, options=()):
    ALL.append(Planted(name, source, grid, [f"--arg={one}" if not one.startswith("-") else one for one in arguments],
                       commands, says, reference, tuple(options)))


# Out of bounds: the fault names the line, the program and the element.
planted("load_without_mask", jit("x, out, n, B: tl.constexpr", "i = tl.program_id(0) * B + tl.arange(0, B)",
                                 "v = tl.load(x + i)  # HERE", "tl.store(out + i, v, mask=i < n)"),
        ["x=arange:fp32[40]", "out=empty:fp32[40]", "n=40", "-DB=32"], "element (8)", grid="2")
planted("store_without_mask", jit("x, out, n, B: tl.constexpr", "i = tl.program_id(0) * B + tl.arange(0, B)",
                                  "v = tl.load(x + i, mask=i < n, other=0)", "tl.store(out + i, v)  # HERE"),
        ["x=arange:fp32[40]", "out=empty:fp32[40]", "n=40", "-DB=32"], "element (8)", grid="2")
planted("mask_with_less_or_equal", jit("x, out, n, B: tl.constexpr", "i = tl.arange(0, B)", "mask = i <= n",
                                       "v = tl.load(x + i, mask=mask, other=0)  # HERE", "tl.store(out + i, v, mask=i < n)"),
        ["x=arange:fp32[40]", "out=empty:fp32[40]", "n=40", "-DB=64"], "element (40)")
planted("loop_runs_once_too_often", jit("x, out, n, B: tl.constexpr", "acc = tl.zeros((B,), tl.float32)",
                                        "for j in range(0, n + B, B):", "    acc += tl.load(x + j + tl.arange(0, B))  # HERE",
                                        "tl.store(out + tl.arange(0, B), acc)"),
        ["x=arange:fp32[64]", "out=empty:fp32[16]", "n=64", "-DB=16"], "element (0)")
planted("negative_offset", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i - 1)  # HERE",
                               "tl.store(out + i, v)"),
        ["x=arange:fp32[32]", "out=empty:fp32[32]", "-DB=32"], "element (0)")
planted("rows_and_columns_exchanged", jit("x, out, m, n, B: tl.constexpr", "r = tl.program_id(0)", "c = tl.arange(0, B)",
                                          "v = tl.load(x + c * n + r, mask=c < n, other=0)  # HERE",
                                          "tl.store(out + r * n + c, v, mask=c < n)"),
        ["x=arange:fp32[4,16]", "out=empty:fp32[4,16]", "m=4", "n=16", "-DB=16"], "element (4)", grid="4")
planted("bytes_instead_of_elements", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + 4 * i)  # HERE",
                                         "tl.store(out + i, v)"),
        ["x=arange:fp32[32]", "out=empty:fp32[32]", "-DB=32"], "element (8)")
planted("out_of_bounds_in_a_helper", jit("x, out, n, B: tl.constexpr", "v = fetch(x, tl.arange(0, B), n)",
                                         "tl.store(out + tl.arange(0, B), v)", helpers="""@triton.jit
def fetch(p, i, n):
    return tl.load(p + i + n)  # HERE

"""), ["x=arange:fp32[32]", "out=empty:fp32[32]", "n=1", "-DB=32"], "in fetch: fault")
planted("gather_by_bad_index", jit("x, index, out, B: tl.constexpr", "i = tl.arange(0, B)", "at = tl.load(index + i)",
                                   "v = tl.load(x + at)  # HERE", "tl.store(out + i, v)"),
        ["x=arange:fp32[16]", "index=randint(0,20):i32[32]", "out=empty:fp32[32]", "-DB=32"], "fault")
planted("block_of_the_next_program", jit("x, out, B: tl.constexpr", "p = tl.program_id(0) + 1", "i = p * B + tl.arange(0, B)",
                                         "v = tl.load(x + i)  # HERE", "tl.store(out + i - B, v)"),
        ["x=arange:fp32[64]", "out=empty:fp32[64]", "-DB=16"], "program (3, 0, 0)", grid="4")
planted("atomic_outside", jit("x, bins, B: tl.constexpr", "v = tl.load(x + tl.arange(0, B))", "tl.atomic_add(bins + v, 1)  # HERE"),
        ["x=randint(0,11):i32[32]", "bins=zeros:i32[8]", "-DB=32"], "fault")

# NaNs and infinities.
planted("exp_overflows", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i)", "e = tl.exp(v)  # HERE",
                             "tl.store(out + i, e / tl.sum(e, 0))"),
        ["x=arange:fp32[128]", "out=empty:fp32[128]", "-DB=128"], "infinity is made here")
planted("log_of_zero", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i)", "w = v + 1", "y = tl.log(v)  # HERE",
                           "tl.store(out + i, y * w)"), ["x=arange:fp32[16]", "out=empty:fp32[16]", "-DB=16"], "element (0)")
planted("zero_by_zero", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i)", "s = v - v", "y = s / s  # HERE",
                            "tl.store(out + i, y)"), ["x=arange:fp32[16]", "out=empty:fp32[16]", "-DB=16"], "NaN is made here")
planted("root_of_negative", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i)", "y = tl.sqrt(v - 3)  # HERE",
                                "tl.store(out + i, y)"), ["x=arange:fp32[16]", "out=empty:fp32[16]", "-DB=16"], "element (0)")
planted("softmax_of_an_empty_row", jit("x, out, n, B: tl.constexpr", "i = tl.arange(0, B)",
                                       'v = tl.load(x + i, mask=i < n, other=float("-inf"))', "top = tl.max(v, 0)",
                                       "e = tl.exp(v - top)  # HERE", "tl.store(out + i, e / tl.sum(e, 0))"),
        ["x=arange:fp32[16]", "out=empty:fp32[16]", "n=0", "-DB=16"], "NaN is made here")
planted("fp16_square_overflows", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i)", "y = v * v  # HERE",
                                     "tl.store(out + i, y)"), ["x=full(300):fp16[16]", "out=empty:fp16[16]", "-DB=16"], "infinity")
planted("fp16_by_conversion", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i) * 1000.0",
                                  "y = v.to(tl.float16)  # HERE", "tl.store(out + i, y)"),
        ["x=arange:fp32[128]", "out=empty:fp16[128]", "-DB=128"], "element (66)")
planted("variance_of_a_constant", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i)", "mean = tl.sum(v, 0) / B",
                                      "d = v - mean", "var = tl.sum(d * d, 0) / B", "inv = 1 / tl.sqrt(var)  # HERE",
                                      "tl.store(out + i, d * inv)"),
        ["x=full(2):fp32[16]", "out=empty:fp32[16]", "-DB=16"], "infinity is made here")
planted("nan_in_the_third_program", jit("x, out, B: tl.constexpr", "p = tl.program_id(0)", "i = p * B + tl.arange(0, B)",
                                        "v = tl.load(x + i)", "y = 1.0 / (p - 2)  # HERE", "tl.store(out + i, v * y)"),
        ["x=arange:fp32[64]", "out=empty:fp32[64]", "-DB=16"], "program (2, 0, 0)", grid="4")
planted("nan_in_a_late_iteration", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "acc = tl.load(x + i)", "for j in range(8):",
                                       "    acc = acc / (5 - j)  # HERE", "tl.store(out + i, acc)"),
        ["x=full(1):fp32[16]", "out=empty:fp32[16]", "-DB=16"], "infinity is made here")
planted("nan_in_a_helper", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i)", "y = norm(v)",
                               "tl.store(out + i, y)", helpers="""@triton.jit
def norm(v):
    total = tl.sum(v, 0)
    return v / total  # HERE

"""), ["x=zeros:fp32[16]", "out=empty:fp32[16]", "-DB=16"], "in norm")
planted("sum_of_large_numbers", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i)", "s = tl.sum(v, 0)  # HERE",
                                    "tl.store(out, s)"), ["x=full(3e38):fp32[16]", "out=empty:fp32[1]", "-DB=16"], "infinity is made here")

# Values that are undefined.
planted("masked_load_without_other", jit("x, out, n, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i, mask=i < n)",
                                         "s = tl.sum(v, 0)", "tl.store(out, s)  # HERE"),
        ["x=arange:fp32[10]", "out=empty:fp32[1]", "n=10", "-DB=16"], "undefined")
planted("reads_what_nobody_wrote", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i)", "y = v * 2",
                                       "tl.store(out + i, y)  # HERE"), ["x=empty:fp32[16]", "out=empty:fp32[16]", "-DB=16"], "undefined")
planted("branch_on_undefined", jit("x, flag, out, B: tl.constexpr", "i = tl.arange(0, B)", "f = tl.load(flag)", "v = tl.load(x + i)",
                                   "if f > 0:  # HERE", "    v = v * 2", "tl.store(out + i, v)"),
        ["x=arange:fp32[16]", "flag=empty:i32[1]", "out=empty:fp32[16]", "-DB=16"], "undefined")
planted("address_from_undefined", jit("x, index, out, B: tl.constexpr", "i = tl.arange(0, B)", "at = tl.load(index + i, mask=i < 8)",
                                      "v = tl.load(x + at)  # HERE", "tl.store(out + i, v)"),
        ["x=arange:fp32[16]", "index=zeros:i32[16]", "out=empty:fp32[16]", "-DB=16"], "undefined")

# Offsets of 32 bits that overflow.
planted("row_times_stride", jit("x, out, stride, B: tl.constexpr", "r = tl.program_id(0)", "i = tl.arange(0, B)", "start = r * stride  # HERE",
                                "v = tl.load(x + start + i, mask=r < 0, other=0)", "tl.store(out + i, v)"),
        ["x=zeros:fp32[16]", "out=empty:fp32[16]", "stride=1500000000", "-DB=16"], "an offset of 32 bits overflows: 2 * 1500000000", grid="3")
planted("row_times_stride_of_a_tile", jit("x, out, stride, B: tl.constexpr", "r = tl.program_id(0)", "i = tl.arange(0, B)",
                                          "start = r * stride  # HERE", "at = i[None, :] + start",
                                          "v = tl.load(x + at, mask=at < 0, other=0)", "tl.store(out + i[None, :], v)"),
        ["x=zeros:fp32[16]", "out=empty:fp32[16]", "stride=1500000000", "-DB=16"], "an offset of 32 bits overflows: 2 * 1500000000", grid="3")
planted("sum_of_offsets", jit("x, out, far, B: tl.constexpr", "i = tl.arange(0, B)", "at = far + i  # HERE",
                              "v = tl.load(x + at, mask=i < 0, other=0)", "tl.store(out + i, v)"),
        ["x=zeros:fp32[16]", "out=empty:fp32[16]", "far=2147483640", "-DB=16"], "element (8)")
planted("offset_in_a_helper", jit("x, out, n, B: tl.constexpr", "i = tl.arange(0, B)", "at = offset(i, n)",
                                  "v = tl.load(x + at, mask=i < 0, other=0)", "tl.store(out + i, v)", helpers="""@triton.jit
def offset(i, n):
    return i * n * 1000  # HERE

"""), ["x=zeros:fp32[16]", "out=empty:fp32[16]", "n=1000000", "-DB=16"], "in offset")

# Claims that do not hold.
planted("assertion", jit_debug("x, out, n, B: tl.constexpr", "i = tl.arange(0, B)", 'tl.device_assert(n % B == 0, "n is a multiple of B")  # HERE',
                         "tl.store(out + i, tl.load(x + i))"),
        ["x=zeros:fp32[16]", "out=empty:fp32[16]", "n=20", "-DB=16"], "assertion failed")
planted("assumption", jit("x, out, n, B: tl.constexpr", "i = tl.arange(0, B)", "tl.assume(n % 16 == 0)  # HERE",
                          "tl.store(out + i, tl.load(x + i))"), ["x=zeros:fp32[16]", "out=empty:fp32[16]", "n=20", "-DB=16"], "assumes is false")
planted("hint", jit("x, out, n, B: tl.constexpr", "i = tl.arange(0, B)", "at = tl.multiple_of(i + n, 16)  # HERE", "tl.store(out + i, tl.load(x + at))"),
        ["x=zeros:fp32[64]", "out=empty:fp32[16]", "n=20", "-DB=16"], "multiple of 16")
planted("waits_for_a_later_program", jit("flag, B: tl.constexpr", "p = tl.program_id(0)", "if p == 0:",
                                         "    while tl.atomic_add(flag, 0) == 0:  # HERE", "        pass", "tl.atomic_add(flag, 1)"),
        ["flag=zeros:i32[1]", "-DB=16"], "endless loop", grid="2")

# Wrong results: `continue` goes to the statement that writes the first wrong element.
planted("wrong_scale", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i)", "tl.store(out + i, v * 3)  # HERE"),
        ["x=arange:fp32[16]", "out=empty:fp32[16]", "-DB=16"], "`out[1]` becomes 3, expected 2", reference=lambda: {"out": IOTA[:16] * 2})
planted("writes_a_neighbour", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "tl.store(out + i, tl.load(x + i))",
                                  "tl.store(out + 3, 9.0)  # HERE"),
        ["x=arange:fp32[16]", "out=empty:fp32[16]", "-DB=16"], "`out[3]` becomes 9, expected 3", reference=lambda: {"out": IOTA[:16]})
planted("second_program_overwrites", jit("x, out, B: tl.constexpr", "p = tl.program_id(0)", "i = tl.arange(0, B)",
                                         "tl.store(out + p * (B - 1) + i, tl.load(x + i) + p)  # HERE"),
        ["x=zeros:fp32[8]", "out=zeros:fp32[16]", "-DB=8"], "program (1, 0, 0)", grid="2",
        reference=lambda: {"out": np.array([0] * 8 + [1] * 7 + [0], np.float32)})
planted("last_iteration_missing", jit("x, out, n, B: tl.constexpr", "i = tl.arange(0, B)", "acc = tl.zeros((B,), tl.float32)",
                                      "for j in range(0, n - B, B):  # HERE", "    acc += tl.load(x + j + i)", "tl.store(out + i, acc)"),
        ["x=arange:fp32[64]", "out=empty:fp32[16]", "n=64", "-DB=16"], "", commands=["continue", "back-over", "back-over"],
        reference=lambda: {"out": IOTA.reshape(4, 16).sum(0)})
planted("mask_cuts_one_off", jit("x, out, n, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i, mask=i < n - 1, other=0)  # HERE",
                                 "tl.store(out + i, v, mask=i < n)"),
        ["x=arange:fp32[16]", "out=empty:fp32[16]", "n=16", "-DB=16"], "", commands=["continue", "back-over"], reference=lambda: {"out": IOTA[:16]})
planted("wrong_axis", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i[:, None] * B + i[None, :])", "s = tl.sum(v, 0)  # HERE",
                          "tl.store(out + i, s)"),
        ["x=arange:fp32[8,8]", "out=empty:fp32[8]", "-DB=8"], "", commands=["continue", "back-over"], reference=lambda: {"out": IOTA.reshape(8, 8).sum(1)})
planted("transposed_store", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i[:, None] * B + i[None, :])",
                                "tl.store(out + i[None, :] * B + i[:, None], v)  # HERE"),
        ["x=arange:fp32[8,8]", "out=empty:fp32[8,8]", "-DB=8"], "`out[0, 1]` becomes 8, expected 1", reference=lambda: {"out": IOTA.reshape(8, 8)})
planted("wrong_comparison", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i)", "y = tl.where(v > 4, v, 0)  # HERE",
                                "tl.store(out + i, y)"),
        ["x=arange:fp32[16]", "out=empty:fp32[16]", "-DB=16"], "", commands=["continue", "back-over"],
        reference=lambda: {"out": np.where(IOTA[:16] >= 4, IOTA[:16], 0)})
planted("integer_division", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i)", "y = (v + 1) // 2  # HERE", "tl.store(out + i, y)"),
        ["x=arange:i32[16]", "out=empty:i32[16]", "-DB=16"], "", commands=["continue", "back-over"],
        reference=lambda: {"out": np.arange(16, dtype=np.int32) // 2})
planted("accumulator_is_set_anew", jit("x, out, n, B: tl.constexpr", "i = tl.arange(0, B)", "acc = tl.zeros((B,), tl.float32)", "for j in range(0, n, B):",
                                       "    acc = tl.load(x + j + i)  # HERE", "tl.store(out + i, acc)"),
        ["x=arange:fp32[64]", "out=empty:fp32[16]", "n=64", "-DB=16"], "", commands=["continue", "back-over"],
        reference=lambda: {"out": IOTA.reshape(4, 16).sum(0)})
planted("helper_forgets_the_bias", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i)", "y = act(v, 1.0)", "tl.store(out + i, y)",
                                       helpers="""@triton.jit
def act(v, bias):
    return tl.maximum(v, 0.0)  # HERE

"""), ["x=arange:fp32[16]", "out=empty:fp32[16]", "-DB=16"], "in act", commands=["continue", "back"],
        reference=lambda: {"out": IOTA[:16] + 1})
planted("counts_twice", jit("x, bins, B: tl.constexpr", "v = tl.load(x + tl.arange(0, B))", "tl.atomic_add(bins + v, 1)",
                            "tl.atomic_add(bins + tl.load(x), 1)  # HERE"),
        ["x=zeros:i32[16]", "bins=zeros:i32[4]", "-DB=16"], "`bins[0]` becomes 17, expected 16", reference=lambda: {"bins": np.array([16, 0, 0, 0], np.int32)})
planted("program_id_of_the_wrong_axis", jit("x, out, B: tl.constexpr", "r = tl.program_id(1)", "i = tl.arange(0, B)",
                                            "tl.store(out + r * B + i, tl.load(x + tl.program_id(0) * B + i))  # HERE"),
        ["x=arange:fp32[4,16]", "out=zeros:fp32[4,16]", "-DB=16"], "of which 48 are never written", grid="4",
        reference=lambda: {"out": IOTA.reshape(4, 16)})
planted("never_written", jit("x, out, n, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i)", "tl.store(out + i, v, mask=i < n - 1)  # HERE"),
        ["x=arange:fp32[16]", "out=zeros:fp32[16]", "n=16", "-DB=16"], "", commands=["continue", "writer out[14]"], reference=lambda: {"out": IOTA[:16]})
planted("truncated_to_bf16", jit("x, out, B: tl.constexpr", "i = tl.arange(0, B)", "v = tl.load(x + i)", "y = (v * 1.01).to(tl.bfloat16)  # HERE",
                                 "tl.store(out + i, y.to(tl.float32))"),
        ["x=arange:fp32[64]", "out=empty:fp32[64]", "-DB=64"], "", commands=["continue", "back-over"], reference=lambda: {"out": IOTA * np.float32(1.01)},
        options=["rtol=1e-4"])
planted("dot_of_the_wrong_operand", jit("a, b, out, B: tl.constexpr", "i = tl.arange(0, B)", "at = i[:, None] * B + i[None, :]", "x = tl.load(a + at)",
                                        "y = tl.load(b + at)", "acc = tl.dot(x, x)  # HERE", "tl.store(out + at, acc)"),
        ["a=arange:fp16[16,16]", "b=full(1):fp16[16,16]", "out=empty:fp32[16,16]", "-DB=16"], "", commands=["continue", "back-over"],
        reference=lambda: {"out": (np.arange(256, dtype=np.float32).reshape(16, 16) @ np.ones((16, 16), np.float32))})
