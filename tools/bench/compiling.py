"""Our side: kernels compiled by the command `tegula`, all at once."""

import concurrent.futures
import os
import re
import subprocess
from dataclasses import dataclass

from cases import ceildiv, is_bound, type_of
from tensor_maps import TensorMap

# Parameters that a launch fills in by itself; tensor maps are the others.
PROGRAMS = ["u32 programs in x", "u32 programs in y", "u32 programs in z"]
WALKED = "blocks a multiprocessor walk them"  # of the programs of a persistent kernel


@dataclass
class Compiled:
    """PTX and how to launch it, which its first lines say."""
    ptx: str
    entry: str
    threads: int
    shared: int  # bytes of dynamic shared memory
    programs_per_block: int
    blocks_per_multiprocessor: int  # of a persistent kernel, else 0
    counts: int  # of how many axes the number of programs is a parameter, behind the others
    maps: list  # tensor maps, parameters behind that

    def blocks(self, programs, multiprocessors):
        """The grid along x and y."""
        x, y = programs if isinstance(programs, tuple) else (programs, 1)
        if self.blocks_per_multiprocessor:
            return min(x * y, self.blocks_per_multiprocessor * multiprocessors), 1
        return ceildiv(x, self.programs_per_block), y


def read_head(ptx):
    """The lines "// key  value" in front of the code: key -> values."""
    head = {}
    for line in ptx.splitlines():
        found = re.fullmatch(r"// (\w+) +(.*)", line)
        if not found:
            break
        head.setdefault(found.group(1), []).append(found.group(2))
    return head


def compiled_of(case, ptx):
    head = read_head(ptx)
    number = lambda key: int(re.match(r"\d+", head[key][0]).group())
    found = [param.split()[-1] for param in head.get("param", [])]
    expected = [name for name, value in case.arguments.items() if not is_bound(value)]
    if found != expected:
        raise RuntimeError(f"{case.label()}: expected the parameters {expected}, found {found}")
    hidden = head.get("hidden", [])
    maps = [TensorMap.read(text) for text in hidden if text not in PROGRAMS]
    walked = head["programs"][0].endswith(WALKED)
    return Compiled(ptx, head["entry"][0], number("block"), number("shared"), 1 if walked else number("programs"),
                    number("programs") if walked else 0, len(hidden) - len(maps), maps)


def compile_one(plan, case, config):
    command = [plan["tegula"], "compile", os.path.join(plan["kernels"], f"{case.file}.py"), "-k", case.entry,
               f"--arch={plan['arch']}", f"--num-warps={config.warps}", f"--num-stages={config.stages}"]
    for name, value in case.arguments.items():
        command += ["-D", f"{name}=None"] if value is None else ["--sig", f"{name}={type_of(value)}"]
    for name, value in config.constants:
        command += ["-D", f"{name}={value}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{case.label()}: {' '.join(command)}\n{done.stderr}")
    return compiled_of(case, done.stdout)


def compile_all(plan, cases):
    """variant -> Compiled, or the error."""
    jobs = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for case in cases:
            for config in case.configs:
                if case.variant(config) not in jobs:
                    jobs[case.variant(config)] = pool.submit(compile_one, plan, case, config)
    return {key: job.exception() or job.result() for key, job in jobs.items()}
