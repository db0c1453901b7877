"""The part of beside_triton.py that needs a GPU, PyTorch and Triton."""

import ctypes
import gc
import importlib.util
import statistics
import sys
import time
import traceback
import types

import torch
import triton

from __main__ import KERNELS, Tensor, is_bound, type_of

TYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16, "i8": torch.int8, "i32": torch.int32,
         "fp8e4nv": torch.float8_e4m3fn, "fp8e5": torch.float8_e5m2}
NUM_REGS, LOCAL_BYTES, MAX_DYNAMIC_SHARED = 4, 3, 8  # CUfunction_attribute
cuda = ctypes.CDLL("libcuda.so.1")


def check(status):
    if status:
        text = ctypes.c_char_p()
        cuda.cuGetErrorString(status, ctypes.byref(text))
        raise RuntimeError(f"driver call failed: {text.value}")


class Loaded:
    """Our PTX in the driver; `bind` gives a function that launches it on PyTorch's stream."""

    def __init__(self, compiled, entry):
        self.compiled = compiled
        self.module, self.function = ctypes.c_void_p(), ctypes.c_void_p()
        check(cuda.cuModuleLoadData(ctypes.byref(self.module), compiled.ptx.encode()))
        check(cuda.cuModuleGetFunction(ctypes.byref(self.function), self.module, entry.encode()))
        if compiled.shared > 48 * 1024:
            check(cuda.cuFuncSetAttribute(self.function, MAX_DYNAMIC_SHARED, compiled.shared))

    def attribute(self, number):
        value = ctypes.c_int()
        check(cuda.cuFuncGetAttribute(ctypes.byref(value), number, self.function))
        return value.value

    def bind(self, programs, case, buffers):
        values = []
        for name, value in case.arguments.items():
            kind = type_of(value)
            if isinstance(value, Tensor):
                values.append(ctypes.c_uint64(buffers[name].data_ptr()))
            elif kind == "fp32":
                values.append(ctypes.c_float(value))
            elif not is_bound(value):
                values.append((ctypes.c_int64 if kind.startswith("i64") else ctypes.c_int32)(value))
        if self.compiled.programs_per_block > 1:
            values.append(ctypes.c_uint32(programs))
        pointers = (ctypes.c_void_p * len(values))(*[ctypes.addressof(v) for v in values])
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        x, y = self.compiled.blocks(programs)

        def launch(keep=values):  # the driver reads the values at each launch
            check(cuda.cuLaunchKernel(self.function, x, y, 1, self.compiled.threads, 1, 1, self.compiled.shared,
                                      stream, pointers, None))

        return launch


def load_kernel_file(name):
    spec = importlib.util.spec_from_file_location(name, KERNELS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def filled(tensor):
    """Normal numbers, whole ones of all that an int8 holds, or what no kernel writes."""
    dtype = TYPES[tensor.dtype]
    if tensor.fill == "nan":
        value = float("nan") if dtype.is_floating_point else -1
        return torch.full(tensor.shape, value, device="cuda", dtype=dtype)
    if dtype == torch.int8:
        return torch.randint(-128, 128, tensor.shape, device="cuda", dtype=dtype)
    if dtype.itemsize == 1:
        return torch.randn(tensor.shape, device="cuda", dtype=torch.float16).to(dtype)
    return torch.randn(tensor.shape, device="cuda", dtype=dtype)


def make_buffers(case):
    torch.manual_seed(0)
    buffers = {}
    for name, value in case.arguments.items():
        if isinstance(value, Tensor):
            buffers[name] = filled(value)
    return buffers


def time_ms(run, warmup, rep):
    return triton.testing.do_bench(run, warmup=warmup, rep=rep, return_mode="median")


def agrees(case, run, output, expected):
    output.fill_(float("nan") if output.is_floating_point() else -1)
    run()
    torch.cuda.synchronize()
    relative, absolute = case.tolerance
    torch.testing.assert_close(output, expected, rtol=relative, atol=absolute)


def best_of(side, case, launches, output, expected):
    """The quickest of the configurations that work: (milliseconds, index)."""
    times = []
    for index, launch in enumerate(launches):
        try:
            if launch is None:
                continue
            agrees(case, launch, output, expected)
            times.append((time_ms(launch, 5, 15), index))
        except Exception as error:  # an unsupported configuration must not end the run
            print(f"{case.label()}: {side}, {case.configs[index]}: {str(error).strip()[:400]}", file=sys.stderr)
    return min(times, default=None)


loaded = {}  # variant -> Loaded, for the whole run: the driver takes longer to assemble than a case to measure


def our_launches(case, compiled, buffers):
    launches = []
    for config in case.configs:
        key = case.variant(config)
        found = compiled[key]
        if isinstance(found, Exception):
            print(f"{case.label()}: {config}: {found}", file=sys.stderr)
            launches.append(None)
            continue
        if key not in loaded:
            loaded[key] = Loaded(found, case.entry)
        launches.append(loaded[key].bind(config.programs, case, buffers))
    return launches


def their_launches(case, module, buffers):
    values = [buffers[k] if isinstance(v, Tensor) else v for k, v in case.arguments.items()]
    kernel = getattr(module, case.entry)
    if isinstance(kernel, triton.runtime.Autotuner):
        kernel = kernel.fn  # the configs are gone through here
    grid = lambda c: c.programs if isinstance(c.programs, tuple) else (c.programs,)
    return [lambda c=c: kernel[grid(c)](*values, **dict(c.constants), num_warps=c.warps, num_stages=c.stages)
            for c in case.configs]


def in_turns(rounds, runs):
    """Milliseconds of each run in each round; odd rounds go backwards."""
    table = []
    for index in range(rounds):
        order = range(len(runs)) if index % 2 == 0 else reversed(range(len(runs)))
        found = {i: time_ms(runs[i], 10, 40) for i in order}
        table.append([found[i] for i in range(len(runs))])
    return table


def measure(case, compiled, rounds):
    module = load_kernel_file(case.file)
    buffers = make_buffers(case)
    output = buffers[case.output]
    names = types.SimpleNamespace(**module.__dict__)
    expected = eval(case.expected, {"host": names, **case.arguments, **buffers})
    ours = our_launches(case, compiled, buffers)
    theirs = their_launches(case, module, buffers)
    best_ours = best_of("Tegula", case, ours, output, expected)
    best_theirs = best_of("Triton", case, theirs, output, expected)
    if not best_ours or not best_theirs:
        return None
    a, b = best_ours[1], best_theirs[1]
    half = torch.empty(case.moved // 2, dtype=torch.uint8, device="cuda")
    copied = torch.empty_like(half)
    table = in_turns(rounds, [ours[a], theirs[b], lambda: copied.copy_(half)])
    median = lambda i: statistics.median(row[i] for row in table)
    ratio = lambda i: statistics.median(row[i] / row[0] for row in table)
    image = loaded[case.variant(case.configs[a])]
    return {"kernel": case.name, "dtype": case.dtype, "shape": list(case.shape),
            "tegula_TBps": case.moved / median(0) * 1e-9, "triton_TBps": case.moved / median(1) * 1e-9,
            "copy_TBps": case.moved / median(2) * 1e-9, "to_triton": ratio(1), "to_copy": ratio(2),
            "tegula_config": str(case.configs[a]), "triton_config": str(case.configs[b]),
            "registers": image.attribute(NUM_REGS), "local_bytes": image.attribute(LOCAL_BYTES),
            "programs_per_block": image.compiled.programs_per_block}


def table_row(row):
    return (f"| {row['kernel']} | {row['dtype']} | {'×'.join(map(str, row['shape']))} | {row['tegula_TBps']:.2f} | "
            f"{row['triton_TBps']:.2f} | {row['to_triton']:.3f} | {row['to_copy']:.3f} |")


def measure_all(options, cases, compiled, start):
    torch.zeros(1, device="cuda")  # makes the context that the driver calls need
    device = torch.cuda.get_device_name()
    print(f"{device}, Triton {triton.__version__}, PyTorch {torch.__version__}", flush=True)
    rows, left = [], []
    for case in cases:
        if time.monotonic() - start > options.budget:
            left.append(case.label())
            continue
        try:
            row = measure(case, compiled, options.rounds)
        except Exception:
            traceback.print_exc()
            row = None
        gc.collect()
        torch.cuda.empty_cache()
        if not row:
            print(f"{case.label()}: not measured", flush=True)
            continue
        rows.append(row)
        print(f"{case.label()}: Tegula {row['tegula_TBps']:.3f} TB/s ({row['tegula_config']}; {row['registers']} "
              f"registers, {row['local_bytes']} bytes spilled, {row['programs_per_block']} programs a block), "
              f"Triton {row['triton_TBps']:.3f} ({row['triton_config']}), copy {row['copy_TBps']:.3f}; "
              f"to Triton {row['to_triton']:.3f}, to copy {row['to_copy']:.3f}", flush=True)
    print("\n| kernel | type | shape | Tegula TB/s | Triton TB/s | to Triton | to copy |")
    print("|---|---|---|---|---|---|---|")
    print("\n".join(table_row(r) for r in rows))
    if left:
        print("left out for time: " + ", ".join(left))
    print(f"{time.monotonic() - start:.0f} s")
    return {"device": device, "triton": triton.__version__, "rows": rows}
