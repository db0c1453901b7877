"""`python -m triton.tools.link`: one C function for the kernels that `compile` has made of one, which takes the first whose hints
hold.

    python -m tegula.tools.link add.*.h -o add

The functions are Triton's: `add(stream, ..., algo_id)` for the kernel with the `algo_id`-th set of compile-time values, `add_default`
for the first of them, `add_get_num_algos`, `load_add` and `unload_add`.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import pathlib
import re
import sys
from typing import Sequence

DIRECTIVE = re.compile(r"//\s*tt-linker:\s*(\w+):(.*):(\w+)$", re.M)
FUNCTION = re.compile(r"(\w+)_([0-9a-f]+)_([0-9cd]+)")
#: What the letters of a suffix say of a parameter.
HINTS = {"c": 1, "d": 16}


class LinkerError(Exception):
    """A mistake in the headers."""


@dataclasses.dataclass(frozen=True)
class Variant:
    """A kernel that `compile` has made."""

    kernel: str  # as the C program calls it
    function: str  # the variant's own
    algorithm: str  # its compile-time values, warps and stages
    types: tuple[str, ...]
    names: tuple[str, ...]
    hints: tuple[int | None, ...]

    @property
    def all_parameters(self) -> str:
        return "".join(f", {kind} {name}" for kind, name in zip(self.types, self.names))

    @property
    def all_arguments(self) -> str:
        return "".join(f", {name}" for name in self.names)

    @property
    def own(self) -> list[int]:
        """The places of the parameters that its function takes: what is known to be 1 is not passed."""
        return [place for place, hint in enumerate(self.hints) if hint != 1]

    @property
    def condition(self) -> str:
        tests = [f"{name} == 1" if hint == 1 else f"{name} % 16 == 0" for name, hint in zip(self.names, self.hints) if hint]
        return " && ".join(tests) or "1"


def hints_of(suffix: str, count: int) -> tuple[int | None, ...]:
    """Returns what a suffix such as "0d12c3" says of the first `count` parameters: their numbers, each with its letter or none."""
    hints: list[int | None] = []
    rest = suffix
    for place in range(count):
        number = str(place)
        if not rest.startswith(number):
            raise LinkerError(f"`{suffix}` is no suffix of a kernel with {count} arguments")
        rest = rest[len(number):]
        hints.append(HINTS.get(rest[:1]))
        rest = rest[1:] if hints[-1] else rest
    return tuple(hints)


def read_header(path: pathlib.Path) -> list[Variant]:
    """The kernels that a header declares."""
    try:
        text = path.read_text()
    except OSError as problem:
        raise LinkerError(f"cannot read `{path}`: {problem.strerror}") from None
    found = []
    for function, signature, algorithm in DIRECTIVE.findall(text):
        parts = FUNCTION.fullmatch(function)
        if not parts:
            raise LinkerError(f"{path}: `{function}` is no name that `compile` gives")
        pairs = [part.split() for part in signature.split(",") if part.strip()]
        if not all(len(pair) == 2 for pair in pairs):
            raise LinkerError(f"{path}: `{signature}` is no list of parameters")
        found.append(Variant(parts[1], function, algorithm, tuple(kind for kind, _ in pairs), tuple(name for _, name in pairs),
                             hints_of(parts[3], len(pairs))))
    return found


Algorithms = dict[str, list[Variant]]


def grouped(variants: Sequence[Variant]) -> dict[str, Algorithms]:
    """The variants by kernel, and of each by algorithm. LinkerError where those of a kernel differ in their parameters."""
    kernels: dict[str, Algorithms] = collections.defaultdict(lambda: collections.defaultdict(list))
    for variant in variants:
        algorithms = kernels[variant.kernel]
        for others in algorithms.values():
            first = others[0]
            if first.types != variant.types:
                raise LinkerError(f"the variants of kernel `{variant.kernel}` differ in their parameters:\n"
                                  f"  {first.function}({first.all_parameters[2:]})\n"
                                  f"  {variant.function}({variant.all_parameters[2:]})")
        algorithms[variant.algorithm].append(variant)
    return kernels


def declarations(kernel: str, algorithms: Algorithms) -> str:
    """The header's part for a kernel."""
    parameters = next(iter(algorithms.values()))[0].all_parameters
    lines = [f"/* Kernel `{kernel}`: {len(algorithms)} set{'s' if len(algorithms) != 1 else ''} of compile-time values. */"]
    for name in [f"{kernel}_{algorithm}" for algorithm in algorithms]:
        lines += [f"CUresult {name}(CUstream stream{parameters});", f"void load_{name}(void);", f"void unload_{name}(void);"]
    lines += [f"CUresult {kernel}_default(CUstream stream{parameters});", f"CUresult {kernel}(CUstream stream{parameters}, int algo_id);",
              f"int {kernel}_get_num_algos(void);", f"void load_{kernel}(void);", f"void unload_{kernel}(void);"]
    return "\n".join(lines) + "\n"


def definitions_of_algorithm(name: str, variants: list[Variant]) -> str:
    """The function that takes the first variant whose hints hold, those that ask the most first."""
    ordered = sorted(variants, key=lambda variant: variant.hints.count(None))
    lines = []
    for variant in ordered:
        own = "".join(f", {variant.types[place]} {variant.names[place]}" for place in variant.own)
        lines += [f"CUresult {variant.function}(CUstream stream{own});", f"void load_{variant.function}(void);",
                  f"void unload_{variant.function}(void);"]
    lines += ["", f"CUresult {name}(CUstream stream{ordered[0].all_parameters}) {{"]
    for variant in ordered:
        own = "".join(f", {variant.names[place]}" for place in variant.own)
        lines += [f"  if ({variant.condition})", f"    return {variant.function}(stream{own});"]
    lines += ["  return CUDA_ERROR_INVALID_VALUE;", "}"]
    for verb in ("load", "unload"):
        lines += ["", f"void {verb}_{name}(void) {{", *(f"  {verb}_{variant.function}();" for variant in ordered), "}"]
    return "\n".join(lines) + "\n"


def definitions(kernel: str, algorithms: Algorithms) -> str:
    """The source's part for a kernel."""
    first = next(iter(algorithms.values()))[0]
    names = [f"{kernel}_{algorithm}" for algorithm in algorithms]
    parts = [definitions_of_algorithm(name, variants) for name, variants in zip(names, algorithms.values())]
    parts.append(f"""\
static CUresult (*const {kernel}_algorithms[])(CUstream stream{first.all_parameters}) = {{{', '.join(names)}}};

int {kernel}_get_num_algos(void) {{ return {len(names)}; }}

CUresult {kernel}(CUstream stream{first.all_parameters}, int algo_id) {{
  if (algo_id < 0 || algo_id >= {len(names)})
    return CUDA_ERROR_INVALID_VALUE;
  return {kernel}_algorithms[algo_id](stream{first.all_arguments});
}}

CUresult {kernel}_default(CUstream stream{first.all_parameters}) {{
  return {kernel}(stream{first.all_arguments}, 0);
}}
""")
    for verb in ("load", "unload"):
        calls = "".join(f"  {verb}_{name}();\n" for name in names)
        parts.append(f"void {verb}_{kernel}(void) {{\n{calls}}}\n")
    return "\n".join(parts)


def link(headers: Sequence[pathlib.Path], out: pathlib.Path) -> None:
    """Writes OUT.h and OUT.c. LinkerError for headers that do not go together, or declare nothing."""
    variants = [variant for header in headers for variant in read_header(header)]
    if not variants:
        raise LinkerError(f"expected headers that `compile` has made, found none in {', '.join(f'`{header}`' for header in headers)}")
    kernels = grouped(variants)
    begin = "#include <cuda.h>\n#include <stdint.h>\n\n"
    header = "\n".join(declarations(kernel, algorithms) for kernel, algorithms in kernels.items())
    source = "\n".join(definitions(kernel, algorithms) for kernel, algorithms in kernels.items())
    out.with_suffix(".h").write_text(f"#pragma once\n{begin}{header}")
    out.with_suffix(".c").write_text(begin + source)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="link.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("headers", nargs="+", type=pathlib.Path, help="headers that `compile` has made")
    parser.add_argument("--out", "-o", type=pathlib.Path, required=True, help="the files, without their extensions")
    parser.add_argument("--prefix", default="", help="has no effect, as in Triton")
    given = parser.parse_args(words)
    try:
        link(given.headers, given.out)
    except LinkerError as mistake:
        print(f"error: {mistake}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
