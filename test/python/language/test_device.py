"""PTX by hand, special registers, and the hand-over between launches."""

import numpy as np
import pytest
from harness import INTERPRETED, array, empty, launch, numbers, same

import tegula as triton
import tegula.language as tl
from tegula.errors import TritonError
from tegula.language.extra import cuda

by_hand = pytest.mark.skipif(INTERPRETED, reason="the interpreter knows no PTX")


@triton.jit
def shifts(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    y = tl.inline_asm_elementwise("shl.b32 $0, $1, 3;", "=r,r", [tl.load(x + i)], dtype=tl.int8, is_pure=True, pack=4)
    tl.store(out + i, y)


@by_hand
@pytest.mark.parametrize("size", [1, 2, 32, 128, 1024])
def test_four_bytes_a_register(size):
    x, out = array("int8", np.arange(size) % 16), empty("int8", size)
    launch(shifts, x, out, N=size)
    # Of each word the lowest byte is shifted as it should be; a byte that starts below 32 loses nothing to the next.
    same(out, (x.values.astype(np.int64) << 3).astype(np.int8))


@triton.jit
def two_results(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b = tl.inline_asm_elementwise(
        asm="""
        {
            // A scope of its own.
            .reg .f32 sum;
            add.f32 sum, $2, $3;
            mul.f32 $0, sum, $4;
            sub.f32 $1, sum, $4;
        }
        """, constraints="=f,=f,f,f,f", args=[tl.load(x + i)[:, None], tl.load(y + i)[None, :], 2.0],
        dtype=(tl.float32, tl.float32), is_pure=False, pack=1)
    place = i[:, None] * N + i[None, :]
    tl.store(out + place, a)
    tl.store(out + N * N + place, b)


@by_hand
def test_several_results_and_operands_that_broadcast():
    x, y, out = numbers("float32", 16), numbers("float32", 16, seed=1), empty("float32", (2, 16, 16))
    launch(two_results, x, y, out, N=16)
    total = x.values[:, None] + y.values[None, :]
    same(out, np.stack([total * 2, total - 2]))


@triton.jit
def doubles(x, out, N: tl.constexpr, T: tl.constexpr, ASM: tl.constexpr, CONSTRAINTS: tl.constexpr, PACK: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.inline_asm_elementwise(ASM, CONSTRAINTS, [tl.load(x + i)], T, True, PACK))


@by_hand
@pytest.mark.parametrize("name, asm, constraints, pack", [
    ("float16", "add.f16x2 $0, $1, $1;", "=r, r", 2),
    ("float16", "add.f16x2 $0, $2, $2; add.f16x2 $1, $3, $3;", "=r,=r,r,r", 4),
    ("float16", "add.f16 $0, $1, $1;", "=h,h", 1),
    ("int16", "add.u16 $0, $1, $1;", "=h,h", 1),
    ("int32", "add.u32 $0, $1, $1;", "=r,r", 1),
    ("int32", "{ add.u32 $0, $2, $2; add.u32 $1, $3, $3; }", "=&r,=&r,r,r", 2),
    ("int32", "add.u32 $0, $0, $1;", "=r,0", 1),
    ("int64", "add.u64 $0, $1, $1;", "=l,l", 1),
    ("float64", "add.f64 $0, $1, $1;", "=d,d", 1)])
def test_types_and_packs(name, asm, constraints, pack):
    x, out = numbers(name, 64), empty(name, 64)
    launch(doubles, x, out, N=64, T=getattr(tl, name), ASM=asm, CONSTRAINTS=constraints, PACK=pack)
    same(out, x.values + x.values)


@triton.jit
def asks_for_a_lane(out):
    tl.store(out, tl.inline_asm_elementwise("mov.u32 $0, %warpid;", "=r", [], tl.int32, is_pure=True, pack=1) * 0 + 7)


@by_hand
def test_no_operands_make_a_scalar():
    out = empty("int32", 1)
    launch(asks_for_a_lane, out)
    same(out, [7])


_WRONG = [("", "x,y", 1, "expected constraints such as `=r,r`"), ("", "=r,=r,r", 1, "found constraints for 2"),
          ("", "r,=r", 1, "expected constraints"), ("", "=h,r", 1, "expected a register of 32 bits"),
          ("", "=d,r", 1, "expected a register of 32 bits"), ("mov.b32 $0, $7;", "=r,r", 1, "number below 2"),
          ("}", "=r,r", 1, "as many `}` as `{`"), ("", "=r,r", 0, "1 to 64 elements"),
          ("", "+r,r", 1, "expected constraints"), ("", "=r,1", 1, "expected constraints")]


@pytest.mark.parametrize("asm, constraints, pack, message", _WRONG)
def test_ptx_that_cannot_be(asm, constraints, pack, message):
    with pytest.raises(triton.CompilationError, match=message) as failure:
        launch(doubles, empty("int32", 16), empty("int32", 16), N=16, T=tl.int32, ASM=asm, CONSTRAINTS=constraints,
               PACK=pack)
    assert failure.value.diagnostics[0].file == __file__


@by_hand
def test_ptx_that_is_none():
    with pytest.raises((ValueError, TritonError), match=r"test_device.py:\d+:(\d+:)? .*frobnicate"):
        launch(doubles, empty("int32", 16), empty("int32", 16), N=16, T=tl.int32, ASM="frobnicate.b32 $0, $1;",
               CONSTRAINTS="=r,r", PACK=1)


@pytest.mark.skipif(not INTERPRETED, reason="the others know PTX")
def test_the_interpreter_says_that_it_knows_no_ptx():
    with pytest.raises(TritonError, match="does not know what PTX means"):
        launch(shifts, array("int8", np.arange(32)), empty("int8", 32), N=32)


@triton.jit
def asks_the_device(out):
    start = cuda.globaltimer()
    tl.store(out + 2, cuda.num_threads() * 1000 + cuda.num_warps())
    tl.store(out, tl.extra.cuda.globaltimer() >= start)
    tl.store(out + 1, cuda.smid())
    tl.static_assert(start.dtype == tl.int64)


def test_special_registers():
    out = empty("int64", 3)
    launch(asks_the_device, out, num_warps=2)
    assert out.values[0] == 1 and 0 <= out.values[1] < 1024 and out.values[2] == 64002


@triton.jit
def hands_over(x, out, N: tl.constexpr):
    cuda.gdc_wait()
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i) + 1)
    cuda.gdc_launch_dependents()


def test_launches_that_depend_on_others():
    x, out = numbers("int32", 64), empty("int32", 64)
    launch(hands_over, x, out, N=64)
    same(out, x.values + 1)


@triton.jit
def numbers_in_the_text(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b = tl.inline_asm_elementwise(
        "{ .reg .b32 t; lop3.b32 t, $2, $3, ${4}, $5; add.s32 $0, t, $6; mov.b32 $1, $3; }", "=r,=r,r,n,n,n,r",
        [tl.load(x + i), 0xFF00, 3, 0xEA, 5], dtype=(tl.int32, tl.int32), is_pure=True, pack=1)
    tl.store(out + i, a)
    tl.store(out + N + i, b)


@by_hand
def test_a_number_whose_constraint_is_n_stands_in_the_text():
    x, out = numbers("int32", 64), empty("int32", (2, 64))
    launch(numbers_in_the_text, x, out, N=64)
    same(out, np.stack([((x.values & 0xFF00) | 3) + 5, np.full(64, 0xFF00, np.int32)]))
