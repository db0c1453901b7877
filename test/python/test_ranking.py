"""Configs chosen by a model: which is first, that only it is compiled, what asks for measuring."""

import os
import random
import subprocess
import sys

import numpy as np
import pytest

import tegula as triton
import tegula.language as tl
from tegula.compiler.errors import CompilationError
from tegula.runtime import autotuner
from tegula.runtime.tune import ranking


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.static_assert(BLOCK != 64, "not this block")
    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


@triton.jit
def loaded_bound_kernel(counts, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    sums = tl.zeros((BLOCK,), tl.int32)
    for _ in range(tl.load(counts)):
        sums += i
    tl.store(out + i, sums)


def configs(*blocks, **options):
    return [triton.Config({"BLOCK": block}, **options) for block in blocks]


def tuned(kernel, of, **options):
    return triton.autotune(configs=of, key=["n"] if kernel is add_kernel else [], **options)(kernel)


def launch(kernel, n=1000):
    x, y, out = np.arange(n, dtype=np.float32), np.ones(n, dtype=np.float32), np.zeros(n, dtype=np.float32)
    kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, out, n)
    np.testing.assert_array_equal(out, x + 1)
    return kernel.best_config


@pytest.fixture
def compiled(monkeypatch):
    """The configs that a tuner compiles."""
    found = []
    own = autotuner.Autotuner._compile
    monkeypatch.setattr(autotuner.Autotuner, "_compile",
                        lambda self, config, args, kwargs: found.append(config) or own(self, config, args, kwargs))
    return found


@pytest.fixture
def by_model(monkeypatch):
    monkeypatch.setenv("TEGULA_TUNE", "model")


def test_only_the_first_is_compiled(by_model, compiled):
    kernel = tuned(add_kernel, configs(128, 256, 512, 1024))
    best = launch(kernel)
    assert compiled == [best]
    assert kernel.configs_timings == {} and kernel.bench_time is None
    launch(kernel)  # of the same key
    assert compiled == [best]


def test_the_order_of_the_configs_does_not_count(by_model):
    several = configs(128, 256, 512, 1024, num_warps=4) + configs(128, 256, 512, 1024, num_warps=8)
    best = {str(launch(tuned(add_kernel, random.Random(seed).sample(several, len(several))))) for seed in range(4)}
    assert len(best) == 1


def test_another_process_chooses_the_same(by_model):
    code = ("import sys; sys.path.insert(0, sys.argv[1]); import test_ranking as t; "
            "print(t.launch(t.tuned(t.add_kernel, t.configs(128, 256, 512, 1024))))")
    seen = [subprocess.run([sys.executable, "-c", code, os.path.dirname(__file__)], capture_output=True, text=True,
                           check=True).stdout for _ in range(2)]
    assert seen[0] == seen[1] == f"{launch(tuned(add_kernel, configs(128, 256, 512, 1024)))}\n"


def test_a_config_that_is_refused_is_left_out(by_model):
    kernel = tuned(add_kernel, configs(64, 256))
    with pytest.warns(UserWarning, match="is skipped: .*not this block"):
        assert launch(kernel).kwargs["BLOCK"] == 256


def test_configs_that_are_all_refused_are_an_error(by_model):
    with pytest.raises(CompilationError, match="not this block"):
        launch(tuned(add_kernel, configs(64, num_warps=1) + configs(64, num_warps=2)))


def test_the_next_is_taken_where_the_first_does_not_compile(by_model, monkeypatch):
    kernel = tuned(add_kernel, configs(128, 256))
    first = launch(tuned(add_kernel, configs(128, 256)))
    own = autotuner.Autotuner._compile
    monkeypatch.setattr(autotuner.Autotuner, "_compile", lambda self, config, args, kwargs: autotuner.OutOfResources(
        2, 1, "threads") if str(config) == str(first) else own(self, config, args, kwargs))
    assert str(launch(kernel)) != str(first)


def test_an_unknown_number_of_iterations_is_measured(by_model, compiled, monkeypatch, capfd):
    monkeypatch.setenv("TRITON_PRINT_AUTOTUNING", "1")
    kernel = tuned(loaded_bound_kernel, configs(16, 32), do_bench=lambda fn, quantiles: fn() or [1.0, 1.0, 1.0])
    out = np.zeros(32, dtype=np.int32)
    kernel[(1,)](np.array([3], dtype=np.int32), out)
    np.testing.assert_array_equal(out[:16], 3 * np.arange(16))
    assert len(compiled) == 2 and len(kernel.configs_timings) == 2
    assert ("loaded_bound_kernel is measured: the number of iterations of a loop is read from memory or computed in a loop"
            in capfd.readouterr().err)


def test_a_launch_of_no_programs_launches_nothing(by_model):
    out = np.zeros(16, dtype=np.float32)
    tuned(add_kernel, configs(128, 256))[(0,)](out, out, out, 16)
    np.testing.assert_array_equal(out, 0)


def test_a_program_that_measures_is_measured(monkeypatch):
    monkeypatch.delenv("TEGULA_TUNE", raising=False)
    asks = lambda **options: tuned(add_kernel, configs(128, 256), **options)._asks_model(True)
    monkeypatch.setattr(ranking, "JUDGED", (triton.runtime.driver.active.get_current_target().arch,))
    assert asks()
    assert not asks(do_bench=lambda fn, quantiles: 1.0)
    assert not asks(cache_results=True)
    assert not asks(prune_configs_by={"perf_model": lambda **given: 1, "top_k": 2})
    monkeypatch.setattr(ranking, "JUDGED", ())  # a device that the model was not judged on
    assert not asks()
    monkeypatch.setenv("TEGULA_TUNE", "measure")
    assert not asks()
    monkeypatch.setenv("TEGULA_TUNE", "model")
    assert asks(do_bench=lambda fn, quantiles: 1.0)


def test_without_a_clock_the_first_that_compiles_is_taken(monkeypatch, compiled):
    monkeypatch.delenv("TEGULA_TUNE", raising=False)
    if triton.runtime.driver.active.get_current_target().backend == "cuda" and getattr(
            triton.runtime.driver.active, "has_time", True):
        pytest.skip("the device has a clock")
    assert launch(tuned(add_kernel, configs(512, 256))).kwargs["BLOCK"] == 512


def test_another_word_is_refused(monkeypatch):
    monkeypatch.setenv("TEGULA_TUNE", "guess")
    with pytest.raises(ValueError, match="expected `model` or `measure` as TEGULA_TUNE, found `guess`"):
        launch(tuned(add_kernel, configs(128, 256)))


def test_the_order_is_printed(by_model, monkeypatch, capfd):
    monkeypatch.setenv("TRITON_PRINT_AUTOTUNING", "1")
    launch(tuned(add_kernel, configs(128, 256)))
    told = capfd.readouterr().err.splitlines()
    assert told[0].startswith("chose add_kernel for (1000, 'float32', 'float32', 'float32') by a model: the first of 2 configs in ")
    assert len(told) == 3 and all("cycles: units 0, L2 " in line for line in told[1:])


def test_hooks_and_listener_are_called(by_model, monkeypatch):
    seen = []
    monkeypatch.setattr(triton.knobs.autotuning, "listener", lambda **told: seen.append(told))
    kernel = tuned(add_kernel, configs(128, 256, pre_hook=lambda given: seen.append(given["BLOCK"])))
    best = launch(kernel)
    assert seen[-1] == best.kwargs["BLOCK"]  # before the launch that counts
    told = next(entry for entry in seen if isinstance(entry, dict))
    assert (told["best_config"], told["configs_timings"], told["duration"], told["cache_hit"]) == (best, {}, None, False)


def test_pruning_comes_first(by_model):
    kernel = tuned(add_kernel, configs(128, 256, 512),
                   prune_configs_by={"early_config_prune": lambda configs, named, **kwargs: configs[1:2]})
    assert launch(kernel).kwargs["BLOCK"] == 256


def test_estimates_compile_nothing():
    x = np.zeros(1000, dtype=np.float32)
    before = triton.cache_stats()["compiled"]
    cycles, told = add_kernel.estimate(x, x, x, 1000, BLOCK=2048, grid=(1,))
    assert cycles > 0 and '"loads"' not in told and '"programs":1' in told
    assert triton.cache_stats()["compiled"] == before


def test_the_first_choice_is_near_the_best_of_a_sweep_it_was_not_fitted_to():
    folder = os.path.join(os.path.dirname(__file__), "..", "..", "tools", "bench", "model")
    told = subprocess.run([sys.executable, os.path.join(folder, "judge.py")], capture_output=True, text=True, check=True,
                          env={**os.environ, "TEGULA_DEVICE": "emulator", "TEGULA_ARCH": "sm_90a"}).stdout
    means = {line[:32].strip(): float(line.split("mean ")[1][:5]) for line in told.splitlines()[1:]}
    assert means["products, own configs"] > 0.95 and means["products, all configs"] > 0.92
    assert means["attention"] > 0.97 and means["softmax"] > 0.98 and means["layernorm"] > 0.97
