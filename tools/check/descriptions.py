#!/usr/bin/env python3
"""Fails on an op, type, attribute or pass that does not say what it is, or on a check without a test.

    descriptions.py --tblgen=PATH/llvm-tblgen --include=PATH/include

The reference pages are generated from the .td files, so a missing summary or description is a hole in them. A
hand-written check has a number in its op's description, as `(load_c1)`; the number must appear in a comment at the code
that checks it and begin the name of a test that provokes it.
"""

import argparse
import json
import re
import subprocess
import sys

import tree

KINDS = {"Op": "op", "TypeDef": "type", "AttrDef": "attribute", "PassBase": "pass", "Dialect": "dialect"}
CHECK = re.compile(r"\((\w+_c\d+)\)")
INCLUDE = re.compile(r'^include "((?:dialect|compiler)/[^"]+)"', re.M)


def records(tblgen, include, path):
    command = [tblgen, "--dump-json", "-I", ".", "-I", include, path]
    dump = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    for name, record in dump.items():
        if not isinstance(record, dict) or record.get("!anonymous"):
            continue
        for base, kind in KINDS.items():
            if base in record.get("!superclasses", []):
                yield kind, name, record


def check_records(args, definitions):
    included = {name for text in definitions.values() for name in INCLUDE.findall(text)}
    seen, wrong = set(), []
    for path in sorted(set(definitions) - included):
        for kind, name, record in records(args.tblgen, args.include, path):
            is_ours = any(f"def {record['!name']} " in text for text in definitions.values())
            if name in seen or not is_ours:
                continue
            seen.add(name)
            for part in ("summary", "description"):
                if not (record.get(part) or "").strip():
                    wrong.append(f"{path}: {kind} {name} has no {part}")
            summary = (record.get("summary") or "").strip()
            if summary and (summary[0].isupper() and not summary[:2].isupper() or summary.endswith(".")):
                wrong.append(f"{path}: expected a lower-case phrase as summary of {kind} {name}, found: {summary}")
    return len(seen), wrong


def check_numbers(definitions):
    code, tests = tree.texts_of("dialect/*.cpp", "compiler/*.cpp"), tree.texts_of("test/*.mlir", "test/*.cpp")
    in_code = {number for text in code.values() for number in re.findall(r"\w+_c\d+", text)}
    in_tests = {number for text in tests.values() for number in re.findall(r"[a-z_]+_c\d+", text)}
    numbers, wrong = 0, []
    for path, text in definitions.items():
        for number in CHECK.findall(text):
            numbers += 1
            if number not in in_code:
                wrong.append(f"{path}: check {number} is in no code")
            if number not in in_tests:
                wrong.append(f"{path}: check {number} has no test of that name")
    described = {number for text in definitions.values() for number in CHECK.findall(text)}
    for path, text in code.items():
        for number in sorted(set(re.findall(r"\w+_c\d+(?=[,)])", text)) - described):
            wrong.append(f"{path}: check {number} is described in no .td file")
    return numbers, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tblgen", required=True)
    parser.add_argument("--include", required=True)
    args = parser.parse_args()
    definitions = tree.texts_of("dialect/*.td", "compiler/*.td")
    things, wrong = check_records(args, definitions)
    numbers, missing = check_numbers(definitions)
    for line in wrong + missing:
        print(line)
    print(f"descriptions: {things} things, {numbers} checks, {len(wrong) + len(missing)} wrong")
    return 1 if wrong or missing or not things else 0


if __name__ == "__main__":
    sys.exit(main())
