#!/usr/bin/env python3
"""Fails where a binary needs a newer glibc than 2.28, a library that not every system has, or pages smaller than a system's.

    symbols.py FILE...

Every version that a file asks of a library is read: those of glibc may be 2.28 at most, those of libgcc 7, and libstdc++
must be linked in. What a file of aarch64 loads is aligned to 64 KiB, since pages may have that size there. Files of any
architecture are read on any.
"""

import re
import subprocess
import sys

#: The newest versions that may be asked for, by the name before the number.
NEWEST = {"GLIBC": (2, 28), "GCC": (7, 0), "TEGULA_C": (1,)}
LIBRARIES = re.compile(r"lib(c|m|dl|rt|pthread|gcc_s|tegula(-runtime)?)\.so\.\d+|ld-linux[\w-]*\.so\.\d")


#: Alignment of what is loaded, by machine: the largest page that its systems have.
PAGES = {"AArch64": 1 << 16, "Advanced Micro Devices X86-64": 1 << 12}


def problems_of(path):
    header = subprocess.run(["readelf", "-hlW", path], capture_output=True, text=True, check=True).stdout
    machine = re.search(r"Machine: +(.*)", header)[1]
    for alignment in re.findall(r"^ +LOAD .* (0x[0-9a-f]+)$", header, re.M):
        if int(alignment, 16) % PAGES[machine]:
            yield f"has a segment aligned to {alignment}, which a page of {PAGES[machine]:#x} does not hold"
    dynamic = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
    for name in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        if not LIBRARIES.fullmatch(name):
            yield f"needs {name}"
    symbols = subprocess.run(["readelf", "--dyn-syms", "-W", path], capture_output=True, text=True, check=True).stdout
    for name, version in re.findall(r" UND (\S+)@(\w\S*)", symbols):
        family, _, number = version.rpartition("_")
        is_number = re.fullmatch(r"[0-9.]+", number) # GLIBC_PRIVATE is not: the libraries of one glibc share it
        if not is_number or family not in NEWEST or tuple(map(int, number.split(".")))[:2] > NEWEST[family]:
            yield f"needs {name} of {version}"


def main(paths):
    if not paths:
        sys.exit(__doc__)
    problems = [f"{path}: {problem}" for path in paths for problem in problems_of(path)]
    print("\n".join([*problems, f"symbols: {len(paths)} files, {len(problems)} wrong"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
