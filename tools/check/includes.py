#!/usr/bin/env python3
"""Fails when a file includes something that the architecture says it may not see, when units need each other, when a folder
has too many files, and when Python's imports go round (imports.py).

Includes run one way. The picture, each part seeing those left of it:

    layout <- {spec, target} <- {tile, plan} <- tgpu <- analysis <- {simplify, distribute, schedule, lower} <- emit <- driver
    tile <- frontend <- driver      analysis <- {interp, cost, insight} <- driver <- guess <- tools      {interp, frontend} <- debug <- driver      image <- {emit, device}
    host <- device      {device, target} <- {emulator, cache}      cache <- bundle      {device, bundle, driver} <- jit <- api <- {tools, kernels}

Stage folders never include each other, and the compiler sees nothing of the runtime. Rooms of one folder see each other as
the table ROOMS says.

dialect/tile/Limits.h, dialect/tile/LoopSharing.h and dialect/layout/TmaLimits.h are plain numbers, which the runtime reads too. dialect/Outcome.h says
how a function answers that may have no answer, dialect/Counted.h how a message counts things.
"""

import collections
import re
import sys

import imports
import tree

# The parts, each with those that it may include directly besides itself.
PARTS = {
    "dialect/Counted": [],
    "dialect/Outcome": [],
    "dialect/image": ["dialect/Outcome", "dialect/layout/TmaLimits", "dialect/tile/LoopSharing"],
    "dialect/layout": [],
    "dialect/tile": ["dialect/layout"],
    "dialect/tgpu": ["dialect/tile", "dialect/layout"],
    "compiler/spec": [],
    "compiler/target": ["compiler/spec/EditDistance", "dialect/layout"],
    "compiler/plan": ["dialect/layout", "compiler/target"],
    "compiler/analysis": ["dialect/Counted", "dialect/Outcome", "compiler/spec/Feature", "compiler/plan", "compiler/target", "dialect/tgpu", "dialect/tile", "dialect/layout"],
    "compiler/frontend": ["compiler/spec", "compiler/target", "dialect/Counted", "dialect/tile", "dialect/layout"],
}
BELOW_STAGES = ["compiler/analysis", *PARTS["compiler/analysis"]]
PARTS["compiler/interp"] = [*BELOW_STAGES, "compiler/spec/SmallFloat"]
for stage in ("simplify", "distribute", "schedule", "lower"):
    PARTS[f"compiler/{stage}"] = BELOW_STAGES
STAGES = [f"compiler/{s}" for s in ("simplify", "distribute", "schedule", "lower")]
PARTS["compiler/emit"] = [*STAGES, *BELOW_STAGES, "dialect/image"]
PARTS["compiler/cost"] = BELOW_STAGES
PARTS["compiler/insight"] = BELOW_STAGES
PARTS["compiler/debug"] = ["compiler/interp", "compiler/frontend/syntax", "compiler/frontend/values", "compiler/spec", "dialect/Counted", "dialect/tile", "dialect/layout"]
PARTS["compiler/driver"] = ["compiler/cost", "compiler/debug", "compiler/emit", "compiler/frontend", "compiler/insight", "compiler/interp", "compiler/spec", *STAGES, *BELOW_STAGES, "dialect/image"]
PARTS["compiler/guess"] = ["compiler/driver", "compiler/frontend/syntax", "compiler/spec"]
PARTS["runtime/host"] = ["compiler/spec", "dialect/image"]
PARTS["runtime/device"] = ["runtime/host/ChildProcess", "runtime/host/Environment", "runtime/host/Files", "runtime/host/Pack", "dialect/image", "dialect/layout/TmaLimits", "dialect/tile/BlockPairs", "dialect/tile/LoopSharing"]
PARTS["runtime/emulator"] = ["runtime/device", "runtime/host/Environment", "dialect/image", "compiler/target/Target", "compiler/spec/DefaultTarget"]
PARTS["runtime/cache"] = ["runtime/device", "runtime/host/Environment", "runtime/host/Files", "dialect/image"]
PARTS["runtime/bundle"] = ["runtime/cache", "runtime/device", "runtime/host", "compiler/spec", "compiler/target/Target", "dialect/image", "dialect/tile/LoopSharing"]
PARTS["runtime/jit"] = ["runtime/host", "runtime/device", "runtime/cache", "runtime/bundle", "runtime/emulator", "compiler/driver", "compiler/cost/CostModel", "compiler/cost/Terms", "compiler/spec",
                        "compiler/target", "dialect/Counted", "dialect/image", "dialect/tile/Limits", "dialect/tile/LoopSharing"]
PARTS["runtime/api"] = ["runtime/host", "runtime/device", "runtime/emulator/Fabric", "runtime/emulator/Plugin", "runtime/bundle", "runtime/jit", "compiler/cost/EstimateText", "compiler/frontend/syntax/text/Diagnostic", "compiler/driver", "compiler/spec", "compiler/target/Target", "dialect/image",
                        "dialect/tile/Limits", "dialect/tile/LoopSharing"]
PARTS["runtime/python"] = ["runtime/api/tegula_c"]
PARTS["kernels"] = ["runtime/api"]
PARTS["tools"] = ["runtime", "compiler", "dialect"]

# The rooms of a folder: each sees what the folder sees, and of the other rooms those that are listed.
ROOMS = {
    "dialect/tile": {
        "ops": [],
    },
    "compiler/analysis": {
        "integers": [],
        "access": ["integers"],
        "effects": ["access"],
        "plans": [],
        "resources": ["plans"],
    },
    "compiler/interp": {
        "values": [],
        "machine": ["values"],
        "ops": ["machine", "values"],
    },
    "compiler/frontend": {
        "syntax": [],
        "values": ["syntax"],
        "tracing": ["values", "syntax"],
        "eval": ["tracing", "values", "syntax"],
        "builtins": ["eval", "tracing", "values", "syntax"],
    },
    "compiler/frontend/syntax": {
        "text": [],
        "ast": ["text"],
        "parse": ["ast", "text"],
    },
    "compiler/frontend/eval": {
        "text": [],
        "names": ["text"],
        "calls": ["text"],
        "classes": ["calls", "text"],
        "expressions": ["classes", "names"],
        "walk": ["expressions", "classes", "calls", "names", "text"],
    },
    "compiler/frontend/builtins": {
        "tensor": [],
        "python": [],
    },
    "compiler/driver": {
        "names": [],
    },
    "compiler/lower": {
        "math": [],
        "code": [],
        "memory": ["code"],
        "patterns": ["memory", "code"],
    },
    "compiler/schedule": {
        "waste": [],
        "plan": ["waste"],
        "products": ["plan"],
        "persist": ["plan"],
        "atomics": ["persist", "plan"],
        "stores": ["plan"],
        "pipeline": ["products", "plan"],
        "specialize": ["pipeline", "products", "plan"],
    },
    "runtime/device": {
        "assembler": [],
    },
    "runtime/emulator": {
        "numeric": [],
        "memory": [],
        "ptx": ["numeric"],
        "warp": ["ptx", "numeric", "memory"],
        "async": ["warp", "ptx", "numeric", "memory"],
        "machine": ["async", "warp", "ptx", "numeric", "memory"],
        "ops": ["machine", "async", "warp", "ptx", "numeric", "memory"],
    },
    "runtime/jit": {
        "files": [],
        "ahead": ["files"],
        "program": ["ahead", "files"],
        "launch": ["program", "ahead", "files"],
        "tune": ["launch", "program", "ahead", "files"],
        "build": ["tune", "program", "ahead", "files"],
    },
    "tools/insight": {
        "findings": [],
        "page": [],
    },
    "tools/tegula": {
        "output": [],
        "command": ["output"],
        "arguments": ["command", "output"],
        "check": ["arguments", "command", "output"],
        "explain": ["arguments", "command", "output"],
        "lsp": ["check", "explain", "arguments", "command", "output"],
        "tune": ["arguments", "command", "output"],
        "debug": ["arguments", "command", "output"],
        "threads": ["debug", "arguments", "command", "output"],
        "dap": ["threads", "debug", "arguments", "command", "output"],
        "export": ["output"],
        "mcp": ["command", "output"],
    },
}
# The files of a folder itself that its rooms may include.
GROUND = {
    "dialect/tile": ["Tile", "TileBase", "TileTraits", "Effects", "LayoutInference", "MatrixUnit", "Limits"],
    "compiler/analysis": ["AuthorError", "Decision", "FindOps", "ModuleTarget"],
    "compiler/interp": ["Interpreter"],
    "compiler/frontend/eval": ["Evaluation", "Frame", "FunctionTable", "Advice", "Fixes", "DeviceValues"],
    "compiler/frontend/builtins": ["BuiltinTable", "Library", "ScalarRegion"],
    "compiler/driver": ["FatalErrors", "ParsedSource"],
    "compiler/lower": ["Passes.h", "Symbols.h"],
    "compiler/schedule": ["Passes.h"],
    "runtime/emulator": ["Hardware", "Random", "EmulatorReport", "Profile"],
    "tools/insight": ["Document"],
}
# Tools that only read kernel files link this alone.
SEES_NOTHING = "compiler/frontend/syntax"
PARTS["tools/insight"] = [*PARTS["tools"]]
PARTS["tools/tegula"] = [*PARTS["tools"], "tools/insight"]
for folder, rooms in ROOMS.items():
    for room, seen in rooms.items():
        part = f"{folder}/{room}"
        outside = [] if part == SEES_NOTHING else PARTS[folder]
        PARTS[part] = [*outside, *(f"{folder}/{name}" for name in [*GROUND.get(folder, []), *seen])]

# A folder with more files has no rooms yet.
MOST_FILES = 35
# Two units, a header with its source, may need each other where they are one thing in two files; more may not.
MOST_IN_CIRCLE = 2
# Here no two do.
WITHOUT_CIRCLES = ["runtime/emulator", "runtime/jit", "compiler/driver", "compiler/frontend/eval", "compiler/schedule", "tools/tegula"]

INCLUDE = re.compile(r'^\s*#\s*include\s+"((?:dialect|compiler|runtime|kernels|tools)/[^"]+)"', re.M)


def part_of(path):
    matches = [p for p in PARTS if path == p or path.startswith(p + "/") or path.startswith(p + ".")]
    return max(matches, key=len, default=None)


def allowed(path, included):
    part = part_of(path)
    if part is None:
        return True  # tests may look at everything
    return any(
        included == seen or included.startswith(seen + "/") or included.startswith(seen + ".")
        for seen in [part, *PARTS[part]]
    )


def wrong_circles(includes):
    """The groups of units that need each other and may not; `includes` are pairs of paths."""
    found = imports.circles({tuple(path.rsplit(".", 1)[0] for path in pair) for pair in includes})
    for group in found:
        folder = next((folder for folder in WITHOUT_CIRCLES if all(unit.startswith(folder + "/") for unit in group)), None)
        if folder or len(group) > MOST_IN_CIRCLE:
            yield f"units that need each other: {' '.join(group)}"


def wrong_sizes(files):
    """The folders with too many files."""
    count = collections.Counter(path.rpartition("/")[0] for path in files if not path.startswith("test/"))
    for folder, found in sorted(count.items()):
        if found > MOST_FILES:
            yield f"{folder}: expected at most {MOST_FILES} source files in a folder, found {found}: give them rooms"


def wrong_includes(path, text):
    """Returns the violations of a file and its includes."""
    if part_of(path) is None:
        yield f"{path}:1: belongs to no part of the architecture"
    for match in INCLUDE.finditer(text):
        if not allowed(path, match.group(1)):
            line = text.count("\n", 0, match.start(1)) + 1
            yield f"{path}:{line}: {part_of(path)} may not include {match.group(1)}"


def main():
    files = tree.names_of("*.h", "*.cpp", "*.td", "*.py")
    wrong, includes = [*wrong_sizes(files), *imports.problems()], []
    for path in files:
        if path.startswith("test/") or path.endswith(".py"):
            continue
        text = tree.text_of(path)
        includes += [(path, match.group(1)) for match in INCLUDE.finditer(text)]
        wrong += wrong_includes(path, text)
    wrong += wrong_circles(includes)
    print(*wrong, f"includes: {len(files)} files, {len(wrong)} wrong", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
