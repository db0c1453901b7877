#!/usr/bin/env python3
"""Explains every bundled kernel for several architectures and holds what comes out to its schema and its promises.

    tools/check/insight.py --bin=build/release/bin [--arch=sm_90a,...] [FILE.py ...]

The promises: each instruction of PTX has one place or none, places are inside their files, counts by instruction add up to
those of the launch, tables refer to rows that there are, and a document does not differ from itself. The schema needs the
package jsonschema (Debian: python3-jsonschema); without it that part is left out, and the last line says so.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    jsonschema = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "tools/insight/insight.schema.json"
DOCUMENTED = re.compile(r"^ *tegula run (\S+)(.*)$", re.M)


def kernels_of(path):
    """The kernels that the file's text says how to run."""
    text = re.sub(r"\\+\n\s*", " ", path.read_text(encoding="utf-8"))
    for match in DOCUMENTED.finditer(text):
        words = shlex.split(match.group(2))
        yield words[words.index("-k") + 1] if "-k" in words else None


def place_problems(document):
    files = [file["text"].split("\n") if "text" in file else None for file in document["files"]]
    for number, (file, line, column, end_line, end_column, caller) in enumerate(document["places"]):
        if 0 <= file < len(files) and files[file] is None:
            continue  # a file of the language itself
        if not (0 <= file < len(files) and 1 <= line <= end_line <= len(files[file])):
            yield f"place {number} is outside of its file"
        elif column > len(files[file][line - 1].encode()) + 1 or end_column > len(files[file][end_line - 1].encode()) + 1:
            yield f"place {number} is outside of its line"
        if caller >= len(document["places"]):
            yield f"place {number} was called from a place that there is not"


def reference_problems(document):
    places, layouts, stages = (len(document[name]) for name in ("places", "layouts", "stages"))
    for text in [*document["stages"], document["ptx"]]:
        lines = text["text"].count("\n") + 1
        if any(not (1 <= line <= lines and -1 <= place < places) for line, place in text["spans"]):
            yield "a span refers to a line or place that there is not"
    rows = [line for line, _ in document["ptx"]["spans"]]
    if rows != sorted(set(rows)):
        yield "an instruction of PTX has two places"
    for value in document["values"]:
        if not (value["place"] < places and value["layout"] < layouts and value["stage"] < stages):
            yield f"value {value['ssa']} refers to a row that there is not"
    instructions = set(rows)
    for row in document["counters"]["perPtxLine"]:
        if row[0] not in instructions:
            yield f"line {row[0]} of PTX was executed and is no instruction"
    # The beginning of a function has the line of its brace, and what follows its end another.
    lines = document.get("sass", {}).get("ptxLines", [])
    without = sum(line not in instructions for line in lines)
    if without > max(2, 0.02 * len(lines)):
        yield f"{without} of {len(lines)} instructions of machine code come from lines of PTX that are none"


def loop_problems(document):
    for loop in document["loops"]:
        ops, groups = loop["ops"], loop["groups"]
        if any(group >= len(groups) for _, _, _, _, group, _ in ops):
            yield f"a step of the loop at line {loop['textLine']} is of a group of warps that there is not"
        warps = [warp for group in groups for warp in range(group["firstWarp"], group["firstWarp"] + group["warps"])]
        if len(warps) != len(set(warps)):
            yield f"a warp is in two groups of the loop at line {loop['textLine']}"
        for signal in loop["signals"]:
            if max(signal["from"], signal["to"]) >= len(ops) or ops[signal["to"]][1] != "wait":
                yield f"a signal of the loop at line {loop['textLine']} ends at no wait"
        # A wait of a loop at a barrier, or for copies, is for a step of that loop.
        waits = [i for i, op in enumerate(ops) if op[5] in ("tgpu.barrier_wait", "tgpu.async_wait")]
        if not {signal["to"] for signal in loop["signals"]}.issuperset(waits):
            yield f"a wait of the loop at line {loop['textLine']} is for nothing"


def sum_problems(document):
    counters = document["counters"]
    sums = [sum(column) for column in zip(*counters["perPtxLine"])][1:]
    if sums != counters["total"]:
        yield f"counts by instruction add up to {sums}, those of the launch are {counters['total']}"
    column = {name: i for i, name in enumerate(counters["columns"])}
    for space, op, name in (("global", "load", "loadSectors"), ("global", "store", "storeSectors")):
        of_accesses = sum(a["units"] for a in document["accesses"] if a["space"] == space and a["op"] == op)
        if of_accesses != counters["total"][column[name]]:
            yield f"accesses have {of_accesses} of {name}, the launch {counters['total'][column[name]]}"
    if document["roofline"]["bytesMoved"] != 32 * (counters["total"][column["loadSectors"]] + counters["total"][column["storeSectors"]]):
        yield f"the roofline has {document['roofline']['bytesMoved']} bytes moved, which are not those of the sectors"
    for access in document["accesses"]:
        seen = sum(pattern["count"] for pattern in access["patterns"])
        if seen > access["requests"] or (0 < seen < access["requests"] and len(access["patterns"]) < 8):
            yield f"line {access['ptxLine']} of PTX made {access['requests']} requests, its patterns have {seen}"
        if access["units"] < access["unitsLeast"]:
            yield f"line {access['ptxLine']} of PTX cost less than the least possible"


def check(tegula, path, kernel, arch, folder):
    name = f"{path.name} {kernel or ''} {arch}"
    out = pathlib.Path(folder) / (re.sub(r"\W", "_", name) + ".json")
    command = [tegula, "explain", str(path), *(["-k", kernel] if kernel else []), f"--arch={arch}"]
    made = subprocess.run([*command, f"--json={out}"], capture_output=True, text=True)
    if made.returncode:
        return [f"{name}: {made.stderr.strip() or made.returncode}"]
    document = json.loads(out.read_text(encoding="utf-8"))
    problems = [*place_problems(document), *reference_problems(document), *loop_problems(document), *sum_problems(document)]
    if jsonschema:
        validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
        problems += [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in validator.iter_errors(document)]
    differs = subprocess.run([*command, f"--diff={out}"], capture_output=True, text=True)
    if differs.returncode or differs.stdout:
        problems.append(f"it differs from itself: {differs.stdout[:200]}{differs.stderr[:200]}")
    return [f"{name}: {problem}" for problem in problems[:5]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--bin", required=True, help="folder with `tegula`")
    parser.add_argument("--arch", default="sm_75,sm_80,sm_90a")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    tegula = os.path.join(os.path.abspath(options.bin), "tegula")
    files = options.files or sorted((ROOT / "kernels").glob("*.py"))
    os.environ["TEGULA_CACHE_DIR"] = ""
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        tries = [pool.submit(check, tegula, path, kernel, arch, folder)
                 for path in files for kernel in kernels_of(path) for arch in options.arch.split(",")]
        problems = [problem for one in tries for problem in one.result()]
    without = "" if jsonschema else ", without the schema: jsonschema is not installed"
    print(*problems, f"insight: {len(tries)} documents, {len(problems)} problems{without}", sep="\n")
    return 1 if problems or not tries else 0


if __name__ == "__main__":
    sys.exit(main())
