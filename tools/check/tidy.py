#!/usr/bin/env python3
"""Runs clang-tidy with the checks of .clang-tidy over our sources, or over those in the folders or files named.

    tools/check/tidy.py --build=build/release [--jobs=N] [FOLDER or FILE ...]

Needs a finished build, since it reads generated headers and the commands by which each file is compiled. A file
takes 1 to 20 seconds and all of them the better part of an hour on one core: this is no part of the tests.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def sources_of(build, wanted):
    """The sources that the build compiles and that lie in one of the places wanted."""
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    files = {pathlib.Path(command["directory"], command["file"]).resolve() for command in commands}
    return sorted(file for file in files if not file.is_relative_to(build)
                  and any(file.is_relative_to(place) for place in wanted))


def tidy(tool, build, file):
    """Returns clang-tidy's findings in a file; None where there are none."""
    ran = subprocess.run([tool, "-p", str(build), "--quiet", str(file)], text=True, errors="replace",
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return (ran.stdout or ran.stderr) if ran.returncode else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, help="the folder of a finished build")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many files at once; all cores if left out")
    parser.add_argument("--tool", default="clang-tidy-22")
    parser.add_argument("places", nargs="*", help="folders and files; the whole repository where none are named")
    options = parser.parse_args()
    build = pathlib.Path(options.build).resolve()
    wanted = [pathlib.Path(place).resolve() for place in options.places] or [ROOT]
    files = sources_of(build, wanted)
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for file, found in zip(files, pool.map(lambda file: tidy(options.tool, build, file), files)):
            if found is not None:
                wrong += 1
                print(f"--- {file.relative_to(ROOT)}\n{found}", flush=True)
    print(f"{len(files)} files, {wrong} with findings")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
