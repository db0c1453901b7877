"""Our side alone, timed on a GPU without PyTorch."""

from __future__ import annotations

import tegula
from tegula.runtime.tune import finals, store

from cases import Case
from launching import KernelFiles
from messages import first_lines, note, progress
from own_arrays import own_arrays
from request import Request
from results import Resources, Results, Row, Side, Times, Trial


def resources_of(compiled: tegula.CompiledKernel) -> Resources:
    """Returns the resources of the code that launches run."""
    told = compiled.properties()
    assert told is not None, "it was launched"
    return Resources(told["registers"], told["spill_bytes"], told["shared"])


class _Tuner:
    """The configs of a case, measured on the same arrays."""

    def __init__(self, request: Request, files: KernelFiles, case: Case):
        self.milliseconds = request.milliseconds
        self.files, self.case = files, case
        self.launches = files.launches(case, own_arrays(tegula.get_device(), case))

    def _row(self, number: int, milliseconds: float) -> list[float]:
        return tegula.testing.do_bench(self.launches[number], milliseconds / 4, milliseconds, quantiles=(0.5, 0.2, 0.8))

    def _trial(self, number: int) -> Trial:
        config = self.case.configs[number]
        try:
            resources = resources_of(self.launches[number]())
            return Trial(config, Times(*self._row(number, self.milliseconds)), resources)
        except tegula.TritonError as error:  # one that does not compile or fit must not end the run
            return Trial(config, skipped=first_lines(error))

    def trials(self, tried: list[int]) -> list[Trial]:
        """Tries the configs with these numbers. Those near the best are measured in turns, which decides."""
        trials = {number: self._trial(number) for number in tried}
        found = {number: trial.times.median for number, trial in trials.items() if trial.times}
        last = finals.in_turns(finals.finalists(found), lambda number: self._row(number, self.milliseconds / finals.TURNS))
        for number, row in last.items():
            trials[number].times = Times(*row)
        return list(trials.values())


def _measure(request: Request, files: KernelFiles, case: Case) -> Row:
    """RuntimeError where no config works."""
    asked = [tegula.Config({"config": str(config)}) for config in case.configs]  # the grid is one of the things that differ
    name = store.question(str(files.kernel(case).cache_key), asked, [case.label])
    kept = {} if request.again or request.sweep else store.load(name, asked) or {}
    tried = [asked.index(min(kept, key=kept.__getitem__))] if kept else list(range(len(asked)))
    trials = _Tuner(request, files, case).trials(tried)
    best = min((trial for trial in trials if trial.times), key=lambda trial: trial.times.median, default=None)  # type: ignore[union-attr]
    if best is None or best.times is None:
        raise RuntimeError(f"no config works: {trials[0].skipped if trials else 'there is none'}")
    if not kept:
        store.save(name, {asked[number]: [trial.times.median] for number, trial in enumerate(trials) if trial.times})
    return Row(case, [Side("Tegula", best.times, config=str(best.config))], best.resources, bool(kept) and len(asked) > 1,
               trials=trials if request.sweep else [])


def measure_alone(request: Request, files: KernelFiles, cases: list[Case]) -> Results:
    """The best config of each case, and all trials of a sweep. What an earlier run found best is measured alone."""
    results = Results(tegula.get_device().properties()["name"])
    for number, case in enumerate(cases):
        progress(f"case {number + 1} of {len(cases)}: {case.label}")
        files.compile_all([case])
        try:
            results.rows.append(_measure(request, files, case))
        except RuntimeError as error:
            note(f"error: {case.label}: {error}")
            results.failed.append(case.label)
    progress("")
    return results
