"""Configs that are near each other are measured in turns, so that a chip that grows warm does not choose."""

import numpy as np
import pytest

import tegula as triton
from tegula.runtime import autotuner
from tegula.runtime.tune import finals


class WarmingChip:
    """Takes longer with each launch, until it is warm: `configs` by what each takes on a cold one."""

    def __init__(self, configs, slower=0.02, warm=1.16):
        self.configs, self.slower, self.warm, self.heat = configs, slower, warm, 1.0
        self.measured = []

    def measure(self, name):
        self.measured.append(name)
        self.heat = min(self.warm, self.heat + self.slower)
        return [self.configs[name] * self.heat] * 3

    def medians(self):
        return {name: self.measure(name)[0] for name in self.configs}


def test_one_pass_takes_the_first_of_a_warming_chip_and_turns_take_the_quickest():
    chip = WarmingChip({"first": 1.03, "second": 1.04, "slow": 2.0, "last": 1.0})
    medians = chip.medians()
    assert min(medians, key=medians.get) == "first"
    last = finals.in_turns(finals.finalists(medians), chip.measure)
    assert set(last) == {"first", "second", "last"}
    assert min(last, key=lambda name: last[name][0]) == "last"


def test_every_second_turn_goes_backwards():
    chip = WarmingChip({"a": 1.0, "b": 1.0})
    finals.in_turns(["a", "b"], chip.measure)
    assert chip.measured == ["a", "b", "b", "a", "a", "b"]


def test_medians_are_taken_number_by_number():
    rows = iter([[3.0, 1.0], [1.0, 9.0], [2.0, 5.0]])
    assert finals.in_turns(["one"], lambda name: next(rows)) == {"one": [2.0, 5.0]}


def test_one_that_stands_alone_is_not_measured_again():
    assert finals.finalists({"a": 1.0, "b": 1.2}) == []
    assert finals.finalists({}) == []


def test_four_of_many_that_are_near_take_part():
    assert finals.finalists({name: 1.0 + place / 1000 for place, name in enumerate("fedcba")}) == list("fedc")


class Launched:
    """Stands for a kernel whose launches are counted by their blocks."""

    arg_names = ["x", "n", "BLOCK"]
    __name__ = "launched"
    cache_key = "its source"

    def __init__(self):
        self.blocks = []

    def warmup(self, *args, **kwargs):
        pass

    def run(self, *args, **kwargs):
        self.blocks.append(kwargs["BLOCK"])


@pytest.fixture
def warming_device(monkeypatch):
    """The device's stopwatch finds what a warming chip takes: a block of 4 is the quickest, and measured last."""
    monkeypatch.setenv("TEGULA_TUNE", "measure")
    chip = WarmingChip({1: 1.03, 2: 5.0, 4: 1.0})
    kernel = Launched()
    asked = []

    class Device:
        has_time = True

        @staticmethod
        def get_current_target():
            return "a chip"

        @staticmethod
        def get_benchmarker():
            def bench(fn, quantiles, rep=100.0):
                fn()
                asked.append(rep)
                return chip.measure(kernel.blocks[-1])
            return bench

    monkeypatch.setattr(type(autotuner.driver), "active", Device(), raising=False)
    return kernel, chip, asked


def test_a_tuner_takes_the_quickest_of_a_warming_chip(warming_device):
    kernel, chip, asked = warming_device
    tuner = triton.autotune([triton.Config({"BLOCK": block}) for block in chip.configs], key=["n"])(kernel)
    tuner.run(np.zeros(1, np.float32), 1, grid=(1,))
    assert tuner.best_config.kwargs == {"BLOCK": 4}
    assert chip.measured == [1, 2, 4] + [1, 4, 4, 1, 1, 4]
    assert asked == [100.0] * 3 + [100.0 / 3] * 6
    rows = {config.kwargs["BLOCK"]: row for config, row in tuner.configs_timings.items()}
    assert rows[4][0] < rows[1][0] < rows[2][0] and all(len(row) == 3 for row in rows.values())


def test_a_stopwatch_of_the_program_is_asked_once_for_each_config(warming_device):
    kernel, chip, _ = warming_device
    watch = lambda fn, quantiles: fn() or chip.measure(kernel.blocks[-1])  # noqa: E731
    tuner = triton.autotune([triton.Config({"BLOCK": block}) for block in chip.configs], key=["n"], do_bench=watch)(kernel)
    tuner.run(np.zeros(1, np.float32), 1, grid=(1,))
    assert chip.measured == [1, 2, 4] and tuner.best_config.kwargs == {"BLOCK": 1}
