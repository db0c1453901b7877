"""Compiles every config, and launches none."""

from __future__ import annotations

import concurrent.futures
import os
from dataclasses import dataclass, field
from typing import Any

from cases import Case, Config
from commands import Assembly, assemble
from launching import KernelFiles
from messages import first_lines, note, write_out
from request import Request


@dataclass
class _Compiled:
    """A config of a case, and what came of compiling it."""
    case: Case
    config: Config
    launch: str = ""
    assembly: Assembly | None = None
    wrong: str = ""
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = f"{self.case.label}: {self.config}"

    @property
    def spills(self) -> bool:
        return self.assembly is not None and self.assembly.resources.spilled > 0

    @property
    def line(self) -> str:
        told = [] if self.assembly is None else self.assembly.warnings
        cost = "" if self.assembly is None else (f", {self.assembly.resources.registers} registers, "
                                                 f"{self.assembly.resources.spilled} bytes spilled")
        return f"{self.name}: " + "; ".join([self.launch + cost, *told])


def _launch_text(config: Config, properties: dict[str, Any]) -> str:
    x, y = (*config.grid, 1)[:2]
    threads, each, shared = (properties[name] for name in ("threads", "programs_per_block", "shared"))
    if properties["blocks_per_multiprocessor"]:
        return (f"{x}x{y} programs, walked by blocks of {threads} threads, {properties['blocks_per_multiprocessor']} a "
                f"multiprocessor, {shared} bytes shared")
    return f"{-(-x // each)}x{y} blocks of {threads} threads, {each} program{'' if each == 1 else 's'} each, {shared} bytes shared"


def _finish(command: str, made: _Compiled, job: concurrent.futures.Future[Any]) -> None:
    try:
        kernel = job.result()
        made.launch = _launch_text(made.config, kernel.properties())
        made.assembly = assemble(command, kernel.asm["ptx"])
    except Exception as error:  # what is wrong with one config is said, and the others go on
        made.wrong = first_lines(error)


def dry_run(request: Request, files: KernelFiles, cases: list[Case]) -> bool:
    """A line for each config that compiles: its launch and, where there is an assembler, its cost; then those that do not,
    and a summary. Whether all is well: with `--check` no config may spill or be warned of either."""
    compiled = [_Compiled(case, config) for case in cases for config in case.configs]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda made, job: _finish(request.command, made, job), compiled, files.compile_all(cases)))
    failed = [made for made in compiled if made.wrong]
    good = [made for made in compiled if not made.wrong]
    spilling = sum(made.spills for made in good)
    warned = sum(bool(made.assembly and made.assembly.warnings) for made in good)
    write_out("".join(f"{made.line}\n" for made in good))
    for made in failed:
        note(f"{made.name}:\n{made.wrong}")
    write_out(f"{len(cases)} case{'' if len(cases) == 1 else 's'}, {len(good)} configs compiled, {len(failed)} failed, "
              f"{spilling} spill, {warned} warned of\n")
    return not failed and not (request.least_ratio is not None and (spilling or warned))
