"""Knobs, hooks, the driver, backends, the allocator."""

import os
import warnings

import numpy as np
import pytest

import tegula
import tegula as triton
import tegula.language as tl
from tegula import _environment, knobs
from tegula.backends import backends
from tegula.backends.compiler import GPUTarget
from tegula.compiler.compiler import ASTSource, make_backend
from tegula.runtime._allocation import _allocator, set_allocator
from tegula.runtime.cache import _base32, triton_key
from tegula.runtime.launch.compiled import Asm
from tegula.runtime.driver import DriverConfig, driver
from tegula.tools.disasm import get_sass


def test_a_knob_is_read_from_the_environment_until_it_is_set(monkeypatch):
    monkeypatch.setenv("TRITON_PRINT_AUTOTUNING", "1")
    assert knobs.autotuning.print is True
    monkeypatch.setenv("TRITON_PRINT_AUTOTUNING", "0")
    assert knobs.autotuning.print is False
    with knobs.autotuning.scope():
        knobs.autotuning.print = True
        assert knobs.autotuning.print is True and knobs.autotuning.knobs["print"] is True
    assert knobs.autotuning.print is False
    monkeypatch.setattr(knobs, "propagate_env", False)
    knobs.autotuning.print = True
    assert knobs.autotuning.copy().print is True
    assert knobs.autotuning.reset().print is False


def test_what_is_set_reaches_the_environment_of_children(monkeypatch):
    with knobs.redis.scope(), knobs.amd.scope(), knobs.cache.scope():
        knobs.redis.port, knobs.amd.use_buffer_ops, knobs.cache.home_dir = 6380, False, "/foo"
        assert [os.environ[name] for name in ("TRITON_REDIS_PORT", "AMDGCN_USE_BUFFER_OPS", "TRITON_HOME")] == ["6380", "0", "/foo"]
        assert knobs.cache.dump_dir == "/foo/.triton/dump" and knobs.cache.override_dir == "/foo/.triton/override"
        knobs.redis.port = knobs.env
        assert knobs.redis.port == 6380  # of the environment
        del knobs.amd.use_buffer_ops
        assert knobs.amd.use_buffer_ops is False
        monkeypatch.setenv("TRITON_REDIS_PORT", "many")
        with pytest.raises(RuntimeError, match="expected an integer in the environment variable TRITON_REDIS_PORT, found 'many'"):
            knobs.redis.port
        knobs.propagate_env = False
        knobs.amd.use_buffer_ops = True
        knobs.propagate_env = True
        assert os.environ["AMDGCN_USE_BUFFER_OPS"] == "0"
    assert "AMDGCN_USE_BUFFER_OPS" not in os.environ and "TRITON_HOME" not in os.environ


def test_a_folder_of_the_cache_that_is_set_is_the_one_of_children(monkeypatch):
    for name in ("TRITON_CACHE_DIR", "TEGULA_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    with knobs.cache.scope():
        knobs.cache.dir = "/first"
        assert os.environ["TRITON_CACHE_DIR"] == "/first"
        monkeypatch.setenv("TEGULA_CACHE_DIR", "/own")
        knobs.cache.dir = "/second"
        assert os.environ["TEGULA_CACHE_DIR"] == "/second"
        monkeypatch.delenv("TEGULA_CACHE_DIR")
    monkeypatch.setenv("TRITON_HOME", "/foo")
    assert knobs.cache.dir == "/foo/.triton/cache"


def test_a_class_of_a_variable(monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_MANAGER", "tegula.runtime.cache:FileCacheManager")
    assert knobs.cache.manager_class is tegula.runtime.cache.FileCacheManager
    for text, message in (("tegula.runtime.cache", "MODULE:CLASS"), ("builtins:dict", "expected a CacheManager")):
        monkeypatch.setenv("TRITON_CACHE_MANAGER", text)
        with pytest.raises(RuntimeError, match=message):
            knobs.cache.manager_class


def test_a_copy_that_is_reset_is_as_nothing_has_set_it(monkeypatch):
    monkeypatch.delenv("TRITON_HIP_USE_BLOCK_PINGPONG", raising=False)
    monkeypatch.setattr(knobs, "propagate_env", False)
    with knobs.amd.scope():
        knobs.amd.use_block_pingpong = True
        fresh = knobs.amd.copy().reset()
        assert fresh.use_block_pingpong is None and knobs.amd.use_block_pingpong is True
        assert fresh.knobs.keys() == knobs.amd.knob_descriptors.keys() >= {"use_buffer_ops", "libhip_path"}


def test_hooks_of_a_group_that_takes_the_place_of_another_are_called():
    seen, before = [], knobs.runtime
    x = np.zeros(4, np.float32)
    try:
        knobs.runtime = knobs.runtime.copy().reset()
        knobs.runtime.launch_enter_hook = lambda metadata: seen.append(metadata.get()["name"])
        zeros_of[(1,)](x)
    finally:
        knobs.runtime = before
    zeros_of[(1,)](x)
    assert seen == ["zeros_of"]


@triton.jit
def zeros_of(x):
    tl.store(x + tl.arange(0, 4), 0.0)


def test_a_knob_that_changes_nothing_says_so_once(monkeypatch):
    for group, name, value in (("compilation", "front_end_debugging", True), ("compilation", "disable_line_info", True),
                               ("nvidia", "libdevice_path", "/x.bc"), ("compilation", "use_ir_loc", "ttir"),
                               ("nvidia", "ptxas_options", "-v"), ("compilation", "override", True)):
        knob = getattr(knobs, group)
        monkeypatch.setattr(_environment, "_warned", set())
        with knob.scope():
            with pytest.warns(UserWarning, match=f"knobs.{group}.{name} changes nothing: "):
                setattr(knob, name, value)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                setattr(knob, name, value)
    with knobs.runtime.scope(), pytest.warns(UserWarning, match="knobs.runtime.deubg changes nothing: no knob has this name"):
        knobs.runtime.deubg = True


def test_a_variable_that_changes_nothing_says_so_at_the_first_compilation(monkeypatch):
    monkeypatch.setattr(_environment, "_warned", set())
    monkeypatch.setattr(tegula.runtime.cache, "_library_cache_dir", None)
    monkeypatch.setenv("TRITON_LIBDEVICE_PATH", "/x.bc")
    monkeypatch.setenv("TRITON_KERNEL_OVERRIDE", "0")
    with pytest.warns(UserWarning) as said:
        ptx_of_product()
    assert [str(one.message).partition(" changes")[0] for one in said] == ["the environment variable TRITON_LIBDEVICE_PATH"]


@pytest.mark.parametrize("text, truth", [("1", True), ("true", True), ("ON", True), ("0", False), ("", False)])
def test_truths_of_the_environment(monkeypatch, text, truth):
    monkeypatch.setenv("TRITON_ALWAYS_COMPILE", text)
    assert knobs.compilation.always_compile is truth


def test_the_folder_of_the_cache(monkeypatch):
    for name in ("TRITON_CACHE_DIR", "TEGULA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/user")
    assert knobs.cache.dir == "/home/user/.cache/tegula"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert knobs.cache.dir == "/home/user/.cache/tegula"
    monkeypatch.setenv("XDG_CACHE_HOME", "/c")
    assert knobs.cache.dir == "/c/tegula"
    monkeypatch.setenv("TRITON_CACHE_DIR", "/b")
    assert knobs.cache.dir == "/b"
    monkeypatch.setenv("TEGULA_CACHE_DIR", "/a")
    assert knobs.cache.dir == "/a"
    monkeypatch.setenv("TEGULA_CACHE_DIR", "")
    assert knobs.cache.dir == ""
    for name in ("TRITON_CACHE_DIR", "TEGULA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name)
    assert knobs.cache.dir == ""


def test_machine_code_is_disassembled_by_a_toolkit(tmp_path, monkeypatch):
    tool = tmp_path / "cuobjdump"
    tool.write_text("#!/bin/sh\n"
                    'if [ "$1" = --version ]; then echo "release 12.8"; exit; fi\n'
                    'if [ "$3" = none ]; then echo "no function" >&2; exit 1; fi\n'
                    'echo "$1 $2" && cat "$(eval echo \\$$#)"\n')
    tool.chmod(0o755)
    monkeypatch.setenv("TRITON_CUOBJDUMP_PATH", str(tool))
    assert get_sass(b"code").endswith("\ncode") and get_sass(b"code", "add").startswith("-sass -fun\n")
    with pytest.raises(RuntimeError, match="cuobjdump` failed: no function"):
        get_sass(b"code", "none")

    class Variant:
        def stage(self, name):
            return {"cubin": b"machine", "ptx": b"text"}[name]

    asm = Asm(Variant())
    assert asm["sass"].endswith("machine") and asm["ptx"] == "text" and "sass" not in asm.keys()


@triton.jit
def product(a_ptr, b_ptr, out_ptr):
    i, j = tl.arange(0, 64)[:, None], tl.arange(0, 64)[None, :]
    tl.store(out_ptr + i * 64 + j, tl.dot(tl.load(a_ptr + i * 64 + j), tl.load(b_ptr + i * 64 + j)))


def ptx_of_product():
    source = ASTSource(product, {"a_ptr": "*fp16", "b_ptr": "*fp16", "out_ptr": "*fp32"},
                       attrs={(i,): [["tt.divisibility", 16]] for i in range(3)})
    return triton.compile(source, target=GPUTarget("cuda", 90, 32)).asm["ptx"]


def test_kernels_do_without_what_a_knob_lists(monkeypatch):
    with knobs.compilation.scope():
        assert "wgmma" in ptx_of_product()
        monkeypatch.setenv("TEGULA_WITHOUT", "wgmma")
        assert "wgmma" not in ptx_of_product() and "mma.sync" in ptx_of_product()
        knobs.compilation.without = ""
        assert "wgmma" in ptx_of_product()
        knobs.compilation.without = "wgmma,simt"
        with pytest.raises(ValueError, match="unknown feature `simt`; known: `wgmma`"):
            ptx_of_product()
        del knobs.compilation.without
        monkeypatch.setenv("TEGULA_WITHOUT", "simt")
        with pytest.raises(ValueError, match="unknown feature `simt`"):
            ptx_of_product()


def test_a_launch_under_another_knob_takes_another_kernel():
    a, out = np.ones((64, 64), np.float16), np.zeros((64, 64), np.float32)

    def launched():
        return product.warmup(a, a, out, arch="sm_90a", grid=(1,))

    with knobs.compilation.scope():
        first = launched()
        assert launched() is first and "wgmma" in first.asm["ptx"]
        knobs.compilation.without = "wgmma"
        other = launched()
        assert launched() is other and "wgmma" not in other.asm["ptx"]
    assert "wgmma" in launched().asm["ptx"]


def test_groups_of_knobs_can_be_made(monkeypatch):
    class Own(knobs.base_knobs):
        switch = knobs.env_bool("TEGULA_TEST_SWITCH")

    monkeypatch.setattr(knobs, "propagate_env", False)
    own = Own()
    assert own.knobs == {"switch": False}
    own.switch = True
    assert own.copy().switch is True and own.reset().switch is False


def test_hooks():
    calls = []
    hooks = knobs.HookChain()
    assert not hooks
    first, second = (lambda *args: calls.append((1, args))), (lambda *args: calls.append((2, args)))
    hooks.add(first)
    hooks.add(first)
    hooks.add(second)
    assert hooks and hooks.calls == [first, second]
    hooks("a")
    assert calls == [(1, ("a",)), (2, ("a",))]
    hooks.remove(first)
    assert hooks.calls == [second]
    backwards = knobs.HookChain(reversed=True)
    calls.clear()
    backwards.add(first)
    backwards.add(second)
    backwards()
    assert [call[0] for call in calls] == [2, 1]


def test_hooks_of_launches_are_chains():
    assert knobs.runtime.launch_enter_hook.calls == [] and not knobs.runtime.launch_exit_hook


def test_the_active_driver():
    active = driver.active
    assert isinstance(active, backends["nvidia"].driver)
    assert active.get_current_device() >= 0 and isinstance(active.get_current_stream(0), int)
    target = active.get_current_target()
    assert target.backend == "cuda" and target.arch >= 80 and target.warp_size == 32
    found = active.utils.get_device_properties(active.get_current_device())
    assert found == active.get_device_properties()
    assert found["warpSize"] == 32 and found["max_shared_mem"] >= 48 << 10 and found["multiprocessor_count"] >= 1
    assert callable(active.get_benchmarker())


def test_the_backend_is_the_one_that_a_variable_names(monkeypatch):
    monkeypatch.setenv("TRITON_DEFAULT_BACKEND", "nvidia")
    assert type(DriverConfig().active) is backends["nvidia"].driver
    monkeypatch.setenv("TRITON_DEFAULT_BACKEND", "toaster")
    with pytest.raises(RuntimeError, match="Unknown backend device 'toaster'"):
        DriverConfig().active


def test_another_driver():
    import tegula

    class Other(backends["nvidia"].driver):
        pass

    try:
        driver.set_active(Other())
        assert isinstance(tegula.runtime.driver.active, Other)
    finally:
        driver.reset_active()
    assert not isinstance(driver.active, Other)


def test_backends():
    backend = make_backend(GPUTarget("cuda", 90, 32))
    options = backend.parse_options({"num_warps": 8, "waves_per_eu": 2, "maxnreg": None})
    assert options.num_warps == 8 and options.num_stages == 3 and options.maxnreg is None
    assert len(options.hash()) == 64 and options.hash() != backend.parse_options({}).hash()
    assert backend.hash().startswith(triton_key()) and backend.hash().endswith("90")
    later = backend.parse_options({"min_shared_mem": 1 << 16, "ptx_options": "-v", "enable_reflect_ftz": False,
                                   "fpsan_homomorphic_casts": True, "clc": False})
    assert later.min_shared_mem == 1 << 16 and later.ptx_options == "-v" and not later.enable_reflect_ftz
    with pytest.raises(ValueError, match="`clc` needs a GPU of compute capability 10.0 or later, found sm90"):
        backend.parse_options({"clc": True})
    assert make_backend(GPUTarget("cuda", 100, 32)).parse_options({"clc": True}).clc
    with pytest.raises(ValueError, match="num_warps must be a power of 2, found 3"):
        backend.parse_options({"num_warps": 3})
    with pytest.raises(ValueError, match="no backend compiles for"):
        make_backend(GPUTarget("hip", "gfx942", 64))


def test_the_key_of_the_compiler_is_ours():
    assert triton_key().startswith("tegula-")
    import tegula.runtime.cache as cache
    assert not hasattr(cache, "_base64")
    assert _base32("00ff10") == "AD7RA"


def test_the_allocator():
    with pytest.raises(RuntimeError, match="call `triton.set_allocator`"):
        _allocator.get()(16, 16, None)
    before = _allocator.get()
    set_allocator(lambda size, alignment, stream: size)
    assert _allocator.get()(16, 8, None) == 16
    set_allocator(before)


def test_the_allocator_of_profilers():
    from tegula.runtime._allocation import has_profile_allocator, set_profile_allocator

    assert not has_profile_allocator()
    set_profile_allocator(lambda size, alignment, stream: None)
    assert has_profile_allocator()
    set_profile_allocator(None)
    assert not has_profile_allocator()


def test_shared_memory_of_a_device():
    from tegula.compiler import max_shared_mem

    assert max_shared_mem(driver.active.get_current_device()) >= 48 << 10


@pytest.fixture
def tool(tmp_path, monkeypatch):
    """Makes a program of the toolkit that says this."""

    def make(text):
        path = tmp_path / "ptxas"
        path.write_text(f"#!/bin/sh\necho '{text}'\n")
        path.chmod(0o755)
        monkeypatch.setenv("TRITON_PTXAS_PATH", str(path))
        return str(path)

    yield make
    knobs.NvidiaTool.from_path.cache_clear()


def test_a_toolkit_program_is_known_with_its_version(tool):
    path = tool("Cuda compilation tools, release 12.8, V12.8.93")
    assert knobs.nvidia.ptxas == knobs.NvidiaTool(path, "12.8")


def test_what_says_no_version_is_no_toolkit_program(tool, tmp_path, monkeypatch):
    tool("hello")
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    for home in ("CUDA_HOME", "CUDA_PATH"):
        monkeypatch.delenv(home, raising=False)
    monkeypatch.setattr(_environment, "TOOLKIT", str(tmp_path / "nothing"))
    with pytest.raises(RuntimeError, match="Cannot find ptxas"):
        knobs.nvidia.ptxas


@triton.jit
def small_product(a, b, c):
    i = tl.arange(0, 16)
    at = i[:, None] * 16 + i[None, :]
    tl.store(c + at, tl.dot(tl.load(a + at), tl.load(b + at)))


def launched_product():
    a, c = np.ones((16, 16), np.float32), np.zeros((16, 16), np.float32)
    return small_product[(1,)](a, a, c)


def test_the_precision_of_products_that_say_none():
    usual = launched_product()
    assert "tf32" in usual.asm["ptx"]
    with knobs.language.scope():
        knobs.language.fp32_default = "ieee"
        exact = launched_product()
        assert "tf32" not in exact.asm["ptx"] and exact.hash != usual.hash
    # Kernels compiled before are there still.
    assert launched_product().asm["ptx"] == usual.asm["ptx"]


def test_the_precision_of_products_from_the_environment(monkeypatch):
    @triton.jit
    def kernel(a, c):
        i = tl.arange(0, 16)
        at = i[:, None] * 16 + i[None, :]
        value = tl.load(a + at)
        # What a product says itself stays.
        tl.store(c + at, tl.dot(value, value) + tl.dot(value, value, input_precision="tf32"))

    monkeypatch.setenv("TRITON_F32_DEFAULT", "IEEE")
    a, c = np.full((16, 16), 1 + 2.0**-12, np.float32), np.zeros((16, 16), np.float32)
    kernel[(1,)](a, c)
    assert (c == np.float32(16 * (1 + 2.0**-12)**2) + 16).all()


def test_a_precision_that_there_is_not():
    with knobs.language.scope():
        knobs.language.fp32_default = "tf31"
        with pytest.raises(triton.CompilationError, match="expected 'tf32', 'tf32x3', 'ieee', 'bf16x3' or 'bf16x6' as "
                           "the default precision of products, found 'tf31'"):
            launched_product()
