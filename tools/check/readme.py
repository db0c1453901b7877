#!/usr/bin/env python3
"""Runs every command that a README shows and compares what it prints.

    tools/check/readme.py --bin=build/release/bin [README.md ...]

A block of kind `console` holds commands behind `$ `, each with what it prints on both outputs. A line that is
only `...` stands for any lines, also none; `...` in a line for any text. A command that shows no `error:` has
to succeed, one that shows it to fail. Commands run in a folder of their own that sees the repository's, with
the built tools first on PATH; blocks of one README share it. Blocks of other kinds (`sh`: what takes long or
needs more than a build) are not run.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.M | re.S)
TIMEOUT_SECONDS = 120


def commands_of(block):
    """Each command of a block with the number of its line in the block and the lines it is to print."""
    commands = []
    continued = False
    for number, line in enumerate(block.splitlines()):
        if continued:
            commands[-1][1] += "\n" + line
        elif line.startswith("$ "):
            commands.append([number, line[2:], []])
        elif commands:
            commands[-1][2].append(line)
        else:
            raise ValueError("a block of kind console has to begin with `$ `")
        continued = line.endswith("\\") and (continued or line.startswith("$ "))
    return commands


def pattern_of(expected):
    """A regular expression for the lines that a README shows."""
    pattern = ""
    for line in expected:
        if line.strip() == "...":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += "[^\n]*".join(re.escape(part) for part in line.rstrip().split("...")) + r"\n"
    return re.compile(pattern)


def check_command(command, expected, folder, environment):
    """Returns the fault of a command, or nothing."""
    try:
        ran = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True, errors="replace",
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        return f"it was not done in {TIMEOUT_SECONDS} seconds"
    fails = any("error:" in line for line in expected)
    printed = "".join(line.rstrip() + "\n" for line in ran.stdout.splitlines())
    if (ran.returncode != 0) != fails:
        return f"its status is {ran.returncode}; it printed\n{printed}"
    if not pattern_of(expected).fullmatch(printed):
        return f"it printed\n{printed}"
    return None


def check(path, environment):
    """Checks one README; the number of its commands, and of those that are wrong."""
    text = path.read_text(encoding="utf-8")
    count = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for entry in ROOT.iterdir():
            if not entry.name.startswith(".") and entry.name != "build":
                os.symlink(entry, pathlib.Path(folder) / entry.name)
        for block in BLOCK.finditer(text):
            first = text.count("\n", 0, block.start(1)) + 1
            for number, command, expected in commands_of(block.group(1)):
                count += 1
                if problem := check_command(command, expected, folder, environment):
                    wrong += 1
                    shown = os.path.relpath(path, ROOT)
                    print(f"{shown}:{first + number}: `{command}` is not as shown: {problem}")
    return count, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="the folder of the built tools")
    parser.add_argument("files", nargs="*", help="READMEs; all of the repository where none are named")
    options = parser.parse_args()
    files = [pathlib.Path(file).resolve() for file in options.files] or sorted(
        path for path in ROOT.rglob("README.md") if "build" not in path.relative_to(ROOT).parts)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TEGULA_")}
    environment["PATH"] = f"{pathlib.Path(options.bin).resolve()}:{environment['PATH']}"
    environment["NO_COLOR"] = "1"
    # On a GPU the numbers of a report differ; what a README shows is the emulator's unless it says otherwise.
    environment["TEGULA_DEVICE"] = "emulator"
    environment["TEGULA_CACHE_DIR"] = ""
    counts = [check(path, environment) for path in files]
    total, wrong = (sum(column) for column in zip(*counts))
    print(f"{total} commands of {len(files)} READMEs, {wrong} not as shown")
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main())
