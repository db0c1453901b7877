#!/usr/bin/env python3
"""Changes one operator of the compiler at a time and counts how many of the changes the quick tests notice.

    mutants.py pick COPY [--count=200] [--files=N] [--seed=1]   chooses places in N files of compiler/, and writes them
                                                                into COPY, a worktree of its own at HEAD
    mutants.py build COPY                                       builds COPY once, with all of them in it, all off
    mutants.py trace COPY                                       runs each quick test once: what does it reach?
    mutants.py run COPY [--only=K,...]                          turns on one after the other, and runs the tests that
                                                                reach it, quick and near ones first, until one fails
    mutants.py show COPY                                        prints the table

`trace` and `run` go on where they were stopped; `--seconds=N` stops them, and they exit with 1. A file is chosen before
a place in it, so that small files count as much as large ones; a place that does not compile is replaced by another,
of its file where one is left. Needs the package python3-clang-22. Tests that look at sources (check.*) are left out:
they see every place.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import json
import multiprocessing
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import mutation

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBCLANG = "/usr/lib/llvm-22/lib/libclang-22.so.1"
HEADER, PRECOMPILED = "compiler/Mutant.h", "CMakeFiles/tegula_pch.dir/cmake_pch.hxx.pch"
#: What a test may take of memory and disk: a mutant may allocate without an end.
MOST_MEMORY, MOST_FILE = 12 << 30, 1 << 30
#: A test that takes longer than so many times its usual time, and so many seconds, hangs.
PATIENCE, LEAST_PATIENCE = 5, 15
#: Several processes of lit that note times in one file leave lines that none of them can read afterwards.
WITHOUT_TIMES = "--skip-test-time-recording"

# Lets lit hand the variables of mutants from its own environment to the tests.
LIT = """
import os
for name in ("TEGULA_MUTANT", "TEGULA_MUTANT_TRACE"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.environment["LLVM_DISABLE_SYMBOLIZATION"] = "1"
"""


# ---- choosing places

def configure(copy):
    """Makes the worktree, with the sources as they are at HEAD, and what the build generates for them."""
    if not copy.exists():
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "--detach", copy, "HEAD"], check=True)
    subprocess.run(["git", "-C", copy, "checkout", "--quiet", "HEAD", "--", "."], check=True)
    subprocess.run(["cmake", "--preset", "release"], cwd=copy, check=True, stdout=subprocess.DEVNULL)
    build = copy / "build/release"
    listed = subprocess.run(["ninja", "-C", build, "-t", "targets", "rule", "CUSTOM_COMMAND"], check=True, text=True,
                            capture_output=True).stdout.split("\n")
    generated = [name for name in listed if re.match(r"(compiler|dialect)/.*\.(inc|h)$", name)]
    subprocess.run(["ninja", "-C", build, "--quiet", *generated, PRECOMPILED], check=True)


def commands_of(copy):
    """Returns how each source of the compiler is parsed, by its path from the root.

    libclang refuses the compiler's precompiled headers for its own defaults, unless it is told not to look at them.
    """
    result = {}
    for command in json.loads((copy / "build/release/compile_commands.json").read_text()):
        file = os.path.relpath(command["file"], copy)
        if file.startswith("compiler/") and file.endswith(".cpp"):
            words = shlex.split(command["command"])
            words = words[1:words.index("-o")]
            if "-include-pch" in words:
                # Named from the build folder there.
                named = words.index("-include-pch") + 1
                words[named] = str(copy / "build/release" / words[named])
                words += ["-Xclang", "-fno-validate-pch"]
            result[file] = words
    return dict(sorted(result.items()))


def places_in(task):
    """Returns the places of a file, in an order by chance."""
    copy, file, command, seed = task
    from clang import cindex
    if not cindex.Config.loaded:
        cindex.Config.set_library_file(LIBCLANG)
    path, source = str(copy / file), (copy / file).read_bytes()
    unit = cindex.Index.create().parse(path, command)
    if any(found.severity >= cindex.Diagnostic.Error for found in unit.diagnostics):
        raise RuntimeError(f"{file}: {unit.diagnostics[0]}")
    places = [dataclasses.replace(place, file=file) for place in mutation.places_of(unit, path, source)]
    random.Random(f"{seed} {file}").shuffle(places)
    return places


def take(spares, taken):
    """Takes the first of a file's spare places that shares no text with those taken; None where there is none left."""
    while spares:
        place = spares.pop(0)
        if not any(mutation.overlap(place, other) for other in taken):
            return place
    return None


def pick(copy, options):
    """Chooses files, then places in them, and writes them into the tree."""
    configure(copy)
    commands, chance, spares, places = commands_of(copy), random.Random(options.seed), {}, []
    chosen = chance.sample(sorted(commands), min(options.files, len(commands)))
    with multiprocessing.Pool(options.jobs) as pool:
        while len(places) < options.count:
            left = [file for file in chosen if file not in spares or spares[file]]
            files = chance.choices(left, k=options.count - len(places))
            new = sorted(set(files) - set(spares))
            spares.update(zip(new, pool.imap(places_in, [(copy, file, commands[file], options.seed) for file in new])))
            for file in files:
                if place := take(spares[file], places):
                    places.append(place)
    places.sort(key=lambda place: (place.file, place.start))
    write(copy, places, spares)
    print(f"{len(places)} places in {len({place.file for place in places})} files")


def write(copy, places, spares):
    """Writes the places into the sources of the tree."""
    (copy / HEADER).write_text(mutation.header(len(places)))
    numbered = collections.defaultdict(list)
    for number, place in enumerate(places):
        numbered[place.file].append((number, place))
    for file in {**spares, **numbered}:
        text = mutation.rewritten(original(copy, file), numbered[file])
        update(copy / file, f'#include "{HEADER}"\n'.encode() + text if numbered[file] else text)
    update(copy / "test/lit.cfg.py", original(copy, "test/lit.cfg.py") + LIT.encode())
    save(copy, "places", [dataclasses.asdict(place) for place in places])
    save(copy, "spares", {file: [dataclasses.asdict(place) for place in spares[file]] for file in spares})


def original(copy, file):
    return subprocess.run(["git", "-C", copy, "show", f"HEAD:{file}"], check=True, capture_output=True).stdout


def update(path, text):
    """Writes a file that changes; the others keep their time, so that they are not compiled again."""
    if not path.exists() or path.read_bytes() != text:
        path.write_bytes(text)


def line_of(copy, place):
    return original(copy, place.file)[:place.start].count(b"\n") + 1


# ---- building

def build(copy, options):
    """Builds the tree; places that do not compile are replaced by others of their file."""
    command = ["ninja", "-C", copy / "build/release", "-k", "0", "-j", str(options.jobs)]
    while True:
        said = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if said.returncode == 0:
            return
        errors = collections.defaultdict(set)
        for path, line in re.findall(r"^(\S+?):(\d+):\d+: (?:fatal )?error:", said.stdout, re.M):
            # ccache gives the compiler paths from the build folder.
            errors[os.path.relpath(copy / "build/release" / path, copy)].add(int(line))
        if not replace(copy, errors):
            raise SystemExit(said.stdout[-5000:])


def replace(copy, errors):
    """Replaces the places on the lines of errors, or all of a file that has errors on other lines only."""
    places, spares = places_of(copy), spares_of(copy)
    wrong = {number for number, place in enumerate(places) if line_of(copy, place) + 1 in errors.get(place.file, ())}
    found = {places[number].file for number in wrong}
    wrong |= {number for number, place in enumerate(places) if place.file in errors and place.file not in found}
    kept = [place for number, place in enumerate(places) if number not in wrong]
    for number in sorted(wrong):
        place = places[number]
        print(f"{number} does not compile: {place.file}:{line_of(copy, place)}: `{place.changed()}`", flush=True)
        places[number] = next(new for file in [place.file, *spares] if (new := take(spares[file], kept)))
        kept.append(places[number])
    write(copy, places, spares)
    return bool(wrong)


# ---- what is known, in files of the build folder

def save(copy, name, value):
    """Writes a file at once, so that a stop leaves the one before."""
    path = copy / f"build/mutants-{name}.json"
    new = path.with_suffix(".new")
    new.write_text(json.dumps(value))
    new.rename(path)


def load(copy, name):
    path = copy / f"build/mutants-{name}.json"
    return json.loads(path.read_text()) if path.exists() else {}


def places_of(copy):
    return [mutation.Place(**fields) for fields in load(copy, "places")]


def spares_of(copy):
    return {file: [mutation.Place(**fields) for fields in places] for file, places in load(copy, "spares").items()}


# ---- tests

@dataclasses.dataclass
class Test:
    name: str
    command: list
    folder: str
    environment: dict
    output: str  # a regular expression that makes it pass, whatever its exit code; empty if none
    busy: threading.Lock = dataclasses.field(default_factory=threading.Lock)


def tests_of(copy):
    """Returns the quick tests by name; each file of lit is one."""
    listed = subprocess.run(["ctest", "--test-dir", copy / "build/release", "-L", "quick", "--show-only=json-v1"],
                            check=True, text=True, capture_output=True).stdout
    result = {}
    for entry in json.loads(listed)["tests"]:
        if not entry["name"].startswith("check."):
            for test in units_of(entry, copy):
                result[test.name] = test
    return result


def units_of(entry, copy):
    said = {fact["name"]: fact["value"] for fact in entry["properties"]}
    command, folder = entry["command"], said["WORKING_DIRECTORY"]
    environment = dict(word.split("=", 1) for word in said.get("ENVIRONMENT", []))
    output = "|".join(said.get("PASS_REGULAR_EXPRESSION", []))
    if pathlib.Path(command[0]).name != "lit":
        return [Test(entry["name"], command, folder, environment, output)]
    build = copy / "build/release"
    return [Test(os.path.relpath(file, build), [*command[:2], WITHOUT_TIMES, file], folder, environment, output)
            for file in command[2:]]


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE, MOST_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def passes(test, variables, patience):
    """Runs a test in a home of its own, where nothing is cached; a test that hangs does not pass."""
    with test.busy, tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, **test.environment, "HOME": home, "XDG_CACHE_HOME": home, "TMPDIR": home,
                       "LLVM_DISABLE_SYMBOLIZATION": "1", **variables}
        ran = subprocess.Popen(test.command, cwd=test.folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                               preexec_fn=limit)
        try:
            text = ran.communicate(timeout=patience)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(ran.pid, signal.SIGKILL)
            ran.communicate()
            return False
    return re.search(test.output, text) is not None if test.output else ran.returncode == 0


def trace(copy, options):
    """Runs each test once with all mutants off, and keeps how long it took and which places it reached."""
    traced, guard = load(copy, "traces") or {}, threading.Lock()
    waiting = [test for name, test in tests_of(copy).items() if name not in traced]
    end = time.monotonic() + options.seconds

    def one(test):
        if time.monotonic() > end:
            return
        with tempfile.TemporaryDirectory() as folder:
            begin = time.monotonic()
            good = passes(test, {"TEGULA_MUTANT_TRACE": folder}, 600)
            entry = {"passes": good, "seconds": time.monotonic() - begin,
                     "reached": sorted(int(name) for name in os.listdir(folder))}
        with guard:
            traced[test.name] = entry
            if len(traced) % 50 == 0:
                save(copy, "traces", traced)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, waiting))
    save(copy, "traces", traced)
    failing = [name for name in traced if not traced[name]["passes"]]
    print(f"{len(traced)} tests, {sum(entry['seconds'] for entry in traced.values()):.0f} s; "
          f"left out, since they fail with all mutants off: {' '.join(failing) or 'none'}")
    return int(any(test.name not in traced for test in waiting))


# ---- mutants

def words_of(path):
    """Returns the words of a path or of a test's name, in small letters."""
    found = {word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", path)}
    return found - {"compiler", "test", "cpp", "mlir"}


def order(place, names, traced):
    """Sorts tests by time, those with words of the place's file in their name before others that take as long."""
    near = words_of(place.file)
    return sorted(names, key=lambda name: (traced[name]["seconds"] / (1 + len(near & words_of(name))) ** 2, name))


def run(copy, options):
    """Runs the tests that reach each mutant until one fails."""
    places, traced, tests = places_of(copy), load(copy, "traces"), tests_of(copy)
    results, guard, end = load(copy, "results") or {}, threading.Lock(), time.monotonic() + options.seconds
    good = [name for name in traced if traced[name]["passes"] and name in tests]
    only = [int(word) for word in options.only.split(",") if word]

    def one(number):
        result = results.setdefault(str(number), {"state": "running", "passed": []})
        reaching = [name for name in good if number in traced[name]["reached"] and name not in result["passed"]]
        for name in order(places[number], reaching, traced):
            if time.monotonic() > end:
                return
            patience = max(LEAST_PATIENCE, PATIENCE * traced[name]["seconds"])
            if not passes(tests[name], {"TEGULA_MUTANT": str(number)}, patience):
                result.update(state="killed", by=name)
                break
            result["passed"].append(name)
        else:
            result["state"] = "survived" if result["passed"] else "unreached"
        with guard:
            save(copy, "results", results)
        print(f"{number} {result['state']} {result.get('by', '')}", flush=True)

    waiting = [number for number in only or range(len(places))
               if results.get(str(number), {}).get("state", "running") == "running"]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, waiting))
    save(copy, "results", results)
    return show(copy, options)


def show(copy, options):
    places, results = places_of(copy), load(copy, "results")
    states = collections.Counter(results.get(str(number), {}).get("state", "waiting") for number in range(len(places)))
    for number, place in enumerate(places):
        state = results.get(str(number), {}).get("state", "waiting")
        if state in ("survived", "unreached"):
            print(f"{number} {state} {place.file}:{line_of(copy, place)}: `{place.original}` -> `{place.changed()}`")
    print(f"{len(places)} mutants: " + ", ".join(f"{states[state]} {state}" for state in sorted(states)))
    return int(states["waiting"] + states["running"] > 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = {"pick": pick, "build": build, "trace": trace, "run": run, "show": show}
    parser.add_argument("step", choices=steps)
    parser.add_argument("copy", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--files", type=int, default=1000, help="the most files that places are chosen in")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="the numbers of mutants to run; all where it is left out")
    options = parser.parse_args()
    return steps[options.step](options.copy.resolve(), options)


if __name__ == "__main__":
    sys.exit(main())
