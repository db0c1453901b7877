"""Arrays where kernels run: NumPy's on the emulator and the interpreter, PyTorch's on a GPU."""

import numpy as np

import tegula

KIND = tegula.get_device().properties()["kind"]
ON_GPU = KIND == "cuda"


def array(values, dtype="float32"):
    made = np.ascontiguousarray(np.asarray(values, dtype=dtype))
    if not ON_GPU:
        return made
    import torch
    return torch.from_numpy(made).cuda()


def zeros(count, dtype="float32"):
    return array(np.zeros(count), dtype)


def numbers(made):
    return made.cpu().numpy() if ON_GPU else made
