"""`get_sass`: machine code as a CUDA toolkit's disassembler prints it."""

from __future__ import annotations

import os
import subprocess
import tempfile

from .. import knobs


def get_sass(cubin_asm: bytes, fun: str | None = None) -> str:
    """The code of all functions of a cubin, or of `fun` alone, by cuobjdump. RuntimeError where that is not found, or with
    what it says where it fails."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.cubin")
        with open(path, "wb") as file:
            file.write(cubin_asm)
        command = [knobs.nvidia.cuobjdump.path, "-sass", *(["-fun", fun] if fun else []), path]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"`{command[0]}` failed: {done.stderr.strip() or done.returncode}")
    return done.stdout
