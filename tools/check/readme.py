#!/usr/bin/env python3
"""Runs every command that a page of the documentation shows and compares what it prints.

    tools/check/readme.py --bin=build/release/bin [PAGE.md ...]

A block of kind `console` holds commands behind `$ `, each with what it prints on both outputs. A line that is
only `...` stands for any lines, also none; `...` in a line for any text. A command that shows no `error:` has
to succeed, one that shows it, or a traceback, to fail. A command goes on in the next line
after a backslash. Commands run in a folder of their own that sees the repository's, with the built tools first on PATH, the
built package for `python3`, and `cc` and `c++` finding header and library; blocks of one page share it.

A block whose first line names a file, as "```python add.py" does, is written to that file. A block behind the line
`<!-- needs: torch -->` is left out where Python has no PyTorch with a GPU. `--sanitized` leaves out blocks in which Python or a
program of their own loads the library, as a library with sanitizers wants a process that has them too. Other blocks (`sh`: what takes long or needs
more than a build) are not run.
"""

import argparse
import concurrent.futures
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^(?P<needs><!-- needs: torch -->\n+)?```(?P<kind>\w+)(?: (?P<file>[\w./-]+))?\n(?P<text>.*?)^```", re.M | re.S)
LOADS_LIBRARY = re.compile(r"^\$ .*\b(?:python3|cc|c\+\+|tegula bench) ", re.M)
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
    """A regular expression for the lines that a page shows."""
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
    fails = any(re.search("error:|^Traceback", line) for line in expected)
    printed = "".join(line.rstrip() + "\n" for line in ran.stdout.splitlines())
    if (ran.returncode != 0) != fails:
        return f"its status is {ran.returncode}; it printed\n{printed}"
    if not pattern_of(expected).fullmatch(printed):
        return f"it printed\n{printed}"
    return None


def make_folder(folder):
    """Fills a folder with links to what the repository holds."""
    for entry in ROOT.iterdir():
        if not entry.name.startswith(".") and entry.name != "build":
            os.symlink(entry, pathlib.Path(folder) / entry.name)


def check(path, environment, has_torch, sanitized):
    """Checks one page; returns the number of its commands, and what is said of those that are wrong."""
    text = path.read_text(encoding="utf-8")
    count, wrong = 0, []
    with tempfile.TemporaryDirectory() as folder:
        make_folder(folder)
        for block in BLOCK.finditer(text):
            if block["needs"] and not has_torch or sanitized and LOADS_LIBRARY.search(block["text"]):
                continue
            if block["file"]:
                (pathlib.Path(folder) / block["file"]).write_text(block["text"], encoding="utf-8")
            if block["kind"] != "console":
                continue
            first = text.count("\n", 0, block.start("text")) + 1
            for number, command, expected in commands_of(block["text"]):
                count += 1
                if problem := check_command(command, expected, folder, environment):
                    shown = os.path.relpath(path, ROOT)
                    wrong.append(f"{shown}:{first + number}: `{command}` is not as shown: {problem}")
    return count, wrong


def python_with_numpy():
    """Returns the path of the first interpreter that has NumPy."""
    for name in (os.environ.get("TEGULA_TEST_PYTHON"), sys.executable, "/usr/bin/python3"):
        if name and subprocess.run([name, "-c", "import numpy"], capture_output=True).returncode == 0:
            return name
    raise SystemExit("tools/check/readme.py: no Python with NumPy was found")


def environment_for(binaries, folder):
    """Returns the environment of commands; `folder` gets what has to be on PATH besides the built tools."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TEGULA_")}
    wrapper = folder / "python3"  # not a link: an interpreter of a virtual environment looks where it was called
    wrapper.write_text(f'#!/bin/sh\nexec "{python_with_numpy()}" "$@"\n', encoding="utf-8")
    wrapper.chmod(0o755)
    environment["PATH"] = f"{binaries}:{folder}:{environment['PATH']}"
    environment["PYTHONPATH"] = str(binaries.parent / "python")
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    environment["CPATH"] = str(binaries.parent / "include")
    environment["LIBRARY_PATH"] = environment["LD_LIBRARY_PATH"] = str(binaries.parent / "lib")
    environment["NO_COLOR"] = "1"
    # On a GPU the numbers of a report differ; what a page shows is the emulator's unless it says otherwise.
    environment["TEGULA_DEVICE"] = "emulator"
    environment["TEGULA_CACHE_DIR"] = ""
    return environment


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="the folder of the built tools")
    parser.add_argument("--sanitized", action="store_true", help="leave out what loads the library into other programs")
    parser.add_argument("files", nargs="*", help="pages; all of the repository where none are named")
    options = parser.parse_args()
    files = [pathlib.Path(file).resolve() for file in options.files] or sorted(
        path for path in ROOT.rglob("*.md") if "build" not in path.relative_to(ROOT).parts)
    with tempfile.TemporaryDirectory() as folder:
        environment = environment_for(pathlib.Path(options.bin).resolve(), pathlib.Path(folder))
        probe = "import sys, torch; sys.exit(not torch.cuda.is_available())"
        has_torch = subprocess.run(["python3", "-c", probe], env=environment, capture_output=True).returncode == 0
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
            found = list(threads.map(functools.partial(check, environment=environment, has_torch=has_torch, sanitized=options.sanitized), files))
    total, wrong = sum(count for count, _ in found), [text for _, texts in found for text in texts]
    print(*wrong, f"{total} commands of {len(files)} pages, {len(wrong)} not as shown", sep="\n")
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main())
