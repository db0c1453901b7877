"""`python -m triton.tools.compile`: a kernel as a C source that launches it through the CUDA driver, and its header.

    python -m tegula.tools.compile --kernel-name add_kernel --signature "*fp32:16, *fp32:16, *fp32:16, i32, 1024" \\
        --grid "(n + 1023) / 1024, 1, 1" --out-name add vector_add.py

The command line, the names of files and of functions are Triton's, so that programs and `link` go on as they are. The file
of kernels is run. Where no assembler is found the source has PTX, which the driver assembles when it is loaded.

`tegula bundle --c=OUT` does the same for several architectures and specialisations at once, fills in tensor maps and grids of
persistent kernels, and runs on the emulator too (runtime/bundle/AHEAD_OF_TIME.md).
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import importlib.util
import pathlib
import sys
import textwrap
from typing import Any, Sequence

# By their full names: build scripts run this file by its path, too.
from tegula.backends import GPUTarget
from tegula.compiler.compiler import ASTSource
from tegula.compiler.compiler import compile as compile_source
from tegula.runtime.driver import driver
from tegula.runtime.jit import JITFunction
from tegula.stand_in import install_as_triton

#: The types by which C passes scalars.
C_TYPES = {"i1": "int8_t", "u1": "uint8_t", "i8": "int8_t", "i16": "int16_t", "i32": "int32_t", "i64": "int64_t", "u8": "uint8_t",
           "u16": "uint16_t", "u32": "uint32_t", "u64": "uint64_t", "fp32": "float", "f32": "float", "fp64": "double"}
#: What no parameter can be called: keywords, and the parameter that all functions have.
WORDS_OF_C = frozenset("auto break case char const continue default do double else enum extern float for goto if inline int long "
                       "register restrict return short signed sizeof static stream struct switch typedef union unsigned void volatile "
                       "while".split())
#: Shared memory that a block gets without asking for it.
SHARED_WITHOUT_ASKING = 48 * 1024

HEADER = """\
/* The kernel `{kernel}`: {values}. */
#ifndef TEGULA_COMPILED_{name}
#define TEGULA_COMPILED_{name}
#include <cuda.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {{
#endif
/* Loads the kernel in the current context; the first launch does it otherwise. */
void load_{name}(void);
void unload_{name}(void);
// tt-linker: {name}:{full_signature}:{algorithm}
/* Queues a launch of {grid} programs. */
CUresult {name}(CUstream stream{signature});
#ifdef __cplusplus
}}
#endif
#endif
"""

SOURCE = """\
/* The kernel `{kernel}`: {values}. */
#include <cuda.h>
#include <stdint.h>
#include <stdio.h>

static const unsigned char tegula_code[] = {{
{code}
}};
static CUmodule tegula_module;
static CUfunction tegula_function;
static CUresult tegula_loaded = CUDA_SUCCESS;

void unload_{name}(void) {{
  if (tegula_module)
    cuModuleUnload(tegula_module);
  tegula_module = NULL;
  tegula_function = NULL;
}}

void load_{name}(void) {{
  tegula_loaded = cuModuleLoadDataEx(&tegula_module, tegula_code, 0, NULL, NULL);
  if (tegula_loaded == CUDA_SUCCESS)
    tegula_loaded = cuModuleGetFunction(&tegula_function, tegula_module, "{entry}");
{ask}  if (tegula_loaded != CUDA_SUCCESS) {{
    fprintf(stderr, "cannot load the kernel `{kernel}`: CUDA error %d\\n", (int)tegula_loaded);
    unload_{name}();
  }}
}}

CUresult {name}(CUstream stream{signature}) {{
  if (!tegula_function)
    load_{name}();
  if (!tegula_function)
    return tegula_loaded;
  void *tegula_arguments[] = {{{arguments}}};
  const unsigned tegula_grid_x = (unsigned)({grid_x}), tegula_grid_y = (unsigned)({grid_y}), tegula_grid_z = (unsigned)({grid_z});
  if (tegula_grid_x == 0 || tegula_grid_y == 0 || tegula_grid_z == 0)
    return CUDA_SUCCESS;
  return cuLaunchKernel(tegula_function, tegula_grid_x, tegula_grid_y, tegula_grid_z, {threads}, 1, 1, {shared}, stream, tegula_arguments, NULL);
}}
"""

ASK = """\
  if (tegula_loaded == CUDA_SUCCESS)
    tegula_loaded = cuFuncSetAttribute(tegula_function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, {shared});
"""


@dataclasses.dataclass
class CompileArgs:
    """The command line, under Triton's names."""

    path: str = ""
    kernel_name: str = ""
    signature: str = ""
    grid: str = ""
    target: str | None = None
    num_warps: int = 1
    num_stages: int = 3
    out_name: str | None = None
    out_path: pathlib.Path | None = None


class Mistake(ValueError):
    """A mistake in the command line or in the file."""


def load_kernel(path: str, name: str) -> JITFunction:
    """Runs a file and returns its kernel."""
    file = pathlib.Path(path)
    if not file.is_file():
        raise Mistake(f"there is no file `{path}`")
    if "triton" not in sys.modules:
        install_as_triton()
    sys.path.insert(0, str(file.parent))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise Mistake(f"`{path}` is no file of Python")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    kernel: Any = getattr(module, name, None)
    while kernel is not None and not isinstance(kernel, JITFunction) and hasattr(kernel, "fn"):
        kernel = kernel.fn  # under `autotune` or `heuristics`
    if not isinstance(kernel, JITFunction):
        names = sorted(key for key, value in vars(module).items() if isinstance(value, JITFunction))
        raise Mistake(f"`{path}` has no kernel `{name}`; it has {', '.join(f'`{each}`' for each in names) or 'none'}")
    return kernel


def known_value(text: str) -> Any:
    """The value that an entry of a signature spells, or None where it is a type."""
    if text in ("True", "False"):
        return text == "True"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return None


@dataclasses.dataclass
class Entry:
    """An entry of a signature, for a parameter: a value, or a type with a hint: 16 divides it, or it is 1."""

    name: str
    type: str
    value: Any = None
    hint: int | None = None

    @property
    def is_passed(self) -> bool:
        return self.value is None and self.hint != 1

    def c_type(self, kernel: str) -> str:
        """The type by which C passes it; what a hint says is 1 is an i32 of the signature that variants share."""
        if self.type.startswith("*"):
            return "CUdeviceptr"
        if self.type not in C_TYPES:
            raise Mistake(f"kernel `{kernel}`: C has no type for the parameter `{self.name}`, which is `{self.type}`")
        return C_TYPES[self.type]


def read_signature(kernel: JITFunction, text: str) -> list[Entry]:
    """The entries of a signature, "*fp32:16, i32, i32:1, 64", one for each parameter of the kernel."""
    parts = [part.strip() for part in text.split(",")]
    names = kernel.arg_names
    if len(parts) != len(names):
        which = f"`{names[len(parts)]}` has none" if len(parts) < len(names) else f"`{parts[len(names)]}` is one too many"
        raise Mistake(f"kernel `{kernel.__name__}` has {len(names)} parameters, and the signature {len(parts)} entries: {which}")
    entries = []
    for name, part in zip(names, parts):
        kind, _, hint = part.partition(":")
        entry = Entry(name, kind.strip(), known_value(part))
        if entry.is_passed and name in WORDS_OF_C:
            raise Mistake(f"kernel `{kernel.__name__}`: no parameter of a C function can be called `{name}`")
        if hint:
            if hint not in ("1", "16"):
                raise Mistake(f"kernel `{kernel.__name__}`: expected 1 or 16 after `:` of the parameter `{name}`, found `{hint}`")
            entry.hint = int(hint)
        entries.append(entry)
    return entries


def target_of(text: str | None) -> GPUTarget:
    """The target "cuda:80:32"; without a text that of the current device."""
    if text is None:
        return driver.active.get_current_target()
    parts = text.split(":")
    if len(parts) != 3 or parts[0] != "cuda" or not parts[1].isdigit() or parts[2] != "32":
        raise Mistake(f"expected a target such as `cuda:80:32`, found `{text}`")
    return GPUTarget("cuda", int(parts[1]), 32)


def code_of(compiled: Any) -> bytes:
    """Machine code where an assembler is found, else PTX, which ends in a zero."""
    try:
        return compiled.asm["cubin"]
    except (KeyError, RuntimeError):
        return compiled.asm["ptx"].encode() + b"\0"


def compile_kernel(args: CompileArgs) -> tuple[str, list[pathlib.Path]]:
    """Compiles what the command line says; returns the name of the function and the files."""
    grid = [part.strip() for part in args.grid.split(",")]
    if len(grid) != 3 or not all(grid):
        raise Mistake(f"expected a grid of three expressions, found `{args.grid}`")
    kernel = load_kernel(args.path, args.kernel_name)
    entries = read_signature(kernel, args.signature)
    meta = f"warps{args.num_warps}xstages{args.num_stages}"
    digest = hashlib.sha256(" ".join([*(part.strip() for part in args.signature.split(",")), meta]).encode()).hexdigest()[:8]
    constants = {entry.name: 1 if entry.hint == 1 else entry.value for entry in entries if not entry.is_passed}
    source = ASTSource(kernel, {entry.name: "constexpr" if entry.name in constants else entry.type for entry in entries}, constants,
                       {(place,): [["tt.divisibility", 16]] for place, entry in enumerate(entries) if entry.hint == 16})
    compiled = compile_source(source, target_of(args.target), {"num_warps": args.num_warps, "num_stages": args.num_stages})

    suffix = "".join(f"{place}{ {1: 'c', 16: 'd'}.get(entry.hint or 0, '')}" for place, entry in enumerate(entries))
    out_name = args.out_name or args.kernel_name
    name = f"{out_name}_{digest}_{suffix}"
    passed = [entry for entry in entries if entry.is_passed]
    code = code_of(compiled)
    shared = compiled.metadata.shared
    values = {
        "name": name, "kernel": args.kernel_name, "entry": compiled.metadata.name,
        "values": ", ".join([*(f"{key}={value}" for key, value in constants.items()), f"num_warps={args.num_warps}",
                             f"num_stages={args.num_stages}"]),
        "signature": "".join(f", {entry.c_type(args.kernel_name)} {entry.name}" for entry in passed),
        "full_signature": ", ".join(f"{entry.c_type(args.kernel_name)} {entry.name}" for entry in entries if entry.value is None),
        "algorithm": f"{'x'.join(str(value) for value in constants.values())}_{meta}",
        "arguments": ", ".join(f"&{entry.name}" for entry in passed) or "NULL",
        "grid": " x ".join(grid), "grid_x": grid[0], "grid_y": grid[1], "grid_z": grid[2],
        "threads": 32 * compiled.metadata.num_warps, "shared": shared,
        "ask": ASK.format(shared=shared) if shared > SHARED_WITHOUT_ASKING else "",
        "code": textwrap.fill(", ".join(f"0x{byte:02x}" for byte in code), 120),
    }
    out = args.out_path or pathlib.Path(out_name)
    files = []
    for extension, template in ((".c", SOURCE), (".h", HEADER)):
        file = out.with_suffix(f".{digest}_{suffix}{extension}")
        file.write_text(template.format(**values))
        files.append(file)
    return name, files


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="compile.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", help="file of Python with the kernel; it is run")
    parser.add_argument("--kernel-name", "-n", required=True, help="the kernel")
    parser.add_argument("--target", "-t", help="such as cuda:80:32; without it the current device's")
    parser.add_argument("--num-warps", "-w", type=int, default=1, help="warps of a program (1)")
    parser.add_argument("--num-stages", "-ns", type=int, default=3, help="stages of pipelined loops (3)")
    parser.add_argument("--out-name", "-on", help="what the function is called; the kernel's name otherwise")
    parser.add_argument("--out-path", "-o", type=pathlib.Path, help="the files, without their extensions")
    parser.add_argument("--signature", "-s", required=True,
                        help="types and values of the parameters, with commas between: \"*fp32:16, i32, i32:1, 64\"")
    parser.add_argument("--grid", "-g", required=True, help="three expressions of C over the parameters: \"(n + 63) / 64, 1, 1\"")
    given = parser.parse_args(words)
    try:
        compile_kernel(CompileArgs(**vars(given)))
    except Mistake as mistake:
        print(f"error: {mistake}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
