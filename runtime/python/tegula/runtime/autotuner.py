"""`autotune`: a kernel whose config is chosen at the first launch with new values of its key, by measuring or by a model."""

from __future__ import annotations

import builtins
import contextlib
import copy
import functools
import hashlib
import inspect
import math
import os
import sys
import time
import warnings
from typing import Any, Callable, Sequence

from .. import _native, knobs
from ..compiler.errors import CompilationError, CompileTimeAssertionFailure
from ..testing import do_bench_cudagraph
from ..tools.tensor_descriptor import TensorDescriptor
from .agreement import Agreement, current_agreement
from .driver import driver
from .errors import AutotunerError, FrozenError, KernelFault, OutOfResources, PTXASError
from .program.kernel_interface import KernelInterface, unwrapped
from .tune import finals, ranking, ranks as tuning_ranks, report, store
from .tune.config import Config
from .tune.heuristics import Heuristics, heuristics

__all__ = ["Autotuner", "AutotunerError", "Config", "Heuristics", "OutOfResources", "PTXASError", "autotune",
           "heuristics"]

#: What takes a config out of the competition; everything else ends the launch.
SKIPPED = (OutOfResources, PTXASError, CompilationError, CompileTimeAssertionFailure)

#: Milliseconds for which the launches of a config are measured, if the tuner does not say.
_MILLISECONDS = 100.0


class Autotuner(KernelInterface):
    """A kernel with configs. `best_config` is that of the last launch, `cache` has those found so far by the values of
    the key, `configs_timings` the times of the last tuning in milliseconds (median and the 20 % and 80 % quantiles).
    `agreement` is how its choices are agreed with other ranks, where that is not what `tegula.distributed.set_agreement` says."""

    SKIPPED = SKIPPED

    def __init__(self, fn: Any, arg_names: list[str], configs: Sequence[Config] | None, key: Sequence[str],
                 reset_to_zero: Sequence[str] | None, restore_value: Sequence[str] | None,
                 pre_hook: Callable[..., Any] | None = None, post_hook: Callable[..., Any] | None = None,
                 prune_configs_by: dict[str, Any] | None = None, warmup: int | None = None, rep: int | None = None,
                 use_cuda_graph: bool = False, do_bench: Callable[..., Any] | None = None,
                 cache_results: bool = False, ranks: str | None = None):
        if ranks not in (None, tuning_ranks.LOCKSTEP, tuning_ranks.DIVIDED, tuning_ranks.ALONE):
            raise ValueError(f"expected `ranks` to be \"lockstep\", \"divided\" or \"alone\", found {ranks!r}")
        self.fn = fn
        self.arg_names = arg_names
        self.configs = list(configs) if configs else [Config({})]
        self.keys = key
        self.cache: dict[tuple, Config] = {}
        self.best_config: Config | None = None
        self.configs_timings: dict[Config, list[float]] = {}
        self.bench_time: float | None = None
        self.nargs: Any = None  # the arguments of a launch under way, by name
        self.cache_results = cache_results
        self.reset_to_zero = list(reset_to_zero or [])
        self.restore_value = list(restore_value or [])
        self.restore_copies: dict[str, Any] = {}
        # False where a user gave none: tools ask.
        self.user_defined_pre_hook = pre_hook is not None
        self.user_defined_post_hook = post_hook is not None
        self.pre_hook = pre_hook or functools.partial(_reset_and_keep, self)
        self.post_hook = post_hook or functools.partial(_restore, self)
        prune = prune_configs_by or {}
        self.perf_model = prune.get("perf_model")
        self.configs_top_k = prune.get("top_k", 1.0)
        self.early_config_prune = prune.get("early_config_prune")
        self.num_warmups = warmup
        self.num_reps = rep
        self.use_cuda_graph = use_cuda_graph
        self._do_bench = do_bench
        self.ranks = ranks
        self.agreement: Agreement | None = None
        self._agreed: dict[tuple, Agreement] = {}  # by values of the key

    @property
    def base_fn(self) -> Any:
        """The function of Python within."""
        found = self.fn
        while not inspect.isfunction(found) and getattr(found, "fn", None) is not None:
            found = found.fn
        return found

    def __getstate__(self) -> dict[str, Any]:
        # The arguments of a launch under way stay where they are, and so do ranks.
        return {**self.__dict__, "nargs": None, "restore_copies": {}, "agreement": None, "_agreed": {}}

    @property
    def do_bench(self) -> Callable[..., Any]:
        """Returns the function that measures a launch: that of the user, or the device's."""
        if self._do_bench is not None:
            return self._do_bench
        if self.use_cuda_graph:
            return functools.partial(do_bench_cudagraph, rep=_MILLISECONDS if self.num_reps is None else self.num_reps)
        given = {"warmup": self.num_warmups, "rep": self.num_reps}
        measure = driver.active.get_benchmarker()
        return functools.partial(measure, **{name: value for name, value in given.items() if value is not None})

    @property
    def _name(self) -> str:
        return getattr(self.base_fn, "__name__", "kernel")

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """A launch, tuned before where the values of the key are new."""
        if kwargs.pop("warmup", False):
            return self.warmup(*args, **kwargs)
        self.nargs = dict(zip(self.arg_names, args))
        try:
            config = self._choose(args, kwargs)
            self.best_config = config
            if config.pre_hook is not None:
                config.pre_hook({**self.nargs, **kwargs, **config.all_kwargs()})
            return self.fn.run(*args, **kwargs, **config.all_kwargs())
        finally:
            self.nargs = None

    def warmup(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Compiles every config that is left for these arguments, and launches none."""
        self.nargs = dict(zip(self.arg_names, args))
        try:
            compiled = []
            for config in self.prune_configs(kwargs):
                own, named = self._prepared(config, args, kwargs)
                compiled.append(self.fn.warmup(*own, **named, **config.all_kwargs()))
            return compiled
        finally:
            self.nargs = None

    def _key(self, kwargs: dict[str, Any]) -> tuple:
        given = {**self.nargs, **kwargs}
        known = {name: value for name, value in given.items() if name in self.arg_names}
        types = [str(value.dtype) for value in known.values() if hasattr(value, "dtype")]
        return (*(known[name] for name in self.keys if name in known), *types)

    def _choose(self, args: tuple, kwargs: dict[str, Any]) -> Config:
        if len(self.configs) == 1:
            return self.configs[0]
        key = self._key(kwargs)
        agreement = self._agreement()
        if agreement is not None:
            if self._agreed.get(key) is not agreement:
                self.cache[key] = self._agree(agreement, key, args, kwargs)
        elif key not in self.cache:
            left = self.prune_configs(kwargs)
            if len(left) == 1:  # nothing to compare
                self.cache[key] = left[0]
            else:
                self.cache[key] = self._chosen_ahead(left, key) or self._compare(left, key, args, kwargs)
        return self.cache[key]

    def _agreement(self) -> Agreement | None:
        """Returns how a choice is agreed with other ranks; None where this rank chooses alone."""
        agreement = self.agreement or current_agreement()
        is_alone = agreement is None or agreement.world == 1 or self.ranks == tuning_ranks.ALONE
        return None if is_alone else agreement

    def _agree(self, agreement: Agreement, key: tuple, args: tuple, kwargs: dict[str, Any]) -> Config:
        chosen = tuning_ranks.choose(self, agreement, key, args, kwargs)
        if "TEGULA_RECORD" in os.environ:
            _native.record_note(self._choice_name(self.prune_configs(kwargs), key), str(chosen))
        self._agreed[key] = agreement
        return chosen

    def _is_timed(self) -> bool:
        """Returns True if configs can be compared by measuring."""
        return getattr(driver.active, "has_time", True) or self._do_bench is not None

    def _chosen_ahead(self, configs: list[Config], key: tuple) -> Config | None:
        """The choice that a bundle has. Raises `FrozenError` where there is none, and none may be made any more."""
        text = _native.bundle_note(self._choice_name(configs, key))
        found = next((config for config in configs if str(config) == text), None)
        if found is not None:
            _native.note_tuned(self._name, str(found), False)
        elif _native.is_frozen():
            raise FrozenError(f"kernel `{self._name}` would have to be tuned after `freeze`, for the key {key}")
        return found

    def _compare(self, configs: list[Config], key: tuple, args: tuple, kwargs: dict[str, Any]) -> Config:
        is_timed = self._is_timed()
        choose = self._fastest if is_timed else self._first_that_compiles
        first = self._first_by_model(configs, key, args, kwargs) if self._asks_model(is_timed) else None
        chosen = first or choose(configs, key, args, kwargs)
        if "TEGULA_RECORD" in os.environ:
            _native.record_note(self._choice_name(configs, key), str(chosen))
        return chosen

    def _asks_model(self, is_timed: bool) -> bool:
        """Returns True if the model chooses: TEGULA_TUNE says so; or it says nothing, the model was judged on such a device, and
        the program does not measure by itself."""
        told = ranking.asked()
        if told is not None:
            return told == ranking.MODEL
        measures_itself = self._do_bench is not None or self.perf_model is not None or self._keeps_choices
        return is_timed and not measures_itself and driver.active.get_current_target().arch in ranking.JUDGED

    @property
    def _keeps_choices(self) -> bool:
        """Returns True if what was measured is kept on disk."""
        return self.cache_results or knobs.autotuning.cache

    def _first_by_model(self, configs: list[Config], key: tuple, args: tuple, kwargs: dict[str, Any]) -> Config | None:
        """The config that the model puts first of those that compile; None where it does not know."""
        if not hasattr(self.fn, "estimate"):
            return None
        begin = time.perf_counter()
        found = ranking.rank(configs, lambda config: self._estimate(config, args, kwargs), SKIPPED)
        if found.unknown:
            if report.wants_report():
                print(f"{self._name} is measured: {found.unknown}", file=sys.stderr)
            return None
        failures = dict(found.failures)
        for config, failure in failures.items():
            self._report_failure(failure, config, kwargs)
        for place, candidate in enumerate(found.ranked):
            refused = self._compile(candidate.config, *self._prepared(candidate.config, args, kwargs))
            if refused is None:
                self.configs_timings = {}
                self.bench_time = None
                if report.wants_report():
                    seconds = time.perf_counter() - begin
                    print(report.ranking_table(self._name, key, found.ranked[place:], failures, seconds), file=sys.stderr)
                self._warn_of(failures)
                self._tell_listener(key, candidate.config, {}, None, False)
                return candidate.config
            failures[candidate.config] = refused
            self._report_failure(refused, candidate.config, kwargs)
        raise self._all_failed(failures)

    def _estimate(self, config: Config, args: tuple, kwargs: dict[str, Any]) -> tuple[float, str]:
        self._refuse_twice(config, kwargs)
        own, named = self._prepared(config, args, kwargs)
        return self.fn.estimate(*own, **named, **config.all_kwargs())

    def _tell_listener(self, key: tuple, best: Config, times: dict[Config, list[float]], duration: float | None,
                       is_known: bool) -> None:
        if knobs.autotuning.listener is not None:
            knobs.autotuning.listener(fn=unwrapped(self), key=key, best_config=best, configs_timings=times, duration=duration,
                                      cache_hit=is_known)

    def _choice_name(self, configs: list[Config], key: tuple) -> str:
        """The name of a choice in bundles: the kernel's source, the configs, the values of the key, and for what device."""
        asked = (getattr(self.fn, "cache_key", None), [str(config) for config in configs], key, driver.active.get_current_target())
        return "config " + hashlib.sha256(repr(asked).encode()).hexdigest()

    def _first_that_compiles(self, configs: list[Config], key: tuple, args: tuple, kwargs: dict[str, Any]) -> Config:
        """The choice on a device that has no time to compare."""
        _warn_without_timer()
        failures: dict[Config, BaseException] = {}
        for config in configs:
            failure = self._compile(config, *self._prepared(config, args, kwargs))
            if failure is None:
                return config
            failures[config] = failure
        raise self._all_failed(failures)

    def _fastest(self, configs: list[Config], key: tuple, args: tuple, kwargs: dict[str, Any]) -> Config:
        source_key = getattr(self.fn, "cache_key", None) if self._keeps_choices else None
        name = store.question(str(source_key), self.configs, key) if source_key else None
        times = store.load(name, self.configs) if name else None
        is_known = times is not None
        if times is None:
            begin = time.perf_counter()
            times, failures = self._measure_all(configs, args, kwargs)
            self.bench_time = time.perf_counter() - begin
            if report.wants_report() or sys.stderr is not None and sys.stderr.isatty():
                print(report.table(self._name, key, times, failures, self.bench_time), file=sys.stderr)
            self._warn_of(failures)
            if name:
                store.save(name, times)
        self.configs_timings = times
        found = times
        best = builtins.min(found, key=lambda config: found[config][0])
        _native.note_tuned(self._name, str(best), not is_known)
        self._tell_listener(key, best, times, None if is_known else self.bench_time, is_known)
        return best

    def _warn_of(self, failures: dict[Config, BaseException]) -> None:
        """Says which configs the compiler refused. That one is too large for the device is usual, and in the table."""
        for config, failure in failures.items():
            if not isinstance(failure, OutOfResources):
                warnings.warn(f"kernel `{self._name}`: config ({config}) is skipped: {report.reason(failure)}",
                              stacklevel=4)

    def _measure_all(self, configs: list[Config], args: tuple,
                     kwargs: dict[str, Any]) -> tuple[dict[Config, list[float]], dict[Config, BaseException]]:
        with contextlib.closing(report.Progress(self._name, len(configs))) as progress:
            failures = self._compile_all(configs, args, kwargs, progress)
            progress.restart()
            times: dict[Config, list[float]] = {}
            for config in configs:
                if config in failures:
                    self._report_failure(failures[config], config, kwargs)
                else:
                    self._measure(config, args, kwargs, times, failures)
                best = builtins.min((row[0] for row in times.values()), default=math.inf)
                progress.step("measured", best)
            if self._do_bench is None:
                self._measure_finalists(args, kwargs, times, failures)
        if not times:
            raise self._all_failed(failures)
        # Sums that the measured launches wrote are reset before the launch that counts.
        self.pre_hook({**self.nargs, **kwargs}, reset_only=True)
        return times, failures

    def _report_failure(self, failure: BaseException, config: Config, kwargs: dict[str, Any]) -> None:
        """Calls the hooks around a launch that a failed compilation has prevented."""
        everything = {**self.nargs, **kwargs, **config.all_kwargs()}
        self.pre_hook(everything)
        self.post_hook(everything, exception=failure)

    def _measure(self, config: Config, args: tuple, kwargs: dict[str, Any], times: dict[Config, list[float]],
                 failures: dict[Config, BaseException], bench: Callable[..., Any] | None = None) -> None:
        try:
            row = (bench or self._bench)(*args, config=config, **kwargs)
        except SKIPPED as failure:
            failures[config] = failure
            return
        except KernelFault as failure:
            # The device is lost to this process: nothing more can be measured, but the culprit is known.
            raise KernelFault(f"{failure}\nwhile config ({config}) of kernel `{self._name}` was measured") from failure
        row = [float(value) for value in (row if isinstance(row, (list, tuple)) else [row])]
        if math.isfinite(row[0]):
            times[config] = row
        else:
            failures[config] = AutotunerError("the measured time is not finite")

    def _measure_finalists(self, args: tuple, kwargs: dict[str, Any], times: dict[Config, list[float]],
                           failures: dict[Config, BaseException]) -> None:
        """Measures in turns those that are near the quickest, together about as long as so many configs took before."""
        last = finals.finalists({config: row[0] for config, row in times.items()})
        rep = (_MILLISECONDS if self.num_reps is None else self.num_reps) / finals.TURNS
        bench = functools.partial(self._timed, functools.partial(self.do_bench, rep=rep))

        def measure(config: Config) -> list[float]:
            self._measure(config, args, kwargs, times, failures, bench)
            return times[config]

        times.update(finals.in_turns(last, measure))

    def _compile_all(self, configs: list[Config], args: tuple, kwargs: dict[str, Any],
                     progress: report.Progress) -> dict[Config, BaseException]:
        """Compiles side by side what will be measured; gives what cannot be compiled."""
        from concurrent.futures import ThreadPoolExecutor, as_completed

        if not hasattr(self.fn, "warmup"):
            return {}
        failures: dict[Config, BaseException] = {}
        workers = builtins.min(len(configs), os.cpu_count() or 1)
        pool = ThreadPoolExecutor(workers, thread_name_prefix="tegula-tune")
        try:
            waiting = {pool.submit(self._compile, config, *self._prepared(config, args, kwargs)): config for config in configs}
            for done in as_completed(waiting):
                failure = done.result()
                if failure is not None:
                    failures[waiting[done]] = failure
                progress.step("compiled")
        finally:
            # An interrupt does not wait for what has not begun.
            pool.shutdown(wait=True, cancel_futures=True)
        return failures

    def _prepared(self, config: Config, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
        """The arguments that a config is compiled for: its hook may change what descriptors say of their blocks, so each config
        has descriptors of its own while others are compiled."""
        if config.pre_hook is None:
            return args, kwargs
        own = tuple(map(_own_descriptor, args))
        named = {name: _own_descriptor(value) for name, value in kwargs.items()}
        config.pre_hook({**dict(zip(self.arg_names, own)), **named, **config.all_kwargs()})
        return own, named

    def _refuse_twice(self, config: Config, kwargs: dict[str, Any]) -> None:
        twice = builtins.sorted(kwargs.keys() & config.kwargs.keys())
        if twice:
            raise ValueError(f"`{'`, `'.join(twice)}` of kernel `{self._name}` is given by the launch and by its "
                             f"config ({config}): only the config may")

    def _compile(self, config: Config, args: tuple, kwargs: dict[str, Any]) -> BaseException | None:
        self._refuse_twice(config, kwargs)
        try:
            self.fn.warmup(*args, **kwargs, **config.all_kwargs())
        except SKIPPED as failure:
            return failure
        return None

    def _bench(self, *args: Any, config: Config, **meta: Any) -> Any:
        """Measures launches with one config: milliseconds, or a list of them with the median first. Libraries whose tuners are
        made of this class call it."""
        return self._timed(self.do_bench, *args, config=config, **meta)

    def _timed(self, do_bench: Callable[..., Any], /, *args: Any, config: Config, **meta: Any) -> Any:
        return do_bench(self._launcher(config, args, meta), quantiles=(0.5, 0.2, 0.8))

    def _launcher(self, config: Config, args: tuple, meta: dict[str, Any]) -> Callable[[], None]:
        """A launch with one config and the hooks around it, as it is measured."""
        self._refuse_twice(config, meta)
        current = {**meta, **config.all_kwargs()}
        everything = {**self.nargs, **current}

        def launch() -> None:
            if config.pre_hook is not None:
                config.pre_hook(everything)
            self.pre_hook(everything)
            try:
                self.fn.run(*args, **current)
            except Exception as failure:
                self.post_hook(everything, exception=failure)
                raise
            self.post_hook(everything, exception=None)

        return launch

    def prune_configs(self, kwargs: dict[str, Any]) -> list[Config]:
        """The configs that are worth trying for the arguments of this launch, by the user's `prune_configs_by`."""
        nargs = self.nargs or {}
        configs = self.configs
        if self.early_config_prune is not None:
            configs = list(self.early_config_prune(configs, nargs, **kwargs))
            if not configs:
                raise AutotunerError("No valid autotuner configs after pruning. `early_config_prune` should return at least one "
                                     "config.")
        if self.perf_model is not None:
            share = self.configs_top_k
            count = int(len(configs) * share) if isinstance(share, float) and share <= 1.0 else share
            if not isinstance(count, int):
                raise TypeError(f"expected `top_k` to be a whole number or a share of at most 1.0, found {share!r}")
            if len(configs) > count:
                estimate = {config: self.perf_model(**nargs, **kwargs, **config.all_kwargs()) for config in configs}
                configs = builtins.sorted(estimate, key=lambda config: estimate[config])[:builtins.max(count, 1)]
        return list(configs)

    def _all_failed(self, failures: dict[Config, BaseException]) -> BaseException:
        texts = {(type(failure), str(failure)) for failure in failures.values()}
        if len(texts) == 1:  # the kernel itself is wrong, whatever its config
            return next(iter(failures.values()))
        lines = [f"  {config}: {report.reason(failure)}" for config, failure in failures.items()]
        error = AutotunerError("\n".join([f"no config of kernel `{self._name}` can be used:", *lines]))
        error.__cause__ = next(iter(failures.values()), None)
        return error


def _reset_and_keep(tuner: Autotuner, kwargs: dict[str, Any], reset_only: bool = False) -> None:
    """Before a measured launch: sums begin at zero, and what is to be restored is kept."""
    for name in tuner.reset_to_zero:
        _fill_zero(kwargs[name])
    if not reset_only:
        tuner.restore_copies = {name: _copy(kwargs[name]) for name in tuner.restore_value if kwargs[name] is not None}


def _restore(tuner: Autotuner, kwargs: dict[str, Any], exception: BaseException | None) -> None:
    for name, kept in tuner.restore_copies.items():
        _assign(kwargs[name], kept)
    tuner.restore_copies = {}


def _own_descriptor(value: Any) -> Any:
    return copy.copy(value) if isinstance(value, TensorDescriptor) else value


def _fill_zero(array: Any) -> None:
    if hasattr(array, "zero_"):  # PyTorch
        array.zero_()
    elif array is not None:  # NumPy, CuPy
        array[...] = 0


def _copy(array: Any) -> Any:
    return array.clone() if hasattr(array, "clone") else array.copy()


def _assign(array: Any, values: Any) -> None:
    if hasattr(array, "copy_"):
        array.copy_(values)
    else:
        array[...] = values


@functools.lru_cache(maxsize=None)
def _warn_without_timer() -> None:
    warnings.warn("the emulator and the interpreter have no time to compare configs by: of each kernel the first config "
                  "that compiles is taken", stacklevel=2)


def autotune(configs: Sequence[Config], key: Sequence[str], prune_configs_by: dict[str, Any] | None = None,
             reset_to_zero: Sequence[str] | None = None, restore_value: Sequence[str] | None = None,
             pre_hook: Callable[..., Any] | None = None, post_hook: Callable[..., Any] | None = None,
             warmup: int | None = None, rep: int | None = None, use_cuda_graph: bool = False,
             do_bench: Callable[..., Any] | None = None, cache_results: bool = False,
             ranks: str | None = None) -> Callable[[Any], Autotuner]:
    """Decorates a kernel: of `configs` the fastest is taken, found anew when an argument named in `key`, or a dtype, has a
    value not seen before. With `TEGULA_TUNE=model` a model of the device chooses, and only that config is compiled; all are
    measured where it does not know.

    Measuring launches the kernel many times: `reset_to_zero` names arguments that are zeroed before each launch,
    `restore_value` those whose contents are put back. `prune_configs_by` holds `early_config_prune(configs, named_args,
    **kwargs)`, which leaves those worth trying, and `perf_model(**all_args)` with `top_k`, which keeps the best by an
    estimate. `cache_results` keeps what was found on disk.

    Under `tegula.distributed.set_agreement` all ranks take the same config. `ranks="lockstep"` has each config measured on all
    ranks at a time, by the slowest, as a kernel that waits for its peers needs; `"divided"` shares the configs out; `"alone"`
    leaves each rank to itself. Without it a kernel whose code has accesses of system scope is measured in lockstep.
    """
    return lambda fn: Autotuner(fn, fn.arg_names, configs, key, reset_to_zero, restore_value, pre_hook=pre_hook,
                                post_hook=post_hook, prune_configs_by=prune_configs_by, warmup=warmup, rep=rep,
                                use_cuda_graph=use_cuda_graph, do_bench=do_bench, cache_results=cache_results, ranks=ranks)
