#!/usr/bin/env python3
"""Tells whether a change of the compiler changes the code that it makes.

    code.py record BUILD FOLDER [--random N]    writes the PTX of every bundled kernel (types, configs, architectures)
                                                and of N random kernels (2,000)
    code.py compare BEFORE AFTER [--most N]     says which kernels differ, the first N (20) with their instructions

`compare` exits with 1 where something differs. Lines of debug information are passed over.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

#: Kinds of random kernels, with the share of each in percent.
KINDS = {"general": 30, "rare": 15, "dot": 20, "tile": 10, "array": 20, "normal-dot": 5}
TARGETS = ["sm_90a", "sm_80", "sm_100a"]
NOT_CODE = re.compile(r"^\s*(//|\.loc|\.file|\.section|\.b8|\.b32|\.b64|\$L__tmp\d+:|\d+ kernels, |$)")


def record_random(program, folder, count):
    def one(task):
        kind, target, seed = task
        words = [program, f"--kind={kind}", f"--target={target}", f"--first={seed}", "--count=1", "--schedules=0",
                 "--emit=ptx", *(["--without=fp8"] if target == "sm_80" else [])]
        text = subprocess.run(words, capture_output=True, text=True).stdout
        (folder / f"random-{kind}.{seed}.{target}.ptx").write_text(text)

    tasks = [(kind, TARGETS[i % len(TARGETS)], 90000000 + i) for kind, share in KINDS.items()
             for i in range(count * share // 100)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, tasks))


def code_of(path):
    return [line for line in path.read_text().splitlines() if not NOT_CODE.match(line)]


def compare(before, after, most):
    names = sorted({p.name for p in before.glob("*.ptx")} | {p.name for p in after.glob("*.ptx")})
    differing = 0
    for name in names:
        if not ((before / name).exists() and (after / name).exists()):
            differing += 1
            if differing <= most:
                print(f"{name}: only {'before' if (before / name).exists() else 'after'}")
            continue
        old, new = code_of(before / name), code_of(after / name)
        if old != new:
            differing += 1
            if differing <= most:
                print(f"{name}: {len(old)} lines before, {len(new)} after")
    print(f"code: {len(names)} kernels, {differing} differ")
    return differing > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record")
    recording.add_argument("build", type=pathlib.Path)
    recording.add_argument("folder", type=pathlib.Path)
    recording.add_argument("--random", type=int, default=2000)
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=pathlib.Path)
    comparing.add_argument("after", type=pathlib.Path)
    comparing.add_argument("--most", type=int, default=20)
    options = parser.parse_args()
    if options.command == "compare":
        return compare(options.before, options.after, options.most)
    options.folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([options.build / "bin/bundled-code", options.folder], check=True)
    record_random(options.build / "bin/random-programs", options.folder, options.random)
    return 0


if __name__ == "__main__":
    sys.exit(main())
