#!/usr/bin/env python3
"""Fails when a file includes something that the architecture says it may not see.

Includes run one way. The picture, each part seeing those left of it:

    layout <- target <- {tile, plan} <- tgpu <- analysis <- {simplify, distribute, schedule, lower} <- emit <- Pipeline <- Compile
    tile <- frontend <- Pipeline      analysis <- interp <- Pipeline
    host <- device      {device, target} <- {emulator, cache}      {device, cache, Compile} <- jit <- api <- {tools, kernels}

Stage folders never include each other, and of the runtime the compiler sees only KernelImage.h,
KernelImageText.h and TensorMap.h. Rooms of one folder stand in order too:

    frontend:  syntax <- values <- tracing <- eval <- builtins
    lower:     {math, code} <- memory <- patterns
    schedule:  plan <- {products, persist, stores}    products <- pipeline <- specialize
    emulator:  {numeric <- ptx, memory} <- warp <- async <- machine <- ops
    jit:       files <- program <- launch <- tune
    tools/tegula:  output <- command <- arguments <- {tune, bench}

In the folders of WITHOUT_CIRCLES no two units, a header with its source, need each other.

compiler/KernelSpec, compiler/Descriptor, compiler/PassedTuple, compiler/PackedFloat, compiler/ModuleLoader, compiler/SourceUnit,
compiler/Feature, compiler/LanguageVersion and compiler/EditDistance stand below everything of ours; dialect/tile/Limits.h and dialect/layout/TmaLimits.h are plain numbers, which the runtime reads too.
"""

import re
import subprocess
import sys

# Each part with what it may include directly beside itself.
PARTS = {
    "dialect/layout": [],
    "dialect/tile": ["dialect/layout"],
    "dialect/tgpu": ["dialect/tile", "dialect/layout"],
    "compiler/plan": ["dialect/layout", "compiler/target"],
    "compiler/EditDistance": [],
    "compiler/Feature": [],
    "compiler/LanguageVersion": [],
    "compiler/KernelSpec": ["compiler/Feature", "compiler/LanguageVersion", "compiler/target/Target"],
    "compiler/Descriptor": ["compiler/KernelSpec"],
    "compiler/PassedTuple": ["compiler/Descriptor", "compiler/KernelSpec"],
    "compiler/PackedFloat": ["compiler/KernelSpec"],
    "compiler/ModuleLoader": ["compiler/KernelSpec"],
    "compiler/SourceUnit": ["compiler/KernelSpec"],
    "compiler/target": ["compiler/EditDistance", "dialect/layout"],
    "compiler/analysis": ["compiler/Feature", "compiler/plan", "compiler/target", "dialect/tgpu", "dialect/tile", "dialect/layout"],
    "compiler/frontend/syntax": [],
    "compiler/frontend": ["compiler/KernelSpec", "compiler/LanguageVersion", "compiler/Descriptor", "compiler/PassedTuple", "compiler/PackedFloat", "compiler/ModuleLoader", "compiler/SourceUnit", "compiler/EditDistance", "compiler/target", "dialect/tile", "dialect/layout"],
}
BELOW_STAGES = ["compiler/analysis", *PARTS["compiler/analysis"]]
PARTS["compiler/interp"] = BELOW_STAGES
for stage in ("simplify", "distribute", "schedule", "lower"):
    PARTS[f"compiler/{stage}"] = BELOW_STAGES
# Rooms see each other as listed.
below = ["compiler/frontend/syntax"]
for room in ("values", "tracing", "eval", "builtins"):
    PARTS[f"compiler/frontend/{room}"] = [*below, *PARTS["compiler/frontend"]]
    below.append(f"compiler/frontend/{room}")
# Those of lower see what stands in the folder itself, too.
LOWER = ["compiler/lower/Passes.h", "compiler/lower/Symbols.h", *BELOW_STAGES]
PARTS["compiler/lower/math"] = LOWER
PARTS["compiler/lower/code"] = LOWER
PARTS["compiler/lower/memory"] = ["compiler/lower/code", *LOWER]
SCHEDULE = ["compiler/schedule/Passes.h", "compiler/schedule/plan", *BELOW_STAGES]
for room in ("plan", "products", "persist", "stores"):
    PARTS[f"compiler/schedule/{room}"] = SCHEDULE
PARTS["compiler/schedule/pipeline"] = ["compiler/schedule/products", *SCHEDULE]
PARTS["compiler/schedule/specialize"] = ["compiler/schedule/pipeline", "compiler/schedule/products", *SCHEDULE]
PARTS["compiler/lower/patterns"] = ["compiler/lower/memory", "compiler/lower/code", *LOWER]
STAGES = [f"compiler/{s}" for s in ("simplify", "distribute", "schedule", "lower")]
KERNEL_IMAGE = ["runtime/device/KernelImage.h", "runtime/device/KernelImageText.h", "runtime/device/TensorMap.h"]
PARTS["compiler/emit"] = [*STAGES, *BELOW_STAGES, *KERNEL_IMAGE]
PARTS["compiler/Pipeline"] = ["compiler/emit", "compiler/frontend", "compiler/interp", *STAGES, *BELOW_STAGES]
PARTS["compiler/Compile"] = ["compiler/KernelSpec", "compiler/ModuleLoader", "compiler/SourceUnit", "compiler/Pipeline", *PARTS["compiler/Pipeline"], *KERNEL_IMAGE]
PARTS["runtime/host"] = ["compiler/KernelSpec", "compiler/PackedFloat", "runtime/device/Result"]
PARTS["runtime/device"] = ["dialect/layout/TmaLimits", "runtime/host/Environment"]
PARTS["runtime/emulator"] = ["runtime/device", "compiler/target/Target"]
# Rooms of the emulator see its numbers of the hardware, its random generator and what it counts, and each other as listed.
EMULATOR = "runtime/emulator"
EMULATOR_ROOMS = {
    "numeric": [],
    "memory": [],
    "ptx": ["numeric"],
    "warp": ["ptx", "numeric", "memory"],
    "async": ["warp", "ptx", "numeric", "memory"],
    "machine": ["async", "warp", "ptx", "numeric", "memory"],
    "ops": ["machine", "async", "warp", "ptx", "numeric", "memory"],
}
EMULATOR_GROUND = [f"{EMULATOR}/Hardware", f"{EMULATOR}/Random", f"{EMULATOR}/EmulatorReport", *PARTS[EMULATOR]]
for room, seen in EMULATOR_ROOMS.items():
    PARTS[f"{EMULATOR}/{room}"] = [*EMULATOR_GROUND, *(f"{EMULATOR}/{other}" for other in seen)]
PARTS["runtime/cache"] = ["runtime/device", "runtime/host/Environment"]
JIT = ["runtime/host", "runtime/device", "runtime/cache", "runtime/emulator", "compiler/Compile", "compiler/KernelSpec", "compiler/ModuleLoader",
       "compiler/Descriptor", "compiler/PassedTuple", "compiler/SourceUnit", "compiler/target", "dialect/tile/Limits"]
below = []
for room in ("files", "program", "launch", "tune"):
    PARTS[f"runtime/jit/{room}"] = [*below, *JIT]
    below.append(f"runtime/jit/{room}")
PARTS["runtime/jit"] = JIT
PARTS["runtime/api"] = ["runtime/host", "runtime/device", "runtime/jit", "compiler/target/Target", "compiler/Compile", "compiler/KernelSpec", "compiler/SourceUnit"]
PARTS["runtime/python"] = ["runtime/api/tegula_c"]
PARTS["kernels"] = ["runtime/api"]
PARTS["tools"] = ["runtime", "compiler", "dialect"]
COMMAND_ROOMS = {
    "output": [],
    "command": ["output"],
    "arguments": ["command", "output"],
    "tune": ["arguments", "command", "output"],
    "bench": ["arguments", "command", "output"],
}
for room, seen in COMMAND_ROOMS.items():
    PARTS[f"tools/tegula/{room}"] = [*PARTS["tools"], *(f"tools/tegula/{other}" for other in seen)]

WITHOUT_CIRCLES = [EMULATOR, "compiler/schedule", "tools/tegula", "runtime/jit"]

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


def circles(includes, folder):
    """The units of a folder that need each other, and those between two such groups; `includes` are pairs of paths."""
    arrows = {tuple(name.rsplit(".", 1)[0] for name in pair) for pair in includes}
    arrows = {(unit, other) for unit, other in arrows if unit != other and unit.startswith(folder + "/")}
    # Who needs nobody, or is needed by nobody, is in no circle.
    while loose := [(unit, other) for unit, other in arrows
                    if other not in {unit for unit, _ in arrows} or unit not in {other for _, other in arrows}]:
        arrows.difference_update(loose)
    return sorted({unit for unit, _ in arrows})


def main():
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.h", "*.cpp", "*.td"],
                           capture_output=True, text=True, check=True).stdout.split()
    wrong, includes = 0, []
    for path in files:
        if path.startswith("test/"):
            continue
        try:
            text = open(path, encoding="utf-8").read()
        except FileNotFoundError:
            continue
        for match in INCLUDE.finditer(text):
            includes.append((path, match.group(1)))
            if not allowed(path, match.group(1)):
                line = text.count("\n", 0, match.start(1)) + 1
                print(f"{path}:{line}: {part_of(path)} may not include {match.group(1)}")
                wrong += 1
        if part_of(path) is None:
            print(f"{path}:1: belongs to no part of the architecture")
            wrong += 1
    for folder in WITHOUT_CIRCLES:
        if units := circles(includes, folder):
            print(f"{folder}: units that need each other: {' '.join(units)}")
            wrong += 1
    print(f"includes: {len(files)} files, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
