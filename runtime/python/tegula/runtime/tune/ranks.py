"""Tuning by several ranks: one config everywhere, or an error on all ranks that says which of them is at fault.

Each step of a choice is an agreement: a rank offers what it has found, or how it failed, and all go on by the same offers.
First ranks agree on the configs and on what their caches know. Then a kernel that communicates is measured in lockstep, each
config on all ranks at a time and by the slowest; the configs of any other are divided over the ranks.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Sequence

from ... import _native
from ..agreement import Agreement, RanksError, unpack
from ..measure.timing import clock, summary, timed
from . import ranking, report, store
from .config import Config

if TYPE_CHECKING:
    from ..autotuner import Autotuner

#: Values of `ranks` of `autotune`: measured together, shared out, or each rank by itself.
LOCKSTEP, DIVIDED, ALONE = "lockstep", "divided", "alone"

#: Milliseconds of launches that warm up and that are measured in lockstep, and how many those may be.
_WARMUP, _REP, _MOST = 25.0, 100.0, 1000

Times = dict[int, list[float]]


class Question(NamedTuple):
    """A choice that ranks make together: for the values of a key, with the arguments of a launch."""
    tuner: Autotuner
    agreement: Agreement
    key: tuple[Any, ...]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    told: list[Exception]  # failures that the other ranks know of

    @property
    def name(self) -> str:
        return f"{self.tuner._name} {self.key}"

    def step(self, subject: str, work: Callable[[], Any]) -> list[Any]:
        """Returns what `work` gives on each rank, in their order: values that JSON has. Where it fails, its exception on that
        rank and a `RanksError` on the others."""
        failure: Exception | None = None
        offer: dict[str, Any] = {}
        try:
            offer = {"offer": work()}
        except RanksError:  # raised on all ranks
            raise
        except Exception as error:
            if error in self.told:  # by a step within this one, which has ended on all ranks
                raise
            failure = error
            offer = {"failed": f"{type(error).__name__}: {error}"}
        answer = self.agreement.agree(f"{self.name}: {subject}", json.dumps(offer).encode())
        if failure is not None:
            self.told.append(failure)
            raise failure
        return [self._opened(rank, theirs) for rank, theirs in enumerate(unpack(answer, self.agreement.world))]

    def _opened(self, rank: int, offer: bytes) -> Any:
        try:
            said = json.loads(offer)
            if "failed" in said:
                raise RanksError(f"rank {rank} failed while kernel `{self.tuner._name}` was tuned: {said['failed']}")
            return said["offer"]
        except (ValueError, KeyError, TypeError) as error:
            raise RanksError(f"rank {rank} offered what is no offer for kernel `{self.tuner._name}`: {offer[:80]!r}") from error

    def same(self, subject: str, offers: Sequence[Any]) -> Any:
        """Returns what all ranks have offered. Raises `RanksError` where they differ."""
        for rank, offer in enumerate(offers):
            if offer != offers[0]:
                raise RanksError(f"ranks do not agree on {subject} of kernel `{self.tuner._name}`: rank 0 has {offers[0]}, "
                                 f"rank {rank} has {offer}")
        return offers[0]

    def prepared(self, config: Config) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return self.tuner._prepared(config, self.args, self.kwargs)

    def refusal(self, config: Config) -> BaseException | None:
        """Compiles a config; gives why it cannot be compiled, or None."""
        return self.tuner._compile(config, *self.prepared(config))


def choose(tuner: Autotuner, agreement: Agreement, key: tuple[Any, ...], args: tuple[Any, ...],
           kwargs: dict[str, Any]) -> Config:
    """The config for the values of `key`, the same on all ranks. Errors: those of a choice by one rank; `RanksError`."""
    question = Question(tuner, agreement, key, args, kwargs, [])
    configs: list[Config] = []
    kept: list[str | None] = [None]

    def begin() -> dict[str, Any]:
        configs.extend(tuner.prune_configs(kwargs))
        source_key = getattr(tuner.fn, "cache_key", None)
        if source_key and tuner._keeps_choices:
            kept[0] = store.question(str(source_key), configs, key)
        return {"configs": [str(config) for config in configs], "source": str(source_key), "known": _known(tuner, configs, key, kept[0])}

    offers = question.step("configs", begin)
    _require_same_configs(question, [offer["configs"] for offer in offers])
    question.same("the source", [offer["source"] for offer in offers])
    known = next((offer["known"] for offer in offers if offer["known"] is not None), None)
    if known is None and len(configs) > 1:
        found, times, duration = _found(question, configs)
    else:
        found, times, duration = (known["choice"], _numbered(known["times"]), None) if known else (0, {}, None)
    best = configs[found]
    timed = {configs[number]: row for number, row in times.items()}
    if kept[0] and timed and (known is None or offers[agreement.rank]["known"] != known):
        store.save(kept[0], timed)
    tuner.configs_timings, tuner.bench_time = timed, duration
    if len(configs) > 1:
        _native.note_tuned(tuner._name, str(best), known is None)
        tuner._tell_listener(key, best, timed, duration, known is not None)
    return best


def _numbered(rows: Sequence[Any]) -> Times:
    """Times as JSON has them, by the places of configs."""
    return {int(number): [float(value) for value in row] for number, row in rows}


def _known(tuner: Autotuner, configs: Sequence[Config], key: tuple[Any, ...], kept: str | None) -> dict[str, Any] | None:
    """Returns what this rank knows without tuning: a choice of this process, of a bundle or of the disk."""
    texts = [str(config) for config in configs]
    chosen = tuner.cache.get(key)
    if chosen is None or str(chosen) not in texts:
        chosen = tuner._chosen_ahead(list(configs), key)
    if chosen is not None:
        return {"choice": texts.index(str(chosen)), "times": []}
    times = store.load(kept, configs) if kept else None
    if not times:
        return None
    best = min(times.items(), key=lambda item: item[1][0])[0]
    return {"choice": texts.index(str(best)), "times": [[texts.index(str(config)), row] for config, row in times.items()]}


def _require_same_configs(question: Question, lists: Sequence[list[str]]) -> None:
    for rank, theirs in enumerate(lists):
        if theirs == lists[0]:
            continue
        name = question.tuner._name
        for one, other, more, fewer in ((0, rank, lists[0], theirs), (rank, 0, theirs, lists[0])):
            extra = [text for text in more if text not in fewer]
            if extra:
                raise RanksError(f"ranks do not agree on the configs of kernel `{name}`: rank {one} has ({extra[0]}), "
                                 f"rank {other} does not")
        raise RanksError(f"ranks do not agree on the configs of kernel `{name}`: rank {rank} has them in another order than rank 0, "
                         "or one of them twice")


def _found(question: Question, configs: Sequence[Config]) -> tuple[int, Times, float | None]:
    """The place of the choice, the times of what was measured, and the seconds that took."""
    tuner = question.tuner
    is_timed = tuner._is_timed()
    way = question.same("the way to choose a config", question.step(
        "way", lambda: "model" if tuner._asks_model(is_timed) else "measuring" if is_timed else "the first that compiles"))
    if way == "the first that compiles":
        return _first_everywhere(question, configs, range(len(configs))), {}, None
    if way == "model":
        order = _order_by_model(question, configs)
        if order:
            return _first_everywhere(question, configs, order), {}, None
    begin = time.perf_counter()
    kinds = question.step("kind", lambda: tuner.ranks or (LOCKSTEP if _communicates(question, configs) else DIVIDED))
    times, failures = (_measured_in_lockstep if LOCKSTEP in kinds else _measured_in_parts)(question, configs)
    duration = time.perf_counter() - begin
    if not times:
        raise tuner._all_failed({configs[number]: failure for number, failure in failures.items()})
    if question.agreement.rank == 0 and report.wants_report():
        print(report.table(tuner._name, question.key, {configs[number]: row for number, row in times.items()},
                           {configs[number]: failure for number, failure in failures.items()}, duration), file=sys.stderr)
    tuner.pre_hook({**tuner.nargs, **question.kwargs}, reset_only=True)
    # Of equal times the first wins, on all ranks.
    return min(sorted(times), key=lambda number: times[number][0]), times, duration


def _communicates(question: Question, configs: Sequence[Config]) -> bool:
    """Returns True if the first config that compiles has accesses of system scope in its code."""
    for config in configs:
        args, kwargs = question.prepared(config)
        try:
            compiled = question.tuner.fn.warmup(*args, **kwargs, **config.all_kwargs())
        except question.tuner.SKIPPED:
            continue
        code = getattr(compiled, "asm", None) or {}
        return "ptx" in code and _native.communicates(code["ptx"])
    return False


def _first_everywhere(question: Question, configs: Sequence[Config], order: Sequence[int]) -> int:
    """The first of `order` that compiles on all ranks."""
    failures: dict[Config, BaseException] = {}
    for number in order:
        def attempt(config: Config = configs[number]) -> str | None:
            refused = question.refusal(config)
            return None if refused is None else report.reason(refused)
        refusals = question.step(f"config {number}", attempt)
        if not any(refusals):
            return number
        failures[configs[number]] = _failure(refusals)
    raise question.tuner._all_failed(failures)


def _failure(reasons: Sequence[str | None]) -> RanksError:
    """Why ranks leave a config out, by what the first says that cannot take it."""
    rank, reason = next((rank, reason) for rank, reason in enumerate(reasons) if reason)
    return RanksError(f"on rank {rank}: {reason}")


def _order_by_model(question: Question, configs: Sequence[Config]) -> list[int] | None:
    """Places of configs as the model of rank 0 orders them; None where the model of a rank does not know."""
    tuner = question.tuner

    def ordered() -> list[int] | None:
        if not hasattr(tuner.fn, "estimate"):
            return None
        found = ranking.rank(configs, lambda config: tuner._estimate(config, question.args, question.kwargs), tuner.SKIPPED)
        return None if found.unknown else [configs.index(candidate.config) for candidate in found.ranked]

    orders = question.step("order by the model", ordered)
    return None if any(order is None for order in orders) else list(orders[0])


def _measured_in_parts(question: Question, configs: Sequence[Config]) -> tuple[Times, dict[int, BaseException]]:
    """Times of configs, each measured by one rank."""
    rank, world = question.agreement.rank, question.agreement.world

    def own() -> list[Any]:
        part = range(rank, len(configs), world)
        times, failures = _measure(question, {number: configs[number] for number in part})
        return [[[number, times[number]] for number in times], [[number, report.reason(failures[number])] for number in failures]]

    all_times: Times = {}
    all_failures: dict[int, BaseException] = {}
    for peer, (times, failures) in enumerate(question.step("times", own)):
        all_times.update(_numbered(times))
        all_failures.update({number: RanksError(f"on rank {peer}: {reason}") for number, reason in failures})
    return all_times, all_failures


def _measure(question: Question, part: dict[int, Config]) -> tuple[Times, dict[int, BaseException]]:
    """Measures configs of this rank alone."""
    tuner = question.tuner
    times: dict[Config, list[float]] = {}
    failures: dict[Config, BaseException] = {}
    if part:
        with contextlib.closing(report.Progress(tuner._name, len(part))) as progress:
            failures = tuner._compile_all(list(part.values()), question.args, question.kwargs, progress)
            for config in part.values():
                if config not in failures:
                    tuner._measure(config, question.args, question.kwargs, times, failures)
    places = {config: number for number, config in part.items()}
    return {places[config]: row for config, row in times.items()}, {places[config]: why for config, why in failures.items()}


def _measured_in_lockstep(question: Question, configs: Sequence[Config]) -> tuple[Times, dict[int, BaseException]]:
    """Times of configs that compile everywhere: all ranks measure the same one at a time, and the slowest rank's time counts."""
    tuner = question.tuner
    all_failures: dict[int, BaseException] = {}

    def compiled() -> list[str | None]:
        with contextlib.closing(report.Progress(tuner._name, len(configs))) as progress:
            refused = tuner._compile_all(list(configs), question.args, question.kwargs, progress)
        return [report.reason(refused[config]) if config in refused else None for config in configs]

    for number, reasons in enumerate(zip(*question.step("compiled", compiled))):
        if any(reasons):
            all_failures[number] = _failure(reasons)
    all_times: Times = {}
    for number, config in enumerate(configs):
        if number in all_failures:
            continue
        rows = question.step(f"time of config {number}", lambda: _time_in_step(question, number, config))
        reasons = [row if isinstance(row, str) else None for row in rows]
        if any(reasons):
            all_failures[number] = _failure(reasons)
        else:
            all_times[number] = [max(values) for values in zip(*rows)]
    return all_times, all_failures


def _time_in_step(question: Question, number: int, config: Config) -> list[float] | str:
    """Median and quantiles of launches, of which all ranks make equally many; or why there are none."""
    tuner = question.tuner
    if tuner._do_bench is None:
        return _counted(question, number, tuner._launcher(config, question.args, question.kwargs))
    times: dict[Config, list[float]] = {}
    failures: dict[Config, BaseException] = {}
    tuner._measure(config, question.args, question.kwargs, times, failures)
    return times[config] if config in times else report.reason(failures[config])


def _counted(question: Question, number: int, launch: Callable[[], None]) -> list[float]:
    """Measures as `do_bench` does; how many launches there is time for is decided by the slowest rank. A kernel that waits for
    its peers would hang where one launches it more often than another."""
    time = clock()

    def estimate() -> float:
        timed(time, 1, launch)
        return sum(timed(time, 5, launch)) / 5

    slowest = max(max(question.step(f"estimate of config {number}", estimate)), 1e-6)
    timed(time, min(_MOST, max(1, int(_WARMUP / slowest))), launch)
    count = min(_MOST, max(1, int(_REP / slowest)))
    return list(summary(timed(time, count, launch), (0.5, 0.2, 0.8), "mean"))
