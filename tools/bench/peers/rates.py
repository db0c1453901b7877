"""Our side and its peers on one GPU, same source, same buffers, taking turns round by round."""

import gc
import time
import traceback

import torch

from arrays import make_buffers, unwritten
from launching import launches_of, load_kernel_file, warm_up
from libraries import expected_of, libraries_of, names_of, working
from timing import in_turns, time_ms
from wire import note, tell


def agrees(case, run, output, expected):
    output.fill_(0 if case.arguments[case.output].fill == "zeros" else unwritten(output.dtype))
    run()
    torch.cuda.synchronize()
    relative, absolute = case.tolerance
    torch.testing.assert_close(output, expected, rtol=relative, atol=absolute)


def best_of(side, case, launches, output, expected):
    """The number of the quickest of the configs that work; None where none does."""
    times = []
    for index, launch in enumerate(launches):
        try:
            agrees(case, launch, output, expected)
            times.append((time_ms(launch, 5, 15), index))
        except Exception as error:  # an unsupported config must not end the run
            note(f"{case.label()}: {side}, {case.configs[index].text}: {str(error).strip()[:400]}")
    return min(times)[1] if times else None


def sides_of(plan, case, buffers):
    """[(name, config, function)], ours first; empty where none of our configs works."""
    output, peers = buffers[case.output], plan["peers"]
    module = load_kernel_file(plan["kernels"], case.file)
    library, ways = libraries_of(case, buffers)
    ways = working(case, library, ways)
    expected = expected_of(case, module, buffers, ways)
    ours = launches_of(plan, case, buffers)
    best = best_of("Tegula", case, ours, output, expected)
    if best is None:
        return []
    sides = [("Tegula", case.configs[best], ours[best])]
    if "triton" in peers:
        import triton  # which may be missing

        theirs = launches_of(plan, case, buffers, triton)
        best = best_of("Triton", case, theirs, output, expected)
        if best is not None:
            sides.append(("Triton", case.configs[best], theirs[best]))
    if ways and library.lower() in peers:
        sides.append((library, None, min(ways, key=lambda way: time_ms(way, 5, 15))))
    if case.torch and "torch" in peers:
        code, names = compile(case.torch, "torch", "eval"), names_of(case, module, buffers)
        sides += [("torch", None, way) for way in working(case, "torch", [lambda: eval(code, names)])]
    if case.bytes and "copy" in peers:
        half = torch.empty(int(case.bytes) // 2, dtype=torch.uint8, device="cuda")
        copied = torch.empty_like(half)
        sides.append(("copy", None, lambda: copied.copy_(half)))
    return sides


def measure(plan, number, case):
    sides = sides_of(plan, case, make_buffers(case))
    if not sides:
        return False
    table = in_turns(plan["rounds"], [run for _, _, run in sides])
    compiled = sides[0][2]()
    tell("row", number, compiled.n_regs, 4 * compiled.n_spills, compiled.shared)
    for place, (name, config, _) in enumerate(sides):
        tell("side", number, name, config.text if config else "", *(times[place] for times in table))
    tell("done", number)
    return True


def measure_all(plan, cases):
    start = time.monotonic()
    note(f"{warm_up(plan, cases)} configs compiled in {time.monotonic() - start:.1f} s")
    for number, case in enumerate(cases):
        if plan["budget"] is not None and time.monotonic() - start > plan["budget"]:
            tell("left", number)
            continue
        tell("begin", number)
        try:
            done = measure(plan, number, case)
        except Exception:
            note(f"{case.label()}:\n{traceback.format_exc()}")
            done = False
        if not done:
            tell("failed", number)
        gc.collect()
        torch.cuda.empty_cache()
    note(f"{time.monotonic() - start:.0f} s")
