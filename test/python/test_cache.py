"""The disk cache as Python uses it: on by default, where the knobs say, and never a wrong kernel."""

import os
import subprocess
import sys

import numpy as np
import pytest

import tegula as triton
import tegula.language as tl
from tegula import knobs
from tegula.runtime import cache
from tegula.runtime.tune import store as tuning_store
from tegula.runtime.tune.config import Config

KIND = triton.get_device().properties()["kind"]

SCRIPT = """
import numpy as np
import tegula as triton
import tegula.language as tl

OFFSET = tl.constexpr({offset})

STEP = {step}

@triton.constexpr_function
def hosts(x):
    return x + STEP

@triton.jit
def kernel(out_ptr, N: tl.constexpr):
    tl.store(out_ptr, {text})

if {gpu}:
    import torch
    out = torch.zeros(1, device="cuda")
else:
    out = np.zeros(1, np.float32)
kernel[(1,)](out, 4)
print(float(out[0]))
"""


def run(folder, offset=1, text="N + OFFSET", step=1, **environment):
    """Runs the script in a process of its own, and gives what it stores."""
    script = folder / "script.py"
    script.write_text(SCRIPT.format(offset=offset, text=text, step=step, gpu=KIND == "cuda"))
    kept = {name: value for name, value in os.environ.items()
            if name not in ("TEGULA_CACHE_DIR", "TRITON_CACHE_DIR", "XDG_CACHE_HOME")}
    done = subprocess.run([sys.executable, str(script)], env={**kept, "HOME": str(folder), **environment},
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return float(done.stdout)


def one_number():
    """An array where kernels run."""
    if KIND == "cuda":
        import torch
        return torch.zeros(1, device="cuda")
    return np.zeros(1, np.float32)


def entries(folder):
    """The entries with what tells whether one was written anew."""
    return {file.name: file.stat().st_ino for file in folder.glob("*.tegula")} if folder.exists() else {}


pytestmark = pytest.mark.skipif(KIND == "interpret", reason="the interpreter compiles nothing")


def test_it_is_on_by_default(tmp_path):
    folder = tmp_path / ".cache" / "tegula"
    assert run(tmp_path) == 5
    first = entries(folder)
    assert len(first) == 1
    assert run(tmp_path) == 5
    assert entries(folder) == first, "the second process found it"


def test_what_changes_is_compiled_anew(tmp_path):
    folder = tmp_path / ".cache" / "tegula"
    assert [run(tmp_path), run(tmp_path, offset=2), run(tmp_path, text="N - OFFSET")] == [5, 6, 3]
    assert len(entries(folder)) == 3
    assert [run(tmp_path), run(tmp_path, offset=2), run(tmp_path, text="N - OFFSET")] == [5, 6, 3]
    assert len(entries(folder)) == 3


def test_what_the_host_computes_is_part_of_what_is_kept(tmp_path):
    folder = tmp_path / ".cache" / "tegula"
    assert run(tmp_path, text="hosts(N)") == 5
    first = entries(folder)
    assert len(first) == 1
    assert run(tmp_path, text="hosts(N)") == 5
    assert entries(folder) == first, "the second process found it"
    assert run(tmp_path, text="hosts(N)", step=2) == 6, "a global of the function has changed, and nothing else"
    assert len(entries(folder)) == 2
    assert run(tmp_path, text="hosts(N)") == 5
    assert len(entries(folder)) == 2


def test_the_environment_says_where(tmp_path):
    own, triton_s, xdg = tmp_path / "own", tmp_path / "triton", tmp_path / "xdg"
    run(tmp_path, TRITON_CACHE_DIR=str(triton_s))
    assert len(entries(triton_s / "tegula")) == 1
    run(tmp_path, TRITON_CACHE_DIR=str(triton_s), TEGULA_CACHE_DIR=str(own))
    assert len(entries(own)) == 1
    run(tmp_path, XDG_CACHE_HOME=str(xdg))
    assert len(entries(xdg / "tegula")) == 1
    assert entries(tmp_path / ".cache" / "tegula") == {}


@pytest.mark.parametrize("off", [{"TEGULA_CACHE_DIR": ""}, {"TRITON_ALWAYS_COMPILE": "1"}])
def test_it_can_be_switched_off(tmp_path, off):
    assert run(tmp_path, **off) == 5
    assert entries(tmp_path / ".cache" / "tegula") == {}


def test_a_knob_that_is_set_holds_from_then_on(tmp_path):
    @triton.jit
    def kernel(out_ptr, N: tl.constexpr):
        tl.store(out_ptr, N)

    def compile_for(value):
        kernel.warmup(one_number(), value, grid=(1,))

    with knobs.cache.scope():
        knobs.cache.dir = str(tmp_path / "first")
        compile_for(1)
        knobs.cache.dir = tmp_path / "second"
        compile_for(2)
        knobs.cache.dir = ""
        compile_for(3)
    assert len(entries(tmp_path / "first")) == len(entries(tmp_path / "second")) == 1


def test_beside_triton_s_files_others_may_write(tmp_path):
    (tmp_path / "triton").mkdir()
    (tmp_path / "triton").chmod(0o777)
    run(tmp_path, TRITON_CACHE_DIR=str(tmp_path / "triton"))
    assert len(entries(tmp_path / "triton" / "tegula")) == 1


def test_a_folder_that_others_may_write_to_is_a_warning(tmp_path):
    @triton.jit
    def kernel(out_ptr):
        tl.store(out_ptr, 1)

    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o777)
    with knobs.cache.scope():
        knobs.cache.dir = str(folder)
        with pytest.warns(UserWarning, match="is not used: others may write to the folder"):
            kernel.warmup(one_number(), grid=(1,))
    assert entries(folder) == {}


def test_without_a_folder_choices_of_tuners_are_not_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with knobs.cache.scope():
        knobs.cache.dir = ""
        config = Config({"N": 1})
        tuning_store.save("choice", {config: [1.0]})
        assert tuning_store.load("choice", [config]) is None and list(tmp_path.iterdir()) == []
        knobs.cache.dir = str(tmp_path / "kept")
        tuning_store.save("choice", {config: [1.0]})
        assert tuning_store.load("choice", [config]) == {config: [1.0]}


def test_choices_of_tuners_are_shared_between_machines(tmp_path, monkeypatch):
    monkeypatch.setenv("TEGULA_SHARED_CACHE_DIR", str(tmp_path / "shared"))
    config = Config({"N": 1})
    with knobs.cache.scope():
        knobs.cache.dir = str(tmp_path / "first")
        tuning_store.save("choice", {config: [1.0]})
        knobs.cache.dir = str(tmp_path / "second")
        assert tuning_store.load("choice", [config]) == {config: [1.0]}
        knobs.cache.dir = ""
        assert tuning_store.load("choice", [config]) is None


MANY = """
import sys
import numpy as np
import tegula as triton
import tegula.language as tl

@triton.jit
def kernel(out_ptr, N: tl.constexpr):
    tl.store(out_ptr + tl.arange(0, 4), N)

sys.stdin.read()  # until all processes are here
for n in range(40):
    kernel.warmup(np.zeros(4, np.float32), n, grid=(1,))
print(triton.cache_stats()["compiled"])
"""


def test_eight_processes_compile_forty_kernels_once(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(MANY)
    environment = {**os.environ, "TEGULA_CACHE_DIR": str(tmp_path / "kept"), "TEGULA_DEVICE": "emulator"}
    processes = [subprocess.Popen([sys.executable, str(script)], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
                 for _ in range(8)]
    for process in processes:
        process.stdin.close()
    compiled = [int(process.stdout.read()) for process in processes]
    assert [process.wait(60) for process in processes] == [0] * 8
    assert sum(compiled) == 40
    assert len(entries(tmp_path / "kept")) == 40


def test_assemblers_of_wheels_are_found(tmp_path, monkeypatch):
    folders = [tmp_path.joinpath(*parts) for parts in (("a", "torch", "bin"), ("b", "triton", "backends", "nvidia", "bin"),
                                                       ("a", "nvidia", "cu13", "lib"), ("b", "nvidia", "nvjitlink", "lib"))]
    for folder in folders:
        folder.mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "b"), str(tmp_path / "a"), str(tmp_path / "none")])
    assert cache.assembler_folders() == tuple(str(folder) for folder in folders)


def test_files_of_programs(tmp_path, monkeypatch):
    from tegula.runtime.cache import FileCacheManager, _base32, get_cache_manager

    monkeypatch.delenv("TEGULA_CACHE_DIR", raising=False)
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    manager = get_cache_manager("00ff10")
    assert manager.cache_dir == str(tmp_path / _base32("00ff10")) and manager.get_file("a") is None
    path = manager.put(b"bytes", "a")
    assert manager.get_file("a") == path and (tmp_path / _base32("00ff10") / "a").read_bytes() == b"bytes"
    other = manager.put("text", "b.json", binary=False)
    assert manager.get_group("g") is None
    manager.put_group("g", {"a": path, "b": other})
    assert FileCacheManager(_base32("00ff10")).get_group("g") == {"a": path, "b": other}
    (tmp_path / _base32("00ff10") / "a").unlink()
    assert manager.get_group("g") is None  # a part of a group is no group
    manager.put("{", "__grp__g", binary=False)
    assert manager.get_group("g") is None
    monkeypatch.setenv("TEGULA_CACHE_DIR", "")
    with pytest.raises(RuntimeError, match="there is no folder to keep files in"):
        get_cache_manager("00")
