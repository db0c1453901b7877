"""Threads in the place of Inductor's workers, without PyTorch: what its classes do is done by small ones here."""

import importlib.util
import os
import subprocess
import sys
import threading
import types

import pytest

import tegula as triton
import tegula.language as tl
from tegula.backends.compiler import GPUTarget
from tegula.compiler import ASTSource
from tegula.runtime.inductor.threads import InductorThreads

TARGET = GPUTarget("cuda", 90, 32)
MEETING = threading.Barrier(2, timeout=120)
BEGAN = threading.Event()


@triton.constexpr_function
def met():
    MEETING.wait()
    return 1


@triton.constexpr_function
def met_too():  # one function computes for one kernel at a time
    MEETING.wait()
    return 2


@triton.constexpr_function
def began():
    BEGAN.set()
    return 1


@triton.jit
def meeting(p, BLOCK: tl.constexpr):
    if BLOCK == 16:
        tl.store(p + tl.arange(0, BLOCK), met())
    else:
        tl.store(p + tl.arange(0, BLOCK), met_too())


@triton.jit
def filled(p, BLOCK: tl.constexpr):
    tl.store(p + tl.arange(0, BLOCK), BLOCK)


@triton.jit
def long(p, BLOCK: tl.constexpr):
    x = tl.load(p + tl.arange(0, BLOCK)) + began()
    tl.store(p + tl.arange(0, BLOCK), tl.sort(x) + tl.cumsum(tl.sin(x) + tl.cos(x), 0))


class Autotuner:
    """A kernel with its configs, as Inductor keeps them."""

    def __init__(self, fn, blocks):
        self.fn, self.configs = fn, [triton.Config({"BLOCK": block}, num_warps=1) for block in blocks]

    def _create_compile_meta(self, config):
        return {"signature": {"p": "*fp32", "BLOCK": "constexpr"}, "constants": dict(config.kwargs), "configs": [{}],
                "device_type": "cuda", "cc": 90}

    def _create_compile_options(self, config, told):
        return {"num_warps": config.num_warps}

    def compile(self, config):
        told = self._create_compile_meta(config)
        source = ASTSource(self.fn, told["signature"], told["constants"], told["configs"][0])
        return triton.compile(source, target=TARGET, options=self._create_compile_options(config, told))


def _worker_compile_triton(load_kernel, *_):
    raise AssertionError("a worker's task was run")


@pytest.fixture
def threads():
    with InductorThreads(2) as pool:
        yield pool


def test_configs_are_compiled_once_and_found(threads):
    kernel, before = Autotuner(filled, (16, 32, 64)), triton.compiled_kernels()
    done, microseconds = threads.submit(_worker_compile_triton, lambda: kernel, {}, {}).result(120)
    assert done is kernel and microseconds > 0 and triton.compiled_kernels() == before + 3
    found = [kernel.compile(config) for config in kernel.configs]
    assert triton.compiled_kernels() == before + 3 and len({each.hash for each in found}) == 3
    assert kernel.compile(kernel.configs[0]) is not found[0], "a second request gets another"


def test_configs_are_found_by_a_kernel_of_another_file_with_the_same_text(threads, tmp_path):
    # Inductor compiles a template's configs ahead from one file, and tries them from another.
    text = """
import tegula as triton
import tegula.language as tl

@triton.jit
def filled(p, BLOCK: tl.constexpr):
    tl.store(p + tl.arange(0, BLOCK), {})
"""

    def loaded(name, value):
        path = tmp_path / f"{name}.py"
        path.write_text(text.format(value))
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return Autotuner(module.filled, (16, 32))

    ahead, tried, other = loaded("ahead", 1), loaded("tried", 1), loaded("other", 2)
    threads.submit(_worker_compile_triton, lambda: ahead, {}, {}).result(120)
    before = triton.compiled_kernels()
    found = [tried.compile(config) for config in tried.configs]
    assert triton.compiled_kernels() == before and found[0].hash != found[1].hash
    assert other.compile(other.configs[0]).hash != found[0].hash and triton.compiled_kernels() == before + 1
    assert tried.compile(tried.configs[0]) is not found[0], "a second request gets another"


def test_two_are_compiled_at_a_time(threads):
    # Each waits for the other while it is compiled.
    threads.submit(_worker_compile_triton, lambda: Autotuner(meeting, (16, 32)), {}, {}).result(300)


def test_python_runs_on_while_a_kernel_is_compiled(threads):
    future, ticks = threads.submit(_worker_compile_triton, lambda: Autotuner(long, (512,)), {}, {}), 0
    assert BEGAN.wait(120)
    while not future.done():
        ticks += 1
    assert future.exception() is None and ticks > 1000, ticks


def test_what_fails_is_told_where_it_is_asked_for(threads):
    kernel = Autotuner(filled, (17,))
    future = threads.submit(_worker_compile_triton, lambda: kernel, {}, {})
    assert isinstance(future.exception(120), triton.CompilationError)
    with pytest.raises(triton.CompilationError, match="17"):
        kernel.compile(kernel.configs[0])


def test_one_config_that_fails_leaves_the_others(threads):
    kernel = Autotuner(filled, (17, 32))
    assert threads.submit(_worker_compile_triton, lambda: kernel, {}, {}).result(120)[0] is kernel
    with pytest.raises(triton.CompilationError):
        kernel.compile(kernel.configs[0])
    assert kernel.compile(kernel.configs[1]).asm["ptx"]


def test_a_kernel_that_was_compiled_and_short_tasks_are_done_at_once(threads):
    kernel = Autotuner(filled, ())
    kernel.configs = None
    assert threads.submit(_worker_compile_triton, lambda: kernel, {}, {}).done()
    assert threads.submit(lambda: "ready").done()
    assert isinstance(threads.submit(lambda: 1 / 0).exception(), ZeroDivisionError)


def test_a_program_that_ends_waits_for_no_config_that_was_not_begun(tmp_path):
    (tmp_path / "program.py").write_text('''
import sys
sys.path.insert(0, sys.argv[1])
import test_threads
from test_threads import Autotuner, InductorThreads, _worker_compile_triton, tl, triton

@triton.constexpr_function
def told(block):
    sys.stdout.write(f"compiling {block}\\n")  # at once: two threads print
    sys.stdout.flush()
    return 1

@triton.jit
def kernel(p, BLOCK: tl.constexpr):
    x = tl.load(p + tl.arange(0, 512))
    tl.store(p + tl.arange(0, 512), tl.sort(x) + tl.cumsum(tl.sin(x), 0) + told(BLOCK))

future = InductorThreads(1).submit(_worker_compile_triton, lambda: Autotuner(kernel, range(1, 101)), {}, {})
sys.stdout.write(f"the end {future.done()}\\n")
''')
    done = subprocess.run([sys.executable, str(tmp_path / "program.py"), os.path.dirname(__file__)], capture_output=True,
                          text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert "the end False" in done.stdout and done.stdout.count("compiling") < 50


@pytest.mark.parametrize("variable, pool", [("", "InductorThreads 3"), ("subprocess", "workers")])
def test_inductor_gets_them_unless_it_is_told_how_to_start_workers(tmp_path, variable, pool):
    folder = tmp_path / "torch" / "_inductor"
    folder.mkdir(parents=True)
    for package in (tmp_path / "torch", folder):
        (package / "__init__.py").write_text("")
    (folder / "async_compile.py").write_text('''
def get_compile_threads():
    return 3

class AsyncCompile:
    @staticmethod
    def process_pool():
        return "workers"
''')
    program = '''
import tegula
tegula.install_as_triton()
from torch._inductor.async_compile import AsyncCompile
pool = AsyncCompile.process_pool()
print(pool if isinstance(pool, str) else f"{type(pool).__name__} {pool._threads._max_workers}")
assert AsyncCompile.process_pool() is pool
'''
    variables = {"TORCHINDUCTOR_WORKER_START": variable} if variable else {}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TORCHINDUCTOR")}
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          env={**environment, **variables, "PYTHONPATH": path})
    assert done.stdout.strip() == pool, done.stdout + done.stderr


def test_a_worker_that_was_forked_asks_pytorch_whether_there_is_a_gpu(monkeypatch):
    # CUDA itself says no in a child of a process that has used it.
    from tegula.backends.nvidia import cuda, driver

    monkeypatch.delenv("TEGULA_DEVICE", raising=False)
    monkeypatch.setattr(cuda, "device_count", lambda: 0)
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    assert not driver.CudaDriver.is_active()
    gpu = types.SimpleNamespace(is_available=lambda: True)
    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(cuda=gpu))
    assert driver.CudaDriver.is_active()
