"""Tuning by ranks that disagree, fail, die or know different things: one config everywhere, or an error that names the rank."""

import pickle
import threading
import time

import pytest

import tegula as triton
from ranks import run_ranks
from tegula import _native, knobs
from tegula.compiler.errors import CompilationError
from tegula.distributed import RanksError, pack
from tegula.runtime.driver import driver
from tegula.runtime.errors import AutotunerError, KernelFault, OutOfResources
from tegula.runtime.tune import ranks as tuning_ranks, store as tuning_store


@pytest.fixture(autouse=True)
def measured(monkeypatch):
    """Configs are measured, also where a model would choose."""
    monkeypatch.setenv("TEGULA_TUNE", "measure")


class Compiled:
    def __init__(self, ptx):
        self.asm = {"ptx": ptx}


SYSTEM_SCOPE = "\tatom.global.sys.acquire.add.u32 %r1, [%rd1], %r2;\n"


class Recorded:
    """Stands for a kernel of one rank."""

    arg_names = ["n", "BLOCK"]
    __name__ = "recorded"
    cache_key = "the source"

    def __init__(self, broken=None, ptx="", fault=None):
        self.broken, self.ptx, self.fault = broken or {}, ptx, fault or {}
        self.compiled, self.launched = [], []

    def warmup(self, *args, **kwargs):
        self.compiled.append(kwargs["BLOCK"])
        if kwargs["BLOCK"] in self.broken:
            raise self.broken[kwargs["BLOCK"]]
        return Compiled(self.ptx)

    def run(self, *args, **kwargs):
        self.launched.append(kwargs["BLOCK"])
        if kwargs["BLOCK"] in self.fault:
            raise self.fault[kwargs["BLOCK"]]
        return kwargs["BLOCK"]


def bench_by(times, kernel):
    def bench(fn, quantiles):
        fn()
        time = times[kernel.launched[-1]]
        return [time, time / 2, time * 2]

    return bench


def tuner_of(kernel, agreement, blocks, times=None, **options):
    configs = [triton.Config({"BLOCK": block}) for block in blocks]
    made = triton.autotune(configs, key=["n"], do_bench=bench_by(times, kernel) if times else None, **options)(kernel)
    made.agreement = agreement
    return made


def tune(world, kernels, blocks, times=None, timeout=20.0, missing=(), n=None, **options):
    """Launches a tuner on each rank: what each launched at last, or its exception. Each argument is for all ranks, or a list of
    one for each."""
    def of(value, rank):
        return value[rank] if isinstance(value, list) else value

    def work(agreement):
        rank = agreement.rank
        return tuner_of(kernels[rank], agreement, of(blocks, rank), of(times, rank), **options).run(of(n, rank) or 1, grid=(1,))

    return run_ranks(world, work, timeout, missing)


def test_configs_are_divided_over_the_ranks():
    kernels = [Recorded() for _ in range(3)]
    times = {1: 5.0, 2: 3.0, 4: 2.0, 8: 1.0, 16: 4.0}
    assert tune(3, kernels, tuple(times), times) == [8] * 3
    measured = [sorted(kernel.launched[:-1]) for kernel in kernels]
    assert measured == [[1, 8], [2, 16], [4]]
    # Which config tells whether the kernel communicates is compiled by all.
    assert [sorted(set(kernel.compiled)) for kernel in kernels] == [[1, 8], [1, 2, 16], [1, 4]]


@pytest.mark.parametrize("ptx, options", [(SYSTEM_SCOPE, {}), ("", {"ranks": "lockstep"})])
def test_a_kernel_that_communicates_is_tuned_in_lockstep_by_the_slowest(ptx, options):
    kernels = [Recorded(ptx=ptx) for _ in range(2)]
    # Each rank would take another one; 4 is the best that both can have.
    times = [{1: 1.0, 2: 9.0, 4: 3.0}, {1: 8.0, 2: 2.0, 4: 3.0}]
    assert tune(2, kernels, (1, 2, 4), times, **options) == [4, 4]
    assert [kernel.launched for kernel in kernels] == [[1, 2, 4, 4]] * 2


def test_ranks_measure_the_same_config_at_a_time():
    order = []
    kernels = [Recorded(ptx=SYSTEM_SCOPE) for _ in range(3)]
    for rank, kernel in enumerate(kernels):
        run = kernel.run
        kernel.run = lambda *args, run=run, rank=rank, **kwargs: (time.sleep(0.01 * rank), order.append(kwargs["BLOCK"]), run(**kwargs))[2]
    tune(3, kernels, (1, 2, 4), {1: 1.0, 2: 2.0, 4: 3.0})
    assert order[:9] == [1] * 3 + [2] * 3 + [4] * 3


@pytest.mark.parametrize("line, communicates", [
    ("\tatom.global.sys.acquire.add.u32 %r13, [%rd15], %r18;", True), ("@%p1 st.release.sys.global.u32 [%rd1], 1;", True),
    ("\tfence.acq_rel.sys;", True), ("\tmembar.sys;", True), ("\tld.acquire.gpu.global.u32 %r1, [%rd1];", False),
    ("\tatom.global.gpu.relaxed.add.u32 %r1, [%rd1], 1;", False), ("// by the sys admin: st.sys", False),
    ("\tld.global.b32 %r1, [%rd1];", False)])
def test_which_code_communicates(line, communicates):
    assert _native.communicates(f".entry k()\n{line}\n\tret;\n") == communicates


@pytest.mark.parametrize("ranks", ["lockstep", "divided"])
def test_what_one_rank_cannot_compile_no_rank_takes(ranks):
    kernels = [Recorded(), Recorded({1: OutOfResources(9, 8, "threads")})]
    times = {1: 1.0, 2: 2.0, 4: 3.0}
    assert tune(2, kernels, (2, 1, 4), times, ranks=ranks) == [2, 2]


@pytest.mark.parametrize("ranks", ["lockstep", "divided"])
def test_all_failing_names_ranks(ranks):
    kernels = [Recorded({1: OutOfResources(9, 8, "threads"), 2: CompilationError("no")}) for _ in range(2)]
    for failure in tune(2, kernels, (1, 2), {1: 1.0}, ranks=ranks):
        assert isinstance(failure, AutotunerError)
        assert "BLOCK: 1" in str(failure) and "on rank 0: out of resource: threads" in str(failure)


@pytest.mark.parametrize("blocks, text", [
    ([(1, 2), (1, 2, 4)], r"rank 1 has \(BLOCK: 4, .*\), rank 0 does not"),
    ([(1, 2, 4), (1, 2)], r"rank 0 has \(BLOCK: 4, .*\), rank 1 does not"),
    ([(1, 2), (2, 1)], "rank 1 has them in another order than rank 0, or one of them twice")])
def test_other_configs_are_an_error_on_all_ranks(blocks, text):
    for failure in tune(2, [Recorded(), Recorded()], blocks, {1: 1.0, 2: 2.0, 4: 3.0}):
        assert isinstance(failure, RanksError)
        with pytest.raises(RanksError, match="ranks do not agree on the configs of kernel `recorded`: " + text):
            raise failure


def test_another_source_is_an_error_on_all_ranks():
    kernels = [Recorded(), Recorded(), Recorded()]
    kernels[2].cache_key = "another source"
    for failure in tune(3, kernels, (1, 2), {1: 1.0, 2: 2.0}):
        assert isinstance(failure, RanksError)
        assert "the source of kernel `recorded`: rank 0 has the source, rank 2 has another source" in str(failure)


def test_another_way_to_choose_is_an_error_on_all_ranks(monkeypatch):
    monkeypatch.setattr(type(driver.active), "has_time", False)
    for failure in tune(2, [Recorded(), Recorded()], (1, 2), [{1: 1.0, 2: 2.0}, None]):
        assert isinstance(failure, RanksError)
        assert "the way to choose a config of kernel `recorded`: rank 0 has measuring, rank 1 has the first that compiles" in str(failure)


@pytest.mark.parametrize("ranks", ["lockstep", "divided"])
def test_a_fault_on_one_rank_ends_all(ranks):
    kernels = [Recorded(), Recorded(fault={2: KernelFault("out of bounds")})]
    first, second = tune(2, kernels, (1, 2), {1: 1.0, 2: 2.0}, ranks=ranks)
    assert isinstance(second, KernelFault) and isinstance(first, RanksError)
    assert str(first).startswith("rank 1 failed while kernel `recorded` was tuned: KernelFault: out of bounds")


@pytest.mark.parametrize("ranks", ["lockstep", "divided"])
def test_a_rank_that_dies_is_named_and_no_rank_hangs(ranks):
    class Death(BaseException):
        """Not even an offer comes of it."""

    kernels = [Recorded(), Recorded(), Recorded()]

    def die(*args, **kwargs):
        raise Death

    kernels[1].run = die

    def work(agreement):
        try:
            return tuner_of(kernels[agreement.rank], agreement, (1, 2, 4), {1: 1.0, 2: 2.0, 4: 3.0}, ranks=ranks).run(1, grid=(1,))
        except Death:
            return "dead"

    begin = time.monotonic()
    results = run_ranks(3, work, timeout=1.0)
    assert results[1] == "dead" and time.monotonic() - begin < 20
    for rank in (0, 2):
        assert isinstance(results[rank], RanksError) and str(results[rank]).startswith("rank 1 did not offer `recorded (1,): time")


def test_a_rank_that_never_comes_is_named():
    results = tune(3, [Recorded() for _ in range(3)], (1, 2), {1: 1.0, 2: 2.0}, timeout=0.3, missing=[2])
    for rank in (0, 1):
        assert "rank 2 did not offer `recorded (1,): configs` within 0.3 s" in str(results[rank])


def test_ranks_with_other_values_of_the_key_are_named():
    results = tune(2, [Recorded(), Recorded()], (1, 2), {1: 1.0, 2: 2.0}, timeout=0.3, n=[1, 2])
    assert "rank 1 asked for `recorded (2,): configs` last" in str(results[0])


def test_what_is_no_offer_names_the_rank():
    class Odd:
        rank, world = 0, 2

        def agree(self, key, offer):
            return pack([offer, b"\xff?"])

    with pytest.raises(RanksError, match=r"rank 1 offered what is no offer for kernel `recorded`: b'\\xff\?'"):
        tuner_of(Recorded(), Odd(), (1, 2), {1: 1.0, 2: 2.0}).run(1, grid=(1,))


def test_ranks_whose_caches_differ_take_one_config(monkeypatch):
    """Rank 1 knows a choice, rank 2 another one, rank 0 none: no rank tunes, and all know rank 1's then."""
    kernels = [Recorded() for _ in range(3)]
    configs = [triton.Config({"BLOCK": block}) for block in (1, 2)]
    kept = {1: {configs[0]: [2.0], configs[1]: [1.0]}, 2: {configs[0]: [1.0], configs[1]: [2.0]}}
    saved = {}

    def work(agreement):
        made = tuner_of(kernels[agreement.rank], agreement, (1, 2), {1: 1.0, 2: 5.0}, cache_results=True)
        return made.run(1, grid=(1,)), {config.kwargs["BLOCK"]: row for config, row in made.configs_timings.items()}

    ranks_of = {}
    monkeypatch.setattr(tuning_store, "load", lambda name, configs: kept.get(ranks_of[threading.get_ident()]))
    monkeypatch.setattr(tuning_store, "save", lambda name, times: saved.update({ranks_of[threading.get_ident()]: times}))

    def named(agreement):
        ranks_of[threading.get_ident()] = agreement.rank
        return work(agreement)

    results = run_ranks(3, named)
    assert results == [(2, {1: [2.0], 2: [1.0]})] * 3
    assert [kernel.launched for kernel in kernels] == [[2]] * 3
    assert sorted(saved) == [0, 2] and saved[0] == saved[2] == kept[1]


def test_a_choice_that_all_make_is_kept_by_all(tmp_path):
    with knobs.cache.scope():
        knobs.cache.dir = str(tmp_path)

        def work(agreement):
            return tuner_of(kernels[agreement.rank], agreement, (1, 2), {1: 5.0, 2: 1.0}, cache_results=True).run(1, grid=(1,))

        kernels = [Recorded(), Recorded()]
        assert run_ranks(2, work) == [2, 2]
        kernels = [Recorded(), Recorded()]
        assert run_ranks(2, work) == [2, 2]
        assert [kernel.launched for kernel in kernels] == [[2], [2]]


def test_what_one_rank_has_chosen_before_all_take():
    kernels = [Recorded(), Recorded()]

    def work(agreement):
        rank = agreement.rank
        made = tuner_of(kernels[rank], None, (1, 2), {1: 1.0, 2: 5.0} if rank else {1: 5.0, 2: 1.0})
        if rank == 1:
            made.run(1, grid=(1,))  # alone
        made.agreement = agreement
        return made.run(1, grid=(1,)), made.run(1, grid=(1,))

    assert run_ranks(2, work) == [(1, 1)] * 2
    assert kernels[0].launched == [1, 1]


def test_the_first_that_compiles_everywhere_is_taken_where_there_is_no_time(monkeypatch):
    monkeypatch.setattr(type(driver.active), "has_time", False)
    refused = CompilationError("no")
    kernels = [Recorded({1: refused}), Recorded({2: refused})]
    assert tune(2, kernels, (1, 2, 4)) == [4, 4]
    for failure in tune(2, [Recorded({1: refused}), Recorded({2: refused})], (1, 2)):
        assert isinstance(failure, AutotunerError) and "on rank 0: no" in str(failure) and "on rank 1: no" in str(failure)


def test_the_model_of_rank_0_orders_the_configs(monkeypatch):
    monkeypatch.setenv("TEGULA_TUNE", "model")
    kernels = [Recorded(), Recorded({4: CompilationError("no")})]
    for rank, kernel in enumerate(kernels):
        kernel.estimate = lambda *args, rank=rank, **kwargs: ((-1) ** rank * kwargs["BLOCK"] * -1.0, '{"text": ""}')
    assert tune(2, kernels, (1, 2, 4)) == [2, 2]


def test_where_the_model_of_a_rank_does_not_know_all_measure(monkeypatch):
    monkeypatch.setenv("TEGULA_TUNE", "model")
    kernels = [Recorded(), Recorded()]
    kernels[0].estimate = lambda *args, **kwargs: (float(kwargs["BLOCK"]), '{"text": ""}')
    kernels[1].estimate = lambda *args, **kwargs: (float("nan"), '{"unknown": "a loop"}')
    assert tune(2, kernels, (1, 2, 4), {1: 3.0, 2: 2.0, 4: 1.0}) == [4, 4]


class Clock:
    """Says that each launch of a kernel took so long."""

    def __init__(self, kernel, milliseconds):
        self.kernel, self.milliseconds = kernel, milliseconds

    def mark(self):
        return len(self.kernel.launched)

    def between(self, begin, end):
        return (end - begin) * self.milliseconds

    wait = flush = lambda self: None


def test_a_fault_while_launches_are_counted_ends_all_at_once(monkeypatch):
    monkeypatch.setattr(type(driver.active), "has_time", True)
    kernels = [Recorded(ptx=SYSTEM_SCOPE), Recorded(ptx=SYSTEM_SCOPE, fault={1: KernelFault("out of bounds")})]
    monkeypatch.setattr(tuning_ranks, "clock", lambda: Clock(kernels[0], 1.0))
    begin = time.monotonic()
    first, second = tune(2, kernels, (1, 2))
    assert isinstance(second, KernelFault) and str(first).startswith("rank 1 failed while kernel `recorded` was tuned: KernelFault")
    assert time.monotonic() - begin < 10


def test_in_lockstep_all_ranks_launch_equally_often(monkeypatch):
    """Each rank's clock says something else; a rank that launched more often would wait for its peers for ever."""
    monkeypatch.setattr(type(driver.active), "has_time", True)
    kernels, clocks = [Recorded(ptx=SYSTEM_SCOPE) for _ in range(2)], {}
    monkeypatch.setattr(tuning_ranks, "clock", lambda: clocks[threading.get_ident()])

    def work(agreement):
        clocks[threading.get_ident()] = Clock(kernels[agreement.rank], (1.0, 10.0)[agreement.rank])
        return tuner_of(kernels[agreement.rank], agreement, (1, 2)).run(1, grid=(1,))

    assert run_ranks(2, work) == [1, 1]
    # 6 for the estimate, 2 to warm up and 10 measured, by the slowest rank's 10 ms; and the launch that counts.
    assert [len(kernel.launched) for kernel in kernels] == [2 * 18 + 1] * 2


def test_a_tuner_that_stays_alone_asks_no_other():
    kernel = Recorded()

    class Unasked:
        rank, world = 0, 2

        def agree(self, key, offer):
            raise AssertionError("asked")

    assert tuner_of(kernel, Unasked(), (1, 2), {1: 2.0, 2: 1.0}, ranks="alone").run(1, grid=(1,)) == 2
    Unasked.world = 1
    assert tuner_of(kernel, Unasked(), (1, 2), {1: 2.0, 2: 1.0}).run(1, grid=(1,)) == 2


def test_one_config_left_is_agreed_and_not_measured():
    kernels = [Recorded(), Recorded()]
    prune = {"early_config_prune": lambda configs, *args, **kwargs: configs[:1]}
    assert tune(2, kernels, (1, 2), {1: 1.0}, prune_configs_by=prune) == [1, 1]
    assert [kernel.launched for kernel in kernels] == [[1], [1]]


def test_ranks_is_one_of_three_words():
    with pytest.raises(ValueError, match='expected `ranks` to be "lockstep", "divided" or "alone", found \'together\''):
        triton.autotune([], key=[], ranks="together")(Recorded())


def test_a_pickle_leaves_ranks_behind():
    def work(agreement):
        made = tuner_of(Recorded(), agreement, (1, 2))
        copy = pickle.loads(pickle.dumps(made))
        return copy.agreement, copy.ranks

    assert run_ranks(1, work) == [(None, None)]
