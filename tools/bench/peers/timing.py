"""Milliseconds of a launch with a cold L2, as the GPU's own clock has them."""

import statistics

import torch

FLUSHED_BYTES = 256 << 20  # more than any L2 holds
_flush = []


def flush():
    if not _flush:
        _flush.append(torch.empty(FLUSHED_BYTES // 4, dtype=torch.int32, device="cuda"))
    _flush[0].zero_()


def events(count):
    return [torch.cuda.Event(enable_timing=True) for _ in range(count)]


def time_ms(run, warmup, rep):
    """The median of launches for `rep` milliseconds after some for `warmup`; what is written between two launches
    takes its time beside."""
    run()
    torch.cuda.synchronize()
    start, end = events(2)
    start.record()
    for _ in range(5):
        flush()
        run()
    end.record()
    torch.cuda.synchronize()
    estimate = max(start.elapsed_time(end) / 5, 1e-3)
    for _ in range(max(1, int(warmup / estimate))):
        run()
    count = max(1, int(rep / estimate))
    starts, ends = events(count), events(count)
    for i in range(count):
        flush()
        starts[i].record()
        run()
        ends[i].record()
    torch.cuda.synchronize()
    return statistics.median(s.elapsed_time(e) for s, e in zip(starts, ends))


def in_turns(rounds, runs):
    """Milliseconds of each run in each round; odd rounds go backwards."""
    table = []
    for index in range(rounds):
        order = range(len(runs)) if index % 2 == 0 else reversed(range(len(runs)))
        found = {i: time_ms(runs[i], 10, 40) for i in order}
        table.append([found[i] for i in range(len(runs))])
    return table
