"""Launching kernels: grids, arguments, compile-time values, options."""

import numpy as np
import pytest

import tegula as triton
import tegula.language as tl
from arrays import KIND, ON_GPU, array, numbers, zeros


WIDTH = tl.constexpr(np.int16(7))


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) + tl.load(y_ptr + offsets, mask=mask), mask=mask)


@triton.jit
def places(out_ptr, X: tl.constexpr, Y: tl.constexpr):
    x, y, z = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    tl.store(out_ptr + x + y * X + z * X * Y, x + 10 * y + 100 * z)


@triton.jit
def put(out_ptr, value):
    tl.store(out_ptr, value)


@triton.jit
def kind(out_ptr, VALUE: tl.constexpr):
    tl.store(out_ptr, 1 if VALUE is True else 2 if isinstance(VALUE, int) else 3)


def added(launch):
    x, y, out = array(np.arange(1000)), array(np.full(1000, 0.5)), zeros(1000)
    launch(x, y, out)
    np.testing.assert_array_equal(numbers(out), np.arange(1000, dtype=np.float32) + 0.5)


def test_grid_is_a_tuple():
    added(lambda x, y, out: add_kernel[(8,)](x, y, out, 1000, BLOCK=128))


def test_grid_is_an_integer():
    added(lambda x, y, out: add_kernel[8](x, y, out, 1000, BLOCK=128))


def test_numbers_of_numpy_are_compile_time_values():
    @triton.jit
    def kernel(out_ptr, N: tl.constexpr, FACTOR: tl.constexpr, EVEN: tl.constexpr, PAIR: tl.constexpr):
        if EVEN:
            tl.store(out_ptr + tl.arange(0, N), FACTOR * PAIR[1] + WIDTH)

    out = zeros(4)
    size = np.int64(4)
    kernel[(1,)](out, N=size, FACTOR=np.float32(1.5), EVEN=size % 2 == 0, PAIR=(1, np.int32(2)))
    assert list(numbers(out)) == [10] * 4
    kernel[(1,)](out, N=size, FACTOR=np.float32(2), EVEN=size % 2 == 1, PAIR=(1, 2))
    assert list(numbers(out)) == [10] * 4


def test_grid_is_a_list_of_numpy_integers():
    added(lambda x, y, out: add_kernel[[np.int32(8), 1]](x, y, out, 1000, BLOCK=128))


def test_grid_is_computed_from_all_arguments():
    seen = {}

    def grid(meta):
        seen.update(meta)
        return (triton.cdiv(meta["n"], meta["BLOCK"]),)

    added(lambda x, y, out: add_kernel[grid](x, y, out, n=1000, BLOCK=256, num_warps=2))
    assert seen["BLOCK"] == 256 and seen["n"] == 1000 and seen["num_warps"] == 2 and "x_ptr" in seen


def test_positional_constexpr_and_run():
    added(lambda x, y, out: add_kernel.run(x, y, out, 1000, 64, grid=(16,), warmup=False))


def test_three_sides():
    out = zeros(24, "int32")
    places[(4, 3, 2)](out, X=4, Y=3)
    z, y, x = np.meshgrid(range(2), range(3), range(4), indexing="ij")
    np.testing.assert_array_equal(numbers(out), (x + 10 * y + 100 * z).ravel())


@pytest.mark.parametrize("grid", [(0,), (4, 0), 0, lambda meta: (0, 1, 1)])
def test_empty_grid_launches_nothing(grid):
    out = zeros(4)
    compiled = put[grid](out, 1.0)
    assert compiled is not None and not numbers(out).any()


@pytest.mark.parametrize("grid, error, text", [
    ((1, 2, 3, 4), ValueError, "expected a grid of 1 to 3 sides, found 4"),
    ((), ValueError, "expected a grid of 1 to 3 sides, found 0"),
    ((-1,), ValueError, "expected a side of the grid from 0 to 4294967295, found -1"),
    ((1 << 40,), ValueError, "expected a side of the grid from 0 to 4294967295, found 1099511627776"),
    ((1.5,), TypeError, "'float' object cannot be interpreted as an integer"),
    (None, TypeError, "'NoneType' object cannot be interpreted as an integer"),
])
def test_grids_that_are_none(grid, error, text):
    with pytest.raises(error, match=text):
        put[grid](zeros(4), 1.0)


def test_grid_that_raises():
    with pytest.raises(KeyError, match="no such"):
        put[lambda meta: meta["no such"]](zeros(4), 1.0)


def test_grid_past_what_the_device_has():
    with pytest.raises((ValueError, triton.OutOfResources, RuntimeError), match="65536|grid"):
        put[(1, 65536)](zeros(4), 1.0)


@pytest.mark.parametrize("value, dtype, expected", [
    (7, "int32", 7), (1, "int32", 1), (-5, "int64", -5), (1 << 40, "int64", 1 << 40), ((1 << 63) + 1, "uint64", (1 << 63) + 1),
    (2.5, "float32", 2.5), (True, "int32", 1), (np.int64(9), "int64", 9), (np.float32(0.25), "float32", 0.25),
    (np.bool_(True), "int32", 1),
])
def test_numbers(value, dtype, expected):
    out = zeros(1, dtype)
    put[(1,)](out, value)
    assert numbers(out)[0] == expected


def test_integer_of_more_than_64_bits():
    with pytest.raises(OverflowError):
        put[(1,)](zeros(1, "int64"), 1 << 70)


def test_one_and_true_and_one_point_zero_are_different():
    for value, expected in ((True, 1), (1, 2), (1.0, 3), (True, 1)):
        out = zeros(1, "int32")
        kind[(1,)](out, value)
        assert numbers(out)[0] == expected


def test_same_arguments_give_the_same_kernel():
    out = zeros(4)
    first = put[(1,)](out, 1.5)
    assert put[(1,)](out, 2.5) is first
    assert put[(1,)](out, 2.5, num_warps=1) is not first
    assert put[(1,)](out, 3) is not first


def test_a_list_is_compiled_by_what_it_holds_now():
    @triton.jit
    def first_of(out_ptr, VALUES: tl.constexpr):
        tl.store(out_ptr, VALUES[0])

    values, out = [3, 4], zeros(1, "int32")
    first_of[(1,)](out, values)
    values[0] = 5
    first_of[(1,)](out, values)
    assert numbers(out)[0] == 5


def test_defaults():
    @triton.jit
    def scaled(out_ptr, value=3, factor: tl.constexpr = 2, *, OFFSET: tl.constexpr = 1):
        tl.store(out_ptr, value * factor + OFFSET)

    out = zeros(1, "int32")
    scaled[(1,)](out)
    assert numbers(out)[0] == 7
    scaled[(1,)](out, factor=5, OFFSET=0)
    assert numbers(out)[0] == 15


def test_none_is_known_when_compiling():
    @triton.jit
    def biased(out_ptr, bias_ptr):
        if bias_ptr is None:
            tl.store(out_ptr, 1.0)
        else:
            tl.store(out_ptr, tl.load(bias_ptr))

    out = zeros(1)
    biased[(1,)](out, None)
    assert numbers(out)[0] == 1
    biased[(1,)](out, array([4.0]))
    assert numbers(out)[0] == 4


def test_dtype_and_function_as_values():
    @triton.jit
    def twice(x):
        return x * 2

    @triton.jit
    def thrice(x):
        return x * 3

    @triton.jit
    def apply(out_ptr, function: tl.constexpr, T: tl.constexpr):
        tl.store(out_ptr, function(tl.full((), 2.75, T)).to(tl.int32))

    out = zeros(1, "int32")
    apply[(1,)](out, twice, tl.float32)
    assert numbers(out)[0] == 5
    apply[(1,)](out, thrice, tl.float32)
    assert numbers(out)[0] == 8
    apply[(1,)](out, function=twice, T=tl.int32)
    assert numbers(out)[0] == 4


def test_constexpr_objects_are_what_they_hold():
    out = zeros(1, "int32")
    kind[(1,)](out, tl.constexpr(True))
    assert numbers(out)[0] == 1


@pytest.mark.parametrize("call, error, text", [
    (lambda out: put[(1,)](out), TypeError, r"put\(\) missing 1 required positional argument: 'value'"),
    (lambda out: put[(1,)](out, 1, 2), TypeError, r"put\(\) takes 2 positional arguments but 3 were given"),
    (lambda out: put[(1,)](out, 1, value=2), TypeError, r"put\(\) got multiple values for argument 'value'"),
    (lambda out: put[(1,)](out, 1, valeu=2), KeyError, "Keyword argument valeu was specified but unrecognised"),
    (lambda out: put[(1,)](out, "text"), TypeError, "failed to specialize argument of type: <class 'str'>"),
    (lambda out: put[(1,)](out, object()), TypeError, "failed to specialize argument of type: <class 'object'>"),
    (lambda out: put[(1,)](np.zeros(2, complex), 1), TypeError, "elements of type complex128 have no type in a kernel"),
    (lambda out: put[(1,)](np.zeros(2, ">f4"), 1), TypeError, "elements of type >f4 have no type in a kernel"),
    (lambda out: put.run(out, 1), TypeError, r"run\(\) missing 1 required keyword-only argument: 'grid'"),
    (lambda out: put(out, 1), RuntimeError, "Cannot call @triton.jit'd outside of the scope of a kernel"),
    (lambda out: put[(1,)](out, 1, num_warps=3), ValueError, "num_warps must be a power of 2, found 3"),
    (lambda out: put[(1,)](out, 1, num_warps=0), ValueError, "num_warps must be a power of 2, found 0"),
    (lambda out: put[(1,)](out, 1, num_stages=1 << 40), ValueError, "expected `num_stages` to be positive and of 32 bits"),
])
def test_calls_that_are_wrong(call, error, text):
    with pytest.raises(error, match=text):
        call(zeros(4))


@pytest.mark.skipif(not ON_GPU, reason="needs a GPU")
def test_cpu_tensor_on_the_gpu():
    with pytest.raises(ValueError, match=r"Pointer argument \(at 0\) cannot be accessed from Triton \(cpu tensor\?\)"):
        put[(1,)](np.zeros(4, np.float32), 1.0)


@pytest.mark.skipif(ON_GPU, reason="a fault would end the context")
def test_fault_names_kernel_and_line():
    @triton.jit
    def beyond(out_ptr):
        tl.store(out_ptr + 1000, 1.0)

    with pytest.raises(triton.KernelFault, match=r"(?s)beyond.*test_launch\.py"):
        beyond[(1,)](zeros(4))
    put[(1,)](zeros(4), 1.0)  # the device goes on


@pytest.mark.skipif(ON_GPU, reason="views are PyTorch's there")
def test_views_reach_their_whole_array():
    x = np.arange(16, dtype=np.float32).reshape(4, 4)
    added_view = np.zeros(3, np.float32)
    add_kernel[(1,)](x[:, 1][1:], x[3], added_view, 3, BLOCK=4)
    np.testing.assert_array_equal(added_view, x.ravel()[5:8] + x[3, :3])


@pytest.mark.skipif(ON_GPU, reason="memory of the host")
def test_what_may_only_be_read_is_read(tmp_path):
    path = tmp_path / "numbers"
    np.arange(1000, dtype=np.float32).tofile(path)
    mapped = np.memmap(path, np.float32, "r")  # a write would end the process
    frozen = np.full(1000, 0.5, np.float32)
    frozen.flags.writeable = False
    out = zeros(1000)
    add_kernel[(1,)](mapped, frozen, out, 1000, BLOCK=1024)
    np.testing.assert_array_equal(out, mapped + 0.5)
    view = out[:]
    view.flags.writeable = False
    for target in (mapped, frozen, view, np.broadcast_to(np.float32(1), 1000)):
        with pytest.raises(triton.KernelFault, match="test_launch.py:18.*the host's memory is read-only there"):
            add_kernel[(1,)](out, out, target, 1, BLOCK=16) if target is not view else \
                add_kernel[(1,)](mapped, mapped, view, 1, BLOCK=16)
    assert mapped[0] == 0 and frozen[0] == 0.5
    add_kernel[(1,)](view, frozen, out, 1000, BLOCK=1024)  # what one argument may write is written
    np.testing.assert_array_equal(out, np.arange(1000) + 1.0)


@pytest.mark.skipif(ON_GPU, reason="memory of the host")
def test_interfaces_of_arrays():
    class Interface:
        def __init__(self, base):
            self.__array_interface__ = base.__array_interface__
            self.base = base

    class Pack:
        def __init__(self, base):
            self.array = base

        def __dlpack__(self, **_):
            return self.array.__dlpack__()

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    class Pointer:
        dtype = np.dtype(np.float32)

        def __init__(self, base):
            self.base = base

        def data_ptr(self):
            return self.base.ctypes.data

    for wrapped in (Interface, Pack, Pointer):
        out = np.zeros(1, np.float32)
        put[(1,)](wrapped(out), 6.0)
        assert out[0] == 6, wrapped


@pytest.mark.parametrize("options", [
    dict(num_warps=1, num_stages=0), dict(maxnreg=64), dict(enable_fp_fusion=False), dict(debug=True), dict(num_ctas=1),
    dict(launch_cooperative_grid=True), dict(launch_pdl=True), dict(num_warps=None, maxnreg=None),
])
def test_options(options):
    added(lambda x, y, out: add_kernel[(8,)](x, y, out, 1000, BLOCK=128, **options))


@pytest.mark.skipif(KIND == "interpret", reason="knows no shared memory")
def test_out_of_shared_memory():
    @triton.jit
    def huge(a_ptr, out_ptr, N: tl.constexpr):
        i = tl.arange(0, N)
        a = tl.load(a_ptr + i[:, None] * N + i[None, :])
        tl.store(out_ptr + i[:, None] * N + i[None, :], tl.dot(a, tl.trans(a)))

    with pytest.raises(triton.OutOfResources, match="out of resource: shared memory, Required: [0-9]+, Hardware limit: [0-9]+"):
        huge.warmup(zeros(4, "float16"), zeros(4), N=512, num_warps=32, grid=(1,))


def test_empty_array():
    put[lambda meta: (0,)](zeros(0), 1.0)


def test_more_arguments_than_fit_on_the_stack():
    names = [f"a{i}" for i in range(100)]
    source = f"def many(out_ptr, {', '.join(names)}):\n    tl.store(out_ptr, {' + '.join(names)})\n"
    out = zeros(1, "int32")
    from_text(source, "many")[(1,)](out, *range(100))
    assert numbers(out)[0] == sum(range(100))


def from_text(source, name):
    import linecache
    file = f"<{name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    scope = {"tl": tl}
    exec(compile(source, file, "exec"), scope)
    return triton.jit(scope[name])
