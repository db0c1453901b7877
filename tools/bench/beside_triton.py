#!/usr/bin/env python3
"""Runs the bundled kernels beside Triton on one GPU: same source, same sizes, same run.

    tools/bench/beside_triton.py TEGULA [--json OUT.json] [--rounds 5]

TEGULA is the built command. Needs PyTorch, Triton and a CUDA device; nothing else of this project does.
Each kernel file is compiled once by each compiler and launched on the same buffers; the two take turns
round by round, each round a median of `triton.testing.do_bench` (L2 flushed), and the table gives the
median over rounds and of the rounds' ratios, so that drift of the clock cancels. Results are compared
with PyTorch before anything is timed.
"""

import argparse
import ctypes
import importlib.util
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import torch
import triton

KERNELS = pathlib.Path(__file__).resolve().parents[2] / "kernels"
TYPES = {torch.float32: "fp32", torch.bfloat16: "bf16", torch.float16: "fp16"}
cuda = ctypes.CDLL("libcuda.so.1")


def check(status):
    if status:
        text = ctypes.c_char_p()
        cuda.cuGetErrorString(status, ctypes.byref(text))
        raise RuntimeError(f"driver call failed: {text.value}")


def load_kernel_file(name):
    spec = importlib.util.spec_from_file_location(name, KERNELS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class TegulaKernel:
    """A kernel compiled by the command and loaded through the driver; launched on PyTorch's stream."""

    def __init__(self, tegula, file, entry, signature, constants, warps, arch="sm_90a"):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "kernel.ptx"
            command = [tegula, "compile", str(KERNELS / f"{file}.py"), "-k", entry, f"--arch={arch}",
                       f"--num-warps={warps}", "-o", str(out)]
            for name, value in signature.items():
                command += ["--sig", f"{name}={value}"]
            for name, value in constants.items():
                command += ["-D", f"{name}={value}"]
            subprocess.run(command, check=True)
            self.ptx = out.read_text()
        self.threads = 32 * warps
        self.module = ctypes.c_void_p()
        check(cuda.cuModuleLoadData(ctypes.byref(self.module), self.ptx.encode()))
        self.function = ctypes.c_void_p()
        check(cuda.cuModuleGetFunction(ctypes.byref(self.function), self.module, entry.encode()))

    def launch(self, grid, *arguments):
        values = [ctypes.c_uint64(a.data_ptr()) if torch.is_tensor(a) else ctypes.c_int32(a) for a in arguments]
        pointers = (ctypes.c_void_p * len(values))(*[ctypes.addressof(v) for v in values])
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        check(cuda.cuLaunchKernel(self.function, *grid, self.threads, 1, 1, 0, stream, pointers, None))


def fact(value):
    return ":16" if value % 16 == 0 else ""


def vector_add(tegula, dtype, n, block, warps):
    module = load_kernel_file("vector_add")
    x, y = torch.randn(2, n, device="cuda").to(dtype)
    ours, theirs = torch.full_like(x, float("nan")), torch.full_like(x, float("nan"))
    t = TYPES[dtype]
    kernel = TegulaKernel(tegula, "vector_add", "add_kernel",
                          {"x_ptr": f"*{t}:16", "y_ptr": f"*{t}:16", "out_ptr": f"*{t}:16", "n": f"i32{fact(n)}"},
                          {"BLOCK_SIZE": block}, warps)
    grid = (triton.cdiv(n, block), 1, 1)
    run_ours = lambda: kernel.launch(grid, x, y, ours, n)
    run_theirs = lambda: module.add_kernel[grid](x, y, theirs, n, BLOCK_SIZE=block, num_warps=warps)
    want = module.reference(x, y)
    return run_ours, run_theirs, (ours, theirs, want), 3 * n * x.element_size()


def gelu(tegula, dtype, n, block, warps):
    module = load_kernel_file("gelu")
    x = torch.randn(n, device="cuda").to(dtype)
    ours, theirs = torch.full_like(x, float("nan")), torch.full_like(x, float("nan"))
    t = TYPES[dtype]
    kernel = TegulaKernel(tegula, "gelu", "gelu_kernel",
                          {"x_ptr": f"*{t}:16", "y_ptr": f"*{t}:16", "n": f"i32{fact(n)}"}, {"BLOCK_SIZE": block}, warps)
    grid = (triton.cdiv(n, block), 1, 1)
    run_ours = lambda: kernel.launch(grid, x, ours, n)
    run_theirs = lambda: module.gelu_kernel[grid](x, theirs, n, BLOCK_SIZE=block, num_warps=warps)
    return run_ours, run_theirs, (ours, theirs, module.reference(x)), 2 * n * x.element_size()


CASES = [("vector_add", vector_add, dtype, n) for dtype in TYPES for n in (1 << 24, 1 << 27)]
CASES += [("gelu", gelu, dtype, 1 << 27) for dtype in TYPES]
CONFIGS = [(1024, 4), (2048, 4), (2048, 8), (4096, 8)]


def time_ms(run):
    return triton.testing.do_bench(run, warmup=20, rep=60, return_mode="median")


def measure(tegula, name, build, dtype, n, rounds):
    rows = []
    for block, warps in CONFIGS:
        ours, theirs, (got, peer, want), moved = build(tegula, dtype, n, block, warps)
        ours()
        theirs()
        torch.cuda.synchronize()
        tolerance = {torch.float32: 2e-6, torch.float16: 2e-3, torch.bfloat16: 2e-2}[dtype]
        torch.testing.assert_close(got, want, rtol=tolerance, atol=tolerance)
        torch.testing.assert_close(peer, want, rtol=tolerance, atol=tolerance)
        pairs = []
        for index in range(rounds):
            pair = [time_ms(ours), time_ms(theirs)] if index % 2 == 0 else [time_ms(theirs), time_ms(ours)][::-1]
            pairs.append(pair)
        a, b = (statistics.median(p[i] for p in pairs) for i in (0, 1))
        rows.append({"kernel": name, "dtype": TYPES[dtype], "n": n, "block": block, "warps": warps,
                     "tegula_TBps": moved / a * 1e-9, "triton_TBps": moved / b * 1e-9,
                     "ratio": statistics.median(q / p for p, q in pairs)})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tegula")
    parser.add_argument("--json")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    source = torch.randn(1 << 29, device="cuda")
    target = torch.empty_like(source)
    copy = 2 * source.numel() * 4 / time_ms(lambda: target.copy_(source)) * 1e-9
    del source, target
    print(f"{torch.cuda.get_device_name()}, Triton {triton.__version__}, copy {copy:.2f} TB/s")
    rows = []
    for name, build, dtype, n in CASES:
        found = measure(options.tegula, name, build, dtype, n, options.rounds)
        rows += found
        for r in found:
            print("{kernel:10} {dtype:5} n=2^{log:<2} block {block:4} warps {warps}: {tegula_TBps:.3f} TB/s, "
                  "Triton {triton_TBps:.3f}, ratio {ratio:.3f}".format(log=n.bit_length() - 1, **r), flush=True)
        best = [max(r[k] for r in found) for k in ("tegula_TBps", "triton_TBps")]
        print(f"{name:10} {TYPES[dtype]:5} best of each: {best[0]:.3f} / {best[1]:.3f} = {best[0] / best[1]:.3f}", flush=True)
    if options.json:
        json.dump({"copy_TBps": copy, "rows": rows}, open(options.json, "w"), indent=1)


if __name__ == "__main__":
    sys.exit(main())
