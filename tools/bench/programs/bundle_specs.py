"""Prints 126 specialisations of the bundled kernels, such as a serving process has, for `tegula bundle`:

    python3 tools/bench/programs/bundle_specs.py >serving.specs
    time tegula bundle serving.specs --ptx -o serving.tgb
"""

from __future__ import annotations

import itertools
import pathlib
from typing import Iterator

KERNELS = pathlib.Path(__file__).resolve().parents[3] / "kernels"
TYPES = ("fp16", "bf16", "fp32")
#: Tiles of products: rows, columns, depth.
TILES = ((64, 64, 32), (128, 128, 64), (128, 256, 64), (64, 128, 64), (128, 64, 32))
STRIDED = "M=i32:16+ N=i32:16+ K=i32:16+ stride_am=i32:16+ stride_ak=i32=1 stride_bk=i32:16+ stride_bn=i32=1 " \
          "stride_cm=i32:16+ stride_cn=i32=1"


def line(file: str, values: str, types: str, options: str = "") -> str:
    """A line of specialisations: `values` and `types` are NAME=VALUE with blanks between."""
    words = [f"-D {value}" for value in values.split()] + [f"--sig {each}" for each in types.split()]
    return f"{KERNELS / file} {options} {' '.join(words)}"


def specialisations() -> Iterator[str]:
    for dtype, (rows, columns, depth), warps in itertools.product(TYPES, TILES, (4, 8)):
        yield line("matmul.py", f"BLOCK_M={rows} BLOCK_N={columns} BLOCK_K={depth}",
                   f"a_ptr=*{dtype}:16 b_ptr=*{dtype}:16 c_ptr=*{dtype}:16 {STRIDED}", f"-k matmul_kernel --num-warps={warps}")
    for dtype, depth, causal, (rows, columns) in itertools.product(TYPES[:2], (64, 128), ("True", "False"), ((128, 64), (64, 64))):
        pointers = " ".join(f"{name}_ptr=*{dtype}:16" for name in "qkvo")
        yield line("attention.py", f"D={depth} CAUSAL={causal} BLOCK_M={rows} BLOCK_N={columns} EVEN_N=True",
                   f"{pointers} lse_ptr=*fp32:16 stride_head=i32:16+ stride_row=i32:16+ N=i32:16+ scale=fp32",
                   "-k attention_kernel")
    for dtype, block in itertools.product(TYPES, (256, 512, 1024, 2048, 4096, 8192)):
        yield line("softmax.py", f"BLOCK={block}", f"x_ptr=*{dtype}:16 y_ptr=*{dtype}:16 stride=i32:16+ n=i32+",
                   f"-k softmax_kernel --num-warps={8 if block > 1024 else 4}")
        yield line("layernorm.py", f"BLOCK={block}",
                   f"x_ptr=*{dtype}:16 y_ptr=*{dtype}:16 weight_ptr=*{dtype}:16 bias_ptr=*{dtype}:16 mean_ptr=*fp32:16 "
                   "rstd_ptr=*fp32:16 stride=i32:16+ n=i32+ eps=fp32", "-k layernorm_kernel")
        yield line("rmsnorm.py", f"BLOCK={block}",
                   f"x_ptr=*{dtype}:16 y_ptr=*{dtype}:16 weight_ptr=*{dtype}:16 stride=i32:16+ n=i32+ eps=fp32",
                   "-k rmsnorm_kernel")
    for dtype, block in itertools.product(TYPES, (256, 512, 1024, 2048)):
        yield line("vector_add.py", f"BLOCK_SIZE={block}", f"x_ptr=*{dtype}:16 y_ptr=*{dtype}:16 out_ptr=*{dtype}:16 n=i32:16+")
    for dtype, block in itertools.product(TYPES[:2], (256, 512, 1024, 2048)):
        yield line("gelu.py", f"BLOCK_SIZE={block}", f"x_ptr=*{dtype}:16 y_ptr=*{dtype}:16 n=i32:16+", "-k gelu_kernel")
    for dtype, block in itertools.product(TYPES, (1024, 4096)):
        yield line("cross_entropy.py", f"BLOCK={block}",
                   f"logits_ptr=*{dtype}:16 targets_ptr=*i64:16 losses_ptr=*fp32:16 stride=i32:16+ V=i32+ ignore_index=i32",
                   "-k cross_entropy_kernel")


if __name__ == "__main__":
    for number, each in enumerate(specialisations()):
        print(each, f"--name kernel_{number}")
