"""Tuners: which config is taken, what is skipped, what is told, what is kept."""

import copy
import os
import pickle

import numpy as np
import pytest

import tegula as triton
import tegula.language as tl
from tegula.compiler.errors import CompilationError
from tegula.runtime import autotuner
from tegula.runtime.tune import report as tuning_report, store as tuning_store
from tegula.runtime.errors import AutotunerError, KernelFault, OutOfResources


@pytest.fixture(autouse=True)
def measured(monkeypatch):
    """Configs are measured, also where a model would choose."""
    monkeypatch.setenv("TEGULA_TUNE", "measure")


@triton.jit
def add_one(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)


class Recorded:
    """Stands for a kernel: what it is launched with is recorded, what cannot be compiled is given."""

    arg_names = ["x", "n", "BLOCK"]
    __name__ = "recorded"
    cache_key = "the source"

    def __init__(self, broken=None):
        self.broken = broken or {}
        self.compiled, self.launched = [], []

    def warmup(self, *args, **kwargs):
        self.compiled.append(kwargs["BLOCK"])
        if kwargs["BLOCK"] in self.broken:
            raise self.broken[kwargs["BLOCK"]]

    def run(self, *args, **kwargs):
        self.launched.append(kwargs["BLOCK"])
        return kwargs["BLOCK"]


def configs(*blocks, **options):
    return [triton.Config({"BLOCK": block}, **options) for block in blocks]


def bench_by(times, kernel):
    """A stopwatch that finds given times."""

    def bench(fn, quantiles):
        assert quantiles == (0.5, 0.2, 0.8)
        fn()
        time = times[kernel.launched[-1]]
        return [time, time / 2, time * 2]

    return bench


def tuned(kernel, blocks, times=None, **options):
    options.setdefault("key", ["n"])
    return triton.autotune(configs(*blocks), do_bench=bench_by(times, kernel) if times else None, **options)(kernel)


def test_the_fastest_is_taken_and_kept():
    kernel = Recorded()
    tuner = tuned(kernel, [1, 2, 4], {1: 3.0, 2: 1.0, 4: 2.0})
    assert tuner.run(None, 10, grid=(1,)) == 2
    assert tuner.best_config.kwargs == {"BLOCK": 2}
    assert tuner.cache == {(10,): tuner.best_config}
    assert {config.kwargs["BLOCK"]: row[0] for config, row in tuner.configs_timings.items()} == {1: 3.0, 2: 1.0, 4: 2.0}
    launched = len(kernel.launched)
    assert tuner.run(None, 10, grid=(1,)) == 2
    assert len(kernel.launched) == launched + 1
    assert tuner.nargs is None


def test_a_library_makes_a_tuner_of_its_own_that_measures_each_config():
    class Own(autotuner.Autotuner):
        def run(self, *args, **kwargs):
            self.nargs = dict(zip(self.arg_names, args))
            times = {config: self._bench(*args, config=config, **kwargs) for config in self.prune_configs(kwargs)}
            return min(times, key=times.get)

    kernel = Recorded()
    tuner = Own(kernel, kernel.arg_names, configs(1, 2, 4), ["n"], None, None, do_bench=bench_by({1: 3.0, 2: 1.0, 4: 2.0}, kernel))
    assert tuner.run(None, 10, grid=(1,)).kwargs == {"BLOCK": 2}


def test_all_configs_are_compiled_before_any_is_measured():
    kernel = Recorded()
    order = []
    kernel.warmup = lambda *args, **kwargs: order.append("compiled")
    kernel.run = lambda *args, **kwargs: order.append("launched")
    triton.autotune(configs(1, 2, 4), key=["n"], do_bench=lambda fn, quantiles: fn() or [1.0])(kernel).run(
        None, 1, grid=(1,))
    assert order[:3] == ["compiled"] * 3 and "compiled" not in order[3:]


def test_new_values_of_the_key_and_new_types_are_tuned_anew():
    kernel = Recorded()
    tuner = tuned(kernel, [1, 2], {1: 1.0, 2: 2.0})
    for x, n in [(np.zeros(1, np.float32), 1), (np.zeros(1, np.float32), 2), (np.zeros(1, np.int8), 2)]:
        tuner.run(x, n, grid=(1,))
    assert list(tuner.cache) == [(1, "float32"), (2, "float32"), (2, "int8")]


def test_one_config_is_not_measured():
    kernel = Recorded()
    assert tuned(kernel, [8]).run(None, 1, grid=(1,)) == 8
    assert kernel.launched == [8] and kernel.compiled == []


def test_no_configs_mean_the_defaults():
    tuner = triton.autotune([], key=[])(Recorded())
    assert [config.all_kwargs() for config in tuner.configs] == [{"num_warps": 4, "num_ctas": 1, "num_stages": 3}]


def test_what_does_not_fit_is_skipped():
    kernel = Recorded({4: OutOfResources(300000, 232448, "shared memory")})
    tuner = tuned(kernel, [1, 4], {1: 1.0})
    assert tuner.run(None, 1, grid=(1,)) == 1
    assert 4 not in kernel.launched


def test_what_cannot_be_compiled_is_skipped_and_told():
    kernel = Recorded({4: CompilationError("expected a power of two")})
    tuner = tuned(kernel, [1, 4], {1: 1.0})
    with pytest.warns(UserWarning, match=r"`recorded`: config \(BLOCK: 4, .*\) is skipped: expected a power of two"):
        assert tuner.run(None, 1, grid=(1,)) == 1


def test_all_failing_names_each():
    kernel = Recorded({1: OutOfResources(9, 8, "threads"), 2: CompilationError("expected something else")})
    with pytest.raises(AutotunerError) as failure:
        tuned(kernel, [1, 2], {1: 1.0}).run(None, 1, grid=(1,))
    text = str(failure.value)
    assert "no config of kernel `recorded` can be used" in text
    assert "BLOCK: 1" in text and "out of resource: threads" in text
    assert "BLOCK: 2" in text and "expected something else" in text
    assert failure.value.__cause__ is not None


def test_all_failing_alike_is_the_failure_itself():
    kernel = Recorded({1: CompilationError("no such name"), 2: CompilationError("no such name")})
    with pytest.raises(CompilationError, match="no such name"):
        tuned(kernel, [1, 2], {1: 1.0}).run(None, 1, grid=(1,))


def test_other_errors_are_not_hidden():
    kernel = Recorded({2: KeyError("a mistake of the caller")})
    with pytest.raises(KeyError):
        tuned(kernel, [1, 2], {1: 1.0}).run(None, 1, grid=(1,))


def test_a_config_that_faults_is_named():
    kernel = Recorded()

    def run(*args, **kwargs):
        if kwargs["BLOCK"] == 4:
            raise KernelFault("load outside any allocation")

    kernel.run = run
    with pytest.raises(KernelFault) as failure:
        triton.autotune(configs(1, 4), key=[], do_bench=lambda fn, quantiles: fn() or [1.0])(kernel).run(None, grid=(1,))
    text = str(failure.value)
    assert text.startswith("load outside any allocation") and "while config (BLOCK: 4," in text and "`recorded`" in text


def test_a_value_given_twice_is_an_error():
    with pytest.raises(ValueError, match="`BLOCK` of kernel `recorded` is given by the launch and by its config"):
        tuned(Recorded(), [1, 2], {1: 1.0}).run(None, 1, grid=(1,), BLOCK=7)


def test_early_prune_sees_the_arguments():
    kernel = Recorded()
    seen = {}

    def prune(found, named, **kwargs):
        seen.update(named, **kwargs)
        return found[:1]

    tuner = tuned(kernel, [1, 2, 4], {1: 1.0}, prune_configs_by={"early_config_prune": prune})
    assert tuner.run(None, 7, grid=(3,)) == 1
    assert seen == {"x": None, "n": 7, "grid": (3,)} and kernel.launched == [1]


def test_the_only_config_that_is_left_is_not_measured():
    kernel = Recorded()
    tuner = tuned(kernel, [1, 2, 4], {}, prune_configs_by={"early_config_prune": lambda found, *_, **__: found[1:2]})
    assert tuner.run(None, 7, grid=(1,)) == 2
    assert kernel.compiled == [] and kernel.launched == [2] and tuner.configs_timings == {}


def test_a_share_is_of_what_is_left():
    kernel = Recorded()
    prune = {"early_config_prune": lambda found, *_, **__: found[:4], "perf_model": lambda BLOCK, **_: BLOCK, "top_k": 0.5}
    tuned(kernel, [1, 2, 4, 8, 16, 32, 64, 128], {1: 1.0, 2: 2.0}, prune_configs_by=prune).run(None, 1, grid=(1,))
    assert set(kernel.compiled) == {1, 2}
    prune["top_k"] = 0.01
    kernel = Recorded()
    tuned(kernel, [1, 2, 4, 8], {}, prune_configs_by=prune).run(None, 1, grid=(1,))
    assert kernel.launched == [1]  # at least one


def test_a_listener_is_told_of_each_choice(tmp_path, monkeypatch):
    from tegula import knobs

    monkeypatch.setenv("TEGULA_CACHE_DIR", str(tmp_path))
    told = []
    with knobs.autotuning.scope():
        knobs.autotuning.listener = lambda **words: told.append(words)
        for _ in range(2):
            kernel = Recorded()
            tuner = tuned(kernel, [1, 2], {1: 3.0, 2: 1.0}, cache_results=True)
            tuner.run(None, 10, grid=(1,))
            tuner.run(None, 10, grid=(1,))
    assert len(told) == 2 and set(told[0]) == {"fn", "key", "best_config", "configs_timings", "duration", "cache_hit"}
    assert [words["cache_hit"] for words in told] == [False, True]
    assert told[0]["duration"] > 0 and told[1]["duration"] is None
    assert told[0]["key"] == (10,) and told[1]["best_config"].kwargs == {"BLOCK": 2}


def test_a_prune_that_leaves_none_is_an_error():
    with pytest.raises(AutotunerError, match="^Autotuner error: No valid autotuner configs after pruning. `early_config_prune` should return at least one config.$"):
        tuned(Recorded(), [1, 2], {1: None}, prune_configs_by={"early_config_prune": lambda *_, **__: []}).run(
            None, 1, grid=(1,))


@pytest.mark.parametrize("top_k, left", [(2, {4, 2}), (0.5, {4, 2}), (1, {4})])
def test_a_model_keeps_the_best(top_k, left):
    kernel = Recorded()
    model = {"perf_model": lambda BLOCK, **_: -BLOCK if BLOCK < 8 else 1, "top_k": top_k}
    tuned(kernel, [1, 2, 4, 8], {2: 1.0, 4: 2.0}, prune_configs_by=model).run(None, 1, grid=(1,))
    assert set(kernel.compiled or kernel.launched) == left


def test_a_wrong_top_k_is_an_error():
    with pytest.raises(TypeError, match="`top_k` to be a whole number or a share of at most 1.0, found 2.5"):
        tuned(Recorded(), [1, 2], {1: None}, prune_configs_by={"perf_model": lambda **_: 1, "top_k": 2.5}).run(
            None, 1, grid=(1,))


def test_arguments_that_are_none_are_neither_reset_nor_restored():
    class Takes(Recorded):
        arg_names = ["total", "state", "BLOCK"]

    kernel = Takes()
    tuner = tuned(kernel, [1, 2], {1: 1.0, 2: 2.0}, key=[], reset_to_zero=["total"], restore_value=["state"])
    assert tuner.run(None, None, grid=(1,)) == 1


def test_reset_and_restore():
    total, state = np.ones(4), np.arange(4.0)

    class Summing(Recorded):
        arg_names = ["total", "state", "BLOCK"]

        def run(self, total, state, **kwargs):
            self.launched.append(kwargs["BLOCK"])
            total += 1
            state *= 2

    kernel = Summing()
    tuned(kernel, [1, 2], {1: 1.0, 2: 2.0}, key=[], reset_to_zero=["total"], restore_value=["state"]).run(
        total, state, grid=(1,))
    assert len(kernel.launched) == 3
    assert total.tolist() == [1] * 4, "as if there had been one launch"
    assert state.tolist() == [0, 2, 4, 6]


def test_hooks_of_the_user():
    calls = []
    kernel = Recorded()
    tuner = tuned(kernel, [1, 2], {1: 1.0, 2: 2.0},
                  pre_hook=lambda args, reset_only=False: calls.append(("before", args["n"], reset_only)),
                  post_hook=lambda args, exception: calls.append(("after", exception)))
    tuner.run(None, 5, grid=(1,))
    assert calls == [("before", 5, False), ("after", None)] * 2 + [("before", 5, True)]
    assert tuner.user_defined_pre_hook is True
    assert tuned(kernel, [1]).user_defined_pre_hook is False and tuned(kernel, [1]).user_defined_post_hook is False


def test_the_hook_of_a_config():
    seen = []
    config = triton.Config({"BLOCK": 4}, pre_hook=lambda args: seen.append((args["n"], args["BLOCK"])))
    triton.autotune([config], key=[])(Recorded()).run(None, 9, grid=(1,))
    assert seen == [(9, 4)]


def test_the_emulator_has_no_time(monkeypatch):
    # No stopwatch is given: of a device without time the first config that compiles is taken, and it is said once.
    monkeypatch.setattr(type(autotuner.driver.active), "has_time", property(lambda self: False))
    autotuner._warn_without_timer.cache_clear()
    kernel = Recorded({1: OutOfResources(2, 1, "threads")})
    with pytest.warns(UserWarning, match="no time to compare configs by"):
        assert tuned(kernel, [1, 2, 4]).run(None, 1, grid=(1,)) == 2
    assert kernel.launched == [2]


@pytest.mark.skipif(triton.get_device().properties()["kind"] == "cuda", reason="needs arrays on the GPU")
def test_a_kernel():
    tuner = triton.autotune(configs(16, 32, num_warps=2), key=["n"])(add_one)
    x, out = np.arange(50, dtype=np.float32), np.zeros(50, np.float32)
    tuner[lambda meta: (triton.cdiv(meta["n"], meta["BLOCK"]),)](x, out, 50)
    np.testing.assert_array_equal(out, x + 1)
    assert tuner.best_config.kwargs == {"BLOCK": 16}
    assert len(tuner.warmup(x, out, 50, grid=(4,))) == 2


@pytest.mark.skipif(triton.get_device().properties()["kind"] == "cuda", reason="needs arrays on the GPU")
def test_heuristics():
    kernel = triton.heuristics({"BLOCK": lambda args: triton.next_power_of_2(args["n"])})(add_one)
    x, out = np.arange(50, dtype=np.float32), np.zeros(50, np.float32)
    kernel[(1,)](x, out, 50)
    np.testing.assert_array_equal(out, x + 1)
    assert isinstance(kernel, autotuner.Heuristics) and kernel.arg_names == add_one.arg_names


def test_heuristics_see_each_other():
    kernel = Recorded()
    values = {"BLOCK": lambda args: args["n"] * 2, "num_warps": lambda args: args["BLOCK"]}
    seen = {}
    kernel.run = lambda *args, **kwargs: seen.update(kwargs)
    triton.heuristics(values)(kernel).run(None, 4, grid=(1,))
    assert seen == {"BLOCK": 8, "num_warps": 8, "grid": (1,)}


# Configs.


def test_config():
    config = triton.Config({"BLOCK": 64}, num_warps=8, num_stages=2, maxnreg=128)
    assert config.all_kwargs() == {"BLOCK": 64, "num_warps": 8, "num_ctas": 1, "num_stages": 2, "maxnreg": 128}
    assert str(config) == "BLOCK: 64, num_warps: 8, num_ctas: 1, num_stages: 2, maxnreg: 128"
    assert str(triton.Config({})).endswith("maxnreg: None")
    twin = triton.Config({"BLOCK": 64}, num_warps=8, num_stages=2, maxnreg=128)
    assert config == twin and hash(config) == hash(twin) and config != triton.Config({"BLOCK": 64})
    config.found_by = "me"  # tools hang what they like on it
    for copied in (pickle.loads(pickle.dumps(config)), copy.deepcopy(config)):
        assert copied == config and copied.found_by == "me"


def test_tuners_copy():
    tuner = triton.autotune(configs(16, 32), key=["n"], reset_to_zero=["out"])(add_one)
    twin = copy.deepcopy(tuner)
    assert twin.configs == tuner.configs and twin.keys == ["n"] and twin.fn.arg_names == add_one.arg_names


# Results on disk.


def test_results_are_kept_on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("TEGULA_CACHE_DIR", str(tmp_path))
    times = {1: 3.0, 2: 1.0}
    assert tuned(Recorded(), [1, 2], times, cache_results=True).run(None, 5, grid=(1,)) == 2
    kernel = Recorded()
    assert tuned(kernel, [1, 2], {1: None}, cache_results=True).run(None, 5, grid=(1,)) == 2
    assert kernel.launched == [2], "nothing was measured"
    kernel = Recorded()
    assert tuned(kernel, [1, 2], times, cache_results=True).run(None, 6, grid=(1,)) == 2
    assert len(kernel.launched) == 3, "another question is another measurement"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"times": [["no such config", [1.0]]]}', '{"times": 3}'])
def test_a_damaged_result_was_never_there(tmp_path, monkeypatch, text):
    monkeypatch.setenv("TEGULA_CACHE_DIR", str(tmp_path))
    found = configs(1, 2)
    tuning_store.save("name", {found[0]: [1.0, 1.0, 1.0]})
    assert tuning_store.load("name", found) == {found[0]: [1.0, 1.0, 1.0]}
    with open(os.path.join(tmp_path, "tuning", "name.json"), "w") as file:
        file.write(text)
    assert tuning_store.load("name", found) is None


def test_a_folder_that_cannot_be_written_costs_nothing(monkeypatch):
    monkeypatch.setenv("TEGULA_CACHE_DIR", "/proc/no/such/folder")
    tuning_store.save("name", {configs(1)[0]: [1.0]})
    assert tuning_store.load("name", configs(1)) is None


# What is shown.


def test_table():
    found = configs(1, 2)
    text = tuning_report.table("matmul", (5,), {found[0]: [2.0], found[1]: [1.0]}, {configs(4)[0]: ValueError("no\nyes")},
                               1.5)
    lines = text.splitlines()
    assert lines[0] == "tuned matmul for (5,): 2 of 3 configs in 1.50 s"
    assert "1.0000 ms  BLOCK: 2" in lines[1] and "2.0000 ms  BLOCK: 1" in lines[2]
    assert lines[3].strip().startswith("skipped     BLOCK: 4") and lines[3].endswith("no")


def test_a_table_is_printed_where_it_is_asked_for(monkeypatch, capsys):
    kernel = Recorded()
    monkeypatch.setenv("TRITON_PRINT_AUTOTUNING", "1")
    tuned(kernel, [1, 2], {1: 1.0, 2: 2.0}).run(None, 1, grid=(1,))
    assert "tuned recorded for (1,): 2 of 2 configs" in capsys.readouterr().err


def test_progress_needs_a_terminal(capsys):
    progress = tuning_report.Progress("matmul", 3)
    progress.step("measured", 1.0)
    progress.close()
    assert capsys.readouterr().err == ""
    progress.shown = True
    progress.step("measured", 1.5)
    assert "tuning matmul: [#############       ] 2 of 3 measured, best 1.500 ms" in capsys.readouterr().err


@triton.jit
def copied_by_blocks(x, out, SIDE: tl.constexpr):
    at = tl.program_id(0) * SIDE
    out.store([at, 0], x.load([at, 0]))


@pytest.mark.skipif(os.environ.get("TEGULA_DEVICE", "").startswith("cuda"), reason="its arrays are on the host")
@pytest.mark.parametrize("compiled_ahead", [False, True])
def test_the_hook_of_a_config_says_of_descriptors_what_it_is_compiled_for(compiled_ahead):
    """The blocks of the descriptors that the launch gives fit no config."""
    from tegula.tools.tensor_descriptor import TensorDescriptor

    def blocks(nargs):
        nargs["x"].block_shape = nargs["out"].block_shape = [nargs["SIDE"], 16]

    configs = [triton.Config({"SIDE": side}, pre_hook=blocks) for side in (16, 8, 4)]
    wanted = triton.autotune(configs, key=[], do_bench=(lambda launch, quantiles: launch() or 1.0) if compiled_ahead else None)
    tuned = wanted(copied_by_blocks)
    x, out = np.arange(256, dtype=np.float32).reshape(16, 16), np.zeros((16, 16), np.float32)
    descriptors = [TensorDescriptor.from_tensor(array, [1, 16]) for array in (x, out)]
    tuned[lambda meta: (triton.cdiv(16, meta["SIDE"]),)](*descriptors)
    np.testing.assert_array_equal(out, x)
    assert len(tuned.configs_timings) == (3 if compiled_ahead else 0)
    assert len(tuned.warmup(*[TensorDescriptor.from_tensor(array, [1, 16]) for array in (x, out)], grid=(1,))) == 3
