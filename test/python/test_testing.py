"""Measuring and comparing."""

import os

import numpy as np
import pytest

import tegula.testing as testing
from tegula.runtime.measure import timing


class FixedClock(timing.HostClock):
    """Each call takes as long as it says."""

    def __init__(self):
        self.now, self.flushed = 0.0, 0

    def mark(self):
        return self.now

    def between(self, begin, end):
        return end - begin

    def flush(self):
        self.flushed += 1


@pytest.fixture
def fixed(monkeypatch):
    clock = FixedClock()
    monkeypatch.setattr(testing, "clock", lambda: clock)
    return clock


def taking(clock, times):
    calls = []

    def fn():
        calls.append(1)
        clock.now += times[(len(calls) - 1) % len(times)]

    return fn, calls


def test_do_bench(fixed):
    fn, calls = taking(fixed, [2.0])
    assert testing.do_bench(fn, warmup=10, rep=20) == 2.0
    assert len(calls) == 1 + 5 + 5 + 10, "once to compile, five to estimate, then as long as was asked for"
    assert fixed.flushed == 5 + 10


@pytest.mark.parametrize("mode, expected", [("min", 1.0), ("max", 4.0), ("mean", 2.5), ("median", 2.5)])
def test_return_modes(fixed, mode, expected):
    fn, _ = taking(fixed, [1.0, 2.0, 3.0, 4.0])
    found = testing.do_bench(fn, warmup=1, rep=4 * 2.2, return_mode=mode)
    everything = timing.summary([1.0, 2.0, 3.0, 4.0], None, mode)
    assert everything == expected and 1.0 <= found <= 4.0


def test_all_times_and_quantiles(fixed):
    fn, _ = taking(fixed, [2.0])
    assert testing.do_bench(fn, warmup=1, rep=6, return_mode="all") == [2.0] * 3
    assert testing.do_bench(fn, warmup=1, rep=6, quantiles=[0.5]) == 2.0
    assert testing.do_bench(fn, warmup=1, rep=6, quantiles=[0.5, 0.2, 0.8]) == [2.0, 2.0, 2.0]
    assert timing.summary([1.0, 2.0, 3.0, 4.0, 5.0], [0.0, 0.25, 0.5, 0.9, 1.0], "mean") == pytest.approx(
        np.quantile([1, 2, 3, 4, 5], [0.0, 0.25, 0.5, 0.9, 1.0]).tolist())


def test_gradients_are_dropped(fixed):
    class Tensor:
        grad = 1

    tensor = Tensor()
    fn, _ = taking(fixed, [1.0])
    testing.do_bench(fn, warmup=1, rep=1, grad_to_none=[tensor])
    assert tensor.grad is None


def test_an_unknown_mode_is_an_error():
    with pytest.raises(ValueError, match="expected `return_mode` to be one of min, max, mean, median, all, found 'avg'"):
        testing.do_bench(lambda: None, return_mode="avg")


def test_on_a_host_the_host_s_clock_counts():
    assert testing.do_bench(lambda: sum(range(1000)), warmup=1, rep=2) > 0


def report():
    def measure(n, m, provider, scale):
        return (n * m * scale, n, None) if provider == "a" else n + m

    bench = testing.Benchmark(["n", "m"], [(2, 3), 4], "provider", ["a", "b"], ["first", "second"], "plot", {"scale": 10},
                              ylabel="GB/s")
    return testing.perf_report(bench)(measure)


def test_perf_report(tmp_path, capsys):
    report().run(print_data=True, save_path=str(tmp_path / "new"))
    text = capsys.readouterr().out.splitlines()
    assert text[0] == "plot:"
    assert text[1].split() == ["n", "m", "first", "(GB/s)", "second", "(GB/s)"]
    assert text[2].split() == ["0", "2", "3", "60", "5"] and text[3].split() == ["1", "4", "4", "160", "8"]
    table = (tmp_path / "new" / "plot.csv").read_text().split()
    assert table == ["n,m,first,second", "2,3,60,5", "4,4,160,8"]


def test_a_point_of_the_wrong_length_is_an_error():
    mark = report()
    mark.benchmarks.x_vals = [(1, 2, 3)]
    with pytest.raises(ValueError, match=r"expected 2 values for \['n', 'm'\], found \(1, 2, 3\)"):
        mark.run()


def test_without_matplotlib_no_plot_is_drawn(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    report().run(save_path=str(tmp_path))
    assert capsys.readouterr().out.count("no plot was drawn: Matplotlib is not installed") == 1


def test_assert_close():
    testing.assert_close(np.array([1.0, np.nan]), np.array([1.005, np.nan]))
    testing.assert_close(1.0, 1.005)
    testing.assert_close(np.float16([100]), np.float16([101]), atol=0, rtol=lambda dtype: 0.02)
    with pytest.raises(AssertionError, match="where it broke"):
        testing.assert_close(np.array([1.0, 2.0]), np.array([1.0, 2.02]), err_msg="where it broke")
    with pytest.raises(AssertionError, match=r"1.0 is not close to 1.02"):
        testing.assert_close(1.0, 1.02)


class H200:
    """Numbers of a device that is not here."""

    def get_device_properties(self, device=None):
        return {"mem_clock_rate": 3201000, "mem_bus_width": 6144, "multiprocessor_count": 132}

    def get_device_capability(self, device=None):
        return 9, 0


def test_what_a_device_can_reach():
    from tegula.runtime.driver import driver

    try:
        driver.set_active(H200())
        assert testing.get_dram_gbps() == pytest.approx(4917, rel=0.01)
        assert testing.get_max_tensorcore_tflops("float16", 1830e3) == pytest.approx(989, rel=0.01)
        assert testing.get_max_tensorcore_tflops("float8e4nv", 1830e3) == pytest.approx(1979, rel=0.01)
        assert testing.get_max_tensorcore_tflops("float32", 1830e3) == pytest.approx(495, rel=0.01)
        assert testing.get_max_simd_tflops("float32", 1980e3) == pytest.approx(67, rel=0.01)
    finally:
        driver.reset_active()


def test_what_nvidia_smi_tells(tmp_path, monkeypatch):
    tool = tmp_path / "nvidia-smi"
    tool.write_text('#!/bin/sh\n[ "$3" = --query-gpu=clocks.sm,clocks.mem ] && echo "1980, 2619"\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert testing.nvsmi(["clocks.sm", "clocks.mem"]) == [1980, 2619]


def test_names_of_proton(fixed):
    fn, _ = taking(fixed, [2.0])
    assert testing.do_bench_proton(fn, quantiles=[0.5]) == testing.do_bench(fn, quantiles=[0.5])


def test_graphs_are_recorded_without_the_collector(monkeypatch):
    import contextlib
    import gc
    import sys
    import types

    @contextlib.contextmanager
    def graph(made):
        seen.append(gc.isenabled())
        yield made

    seen = []
    torch = types.SimpleNamespace(cuda=types.SimpleNamespace(graph=graph))
    monkeypatch.setitem(sys.modules, "torch", torch)
    with testing.cuda_graph_without_gc("a graph") as made:
        seen.append((made, gc.isenabled()))
    assert seen == [False, ("a graph", False)] and gc.isenabled()
