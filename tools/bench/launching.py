"""Our PTX in the driver, launched on PyTorch's stream; and the same kernel under Triton."""

import ctypes
import importlib.util
import os
import sys
import types

import torch

from cases import Tensor, is_bound, type_of

NUM_REGS, LOCAL_BYTES, MAX_DYNAMIC_SHARED = 4, 3, 8  # CUfunction_attribute
STATIC_SHARED = 48 * 1024  # a launch may have as much without asking
cuda = ctypes.CDLL("libcuda.so.1")


def check(status):
    if status:
        text = ctypes.c_char_p()
        cuda.cuGetErrorString(status, ctypes.byref(text))
        raise RuntimeError(f"driver call failed: {text.value}")


def use_device(plan):
    """Makes the GPU of the plan this thread's, and the context that the driver calls need."""
    torch.cuda.set_device(plan["device"])
    torch.zeros(1, device="cuda")


class Loaded:
    """`bind` gives a function that launches the kernel."""

    def __init__(self, compiled):
        self.compiled = compiled
        self.module, self.function = ctypes.c_void_p(), ctypes.c_void_p()
        check(cuda.cuModuleLoadData(ctypes.byref(self.module), compiled.ptx.encode()))
        check(cuda.cuModuleGetFunction(ctypes.byref(self.function), self.module, compiled.entry.encode()))
        if compiled.shared > STATIC_SHARED:
            check(cuda.cuFuncSetAttribute(self.function, MAX_DYNAMIC_SHARED, compiled.shared))

    def attribute(self, number):
        value = ctypes.c_int()
        check(cuda.cuFuncGetAttribute(ctypes.byref(value), number, self.function))
        return value.value

    def bind(self, programs, case, buffers):
        values = []
        for name, value in case.arguments.items():
            if isinstance(value, Tensor):
                values.append(ctypes.c_uint64(buffers[name].data_ptr()))
            elif isinstance(value, float):
                values.append(ctypes.c_float(value))
            elif not is_bound(value):
                values.append((ctypes.c_int64 if type_of(value).startswith("i64") else ctypes.c_int32)(value))
        grid = (*(programs if isinstance(programs, tuple) else (programs, 1)), 1)
        values += [ctypes.c_uint32(count) for count in grid[:self.compiled.counts]]
        known = {name: buffers[name].data_ptr() if isinstance(value, Tensor) else value
                 for name, value in case.arguments.items()}
        values += [tensor_map.encode(cuda, known) for tensor_map in self.compiled.maps]
        pointers = (ctypes.c_void_p * len(values))(*[ctypes.addressof(v) for v in values])
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        x, y = self.compiled.blocks(programs, torch.cuda.get_device_properties(0).multi_processor_count)

        def launch(keep=values):  # the driver reads the values at each launch
            check(cuda.cuLaunchKernel(self.function, x, y, 1, self.compiled.threads, 1, 1, self.compiled.shared,
                                      stream, pointers, None))

        return launch


def put_stand_in():
    """A `triton` that kernel files can be imported with where there is none: their host sides are wanted."""
    def anything(*args, **options):
        return args[0] if len(args) == 1 and callable(args[0]) and not options else anything

    class StandIn(types.ModuleType):
        def __getattr__(self, name):
            return anything

    for name in ("triton", "triton.language"):
        sys.modules[name] = StandIn(name)
    sys.modules["triton"].language = sys.modules["triton.language"]


def load_kernel_file(plan, name):
    spec = importlib.util.spec_from_file_location(name, os.path.join(plan["kernels"], f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def their_launches(case, module, buffers):
    """A function for each config that launches Triton's kernel."""
    import triton

    values = [buffers[k] if isinstance(v, Tensor) else v for k, v in case.arguments.items()]
    kernel = getattr(module, case.entry)
    if isinstance(kernel, triton.runtime.Autotuner):
        kernel = kernel.fn  # the configs are gone through here
    if isinstance(kernel, triton.runtime.Heuristics):
        kernel = kernel.fn  # and say what it would compute
    return [lambda c=c: kernel[c.programs](*values, **dict(c.constants), num_warps=c.warps, num_stages=c.stages)
            for c in case.configs]
