"""Asks the command `tegula` what a launch on the emulator costs, and what the assembler makes of PTX."""

from __future__ import annotations

import concurrent.futures
import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Any

from tegula.runtime.devices import requested_kind

from cases import Case, Config, Tensor
from launching import KernelFiles
from messages import note, progress
from request import Request
from results import Resources, Results, Row
from tables import COUNTS

#: The status of a command that lacks something of the machine.
LACKING = 3


def _argument_text(value: Any) -> str:
    if not isinstance(value, Tensor):
        return str(value)
    made = {"nan": "empty", "zeros": "zeros", "random": "randn", "full": f"full({value.value})",
            "arange": "arange"}[value.fill]
    if made == "randn" and value.dtype.startswith("i"):
        made = f"randint(0,{value.below - 1})" if value.below else "randint(-128,127)"
    return f"{made}:{value.dtype}[{','.join(map(str, value.shape))}]"


def _run(files: KernelFiles, command: str, device: str, case: Case, config: Config) -> dict[str, Any]:
    """The report of a launch on the emulator. RuntimeError with what the command says where it fails."""
    defined = [word for name, value in config.values.items() for word in ("-D", f"{name}={str(value).lower()}")]
    passed = [word for name, value in case.arguments.items() for word in ("--arg", f"{name}={_argument_text(value)}")]
    done = subprocess.run([command, "run", files.path(case.file), f"--kernel={case.kernel}", f"--device={device}", "--report=json",
                           f"--grid={','.join(map(str, config.grid))}", f"--num-warps={config.warps}",
                           f"--num-stages={config.stages}", *defined, *passed], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout)


def count_all(request: Request, files: KernelFiles, cases: list[Case]) -> Results:
    """Counts one launch of each case on the emulator."""
    results = Results("emulator")
    device = requested_kind() if requested_kind() != "auto" else "emulator"
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(_run, files, request.command, device, case, case.configs[0]) for case in cases]
        for number, (case, job) in enumerate(zip(cases, jobs)):
            progress(f"case {number + 1} of {len(cases)}: {case.label}")
            try:
                total = job.result()["total"]
                results.rows.append(Row(case, counts={name: total[theirs] for theirs, name in COUNTS.items()}))
            except RuntimeError as error:
                note(str(error))
                results.failed.append(case.label)
    progress("")
    return results


@dataclass
class Assembly:
    """An assembler's report on a kernel."""
    resources: Resources
    warnings: list[str]


def assemble(command: str, ptx: str) -> Assembly | None:
    """None without an assembler. RuntimeError with what the command says where the assembler refuses."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        done = subprocess.run([command, "compile", "-", "--from=ptx", "--emit=cubin", f"--report={report}", "-o", os.devnull],
                              input=ptx, capture_output=True, text=True)
        if done.returncode == LACKING:
            return None
        if done.returncode:
            raise RuntimeError(done.stderr.strip())
        with open(report, encoding="utf-8") as file:
            told = json.load(file)["assembly"]
    entry, = told["entries"]
    return Assembly(Resources(entry["registers"], entry["spillStoreBytes"]), told["warnings"])
