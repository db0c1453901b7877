"""`AsyncCompileMode`: kernels compiled by the threads of an executor."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import tegula as triton
import tegula.language as tl
from arrays import numbers, zeros


COMPILED_BY: list[int] = []


@triton.constexpr_function
def compiling_thread():
    COMPILED_BY.append(threading.get_ident())
    return 0


def fresh():
    @triton.jit
    def kernel(out_ptr, N: tl.constexpr):
        tl.static_assert(N > 0, "too small")
        tl.store(out_ptr, N + compiling_thread())

    return kernel


@pytest.fixture
def threads():
    with ThreadPoolExecutor(2) as pool:
        yield pool


def test_others_compile_what_is_warmed_up(threads):
    kernel, out = fresh(), zeros(1)
    with triton.AsyncCompileMode(threads):
        COMPILED_BY.clear()
        begun = [kernel.warmup(out, N=number, grid=(1,)) for number in (1, 2, 3)]
        assert all(isinstance(each, triton.FutureKernel) for each in begun)
    assert all(each.future.done() for each in begun) and begun[0].name == "kernel"
    assert threading.get_ident() not in COMPILED_BY
    before = triton.compiled_kernels()
    assert kernel[(1,)](out, N=2) is begun[1].result() and triton.compiled_kernels() == before
    begun[2][(1,)](out, 3)
    assert numbers(out)[0] == 3
    assert not isinstance(kernel.warmup(out, N=4, grid=(1,)), triton.FutureKernel), "the mode has been left"


def test_errors_come_at_the_end(threads):
    kernel, out = fresh(), zeros(1)
    with pytest.raises(triton.CompilationError, match="too small"):
        with triton.AsyncCompileMode(threads):
            wrong, fine = (kernel.warmup(out, N=number, grid=(1,)) for number in (0, 5))
    assert wrong.result(ignore_errors=True) is None and fine.name == "kernel"
    with triton.AsyncCompileMode(threads, ignore_errors=True):
        kernel.warmup(out, N=-1, grid=(1,))


def test_one_mode_is_active_at_a_time(threads):
    with triton.AsyncCompileMode(threads):
        with pytest.raises(RuntimeError, match="Another AsyncCompileMode is already active"):
            with triton.AsyncCompileMode(threads):
                pass
    with triton.AsyncCompileMode(threads):
        pass


def test_one_kernel_is_compiled_once(threads):
    kernel, out = fresh(), zeros(1)
    with triton.AsyncCompileMode(threads):
        first, again, other = (kernel.warmup(out, N=number, grid=(1,)) for number in (7, 7, 8))
        assert first is again and first is not other


def test_an_error_of_the_program_is_not_hidden_by_those_of_kernels(threads):
    kernel, out = fresh(), zeros(1)
    with pytest.raises(KeyError):
        with triton.AsyncCompileMode(threads):
            kernel.warmup(out, N=0, grid=(1,))
            raise KeyError
