#!/usr/bin/env python3
"""Compares the pages that list things with the sources that they list, both ways.

    pages.py

- compiler/PERFORMANCE.md has a section for each pass that makes remarks, and each remark and reason in its words.
- runtime/VARIABLES.md has each environment variable that anything reads, and none that nothing reads.
- compiler/TROUBLESHOOTING.md quotes messages: each piece of a quoted one is in the sources.
- README.md gives ranges of the rates that kernels/README.md has, and a figure of runtime/python/INDUCTOR.md.

`...` in a page stands for what a message fills in.
"""

import re
import sys

import tree

GUIDE, VARIABLES, TROUBLES = "compiler/PERFORMANCE.md", "runtime/VARIABLES.md", "compiler/TROUBLESHOOTING.md"
README, RATES, INDUCTOR = "README.md", "kernels/README.md", "runtime/python/INDUCTOR.md"

LITERAL = r'"(?:[^"\\\n]|\\.)*"'
LITERALS = rf'{LITERAL}(?:\s*{LITERAL})*'
PLACE = re.compile(r"\{[^{}]*\}")
FENCED = re.compile(r"^```.*?^```$", re.M | re.S)
CODE = re.compile(r"(`+)(.+?)(?<!`)\1(?!`)", re.S)

# Calls that make remarks, and files whose texts are no reasons of remarks but broken promises between passes.
REMARK = re.compile(rf"remark::(?:add|reason)\(\s*({LITERALS})|because\((?:[^\"();]|\([^()]*\))*?({LITERALS})")
DIRECT = re.compile(rf'(?:category\("[\w-]+"\)|remarkOptions\([^()]*\))\)\s*<<\s*({LITERALS})')
# Changes that a reason names: the guide says them at greater length.
CHANGE = re.compile(rf"\.fixedBy\(\s*{LITERALS}\)")
CATEGORY = re.compile(r'(?:category|remarkOptions)\("([\w-]+)"')
INTERNAL = {"compiler/schedule/specialize/SpecializeWarps.cpp", "compiler/schedule/pipeline/ModuloSchedule.cpp",
            "compiler/schedule/pipeline/SoftwarePipeliner.cpp"}
# Files in which every text of several words is a reason of a remark, however it gets there.
WORDED = {"compiler/analysis/access/MemoryAccess.cpp", "compiler/lower/memory/PlaceBarriers.cpp",
          "compiler/lower/patterns/AccessRemarks.cpp", "compiler/schedule/plan/PrefetchPlan.cpp"}

# Variables of the environment in C++ and in Python: read by name, or of a knob. `knobs` makes names of tools.
READ = re.compile(r'(?:getenv|environment|environ\.get|getenv_bool|environ)[(\[]\s*"([A-Z][A-Z0-9_]+)"|"([A-Z][A-Z0-9_]+)" (?:not )?in os\.environ'
                  r'|(?:env_\w+|_\w+Dir|_CacheDir)\("([A-Z][A-Z0-9_]+)"|variable\w* = "([A-Z][A-Z0-9_]+)"|VARIABLE = "([A-Z][A-Z0-9_]+)"'
                  r'|_WANTS_WORKERS = "([A-Z_]+)"')
TOOL = re.compile(r'env_nvidia_tool\("([\w-]+)"')


def joined(literals):
    """Returns the text of string literals that follow each other."""
    text = "".join(piece[1:-1] for piece in re.findall(LITERAL, literals))
    return text.replace('\\"', '"').replace("\\n", " ")


def plain(text):
    """Returns a text without what differs between a message and its quotation: backticks, and how lines break."""
    return re.sub(r"\s+", " ", text.replace("`", "")).strip()


def remarks_of(sources):
    """Yields (path, text) of each remark and reason, `...` for what it fills in."""
    for path, text in sources.items():
        if path in INTERNAL:
            continue
        text = CHANGE.sub("", text)
        found = [next(group for group in match.groups() if group) for match in [*REMARK.finditer(text), *DIRECT.finditer(text)]]
        if path in WORDED:
            found += [literals for literals in re.findall(LITERALS, text) if literals.count(" ") > 2 and ".h\"" not in literals]
        for literals in found:
            message = plain(PLACE.sub("...", joined(literals)))
            if message.strip(". ,"):
                yield path, message


def wrong_remarks(page):
    """Returns what the performance guide lacks."""
    sources = tree.texts_of("compiler/*.cpp")
    quoted = {plain(match[2]) for match in CODE.finditer(FENCED.sub("", page))}
    wrong = [f"{path}: the guide {GUIDE} does not have the remark `{message}`" for path, message in remarks_of(sources)
             if not any(message in text for text in quoted)]
    passes = {name: path for path, text in sources.items() for name in CATEGORY.findall(text)}
    heads = " ".join(re.findall(r"^### .*$", page, re.M))
    wrong += [f"{path}: the guide {GUIDE} has no section for `{name}`" for name, path in passes.items() if f"`{name}`" not in heads]
    wrong += [f"{GUIDE}: no pass `{name}` makes remarks" for name in re.findall(r"`([\w-]+)`", heads) if name not in passes]
    return len(passes), wrong


def wrong_variables(page):
    """Returns the variables that the page lacks, and those that it has in vain."""
    sources = tree.texts_of("compiler/*.cpp", "runtime/*.cpp", "runtime/*.h", "runtime/*.py", "runtime/*.in", "tools/tegula/*.cpp")
    read = {}
    for path, text in sources.items():
        for match in READ.finditer(text):
            read[next(group for group in match.groups() if group)] = path
        for name in TOOL.findall(text):
            read[f"TRITON_{name.upper().replace('-', '_')}_PATH"] = path
    listed = set(re.findall(r"`([A-Z][A-Z0-9_]{3,}|CC)`", page))
    wrong = [f"{path}: {VARIABLES} does not have the variable {name}" for name, path in sorted(read.items()) if name not in listed]
    wrong += [f"{VARIABLES}: nothing reads the variable {name}" for name in sorted(listed - set(read))]
    return len(read), wrong


def is_written(piece, texts):
    """Returns whether a piece of a message is part of one of the sources' texts, or one of them followed by another."""
    return any(piece in text for text in texts) or any(
        piece.removesuffix(end).strip() in texts for end in texts if " " in end and piece.endswith(f" {end}"))


def wrong_messages(page):
    """Returns the quoted messages that no source has. They stand in the headings of the page."""
    sources = tree.texts_of("compiler/*.cpp", "compiler/*.h", "compiler/*.py", "compiler/*.pyi", "runtime/*.cpp", "runtime/*.h", "runtime/*.py",
                      "runtime/*.in", "tools/tegula/*.cpp")
    prefixed = rf"f?{LITERAL}(?:\s*f?{LITERAL})*"
    texts = {plain(PLACE.sub("...", joined(literals))) for source in sources.values() for literals in re.findall(prefixed, source)}
    messages = [plain(match[2]) for heading in re.findall(r"^### (.*)$", page, re.M) for match in CODE.finditer(heading)]
    wrong = []
    for message in messages:
        pieces = [piece.strip() for piece in message.split("...")]
        wrong += [f"{TROUBLES}: no message has `{piece}`" for piece in pieces if len(piece) > 2 and not is_written(piece, texts)]
    return len(messages), wrong


def rates_of(page):
    """Returns the rates of each kernel compared with Triton's, from the tables of measurements."""
    rates, column = {}, None
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if "to Triton" in cells:
            column = cells.index("to Triton")
        elif column and len(cells) > column and re.fullmatch(r"\d+\.\d+", cells[column]):
            rates.setdefault(cells[0], []).append(float(cells[column]))
        elif not cells:
            column = None
    return rates


def wrong_ranges(page):
    """Returns the figures of the README that are not those of the pages with the measurements."""
    rates, wrong = rates_of(tree.text_of(RATES)), []
    rows = re.findall(r"^\| rate of (.*?) \| ([\d.]+) to ([\d.]+) \|", page, re.M)
    for kernels, low, high in rows:
        measured = [rate for name in re.findall(r"`(\w+)`", kernels) for rate in rates[name]]
        if (low, high) != (f"{min(measured):.2f}", f"{max(measured):.2f}"):
            wrong.append(f"{README}: {RATES} has {min(measured):.2f} to {max(measured):.2f} for {kernels}, found {low} to {high}")
    time = re.search(r"^\| time in `triton.compile`.*?\| ([\d.]+) \|", page, re.M)
    if not time or f"and {time[1]} for the first five" not in plain(tree.text_of(INDUCTOR)):
        wrong.append(f"{README}: {INDUCTOR} has another share of the time in `triton.compile`")
    return len(rows), wrong


def main():
    counts, wrong = [], []
    for page, check in ((GUIDE, wrong_remarks), (VARIABLES, wrong_variables), (TROUBLES, wrong_messages), (README, wrong_ranges)):
        count, found = check(tree.text_of(page))
        counts.append(count)
        wrong += found
    print(*wrong, f"pages: {counts[0]} passes, {counts[1]} variables, {counts[2]} messages, {counts[3]} ranges, {len(wrong)} wrong", sep="\n")
    return 1 if wrong or not all(counts) else 0


if __name__ == "__main__":
    sys.exit(main())
