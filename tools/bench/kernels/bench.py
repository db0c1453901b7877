"""`tegula bench`: what to measure, who measures it, and where the results go.

    python3 bench.py '{"kernels": [...], ...}'

The command `tegula` starts it with its options as an object of JSON (tools/tegula/Bench.cpp), in its own place.
"""

from __future__ import annotations

import json
import os
import re
import sys
from typing import TYPE_CHECKING

sys.dont_write_bytecode = True  # next to the sources, or in a folder that is not the user's

from cases import Case, Setting, UsageError
from catalogue import list_text
from messages import Unavailable, WrongFile, colour_messages, note, progress, write_out
from random_shapes import random_shapes
from request import Request, read_request
from results import ErrorResults, Results
from texts import section, with_sections

# What needs the package, or PyTorch, is imported where it is needed: after it was found.
if TYPE_CHECKING:
    from launching import KernelFiles

#: The statuses of the command.
DONE, WRONG, USAGE, DEVICE = 0, 1, 2, 3


def find_tegula(folder: str) -> None:
    if folder:
        sys.path.insert(0, folder)
    try:
        import tegula  # noqa: F401
    except ImportError as error:
        raise Unavailable(f"kernels are launched through the Python package `tegula`, which was not found: {error}; "
                          "install its wheel, or name the Python that has it by `--python=PROGRAM`")


def choose_device(request: Request) -> str:
    """Decides where the package measures: on "cuda", or on "emulator" to count and for what is only compiled."""
    from tegula.backends.nvidia.driver import device_kind
    from tegula.runtime.devices import requested_kind

    needs_gpu = next((option for option, is_asked in (("--errors", request.errors), ("--beside", request.peers),
                                                      ("--sweep", request.sweep), ("--random", request.random_count))
                      if is_asked), None)
    if request.device and request.device != "auto":
        os.environ["TEGULA_DEVICE"] = request.device
    if request.dry_run:
        os.environ["TEGULA_DEVICE"] = "emulator"
        return "emulator"
    if not re.fullmatch(r"auto|interpret|(cuda|emulator)(:\d+)?", requested_kind()):
        raise UsageError("expected the device `auto`, `cuda`, `cuda:N`, `emulator` or `emulator:N`, found `" + requested_kind() + "`")
    kind = device_kind()
    if kind == "interpret":
        raise UsageError("there is nothing to measure on the interpreter: expected --device=cuda or emulator")
    if needs_gpu and kind != "cuda":
        raise Unavailable(f"`{needs_gpu}` needs a GPU: no CUDA driver with a device was found or asked for")
    return kind


def ordinal() -> int:
    """Returns the number of the GPU, as the driver counts."""
    return int(os.environ.get("TEGULA_DEVICE", "").partition(":")[2] or 0)


def make_cases(request: Request, setting: Setting) -> list[Case]:
    cases = []
    for entry in request.entries:
        dtypes = [dtype for dtype in (*entry.dtypes, *entry.other_dtypes) if dtype in request.dtypes] or entry.dtypes
        if request.dtypes and dtypes is entry.dtypes:
            continue
        for dtype in dtypes:
            shapes = [*request.shapes, *random_shapes(request.random_count, request.seed),
                      *(entry.of_size(n, setting.is_small) for n in request.sizes)]
            shapes = shapes or ([entry.small] if setting.is_small else entry.default_shapes(dtype))
            cases += [entry.case(dtype, shape, setting) for shape in shapes]
    return cases


def find_pytorch(request: Request, results: Results | ErrorResults) -> bool:
    """Names the device and the peers in `results`, and leaves only those that are here in the request. False, after a
    warning, without PyTorch."""
    try:
        import torch
    except ImportError as error:
        note(f"warning: not compared with PyTorch: {error}")
        return False
    if not torch.cuda.is_available():
        note("warning: not compared with PyTorch: it finds no CUDA device")
        return False
    torch.cuda.set_device(ordinal())
    os.environ["TEGULA_DEVICE"] = "cuda"  # PyTorch's current one
    results.device = torch.cuda.get_device_name()
    results.versions.append(f"PyTorch {torch.__version__}")
    try:
        import triton
        results.versions.append(f"Triton {triton.__version__}")
    except ImportError as error:
        if "triton" in request.peers:
            note(f"warning: not compared with Triton: {error}")
            request.peers.remove("triton")
    if "cudnn" in request.peers and not torch.backends.cudnn.is_available():
        note("warning: not compared with cuDNN: PyTorch was built without it")
        request.peers.remove("cudnn")
    return True


def measure(request: Request, files: KernelFiles, cases: list[Case], kind: str) -> Results:
    results = Results()
    if request.peers and find_pytorch(request, results):
        from rates import measure_beside

        measure_beside(request, files, cases, results)
        return results
    if kind == "emulator":
        from commands import count_all

        return count_all(request, files, cases)
    from alone import measure_alone

    return measure_alone(request, files, cases)


#--- results ---

def write_to(path: str, text: str) -> None:
    if path == "-":
        write_out(text)
    elif path:
        try:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise WrongFile(f"cannot write `{path}`: {error.strerror}")


def write_markdown(path: str, sections: dict[str, str]) -> None:
    """In a document that is there the sections are replaced."""
    if path in ("", "-") or not os.path.exists(path):
        return write_to(path, "\n".join(section(name, text) for name, text in sections.items()))
    try:
        with open(path, encoding="utf-8") as file:
            document = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise WrongFile(f"cannot read `{path}`: {getattr(error, 'strerror', error)}")
    try:
        write_to(path, with_sections(document, sections))
    except UsageError as error:
        raise UsageError(f"`{path}`: {error}")


def write(request: Request, text: str, csv: str, json_: str, sections: dict[str, str], svg: str = "") -> None:
    """The table, unless something else is to be on standard output, and the files."""
    progress("")
    if "-" not in (request.csv, request.json, request.svg, request.markdown):
        write_out(text)
    for path, made in ((request.csv, csv), (request.json, json_), (request.svg, svg)):
        write_to(path, made)
    write_markdown(request.markdown, sections)


def warnings_of(request: Request, files: KernelFiles, results: Results) -> list[str]:
    """Returns what the assembler warns of in the configs that were measured."""
    from commands import assemble

    found = []
    for row in results.rows:
        for config in row.case.configs:
            if row.sides and str(config) == row.sides[0].config:
                # The driver that measured it needs no assembler of its own.
                made = assemble(request.command, files.compiled(row.case, config).asm["ptx"])
                found += [f"{row.case.label}: {warning}" for warning in (made.warnings if made else ())]
    return found


def check(request: Request, files: KernelFiles, results: Results) -> bool:
    """Returns True if all is well, after a line for each thing that is not where `--check` asks."""
    if request.least_ratio is None:
        return not results.failed
    wrong = [f"{row.case.label} spills {row.resources.spilled} bytes" for row in results.rows if row.resources.spilled]
    wrong += warnings_of(request, files, results)
    wrong += [f"{row.case.label} has {side.ratio:.3f} of {side.name}, expected at least {request.least_ratio}"
              for row in results.rows for side in row.sides if side.ratio is not None and side.ratio < request.least_ratio]
    wrong += [f"{label} was not measured" for label in (*results.failed, *results.left)]
    for each in wrong:
        note(f"error: {each}")
    return not wrong


def run_errors(request: Request, files: KernelFiles) -> bool:
    import tables

    results = ErrorResults()
    if not find_pytorch(request, results):
        raise Unavailable("errors are compared with PyTorch's, which was not found")
    from errors import measure_errors

    measure_errors(request, files, results)
    write(request, tables.error_text_of(results), tables.error_csv_of(results), tables.error_json_of(results),
          tables.error_markdown_of(results))
    return results.is_good


def run(request: Request) -> bool:
    """Does what is asked for, and returns True if all is well."""
    kind = choose_device(request)
    import tables
    from launching import KernelFiles
    from plot import panels_of, svg_of
    from sweep_text import sweep_text
    from tegula.runtime.driver import driver

    files = KernelFiles(request.folder)
    if request.errors:
        return run_errors(request, files)
    multiprocessors = driver.active.get_device_properties(ordinal())["multiprocessor_count"]
    setting = Setting(files.configs, multiprocessors, kind == "emulator" and not request.dry_run, request.sweep, request.swept,
                      host_of=files.module)
    cases = make_cases(request, setting)
    if request.dry_run:
        from dry_run import dry_run

        return dry_run(request, files, cases)
    results = measure(request, files, cases, kind)
    results.seed = request.seed if request.random_count else None
    if request.sweep:
        write_out(sweep_text(results))
    write(request, tables.text_of(results), tables.csv_of(results), tables.json_of(results), tables.markdown_of(results),
          svg_of(f"tegula bench, {results.device}", panels_of(results)))
    return check(request, files, results)


def main(told: str) -> int:
    if json.loads(told)["colour"]:
        colour_messages()
    try:
        request = read_request(told)
        if json.loads(told)["list"]:
            write_out(list_text())
            return DONE
        find_tegula(json.loads(told)["package"])
        return DONE if run(request) else WRONG
    except (UsageError, WrongFile, Unavailable, RuntimeError) as error:
        note(f"error: {error}")
        return USAGE if isinstance(error, UsageError) else WRONG if isinstance(error, WrongFile) else DEVICE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
