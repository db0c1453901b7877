"""Our side and its peers on one GPU: same source, same buffers, all in turns round by round."""

from __future__ import annotations

import functools
import gc
import statistics
import time
import traceback
from dataclasses import dataclass
from typing import Any, Callable, Mapping

import torch
from tegula.runtime.measure.timing import quantile
from tegula.runtime.tune import finals
from tegula.testing import do_bench

from alone import resources_of
from arrays import make_buffers, unwritten
from cases import BANDWIDTH, Case, Config
from launching import KernelFiles
from libraries import Buffers, agreeing, expected_of, libraries_of, names_of, working
from messages import first_lines, note, progress
from request import Request
from results import Results, Row, Side, Times


#: Milliseconds of warming up and of measuring, in each turn of what is compared. A product that takes more power has a higher
#: rate in half of it, and 7% less in the end (H200).
TURN = 10, 40


def time_ms(run: Callable[[], Any], warmup: float, rep: float) -> float:
    return do_bench(run, warmup, rep, return_mode="median")


@dataclass
class _Competitor:
    """A side at work."""
    name: str
    run: Callable[[], Any]
    config: Config | None = None


def _agrees(case: Case, run: Callable[[], Any], output: torch.Tensor, expected: torch.Tensor) -> None:
    """AssertionError where the results differ."""
    output.fill_(0 if case.arguments[case.output].fill == "zeros" else unwritten(output.dtype))
    run()
    torch.cuda.synchronize()
    relative, absolute = case.tolerance
    torch.testing.assert_close(output, expected, rtol=relative, atol=absolute)


def _quickest(runs: Mapping[int, Callable[[], Any]]) -> int:
    """Returns which of `runs` is the quickest: those near it have been measured in turns."""
    medians = {number: time_ms(run, 5, 15) for number, run in runs.items()}
    last = finals.in_turns(finals.finalists(medians), lambda number: [time_ms(runs[number], *TURN)])
    times = {number: row[0] for number, row in last.items()} or medians
    return min(times, key=times.__getitem__)


def _best_of(side: str, case: Case, launches: list[Callable[[], Any]], output: torch.Tensor,
             expected: torch.Tensor) -> list[_Competitor]:
    """With the quickest of the configs that work; none where none does."""
    works = {}
    for index, launch in enumerate(launches):
        try:
            _agrees(case, launch, output, expected)
            works[index] = launch
        except Exception as error:  # an unsupported config must not end the run
            note(f"{case.label}: {side}, {case.configs[index]}: {first_lines(error)}")
    if not works:
        return []
    best = _quickest(works)
    return [_Competitor(side, launches[best], case.configs[best])]


def _competitors(request: Request, files: KernelFiles, case: Case, buffers: Buffers, results: Results) -> list[_Competitor]:
    """Ours first; none where none of our configs works."""
    output, peers = buffers[case.output], request.peers
    module = files.module(case.file)
    library, ways = libraries_of(case, buffers)
    ways = working(case, library, ways)
    expected = expected_of(case, module, buffers, ways)
    right = agreeing(case, library, ways, expected)
    if ways and not right:
        results.wrong_peers.append(f"{library} at {case.label}")
    ways = right
    sides = _best_of("Tegula", case, files.launches(case, buffers), output, expected)
    if not sides:
        return []
    if "triton" in peers:
        import triton  # which may be missing

        sides += _best_of("Triton", case, files.launches(case, buffers, triton), output, expected)
    if ways and library.lower() in peers:
        sides.append(_Competitor(library, ways[_quickest(dict(enumerate(ways)))]))
    if case.torch and "torch" in peers:
        code, names = compile(case.torch, "torch", "eval"), names_of(case, module, buffers)
        sides += [_Competitor("torch", way) for way in working(case, "torch", [lambda: eval(code, names)])]
    if case.unit == BANDWIDTH and "copy" in peers:
        half = torch.empty(int(case.work) // 2, dtype=torch.uint8, device="cuda")
        sides.append(_Competitor("copy", functools.partial(torch.empty_like(half).copy_, half)))
    return sides


def _in_turns(rounds: int, runs: list[Callable[[], Any]]) -> list[list[float]]:
    """Milliseconds of each run, in each round; odd rounds go backwards."""
    times: list[list[float]] = [[] for _ in runs]
    for index in range(rounds):
        for place in sorted(range(len(runs)), reverse=index % 2 == 1):
            times[place].append(time_ms(runs[place], *TURN))
    return times


def _measure(request: Request, files: KernelFiles, case: Case, results: Results) -> Row | None:
    competitors = _competitors(request, files, case, make_buffers(case), results)
    if not competitors:
        return None
    times = _in_turns(request.rounds, [each.run for each in competitors])
    row = Row(case, resources=resources_of(competitors[0].run()))
    for each, found in zip(competitors, times):
        ratio = statistics.median(theirs / ours for theirs, ours in zip(found, times[0])) if row.sides else None
        row.sides.append(Side(each.name, Times(*(quantile(found, share) for share in (0.5, 0.2, 0.8))), ratio,
                              str(each.config) if each.config else ""))
    return row


def _line_of(row: Row) -> str:
    """A line for each row as it comes, so that a run that is cut off has told something."""

    def of(side: Side) -> str:
        more = f", {row.resources.registers} registers, {row.resources.spilled} bytes spilled" if side.ratio is None else \
            f", to it {side.ratio:.3f}"
        return f" {side.name} {row.rate(side):.1f} {row.case.unit}{more}" + (f" ({side.config})" if side.config else "")

    return f"{row.case.label}:" + ";".join(map(of, row.sides))


def measure_beside(request: Request, files: KernelFiles, cases: list[Case], results: Results) -> None:
    """Adds our side and the peers taking turns, for each case that there is time for."""
    start = time.monotonic()
    device = torch.cuda.current_device()
    jobs = files.compile_all(cases, lambda: torch.cuda.set_device(device))
    note(f"{sum(not job.exception() for job in jobs)} configs compiled in {time.monotonic() - start:.1f} s")
    for number, case in enumerate(cases):
        if request.budget is not None and time.monotonic() - start > request.budget:
            results.left.append(case.label)
            continue
        progress(f"case {number + 1} of {len(cases)}: {case.label}")
        try:
            row = _measure(request, files, case, results)
        except Exception:
            note(f"{case.label}:\n{traceback.format_exc()}")
            row = None
        if row:
            note(_line_of(row))
            results.rows.append(row)
        else:
            results.failed.append(case.label)
        gc.collect()
        torch.cuda.empty_cache()
    note(f"{time.monotonic() - start:.0f} s")
