"""The helper of `tegula bench --beside` and `--errors`: measures what needs PyTorch, as a plan says.

    python3 tools/bench/peers/peers.py PLAN.json

`tegula bench` writes the plan and reads what `wire.py` lists.
"""

import json
import os
import sys

from wire import tell


def find_tegula(plan):
    """Ends the process where the package is missing, for nothing can be measured then."""
    if plan["package"]:
        sys.path.insert(0, plan["package"])
    os.environ["TEGULA_DEVICE"] = "cuda"
    try:
        import tegula  # noqa: F401
    except ImportError as error:
        sys.exit(f"error: kernels are launched through the Python package `tegula`, which was not found: {error}; "
                 "install its wheel, or name the Python that has it by `--python=PROGRAM`")


def find_pytorch(plan):
    try:
        import torch
    except ImportError as error:
        return tell("missing", "PyTorch", error)
    if not torch.cuda.is_available():
        return tell("missing", "PyTorch", "it finds no CUDA device")
    torch.cuda.set_device(plan["device"])
    tell("device", torch.cuda.get_device_name())
    tell("version", f"PyTorch {torch.__version__}")
    return torch


def find_peers(plan, torch):
    """Leaves only the peers that are here in the plan."""
    try:
        import triton
        tell("version", f"Triton {triton.__version__}")
    except ImportError as error:
        if "triton" in plan["peers"]:
            tell("missing", "Triton", error)
            plan["peers"].remove("triton")
    if "cudnn" in plan["peers"] and not torch.backends.cudnn.is_available():
        tell("missing", "cuDNN", "PyTorch was built without it")
        plan["peers"].remove("cudnn")


def main():
    with open(sys.argv[1]) as file:
        plan = json.load(file)
    torch = find_pytorch(plan)
    if not torch:
        return
    find_tegula(plan)
    find_peers(plan, torch)
    if "errors" in plan:
        import errors
        errors.measure_all(plan)
    else:
        import rates
        from cases import case_of
        rates.measure_all(plan, [case_of(planned) for planned in plan["cases"]])


if __name__ == "__main__":
    main()
